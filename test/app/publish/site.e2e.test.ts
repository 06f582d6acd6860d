import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { s3Credentials, startS3, testBucket } from '../../support/s3-server.ts'
import { brokenDocument, type ConnectedApp, type ConnectOptions, connectApp, validDocument } from '../support/connected-app.ts'
import { askSite } from '../support/sites.ts'
import { addToken } from '../support/test-app.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const docsConfig = JSON.stringify({
  name: 'Pets',
  navigation: {
    groups: [
      { group: 'Guides', pages: ['index', 'guide'] },
      { group: 'API', openapi: 'openapi.yaml' },
    ],
  },
  redirects: [{ source: '/old', destination: '/guide' }],
})
const files = {
  'docs.json': docsConfig,
  'openapi.yaml': validDocument,
  'index.mdx': '---\ntitle: Welcome\n---\n\nThe first text. ![A dot](/images/dot.png)\n',
  'guide.mdx': '---\ntitle: Guide\n---\n\nHow to.\n',
  'images/dot.png': 'a picture',
}

async function connect(options: ConnectOptions & { readonly changed?: Record<string, string> } = {}) {
  const connected = await connectApp({ ...options, env: { SITES_DOMAIN: 'sites.test', ...options.env } })
  const repository = connected.github.createRepository('acme/pets', { files: { ...files, ...options.changed } })
  return { ...connected, repository }
}

const ask = ({ app }: Pick<ConnectedApp, 'app'>, path: string, label = 'acme-pets') =>
  askSite(app.address, `${label}.sites.test`, path)

