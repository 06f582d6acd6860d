import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { installPackages } from '../../scripts/package-cache.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import {
  convertManifest,
  findRepository,
  findRepositoryInstallation,
  listBranchTips,
  listFailedDeliveries,
  listInstallationRepositories,
  listInstallations,
  readApp,
  readInstallation,
  readWebhookUrl,
  redeliver,
} from '../../src/github/apps/github-app.ts'
import {
  createUserClient,
  exchangeCode,
  listCollaborators,
  listUserInstallations,
  listUserRepositories,
  mayWrite,
  readUser,
  revokeToken,
  toAuthorizeUrl,
} from '../../src/github/apps/users.ts'
import { toCommentKey } from '../../src/github/report/feedback.ts'
import { renderComment } from '../../src/github/report/render-comment.ts'
import { readArchive } from '../../src/github/repositories/archives.ts'
import {
  commitMutation,
  commitOnBranch,
  createBranch,
  deleteBranch,
  moveBranches,
  readBranch,
  updateRefsMutation,
} from '../../src/github/repositories/branches.ts'
import {
  concludeCheckRun,
  createCheckRun,
  setCommitStatus,
  setDeployment,
  startCheckRun,
  takeOverCheckRun,
  toAnnotations,
} from '../../src/github/repositories/check-runs.ts'
import {
  compareCommits,
  findCommit,
  findPreviousPath,
  hasNewerRun,
  listCommitsSince,
  listFileCommits,
  listRepositoryFiles,
  listRepositoryTags,
  readRepositoryFile,
  tagsQuery,
  toHistoryQuery,
} from '../../src/github/repositories/commits.ts'
import {
  addAssignees,
  addLabels,
  closePullRequest,
  createPullRequest,
  findClosedPullRequest,
  listOpenPullRequests,
  requestReviewers,
  syncComment,
  updatePullRequest,
  viewerQuery,
} from '../../src/github/repositories/pull-requests.ts'
import { createTokenClient } from '../../src/github/requests/github-client.ts'
import { makeDiagnostic } from '../support/diagnostics.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { routes } from '../support/fake-github/serve-request.ts'
import type { LoggedRequest } from '../support/fake-github/types.ts'
import { createGitHubApp, fastPace } from '../support/github-app.ts'

/** GitHub's own description of its REST API. */
interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
}
interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string; readonly name?: string }[]
  readonly requestBody?: { readonly content: { readonly [type: string]: unknown } }
  readonly responses: {
    readonly [status: string]: { readonly $ref?: string; readonly content?: { readonly [type: string]: unknown } }
  }
}

const text = readFileSync(join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json'), 'utf8')
const description = JSON.parse(text, (_key, value: unknown) => {
  // OpenAPI 3.0 has a keyword for what JSON Schema says with a second type.
  if (typeof value !== 'object' || value === null || !('nullable' in value) || value.nullable !== true) return value
  const { nullable: _nullable, ...schema } = value
  return { anyOf: [{ type: 'null' }, schema] }
}) as Description
const ajv = addFormats.default(new Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false }))
ajv.addSchema(description, 'github')

let requests: readonly LoggedRequest[]

beforeAll(async () => {
  const github = await startFakeGitHub({
    permissions: {
      contents: 'write',
      metadata: 'read',
      checks: 'write',
      pull_requests: 'write',
      statuses: 'write',
      deployments: 'write',
      actions: 'read',
    },
  })
  await askEverything(github)
  github.assertNoUnexpectedRequests()
  requests = github.requests
  await github.close()
})

