import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFileName } from '../../src/app/base/open-store.ts'
import { publicFilesOf, screenshotThemes } from '../../src/store/sites/stored-sites.ts'
import { openSqliteStore, type Store } from '../../src/store/store.ts'
import { validDocument } from '../app/support/connected-app.ts'
import { askSite } from '../app/support/sites.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { testBrowserPath } from '../support/browser.ts'
import type { CrashPoint } from '../support/crash-points.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { runsOr } from '../support/properties.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const kills = runsOr(3, 50)

/**
 * The time of a kill: at a point of the program, or some milliseconds after a phase began. The first ones run in CI. Each happens
 * while a site is published.
 */
type Moment = { readonly point: CrashPoint } | { readonly after: 'push' | 'building' | 'pictures'; readonly withinMs: number }

const first: readonly Moment[] = (['site.built', 'site.stored', 'site.staged', 'run.finished', 'pictures.taken'] as const).map(
  (point) => ({ point }),
)
const further: readonly Moment[] = [
  { after: 'building', withinMs: 300 },
  { after: 'pictures', withinMs: 1_500 },
  { after: 'building', withinMs: 1_500 },
  { point: 'pictures.begun' },
  { after: 'push', withinMs: 6_000 },
  { point: 'site.stored' },
  { after: 'building', withinMs: 800 },
  { point: 'pictures.stored' },
  { point: 'site.staged' },
  { after: 'pictures', withinMs: 400 },
  { point: 'run.finished' },
]
const momentOf = (kill: number): Moment =>
  // One of the two lists always has it.
  first[kill] ?? (further[(kill - first.length) % further.length] as Moment)

const env = { SITES_DOMAIN: 'sites.test', CHROMIUM_SANDBOX: 'off' }

const pageCount = 4
const hour = 3_600_000

/** Every third commit is a preview. */
const branchOf = (commit: number) => (commit % 3 === 0 ? 'topic' : 'main')

/** Every page names its commit. */
function filesOf(commit: number): Record<string, string> {
  const names = Array.from({ length: pageCount }, (_, index) => `page-${index}`)
  const pages = names.map((name) => [`${name}.mdx`, `---\ntitle: ${name}\n---\n\nThis is commit-${commit}.\n`])
  const navigation = {
    groups: [
      { group: 'Pages', pages: names },
      { group: 'API', openapi: 'openapi.yaml' },
    ],
  }
  return {
    ...Object.fromEntries(pages),
    'docs.json': JSON.stringify({ name: 'Pets', navigation }),
    'openapi.yaml': validDocument,
  }
}

/** The commit of the published site. Fails if its pages are of several commits or one is missing. */
async function readPublished(store: Store): Promise<number | undefined> {
  const site = await store.sites.findShown({ subdomain: 'acme-pets' })
  if (!site) return undefined
  const files = await store.sites.listFiles(publicFilesOf(site.build))
  expect(files).toHaveLength(site.build.fileCount)
  const commits = new Set<number>()
  for (const { path, hash, bodies } of files) {
    const parts: Uint8Array[] = []
    const encoding = 'br' in bodies ? 'br' : 'identity'
    for await (const part of store.sites.readBody(hash, encoding)) parts.push(part)
    const bytes = Buffer.concat(parts)
    expect(bytes.length).toBe(bodies[encoding])
    const text = encoding === 'br' ? brotliDecompressSync(bytes).toString() : bytes.toString()
    if (/^page-\d+\/index\.html$/.test(path)) commits.add(Number(/This is commit-(\d+)\./.exec(text)?.[1]))
  }
  expect([...commits]).toHaveLength(1)
  return [...commits][0]
}

/** The current phase of the app from its tables, of the newest open or reporting update. */
function readPhase(database: DatabaseSync): string {
  const row = database
    .prepare(
      `select jobs.kind, updates.state, json_extract(record, '$.summary') as summary, json_extract(details, '$.pictures') as pictures,
         exists (select 1 from site_builds where update_id = updates.id and site_builds.state = 'staged') as staged
       from jobs join updates on updates.id = jobs.id where jobs.state = 'leased' order by jobs.id desc limit 1`,
    )
    // Columns of the app's own tables.
    .get() as { kind: string; summary: string; pictures: string | null; staged: number } | undefined
  if (!row) return 'idle'
  if (row.kind === 'run') return !row.summary.endsWith('Building the site.') ? 'checking' : row.staged ? 'storing' : 'building'
  return row.pictures === 'begun' ? 'pictures' : 'reporting'
}

test(`always serves the complete site of one commit when killed ${kills} times during builds`, async ({ signal }) => {
  const github = await startFakeGitHub({ rateLimit: 1_000_000 })
  onTestFinished(() => github.close())
  const dataDir = makeTemporaryFolder()
  const over = new AbortController()
  const work = killDuringBuilds(github, dataDir, AbortSignal.any([signal, over.signal]))
  // After a timeout it is still running, and must end before its folder is removed.
  onTestFinished(async () => {
    over.abort()
    await work.catch(() => undefined)
  })
  await work
})