test('publishes a push, builds previews of pull requests, and does not publish commits with errors', async () => {
  const metricsToken = 'f3a9c2d17b604e58a1c9'
  const connected = await connect({ env: { METRICS_TOKEN: metricsToken } })
  const { github, idle, repository, store, app, dataDir, logLines } = connected
  const first = await repository.push({ files: { a: 'a' } })
  const [one] = await idle()
  expect(one?.update).toMatchObject({ status: 'success', subdomain: 'acme-pets' })
  const address = `http://acme-pets.sites.test:${new URL(app.address).port}/`
  expect(one?.update.logs).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Built the site at .*: 5 pages, \d+ files, \d+ new files, [\d.]+ s$/),
      `Production site: ${address}`,
      `Site of this commit: ${address.replace('acme-pets', `acme-pets--${first.sha.slice(0, 12)}`)}`,
    ]),
  )
  const start = await ask(connected, '/')
  expect([start.status, start.text]).toEqual([200, expect.stringContaining('The first text.')])
  expect(start.text).toContain(`<link rel="canonical" href="${address}"`)
  const [, operation = ''] = /href="(\/api-reference\/[^"]+)"/.exec(start.text) ?? []
  expect((await ask(connected, operation)).status).toBe(200)
  expect([(await ask(connected, '/old')).status, (await ask(connected, '/old')).headers.location]).toEqual([301, '/guide/'])
  expect((await ask(connected, '/none')).status).toBe(404)
  expect((await ask(connected, '/images/dot.png')).headers['content-type']).toBe('image/png')
  const [, stylesheet = ''] = /href="(\/_assets\/site-[^"]+)"/.exec(start.text) ?? []
  expect((await ask(connected, stylesheet)).headers['cache-control']).toContain('immutable')

  // A pull request has its own URL, and the production site does not change.
  const topic = repository.commit({ files: { 'guide.mdx': '---\ntitle: Guide\n---\n\nBetter.\n' }, branch: 'topic' })
  await github.deliver('push', repository.pushPayload(topic))
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  const before = await store.sites.sizes()
  await idle()
  for (const label of [`acme-pets--${topic.after.slice(0, 12)}`, `acme-pets--pr-${pull.number}`]) {
    expect((await ask(connected, '/guide/', label)).text).toContain('Better.')
  }
  expect((await ask(connected, '/guide/')).text).toContain('How to.')
  const after = await store.sites.sizes()
  expect(after.builds).toBe(before.builds + 1)

  // An invalid document.
  const wrong = await repository.push({ files: { 'openapi.yaml': brokenDocument, 'guide.mdx': 'Seen by who looks for it.' } })
  const failed = (await idle()).at(-1)
  expect(failed?.update).toMatchObject({ status: 'failure', summary: expect.stringMatching(/^Failed: 1 error in openapi\.yaml/) })
  const stays = 'The production site was not updated: this commit has errors.'
  expect(failed?.update.logs.at(-1)).toContain(stays)
  expect(repository.checkRuns.at(-1)?.output?.summary).toContain(stays)
  expect((await ask(connected, '/guide/')).text).toContain('How to.')
  const wrongLabel = `acme-pets--${wrong.sha.slice(0, 12)}`
  expect((await ask(connected, '/guide/', wrongLabel)).text).toContain('Seen by who looks for it.')
  const [, wrongOperation = ''] = /href="(\/api-reference\/[^"]+)"/.exec((await ask(connected, '/', wrongLabel)).text) ?? []
  expect((await ask(connected, wrongOperation, wrongLabel)).status).toBe(200)
  await repository.push({ files: { 'openapi.yaml': validDocument, 'guide.mdx': '---\ntitle: Guide\n---\n\nThe third text.\n' } })
  await idle()
  expect((await ask(connected, '/guide/')).text).toContain('The third text.')
  expect(readdirSync(join(dataDir, 'runs'))).toEqual([])

  const metrics = await (await fetch(`${app.address}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })).text()
  expect(metrics).toMatch(/openapi_pages_site_builds 4\n/)
  expect(metrics).toContain('openapi_pages_site_build_duration_seconds_count{outcome="success"} 4')
  expect(metrics).toMatch(/http_request_duration_seconds_count\{route="site",method="GET",status="200"\}/)

  // The project is deleted while its site is being built.
  await repository.push({ files: { 'guide.mdx': 'x' } })
  while ((await store.queue.stats()).leased === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await store.projects.apply([{ kind: 'delete-repository', repositoryId: repository.id }])
  expect((await ask(connected, '/')).status).toBe(404)
  await app.stop()
  expect(logLines.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level))).toEqual([])
})

test.each([
  ['files', { SITE_MAX_FILES: '100' }, 'the site has more than 100 files'],
  ['bytes', { SITE_MAX_MB: '1' }, 'the site has more than 1 MB'],
  [
    'images',
    { SITE_MAX_MB: '2' },
    /its files have more than 2 MiB together. The largest are `images\/a.svg` \(2.5 MB, on `guide.mdx`\)/,
  ],
  [
    'time',
    { SITE_TIMEOUT_SECONDS: '1' },
    /the build of the site exceeded the (CPU )?time limit of this server \(SITE_TIMEOUT_SECONDS=1\)/,
  ],
  ['memory', { SITE_MEMORY_MB: '64' }, 'the build of the site exceeded the memory limit of this server (SITE_MEMORY_MB=64)'],
] as const)('a site over its limit of %s fails its record with the reason', async (what, env, reason) => {
  const pages = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [
      `pages/${index}.mdx`,
      `---\ntitle: Page ${index}\n---\n\n${'A text. '.repeat(1_200)}\n`,
    ]),
  )
  // Expensive pages: each takes a large part of a second and tens of megabytes to render.
  const list = `---\ntitle: List\n---\n\n${'- *a* [b](c) `d`\n'.repeat(2_000)}`
  const heavy = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`pages/${index}.mdx`, list]))
  const [setting = ''] = Object.keys(env)
  const images = {
    'images/a.svg': `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(2_500_000)}</svg>`,
    'guide.mdx': '![A](/images/a.svg)',
  }
  const changed = what === 'images' ? images : setting.startsWith('SITE_MAX') ? pages : heavy
  const { github, idle, repository, store } = await connect({ env, changed })
  const { sha } = await repository.push({ files: { a: 'a' } })
  const [stored] = await idle()
  const { status, summary = '', logs = [] } = stored?.update ?? {}
  expect(status).toBe('failure')
  expect(summary).toMatch(reason)
  await expect.poll(() => repository.checkRuns[0]?.output.title).toMatch(reason)
  expect(logs.at(-1)).toBe(
    `The site was not built: ${summary.slice('Failed: '.length)} The published site stays online. Make the site smaller, or increase \`${setting}\` on the server.`,
  )
  expect(await store.sites.sizes()).toEqual({ builds: 0, contents: 0, sizeBytes: 0, storedBytes: 0 })
  // The commit has its check, so that a late push of it to another branch, which has moved on, makes no other one.
  const late = repository.moveBranch('next', sha)
  const tip = repository.commit({ files: { b: 'b' }, branch: 'next' })
  for (const push of [tip, late]) await github.deliver('push', repository.pushPayload(push))
  const ended = (await idle()).map(({ update }) => [update.commit.sha, update.status])
  expect(ended.toSorted()).toEqual(
    [
      [sha, 'failure'],
      [tip.after, 'failure'],
    ].toSorted(),
  )
})