/** Every call of `src/github`, and the routes of the fake that only tests look at. */
async function askEverything(github: FakeGitHub): Promise<void> {
  github.webhookUrl = 'http://127.0.0.1:9/hooks'
  const name = { owner: 'acme', repo: 'api' }
  const repository = github.createRepository('acme/api', { files: { 'openapi.yaml': 'openapi: 3.1.0\n', 'docs/a.mdx': '# A\n' } })
  const base = repository.tipOf('main')
  const { sha } = await repository.push({
    branch: 'change',
    files: { 'b/c.yaml': 'a: 1\n', 'openapi.yaml': null, 'moved.yaml': 'openapi: 3.1.0\n' },
  })
  const pull = repository.openPullRequest({ head: 'change' })
  const app = createGitHubApp(github)
  const client = app.installation(repository.installation?.id ?? 0)

  await readApp(app.client)
  await readWebhookUrl(app.client)
  await listInstallations(app.client)
  await readInstallation(app.client, repository.installation?.id ?? 0)
  const [failed] = await listFailedDeliveries(app.client, '2020-01-01T00:00:00Z')
  if (!failed) throw new Error('The delivery did not fail')
  await redeliver(app.client, failed)
  await app.client.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id: failed.id })
  await findRepositoryInstallation(app.client, name)
  await convertManifest(github.confirmManifest({ name: 'Docs' }), { apiUrl: github.url })

  await listInstallationRepositories(client)
  await findRepository(client, repository.id)
  await listBranchTips(client, name)
  await findCommit(client, name, 'refs/heads/change')
  await findCommit(client, name, 'f'.repeat(40))
  await listOpenPullRequests(client, name, 'change')
  await compareCommits(client, name, base, sha)
  await findPreviousPath(client, name, { path: 'moved.yaml', older: base, newer: sha })
  repository.tags.set('v1.0.0', { sha: base }).set('v2.0.0', { sha, date: '2026-03-01T12:00:00+01:00' })
  await listRepositoryTags(client, name)
  await listFileCommits(client, name, { sha, paths: ['openapi.yaml', 'docs'], limit: 10 })
  await listRepositoryFiles(client, name, sha)
  await readRepositoryFile(client, name, sha, 'b/c.yaml')
  await readRepositoryFile(client, name, sha, 'none')
  const folder = toOwnPath(mkdtempSync(join(tmpdir(), 'openapi-pages-test-')))
  await readArchive(client, name, sha, folder)
  rmSync(folder, { recursive: true })
  github.account('hubot')
  repository.setPermission('hubot', 'maintain')
  await listCollaborators(client, name)
  await mayWrite(client, name, { login: 'hubot' })
  await mayWrite(client, name, { login: 'outsider' })

  const check = {
    name: 'openapi-pages',
    headSha: sha,
    externalId: 'status-1',
    detailsUrl: 'https://docs.example.com/1',
  }
  await takeOverCheckRun(client, name, { ...check, appId: github.app.id }, async () => true)
  const { id } = await createCheckRun(client, name, check)
  await startCheckRun(client, name, id, '2026-11-20T07:15:01.123Z')
  const diagnostics = Array.from({ length: 60 }, (_, index) =>
    makeDiagnostic({ line: index + 1, section: 'OpenAPI 3.1.1', endLine: index + 1 + (index % 2) }),
  )
  await concludeCheckRun(client, name, id, {
    conclusion: 'failure',
    title: '60 errors',
    summary: 'Words',
    annotations: toAnnotations(diagnostics),
    actions: [{ label: 'Regenerate', description: 'Commit the changed pages to this branch', identifier: 'regenerate' }],
    completedAt: '2026-11-20T07:15:03.120Z',
  })
  const feedback = {
    headSha: sha,
    webUrl: repository.webUrl,
    pagesAre: 'planned' as const,
    detailsUrl: check.detailsUrl,
    documents: [],
    pages: [],
    diagnostics,
    notes: [],
  }
  const comment = { pullNumber: pull.number, key: toCommentKey(''), author: { kind: 'app', appId: github.app.id } as const }
  await syncComment(client, name, { ...comment, feedback })
  await syncComment(client, name, { ...comment, feedback: { ...feedback, diagnostics: [] } })
  // A run of the Action that commented at the same moment, but later: it finds out who it is, and takes its comment away.
  const token = github.createJobToken(repository, { pull_requests: 'write' })
  const action = createTokenClient({ token, apiUrl: github.url, pace: fastPace })
  const body = renderComment(comment.key, feedback, undefined)?.body ?? ''
  await action.rest.issues.createComment({ ...name, issue_number: pull.number, body })
  await syncComment(action, name, { ...comment, author: { kind: 'token' }, feedback })

  const reported = { sha, state: 'success' as const, description: 'Valid: 1 document, 1 operation.' }
  const status = { ...reported, context: check.name, targetUrl: check.detailsUrl }
  await setCommitStatus(client, name, status)
  await setCommitStatus(client, name, status)
  const deployment = {
    ...reported,
    environment: 'docs (preview)',
    isProduction: false,
    externalId: 'status-1',
    logUrl: check.detailsUrl,
  }
  await setDeployment(client, name, deployment)
  await setDeployment(client, name, deployment)

  await commitOnBranch(client, name, {
    branch: 'change',
    expectedHeadSha: sha,
    headline: 'Regenerate the pages',
    body: 'Words',
    changes: [
      { kind: 'add', path: 'a.mdx', content: '# A\n' },
      { kind: 'delete', path: 'b/c.yaml', before: 'a: 1\n' },
    ],
  })

  const [first, second] = [repository.tipOf('main'), repository.tipOf('change')]
  await createBranch(client, name, 'temporary', second)
  await readBranch(client, name, 'temporary')
  const moved = { branch: 'temporary', from: second, to: first, mayForce: true }
  await moveBranches(client, name, [moved, { branch: 'fresh', from: undefined, to: second, mayForce: false }])
  await deleteBranch(client, name, 'temporary')
  await listCommitsSince(client, name, first, second)
  const proposal = { head: 'fresh', base: 'main', title: 'Regenerate the pages', body: 'Words', draft: true }
  const { pull: opened } = await createPullRequest(client, name, proposal)
  await createPullRequest(client, name, proposal)
  await updatePullRequest(client, name, { number: opened.number, body: 'Other words' })
  await addLabels(client, name, { number: opened.number, labels: ['documentation'] })
  await addAssignees(client, name, { number: opened.number, assignees: ['hubot', 'outsider'] })
  repository.teams.add('docs')
  await requestReviewers(client, name, { number: opened.number, reviewers: ['hubot'] })
  await requestReviewers(client, name, { number: opened.number, teamSlugs: ['docs'] })
  await requestReviewers(client, name, { number: opened.number, reviewers: ['outsider'] }).catch(() => undefined)
  await closePullRequest(client, name, { number: opened.number, body: 'Other words', reason: 'Nothing is left to do.' })
  await findClosedPullRequest(client, name, { head: 'fresh', base: 'main' })
  const run = { id: 1, workflow: 'docs.yml', number: 8, branch: 'main', sha: first, status: 'queued', conclusion: null } as const
  repository.workflowRuns.push({ ...run })
  await hasNewerRun(client, name, { workflow: 'docs.yml', sha: first, runNumber: 7 })

  repository.setPermission('octocat', 'maintain')
  await askAsPerson(github, repository.installation?.id ?? 0)

  await client.request('GET /rate_limit')
  await client.request('GET /repos/{owner}/{repo}', name)
  await client.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...name, branch: 'change' })
  await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...name, pull_number: pull.number })
  await client.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', { ...name, commit_sha: sha })
  await client.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', { ...name, check_run_id: id })
}