async function killDuringBuilds(github: FakeGitHub, dataDir: string, signal: AbortSignal): Promise<void> {
  const open = (at = 0) => openSqliteStore({ path: join(dataDir, databaseFileName), now: () => Date.now() + at })
  const repository = github.createRepository('acme/pets', { files: filesOf(0) })
  /** Starts the app. It is killed when the test ends. */
  const start = async (more: Readonly<Record<string, string>>): Promise<AppProcess> => {
    signal.throwIfAborted()
    const started = await startAppProcess(github, dataDir, { env: { ...env, ...more } })
    const end = () => void started.child.kill('SIGKILL')
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    return started
  }
  let commit = 0
  const push = async () => {
    commit++
    const pushed = repository.commit({ files: filesOf(commit), branch: branchOf(commit) })
    // Events without a listener are delivered later.
    await github.deliver('push', repository.pushPayload(pushed)).catch(() => undefined)
  }
  const seen: (number | undefined)[] = []
  const hits = new Map<string, number>()
  for (let kill = 0; kill < kills; kill++) {
    const moment = momentOf(kill)
    const takesPictures = kill >= first.length || ('point' in moment && moment.point.startsWith('pictures.'))
    const app = await start({
      CHROMIUM_PATH: takesPictures ? testBrowserPath : 'off',
      // A browser on a machine with other tests can need more than the default.
      PICTURE_TIMEOUT_SECONDS: '100',
      ...('point' in moment && { OPENAPI_PAGES_FAULT: `${moment.point}:${kill === 0 ? 2 : 1}` }),
    })
    let isEnded = false
    void app.ended.then(() => {
      isEnded = true
    })
    await push()
    if (kill === 0) {
      // The app may also build the site after its start, and then ends early.
      const isShown = async () => {
        const answer = await askSite(app.address, 'acme-pets.sites.test', '/page-0/').catch(() => undefined)
        return answer?.status === 200
      }
      while (!isEnded && !(await isShown())) await sleep(50)
      await push()
    }
    const database = new DatabaseSync(join(dataDir, databaseFileName), { readOnly: true })
    if (!('point' in moment)) {
      if (moment.after !== 'push') {
        const giveUpAt = performance.now() + 60_000
        while (readPhase(database) !== moment.after && performance.now() < giveUpAt) await sleep(2)
      }
      await sleep(Math.random() * moment.withinMs)
      app.child.kill('SIGKILL')
    }
    // The commit may not need the step with this point, for example if a push was delivered together with an earlier one.
    const giveUpAt = performance.now() + 40_000
    while (!isEnded && performance.now() < giveUpAt) await sleep(20)
    if (!isEnded) console.log(`Not reached: ${JSON.stringify(moment)}`)
    app.child.kill('SIGKILL')
    expect(await app.ended, app.output()).toBe('SIGKILL')
    signal.throwIfAborted()
    const phase = 'point' in moment ? moment.point : readPhase(database)
    database.close()
    hits.set(phase, (hits.get(phase) ?? 0) + 1)
    const store = await open()
    seen.push(await readPublished(store))
    await store.close()
  }
  // The process of a busy machine can pause for longer than the short lease. Its next attempt would take no screenshots.
  const app = await start({ CHROMIUM_PATH: testBrowserPath, PICTURE_TIMEOUT_SECONDS: '100', OPENAPI_PAGES_LEASE_MS: '60000' })
  do await push()
  while (branchOf(commit) !== 'main')
  await untilDelivered(github, dataDir)
  await app.untilCompared()
  await untilIdle(dataDir)
  for (let index = 0; index < pageCount; index++) {
    const { status, text } = await askSite(app.address, 'acme-pets.sites.test', `/page-${index}/`)
    expect([status, text]).toEqual([200, expect.stringContaining(`This is commit-${commit}.`)])
  }
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)

  console.log(
    `${kills} kills at ${JSON.stringify(Object.fromEntries(hits))}, ${commit} commits, seen ${seen.map((one) => one ?? '-').join(' ')}`,
  )
  // A commit before the newest one never replaces it.
  const known = seen.filter((one) => one !== undefined)
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.length).toBeGreaterThan(0)
  const later = await open(2 * hour)
  const collected = await later.sites.collect()
  const [project] = await later.projects.list()
  const builds = await later.sites.list(project?.id ?? '', { limit: 100 })
  const pictures = await Promise.all(
    builds.map(async ({ statusId }) => {
      return Promise.all(screenshotThemes.map((theme) => later.sites.findScreenshot(statusId, theme)))
    }),
  )
  const files = [
    ...(await Promise.all(builds.map((build) => later.sites.listFiles(publicFilesOf(build))))).flat(),
    ...pictures.flat().filter((picture) => picture !== undefined),
  ]
  // A record has both of its screenshots or none, and they exist.
  for (const { statusId } of builds) {
    const update = (await later.statuses.find(statusId))?.update
    const has = await Promise.all(screenshotThemes.map((theme) => later.sites.findScreenshot(statusId, theme)))
    expect([update?.screenshotLight, update?.screenshotDark].map((url) => url !== undefined)).toEqual(
      has.map((picture) => picture !== undefined),
    )
  }
  // The output says why the screenshot was not taken.
  expect((await later.statuses.find(builds[0]?.statusId ?? ''))?.update.screenshot, app.output()).toBeDefined()
  const used = new Map(files.map((file) => [file.hash, file]))
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
  expect(await later.sites.sizes()).toEqual({
    builds: builds.length,
    contents: used.size,
    sizeBytes: sum([...used.values()].map(({ sizeBytes }) => sizeBytes)),
    storedBytes: sum([...used.values()].flatMap(({ bodies }) => Object.values(bodies))),
  })
  expect(await readPublished(later)).toBe(commit)
  await later.close()
  console.log(`Collected ${JSON.stringify(collected)}`)
}
