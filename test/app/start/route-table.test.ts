import { readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { ServerKeys } from '../../../src/app/base/config/server-keys.ts'
import { createWebhooksPart } from '../../../src/app/github-events/webhooks/webhooks-part.ts'
import { createWorkflowIdentity } from '../../../src/app/http/workflow-identity.ts'
import { createSetup } from '../../../src/app/screens/setup/create-setup.ts'
import { createServer } from '../../../src/app/start/server.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { connectApp } from '../support/connected-app.ts'
import { listRoutes } from '../support/list-routes.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'
import { addProject, addToken } from '../support/test-app.ts'

const callers = [
  'nobody',
  'forged token',
  'read token',
  'write token',
  'other token',
  'admin token',
  'workflow',
  'reader',
  'owner',
  'stranger',
] as const

/** What a route reads, and its status for each of the callers, in their order. One status is that of all. */
interface Row {
  readonly answers: string
  readonly json?: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, string>>
  readonly query?: readonly string[]
  /** Another type of the body. */
  readonly type?: string
  /** On the host of a public site. */
  readonly isOnSite?: true
}

const sha = toSha('a')
const table = readFileSync(join(import.meta.dirname, 'route-table.yaml'), 'utf8')
const rows = parse(table) as Readonly<Record<string, Row>>

/** Characters that have an effect in a terminal, or change the direction of text. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const hostileTexts = [
  '',
  '\u0000',
  'a\u001b[31mb',
  'a\u202eb',
  'half \ud800 pair',
  '../../etc/passwd',
  '__proto__',
  '<img src=x>',
  'x'.repeat(9_000),
]
const hostileValues = [...hostileTexts, null, -1, 1e300, true, [], {}, [null], { constructor: { prototype: 1 } }]
/** As they stand in a URL. */
const hostileParts = ['%00', '%1b%5b31m', '%E2%80%AE', '%ED%A0%80', '%', '..%2f..', '__proto__', '%3Cimg%3E', 'x'.repeat(9_000)]
const hostileBodies = ['', '{', 'null', '[]', '"x"', '{"__proto__":{"a":1}}', '{"unknown":1}', '[[[[', '\u0000', '\u202e']

interface Asked {
  readonly caller?: (typeof callers)[number]
  readonly url?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function start() {
  const limits = { ADDRESS_REQUESTS_PER_MINUTE: '10000', REQUESTS_PER_MINUTE: '10000', PLAYGROUND_RELAY_PER_MINUTE: '10000' }
  const people = await startPeopleApp({ env: { PLAYGROUND_RELAY: 'all', ...limits } })
  const { app, store, base, github } = people
  const { context } = app
  const issuer = { githubUrl: github.url, issuer: github.oidc.issuer, audiences: () => [base] }
  const tools = { ...app.tools, workflows: createWorkflowIdentity(issuer) }
  const part = createWebhooksPart()(context, tools)
  const setup = createSetup(context, { setupKey: 'key' } as ServerKeys, async () => undefined)
  const server = await createServer(context, tools, { routes: [...(part.routes ? [part.routes] : []), setup.routes] })
  if (context.github.credentials) await part.serve?.(context.github.credentials)
  const address = new URL(await server.listen({ port: 0 }))
  onTestFinished(async () => {
    await part.stop?.()
    await server.close()
  })
  const { project, repository } = await people.addRepository('acme/api', { octocat: 'admin', ada: 'read' }, { private: true })
  const { _id: statusId } = await endUpdate(store, project, { sha, site: { 'index.html': 'Pets', 'index.md': 'Pets' } })
  const other = await addProject(store, { repositoryId: 1 })
  const tokenOf = async (grant: Parameters<typeof addToken>[1]) => ({
    authorization: `Bearer ${(await addToken(store, grant)).text}`,
  })
  const sessionOf = async (login: string) => {
    const { cookies } = await people.visitorOf(login)
    const jar = [...(cookies.get(new URL(base).host) ?? [])]
    return { cookie: jar.map(([name, value]) => `${name}=${value}`).join('; ') }
  }
  const workflow = await github.signOidcToken(repository, sha, { audience: base })
  const credentials: Readonly<Record<(typeof callers)[number], Readonly<Record<string, string>>>> = {
    nobody: {},
    'forged token': { authorization: 'Bearer opk_abcdefghijklmnopqrstuvwxyz0123456789' },
    'read token': await tokenOf({ scope: 'read', projectId: project.id }),
    'write token': await tokenOf({ scope: 'write', projectId: project.id }),
    'other token': await tokenOf({ scope: 'write', projectId: other.id }),
    'admin token': await tokenOf({ scope: 'admin' }),
    workflow: { authorization: `Bearer ${workflow}` },
    reader: await sessionOf('ada'),
    owner: await sessionOf('octocat'),
    stranger: await sessionOf('mallory'),
  }
  const siteHost = `${project.subdomain}.${new URL(base).host}`
  const values = {
    projectId: project.id,
    statusId,
    sha,
    domain: project.subdomain,
    linkId: 'link_1',
    name: 'light.png',
    issuer: 'corp',
  }
  const assets = new Map(
    server
      .printRoutes({ commonPrefix: false })
      .match(/assets\/\w+\/\S+/g)
      ?.map((path) => [path.split('/')[2], `/${path}`]),
  )
  const urlOf = (route: string) => {
    const path = route.replace(/^\w+ /, '')
    return (
      assets.get(path.split('/assets/:hash/')[1]) ??
      path.replaceAll(/:(\w+)/g, (_, name: string) => values[name as keyof typeof values])
    )
  }
  const ask = async (
    route: string,
    valid: string,
    { caller = 'nobody', url = valid, body, headers = {} }: Asked,
  ): Promise<number> => {
    const { json, form, type, isOnSite } = rows[route] ?? {}
    const sent =
      body?.replace(':projectId', project.id) ??
      (json ? JSON.stringify(json).replace(':projectId', project.id) : form ? new URLSearchParams(form).toString() : undefined)
    const contentType = type ?? (json ? 'application/json' : 'application/x-www-form-urlencoded')
    const host = isOnSite ? siteHost : new URL(base).host
    const origin = `http://${host}`
    const request = send({
      port: address.port,
      host: '127.0.0.1',
      method: route.split(' ')[0],
      path: url,
      headers: {
        host,
        origin,
        accept: 'application/json, text/event-stream',
        ...(sent !== undefined && { 'content-type': contentType }),
        ...credentials[caller],
        ...headers,
      },
    })
    return await new Promise((resolve, reject) => {
      request.on('error', reject).on('response', (response) => resolve(response.resume().statusCode ?? 0))
      request.end(sent)
    })
  }
  return { ...people, server, ask, urlOf }
}

/** Who may do the most on a route. */
function strongest(route: string): (typeof callers)[number] {
  return / \/(?:projects|updates)\b/.test(route) ? 'owner' : 'admin token'
}

/** Requests to a route that are invalid, or have hostile text at one place. */
function listHostile(route: string, url: string): readonly Asked[] {
  const { json, form, query = [], type } = rows[route] ?? {}
  const path = route.split(' ')[1] ?? ''
  const parts = path.split('/').flatMap((step, index) => (step.startsWith(':') && step !== ':hash' ? [index] : []))
  const inPath = parts.flatMap((index) => hostileParts.map((part) => ({ url: url.split('/').with(index, part).join('/') })))
  const inQuery = query.flatMap((name) => hostileParts.map((part) => ({ url: `${url}?${name}=${part}` })))
  const twice = query.map((name) => ({ url: `${url}?${name}=a&${name}=b` }))
  const inJson = Object.keys(json ?? {}).flatMap((name) =>
    hostileValues.map((value) => ({ body: JSON.stringify({ ...json, [name]: value }) })),
  )
  const inForm = Object.keys(form ?? {}).flatMap((name) => [
    ...hostileTexts.map((value) => ({ body: new URLSearchParams({ ...form, [name]: value }).toString() })),
    ...hostileParts.map((part) => ({ body: `${name}=${part}&${name}=b` })),
  ])
  const hasBody = json !== undefined || form !== undefined
  const bodies = hasBody
    ? [...hostileBodies.map((body) => ({ body })), { body: '{}', headers: { 'content-type': 'text/xml' } }]
    : []
  const foreign = form ? [{ headers: { origin: 'https://evil.example' } }] : []
  const framed = type ? hostileTexts.map((text) => ({ body: `${JSON.stringify(json)}\n${text}` })) : []
  return [...inPath, ...inQuery, ...twice, ...inJson, ...inForm, ...bodies, ...foreign, ...framed]
}

describe('the routes of the app', () => {
  test('answer each caller as the table says', async () => {
    const { server, ask, urlOf } = await start()
    expect(listRoutes(server).toSorted()).toEqual(Object.keys(rows).toSorted())
    const found: Record<string, string> = {}
    for (const route of Object.keys(rows)) {
      const answers = []
      for (const caller of callers) answers.push(await ask(route, urlOf(route), { caller }))
      found[route] = new Set(answers).size === 1 ? String(answers[0]) : answers.join(' ')
    }
    expect(found).toEqual(Object.fromEntries(Object.entries(rows).map(([route, { answers }]) => [route, answers])))
  })

  test('refuse invalid and hostile requests, and neither fail nor send such text to GitHub', async () => {
    const { ask, urlOf, logLines, github } = await start()
    const strange: string[] = []
    for (const route of Object.keys(rows)) {
      const valid = rows[route]?.answers.split(' ') ?? []
      for (const hostile of listHostile(route, urlOf(route))) {
        const status = await ask(route, urlOf(route), { caller: strongest(route), ...hostile })
        const isExpected = hostile.headers?.['origin']
          ? status === 403
          : (status >= 400 && status < 500) || valid.includes(String(status))
        if (!isExpected) strange.push(`${route} ${status}: ${JSON.stringify(hostile).slice(0, 200)}`)
      }
    }
    expect(strange).toEqual([])
    expect(logLines.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([])
    expectPlain(github)
  })

  test('send nothing hostile of documents, rules, branches and commits to GitHub', async () => {
    const { github, idle } = await connectApp()
    const text = 'A\\u202eB\\u001b[31mC'
    const rule = 'severity: error, message: "title {{value}}", given: $.info, then: { field: title, function: falsy }'
    github.createRepository('acme/.github', { files: { '.spectral.yaml': `rules: { r: { ${rule} } }\n` } })
    const repository = github.createRepository('acme/api')
    const document = `openapi: 3.1.0\ninfo: { title: "${text}", version: "1", "${text}": 1 }\npaths: { "/${text}": { get: {} } }\n`
    const files = { 'openapi.yaml': document, 'a\u202eb.yaml': document }
    const push = repository.commit({ branch: 'a\u202eb', files, message: 'a\u202eb\u001b[31m' })
    const pull = repository.openPullRequest({ head: 'a\u202eb', title: 'a\u202eb' })
    await github.deliver('push', repository.pushPayload(push))
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await idle()
    expect(repository.checkRuns.at(-1)?.annotations.length).toBeGreaterThan(3)
    expect(repository.comments).toHaveLength(1)
    expectPlain(github)
  })
})

/** Only paths of files are as they are in the repository. */
function expectPlain({ requests }: FakeGitHub): void {
  const sent: string[] = []
  JSON.stringify(
    requests.map(({ url, headers, body }) => ({ url, headers, body })),
    (name, value: unknown) => {
      if (typeof value === 'string' && name !== 'path') sent.push(value)
      return value
    },
  )
  expect(sent.filter((text) => controls.test(text))).toEqual([])
}
