import { expect, test } from 'vitest'
import type { RunProgram } from '../../../src/app/isolate/untrusted-process.ts'
import { findSiteProgram, type SiteProgram } from '../../../src/app/publish/build-run-site.ts'
import { reviewPolicy } from '../../../src/site/plan/file-types.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { type ConnectOptions, connectApp } from '../support/connected-app.ts'
import { askSite } from '../support/sites.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const docsConfig = JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'API', openapi: 'openapi.yaml' }] } })

/** `open` and `staff` name a parameter of the operation for everyone and of the restricted one. */
const toDocument = (open: string, staff: string, mark = 'x-mint: { groups: [staff] }', others = 0) => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      parameters: [{ name: ${open}, in: query, required: true, schema: { type: string } }]
      responses: { '200': { description: All pets } }
  /salaries:
    get:
      ${mark}
      parameters: [{ name: ${staff}, in: query, schema: { type: string } }]
      responses: { '200': { description: All salaries } }
${Array.from({ length: others }, toLongOperation).join('')}`

const toLongOperation = (_: unknown, index: number) => `  /others/${index}:
    get:
      description: ${'A long text. '.repeat(2_000)}
      responses: { '200': { description: All others } }
`

interface PullOptions extends ConnectOptions {
  /** The configuration of the docs directory. */
  readonly config?: string
}

async function openPull(before: string, after: string, { env, config = '', ...options }: PullOptions = {}) {
  const connected = await connectApp({
    ...options,
    env: { SITES_DOMAIN: 'sites.test', ...env },
    github: { permissions: { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' } },
  })
  const { app, github, idle } = connected
  const files = { 'docs.json': docsConfig, 'openapi.yaml': before, 'openapi-pages.config.yaml': config }
  const repository = github.createRepository('acme/pets', { files })
  const { sha } = await repository.push({ files: { 'openapi.yaml': after }, branch: 'topic' })
  await idle()
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  const ask = (path: string) => askSite(app.address, `acme-pets--${sha.slice(0, 12)}.sites.test`, path)
  return { ...connected, repository, sha, ask }
}

test('a preview has a review of what its readers may see, and the check and the comment link to it', async () => {
  const { repository, sha, ask, store, app } = await openPull(toDocument('color', 'boss'), toDocument('size', 'amount'))
  const { status, text, headers } = await ask('/_review/')
  expect([status, headers['content-security-policy']]).toEqual([200, reviewPolicy])
  expect(text).toMatch(/<del>(?:<[^>]+>)*color</)
  expect(text).toMatch(/<ins>(?:<[^>]+>)*size</)
  expect(text).not.toMatch(/salaries|boss|amount/)
  const [stored] = (await store.statuses.list(await projectOf(store), { sha }))?.updates ?? []
  expect(stored?.details.site?.hasReview).toBe(true)
  expect(text).toContain(
    `<a href="http://localhost:${new URL(app.address).port}/updates/${stored?.update._id}">Accept changes</a>`,
  )
  const url = `http://acme-pets--${sha.slice(0, 12)}.sites.test:${new URL(app.address).port}/_review/`
  expect(repository.checkRuns.find(({ headSha }) => headSha === sha)?.output.summary).toContain(url)
  expect(repository.comments.at(-1)?.body).toContain(url)
})

test('a review says nothing about what the commit restricts', async () => {
  const { ask } = await openPull(toDocument('color', 'boss', 'summary: Pay'), toDocument('size', 'boss'))
  const { status, text } = await ask('/_review/')
  expect(status).toBe(200)
  expect(text).toMatch(/<del>(?:<[^>]+>)*color</)
  expect(text).not.toMatch(/salaries|boss|Pay/)
})

test('with audiences, the app publishes the site and the review of readers without a group', async () => {
  const config = 'site: { audiences: [{ name: staff, groups: [internal] }] }\n'
  const mark = 'x-internal: true'
  const { ask } = await openPull(toDocument('color', 'boss', mark), toDocument('size', 'amount', mark), { config })
  const texts = [await ask('/_review/'), await ask('/openapi.yaml'), await ask('/llms.txt')].map(({ text }) => text)
  expect(texts.map((text) => /salaries|boss|amount/.test(text))).toEqual([false, false, false])
  expect(texts[1]).toContain('size')
})

test('a commit with other files than documents has no review', async () => {
  const document = toDocument('color', 'boss')
  const { ask } = await openPull(document, document)
  expect((await ask('/_review/')).status).toBe(404)
})

test('a production site has no review', { timeout: 120_000 }, async () => {
  const { repository, idle, app } = await openPull(toDocument('color', 'boss'), toDocument('size', 'amount'))
  await repository.push({ files: { 'openapi.yaml': toDocument('weight', 'boss') } })
  const published = (await idle()).at(-1)
  expect(published?.details.site).not.toHaveProperty('hasReview')
  const statuses = ['/', '/_review/'].map(async (path) => (await askSite(app.address, 'acme-pets.sites.test', path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404])
})

/** Its base has operations with long texts, which its site no longer has. */
const smaller = { before: toDocument('color', 'boss', '', 60), after: toDocument('size', 'boss', '') }

/** The program that builds sites, with no time for reviews. */
function findHurriedProgram(): SiteProgram | undefined {
  const program = findSiteProgram()
  if (!program) return undefined
  const run: RunProgram = async (work, limits, control) => {
    const isReview = isObject(work.request) && 'review' in work.request
    const time = isReview ? { ...limits.time, leftMs: 1 } : limits.time
    return await program.run(work, { ...limits, time }, control)
  }
  return { ...program, run }
}

test.each([
  ['size', { env: { SITE_MAX_MB: '1' } }, 'the site has more than 1 MB'],
  [
    'time',
    { findSiteProgram: findHurriedProgram },
    'the review exceeded the time limit of this server (SITE_TIMEOUT_SECONDS=300)',
  ],
])(
  'a review over the limit of %s is left out, and only its check and its page say so',
  { timeout: 120_000 },
  async (_, options, reason) => {
    const { ask, repository, sha, store, app } = await openPull(smaller.before, smaller.after, options)
    expect([(await ask('/')).status, (await ask('/_review/')).status]).toEqual([200, 404])
    const [stored] = (await store.statuses.list(await projectOf(store), { sha }))?.updates ?? []
    const line = `The review of the API changes was left out: ${reason}`
    expect(stored?.update).toMatchObject({ status: 'success', logs: expect.arrayContaining([line]) })
    const run = repository.checkRuns.find(({ headSha }) => headSha === sha)
    // The summary is Markdown, in which the name of a setting is escaped.
    expect(run?.output.summary).toContain(line.split(' (', 1)[0])
    const { pathname, search } = new URL(run?.detailsUrl ?? '')
    expect(await (await fetch(`${app.address}${pathname}${search}`)).text()).toContain(line)
  },
)

async function projectOf(store: Awaited<ReturnType<typeof openPull>>['store']): Promise<string> {
  const [project] = await store.projects.list()
  return project?.id ?? ''
}