test('the server stays responsive while a site build times out', async () => {
  const list = `---\ntitle: List\n---\n\n${'- *a* [b](c) `d`\n'.repeat(2_000)}`
  const heavy = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`pages/${index}.mdx`, list]))
  const { app, github, idle, repository } = await connect({ env: { SITE_TIMEOUT_SECONDS: '5' }, changed: heavy })
  const other = github.createRepository('acme/other', { files: { 'openapi.yaml': validDocument } })
  const { sha } = await repository.push({ files: { a: 'a' } })
  await other.push({ files: { a: 'a' } })
  const statuses = new Set<number>()
  let running = true
  const health = (async () => {
    while (running) {
      statuses.add((await fetch(`${app.address}/healthz`)).status)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  // GitHub confirms both repositories, the second one sometimes first.
  const records = await idle()
  const slow = records.find(({ update }) => update.commit.sha === sha)
  const quick = records.find(({ update }) => update.commit.sha !== sha)
  running = false
  await health
  expect([...statuses]).toEqual([200])
  expect(slow?.update.summary).toMatch(/exceeded the (CPU )?time limit of this server \(SITE_TIMEOUT_SECONDS=5\)\.$/)
  expect(quick?.update.status).toBe('success')
  expect(Date.parse(quick?.update.endedAt ?? '')).toBeLessThan(Date.parse(slow?.update.endedAt ?? ''))
})

test('the record shows the result of the check while the site is being built', async () => {
  const { idle, repository, store } = await connect({ changed: { 'guide.mdx': 'See [nothing](/nothing).' } })
  await repository.push({ files: { a: 'a' } })
  const seen = new Map<string, readonly string[]>()
  for (let open = true; open; ) {
    const [project] = await store.projects.list()
    const update = project && (await store.statuses.list(project.id))?.updates[0]?.update
    if (update) seen.set(update.summary, update.logs)
    open = update?.endedAt === undefined
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const logs = seen.get('The check succeeded. Building the site.')
  expect(logs?.at(-1)).toMatch(/^Building the site, started at \d{4}-/)
  expect(logs).toContainEqual(expect.stringMatching(/^Read \d+ files/))
  const [ended] = await idle()
  expect(ended?.update.logs.filter((line) => line.startsWith('Read '))).toHaveLength(1)
})

test.each([
  ['the first commit is shown although it has errors', {}, [brokenDocument]],
  [
    '`site: { publish: always }` shows commits with errors too',
    { 'openapi-pages.config.yaml': 'site: { publish: always }\n' },
    [validDocument, brokenDocument],
  ],
] as const)('%s', async (_what, changed, documents) => {
  const connected = await connect({ changed })
  const { idle, repository } = connected
  for (const [index, document] of documents.entries()) {
    await repository.push({
      files: { 'openapi.yaml': document, 'guide.mdx': `---\ntitle: Guide\n---\n\nText ${index + 1}.\n` },
    })
    await idle()
  }
  const last = (await idle()).at(-1)
  expect(last?.update.status).toBe('failure')
  expect(last?.update.logs.at(-1)).toMatch(/^Production site: http/)
  expect((await ask(connected, '/guide/')).text).toContain(`Text ${documents.length}.`)
})

test('does not publish a push that a newer one has overtaken', async () => {
  const connected = await connect({ env: { RUNS_AT_ONCE: '1' } })
  const { github, idle, repository, store } = connected
  github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', delayMs: 300 })
  for (const text of ['one', 'two', 'three']) {
    await repository.push({ files: { 'guide.mdx': `---\ntitle: Guide\n---\n\nText ${text}.\n` } })
  }
  const updates = await idle()
  expect(updates.map(({ update }) => update.status)).toEqual(['success', 'success', 'success'])
  expect((await ask(connected, '/guide/')).text).toContain('Text three.')
  const [project] = await store.projects.list()
  const shas = (await store.sites.list(project?.id ?? '')).map(({ sha }) => sha)
  expect(shas).not.toContain(updates[1]?.update.commit.sha)
})

const guide = (text: string) => ({ files: { 'guide.mdx': `---\ntitle: Guide\n---\n\nText ${text}.\n` } })

test.each([
  ['an existing site', true],
  ['an empty data directory', false],
] as const)(
  'publishes the tip if the webhooks of missed pushes arrive after the comparison at the start, with %s',
  async (_title, hasSite) => {
    const connected = await connect()
    const { github, repository } = connected
    if (hasSite) {
      await repository.push(guide('zero'))
      await connected.idle()
    }
    const stopped = await connected.restart({ withoutRuns: true, reconcile: {} })
    const compared = github.requestsTo('GET /repos/{owner}/{repo}/commits/{ref}').length
    const missed = [repository.commit(guide('one')), repository.commit(guide('two'))]
    const started = await stopped.restart()
    await vi.waitUntil(() => github.requestsTo('GET /repos/{owner}/{repo}/commits/{ref}').length > compared, 20_000)
    await vi.waitUntil(async () => (await started.store.queue.stats()).waiting > 0, 20_000)
    for (const push of missed) await github.deliver('push', repository.pushPayload(push))
    const running = await started.restart({ withoutRuns: false })
    const updates = await running.idle()
    expect((await ask(running, '/guide/')).text).toContain('Text two.')
    const [older, tip] = missed.map(({ after }) => updates.find(({ update }) => update.commit.sha === after))
    expect(tip?.update.summary).not.toContain('Not published')
    expect(older?.update).toMatchObject({ status: 'success' })
    expect(older?.update.summary).toMatch(`Not published: main is at ${missed[1]?.after.slice(0, 7)}.`)
    // A further comparison finds nothing to do.
    const again = await running.restart()
    await vi.waitUntil(() => again.logLines.some((line) => line.includes('Compared with GitHub')), 20_000)
    expect(await again.idle()).toHaveLength(updates.length)
  },
)

test.each([
  ['the tip of the branch', false],
  ['a commit', true],
])('the API publishes %s, unless the branch moves before the update runs', async (_what, namesCommit) => {
  const connected = await connect()
  const { repository, store } = connected
  const { sha } = await repository.push(guide('zero'))
  if (namesCommit) await repository.push(guide('one'))
  const projectId = (await connected.idle())[0]?.update.projectId ?? ''
  const { text: token } = await addToken(store, { scope: 'write', projectId })
  const trigger = async ({ app }: ConnectedApp) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify(namesCommit ? { sha } : {})
    const answer = await fetch(`${app.address}/v1/project/update/${projectId}`, { method: 'POST', headers, body })
    return (await answer.json()).statusId
  }
  await trigger(connected)
  await connected.idle()
  expect((await ask(connected, '/guide/')).text).toContain('Text zero.')
  const stopped = await connected.restart({ withoutRuns: true })
  const statusId = await trigger(stopped)
  const { sha: tip } = await repository.push(guide('two'))
  const running = await stopped.restart({ withoutRuns: false })
  const triggered = (await running.idle()).find(({ update }) => update._id === statusId)
  expect(triggered).toMatchObject({ update: { commit: { sha }, status: 'success' }, details: { overtakenBy: tip } })
  expect((await ask(running, '/guide/')).text).toContain('Text two.')
})

test('builds the production site but no previews for a project that has turned them off', async () => {
  const connected = await connect()
  const { github, idle, repository, store } = connected
  await repository.push({ files: { a: 'a' } })
  await idle()
  const [project] = await store.projects.list()
  await store.projects.set(project?.id ?? '', { maxPreviews: 0 }, 'github:boss')
  const topic = repository.commit({ files: { 'guide.mdx': '---\ntitle: Guide\n---\n\nBetter.\n' }, branch: 'topic' })
  await github.deliver('push', repository.pushPayload(topic))
  const preview = (await idle()).at(-1)
  expect(preview?.update.status).toBe('success')
  expect(preview?.update.logs.at(-1)).toBe('No preview: previews are off in the settings of the project')
  await repository.push({ files: { 'guide.mdx': '---\ntitle: Guide\n---\n\nThe next text.\n' } })
  await idle()
  expect((await ask(connected, '/guide/')).text).toContain('The next text.')
  expect(await store.sites.sizes()).toMatchObject({ builds: 1 })
})

test('sites ask their readers for feedback if their configuration sets it', async () => {
  const connected = await connect()
  const { idle, repository } = connected
  await repository.push({ files: { 'openapi-pages.config.yaml': 'site: { feedback: https://feedback.example.com/ }\n' } })
  await idle()
  expect((await ask(connected, '/guide/')).text).toContain('<meta name="feedback" content="https://feedback.example.com/"/>')
})

test('checks a repository without a docs.json and builds no site', async () => {
  const { idle, store, github } = await connect()
  const bare = github.createRepository('acme/bare', { files: { 'openapi.yaml': validDocument } })
  await bare.push({ files: { a: 'a' } })
  expect((await idle()).map(({ update }) => update.summary)).toEqual(['Valid: 1 document, 1 operation.'])
  expect((await store.sites.sizes()).builds).toBe(0)
})

test('stores a site in a bucket, after it was unreachable, and deletes the files of old sites', async () => {
  for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
  const s3 = await startS3()
  onTestFinished(async () => {
    await s3.stop()
    vi.unstubAllEnvs()
  })
  let laterMs = 0
  const connected = await connect({
    env: { SITES_BUCKET: `s3://${testBucket}/pets`, SITES_BUCKET_ENDPOINT: s3.endpoint, SITE_PREVIEWS: '0' },
    now: () => new Date(Date.now() + laterMs),
  })
  const { repository, idle, store } = connected
  const objects = () => s3.list().filter((name) => !name.endsWith('openapi-pages-store'))
  s3.fault = (request, response) => {
    if (request.method !== 'PUT') return false
    // Until the run is tried again.
    if (response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')) s3.fault = undefined
    laterMs += 10_000
    return true
  }
  await repository.push({ files: { a: 'a' } })
  const [one] = await idle()
  expect(one?.update.status).toBe('success')
  expect(connected.logLines.join('')).toContain('the server cannot use its storage')
  const start = await ask(connected, '/')
  expect([start.status, start.text]).toEqual([200, expect.stringContaining('The first text.')])
  const before = objects().length
  expect(before).toBeGreaterThan(10)

  await repository.push({ files: { 'index.mdx': '---\ntitle: Welcome\n---\n\nThe second text.\n' } })
  await idle()
  expect((await ask(connected, '/')).text).toContain('The second text.')
  laterMs += 3 * 3_600_000
  await store.sites.collect()
  laterMs += 3 * 3_600_000
  await store.sites.collect()
  // The objects of the first site are gone.
  expect(objects().length).toBeLessThanOrEqual(before)
  expect((await ask(connected, '/')).text).toContain('The second text.')
  expect((await ask(connected, '/guide/')).text).toContain('How to.')
})
