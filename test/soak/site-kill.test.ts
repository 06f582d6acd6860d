import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { FaultPoint } from '../../src/app/run/fault-point.ts'
import { databaseFileName } from '../../src/app/start-app.ts'
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts'
import type { Store } from '../../src/store/types.ts'
import { validDocument } from '../app/support/connected-app.ts'
import { askSite } from '../app/support/sites.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** How often the app is killed: 5 in CI, 50 by `npm run soak`. */
const kills = Math.min(1_000, Number(process.env['OPENAPI_PAGES_RUNS'] ?? 5))

/** The first kills are at these points, each while there is a published site; all further ones at any time. */
const points: readonly FaultPoint[] = ['site.built', 'site.stored', 'site.staged', 'run.finished']

const pageCount = 4
const hour = 3_600_000

/** Every third commit is a preview. */
const branchOf = (commit: number) => (commit % 3 === 0 ? 'topic' : 'main')

/** Every page says which commit it is of. */
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

/** Which commit the published site is of; fails where its pages are of several, or one is missing. */
async function readPublished(store: Store): Promise<number | undefined> {
  const site = await store.sites.findShown({ subdomain: 'acme-pets' })
  if (!site) return undefined
  const files = await store.sites.listFiles(site.build.id)
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

test(`killed ${kills} times while sites are built, the published one is always one whole commit's`, {
  timeout: 120_000 + kills * 15_000,
}, async () => {
  const github = await startFakeGitHub({ rateLimit: 1_000_000 })
  onTestFinished(() => github.close())
  const dataDir = makeTemporaryFolder()
  const open = (at = 0) => openSqliteStore({ path: join(dataDir, databaseFileName), now: () => Date.now() + at })
  const repository = github.createRepository('acme/pets', { files: filesOf(0) })
  let app: AppProcess | undefined
  onTestFinished(() => void app?.child.kill('SIGKILL'))
  let commit = 0
  const push = async () => {
    commit++
    const pushed = repository.commit({ files: filesOf(commit), branch: branchOf(commit) })
    // Whoever is not there to hear it is told later.
    await github.deliver('push', repository.pushPayload(pushed)).catch(() => undefined)
  }
  const seen: (number | undefined)[] = []
  for (let kill = 0; kill < kills; kill++) {
    const point = points[kill]
    app = await startAppProcess(github, dataDir, {
      env: { SITES_DOMAIN: 'sites.test', ...(point && { OPENAPI_PAGES_FAULT: `${point}:${kill === 0 ? 2 : 1}` }) },
    })
    await push()
    if (kill === 0) {
      while ((await askSite(app.address, 'acme-pets.sites.test', '/page-0/')).status !== 200) await sleep(20)
      await push()
    }
    if (!point) {
      // Several at once, so that it meets a build wherever it is.
      await push()
      await sleep(Math.random() * 6_000)
      app.child.kill('SIGKILL')
    }
    expect(await app.ended).toBe('SIGKILL')
    const store = await open()
    seen.push(await readPublished(store))
    await store.close()
  }
  app = await startAppProcess(github, dataDir, { env: { SITES_DOMAIN: 'sites.test' } })
  do await push()
  while (branchOf(commit) !== 'main')
  await untilDelivered(github, dataDir, 60_000)
  await untilIdle(dataDir, 60_000 + kills * 5_000)
  for (let index = 0; index < pageCount; index++) {
    const { status, text } = await askSite(app.address, 'acme-pets.sites.test', `/page-${index}/`)
    expect([status, text]).toEqual([200, expect.stringContaining(`This is commit-${commit}.`)])
  }
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)

  // A commit that came before the newest never takes its place.
  const known = seen.filter((one) => one !== undefined)
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.length).toBeGreaterThan(0)
  const later = await open(2 * hour)
  const collected = await later.sites.collect()
  const [project] = await later.projects.list()
  const builds = await later.sites.list(project?.id ?? '', { limit: 100 })
  const files = (await Promise.all(builds.map(({ id }) => later.sites.listFiles(id)))).flat()
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
  console.log(
    `${kills} kills, ${commit} commits, seen ${seen.map((one) => one ?? '-').join(' ')}; collected ${JSON.stringify(collected)}`,
  )
})