/** A person signs in by the app, looks at what they can read, and signs out. */
async function askAsPerson(github: FakeGitHub, installationId: number): Promise<void> {
  const { clientId, clientSecret } = github.app
  const oauth = { githubUrl: github.url, clientId, clientSecret }
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const redirectUrl = 'http://127.0.0.1:9/signed-in'
  const asked = await fetch(toAuthorizeUrl(oauth, { redirectUrl, state: 'one', challenge }), { redirect: 'manual' })
  const code = new URL(asked.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { accessToken } = await exchangeCode(oauth, { code, verifier, redirectUrl })
  const person = createUserClient({ accessToken, apiUrl: github.url, pace: fastPace })
  await readUser(person)
  await listUserInstallations(person)
  await listUserRepositories(person, installationId)
  await revokeToken(oauth, { apiUrl: github.url, accessToken })
}

/** GitHub documents the redirects to this route, with the same answer as the route by name. */
function toDescribed(path: string): string {
  return path === '/repositories/{repository_id}' ? '/repos/{owner}/{repo}' : path
}

function operationOf(route: string): Operation | undefined {
  const [method = '', undescribed = ''] = route.split(' ')
  const path = toDescribed(undescribed)
  return description.paths[path]?.[method.toLowerCase()]
}

/** What is wrong with a value by the schema at a place of the description. */
function faultsOf(value: unknown, steps: readonly string[]): string[] {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const validate = ajv.getSchema(`github#/${pointer}`) ?? ajv.compile({ $ref: `github#/${pointer}` })
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** But for GraphQL, and the sign-in, which is part of GitHub's web pages and not of its API. */
const restRoutes = routes
  .map((route) => route.name)
  .filter((name) => name !== 'POST /graphql' && !name.includes(' /login/oauth/'))

describe.each(restRoutes)('%s', (route) => {
  const [method = '', path = ''] = route.split(' ')
  const steps = ['paths', toDescribed(path), method.toLowerCase()]
  const asked = () => requests.filter((request) => request.route === route)

  test('is a route of GitHub and is used', () => {
    expect(operationOf(route)).toBeDefined()
    expect(asked().length).toBeGreaterThan(0)
  })

  test("every response matches GitHub's description", () => {
    for (const { status, answer } of asked()) {
      const response = operationOf(route)?.responses[String(status)]
      const schema = response?.$ref?.slice(2).split('/') ?? [...steps, 'responses', String(status)]
      if (response?.$ref === undefined && response?.content?.['application/json'] === undefined) {
        // GitHub describes no body: there is none, or it is the common one of a refusal.
        if (status >= 400) expect(faultsOf(answer, ['components', 'schemas', 'basic-error'])).toEqual([])
        else expect(answer, `${status}`).toBeUndefined()
      } else if (route === 'GET /app/installations') {
        // The description asks an account of this list to be a user and an enterprise at once; for one installation it asks for either.
        for (const one of answer as unknown[]) expect(faultsOf(one, ['components', 'schemas', 'installation'])).toEqual([])
      } else expect(faultsOf(answer, [...schema, 'content', 'application/json', 'schema']), `${status}`).toEqual([])
    }
  })

  test("every request matches GitHub's description", () => {
    for (const { body, url } of asked()) {
      const operation = operationOf(route)
      if (body !== undefined && operation?.requestBody) {
        expect(faultsOf(body, [...steps, 'requestBody', 'content', 'application/json', 'schema'])).toEqual([])
      } else expect(body).toBeUndefined()
      const known = (operation?.parameters ?? [])
        .map((parameter) => resolve(parameter))
        .flatMap((one) => (one.in === 'query' ? [one.name] : []))
      for (const parameter of new URL(url, 'http://localhost').searchParams.keys()) expect(known).toContain(parameter)
    }
  })
})

function resolve(parameter: { readonly $ref?: string; readonly in?: string; readonly name?: string }): {
  in?: string
  name?: string
} {
  if (parameter.$ref === undefined) return parameter
  let value: unknown = description
  for (const step of parameter.$ref.slice(2).split('/')) value = (value as { [key: string]: unknown })[step]
  return value as { in?: string; name?: string } // A parameter of the description.
}

describe('GraphQL queries', () => {
  test('are valid for the GraphQL schema of GitHub, with their variables', async () => {
    const modules = installPackages('github-graphql', { '@octokit/graphql-schema': '15.26.1', graphql: '16.12.0' })
    const graphql = (await import(pathToFileURL(join(modules, 'graphql/index.mjs')).href)) as GraphqlPackage
    // GitHub's own file names two fields twice, which the package refuses.
    const sdl = readFileSync(join(modules, '@octokit/graphql-schema/schema.graphql'), 'utf8')
    const schema = graphql.buildSchema(sdl, { assumeValidSDL: true })
    const sent = requests
      .filter(({ route }) => route === 'POST /graphql')
      .map(({ body }) => body as { query: string; variables?: { input: unknown } })
    const types: { readonly [query: string]: string } = {
      [commitMutation]: 'CreateCommitOnBranchInput',
      [updateRefsMutation]: 'UpdateRefsInput',
    }
    const queries = [tagsQuery, toHistoryQuery(2), viewerQuery]
    expect(sent.map(({ query }) => query)).toEqual([...queries, ...Object.keys(types)])
    const faults: string[] = []
    for (const { query, variables } of sent) {
      expect(graphql.validate(schema, graphql.parse(query))).toEqual([])
      if (variables === undefined || queries.includes(query)) continue
      const type = schema.getType(types[query] ?? '')
      graphql.coerceInputValue(variables.input, type, (path, _value, error) => faults.push(`${path.join('.')} ${error.message}`))
    }
    expect(faults).toEqual([])
    expect(graphql.validate(schema, graphql.parse(commitMutation.replace('oid', 'oidd')))).toHaveLength(1)
  })
})

/** The part of `graphql` that this test uses; it is no dependency of the project. */
interface GraphqlPackage {
  buildSchema(text: string, options: { assumeValidSDL: true }): { getType(name: string): unknown }
  parse(text: string): unknown
  validate(schema: unknown, document: unknown): readonly Error[]
  coerceInputValue(
    value: unknown,
    type: unknown,
    onError: (path: readonly (string | number)[], value: unknown, error: Error) => void,
  ): unknown
}

test('these tests detect a wrong response', () => {
  const wrong = { id: 'one', slug: 'x' }
  expect(faultsOf(wrong, ['components', 'schemas', 'integration'])).toContain('/id must be integer')
})
