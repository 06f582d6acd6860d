import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { docsConfig, validDocument } from '../app/support/connected-app.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { expectSettled, untilDelivered, untilIdle, withStore } from '../support/app-scenario.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { toPullRequestEvent } from '../support/fake-github/payloads.ts'
import type { InjectedFailure } from '../support/fake-github/types.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { runsOr } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'
import { type S3Server, s3Credentials, startS3, testBucket } from '../support/s3-server.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** How long the disturbances last, in minutes. */
const minutes = runsOr(1, 10)
const lastsMs = minutes * 60_000

/** The routes of GitHub that updates need. */
const routes = [
  'GET /repositories/{repository_id}',
  'GET /repos/{owner}/{repo}/tarball/{ref}',
  'GET /repos/{owner}/{repo}/git/ref/{ref}',
  'GET /repos/{owner}/{repo}/commits/{ref}',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'POST /repos/{owner}/{repo}/check-runs',
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
  'GET /repos/{owner}/{repo}/pulls',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'GET /installation/repositories',
  'GET /app/hook/deliveries',
] as const

const secondaryLimit = { message: 'You have exceeded a secondary rate limit.', documentation_url: 'https://docs.github.com/rest' }

/** What GitHub answers when it does not do what it was asked. */
const refusals: readonly Omit<InjectedFailure, 'route'>[] = [
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { status: 401, body: { message: 'Bad credentials' } },
  { status: 404, body: { message: 'Not Found' } },
  { status: 403, body: secondaryLimit, headers: { 'retry-after': '2' } },
  { status: 429, body: secondaryLimit, headers: { 'retry-after': '1' } },
  { cut: 'before' },
  { cut: 'after' },
  { cut: 'during' },
]

/** What happens to the server, by the part of the time at which it begins and ends. */
interface Disturbance {
  readonly name: string
  readonly from: number
  readonly to: number
  begin(server: Server): Promise<unknown> | undefined
  end(server: Server): Promise<unknown> | undefined
}

const setting = (name: string, value: string, from: number, to: number): Disturbance => ({
  name: `${name}=${value}`,
  from,
  to,
  begin: (server) => server.restart({ ...server.env, [name]: value }),
  end: (server) => server.restart(Object.fromEntries(Object.entries(server.env).filter(([one]) => one !== name))),
})

const disturbances: readonly Disturbance[] = [
  { name: 'the disk is full', from: 0.1, to: 0.4, begin: async ({ disk }) => fill(disk), end: async ({ disk }) => free(disk) },
  {
    name: 'the bucket refuses everything',
    from: 0.3,
    to: 0.6,
    begin: async ({ bucket }) => refuse(bucket, () => true),
    end: async ({ bucket }) => refuse(bucket, (count) => count % 2 === 0),
  },
  {
    name: 'the bucket refuses every second request',
    from: 0.6,
    to: 0.7,
    begin: async () => undefined,
    end: async ({ bucket }) => answer(bucket),
  },
  setting('SITES_DOMAIN', 'off', 0.2, 0.35),
  setting('SITE_PREVIEWS', '0', 0.45, 0.55),
  setting('INSTALLATION_STORED_MB', '1', 0.65, 0.75),
  { name: 'a kill', from: 0.8, to: 0.85, begin: ({ kill }) => kill(), end: (server) => server.restart(server.env) },
]

interface Server {
  env: Readonly<Record<string, string>>
  /** A file system of its own, with the data folder. */
  readonly disk: string
  readonly bucket: S3Server
  /** Ends the process as a deployment does, and starts it with other settings. */
  restart(env: Readonly<Record<string, string>>): Promise<void>
  kill(): Promise<unknown>
}

const ballast = (disk: string) => join(disk, 'ballast')

/** Other programs take all of the disk. */
function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast(disk), Buffer.alloc(Math.max(0, (bavail - 1) * bsize)))
}

function free(disk: string): void {
  rmSync(ballast(disk), { force: true })
}

function refuse(bucket: S3Server, isRefused: (count: number) => boolean): void {
  let count = 0
  bucket.fault = (_request, response) => {
    count += 1
    if (!isRefused(count)) return false
    response.writeHead(503).end()
    return true
  }
}

function answer(bucket: S3Server): void {
  bucket.fault = undefined
}

/** Only root can mount a file system that fills up. */
function mountDisk(): string {
  const disk = makeTemporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', disk])
  })
  return disk
}

const canMount = process.getuid?.() === 0 && process.platform === 'linux'
if (!canMount) console.log('The soak test with a full disk is skipped: only root can mount one; run it as root on Linux')

describe.skipIf(!canMount)(`after ${minutes} minutes of refusals, a full disk, other settings and a kill`, () => {
  test('nothing is open, lost, doubled or red without a reason (SQLite)', async () => {
    await run(undefined)
  })

  test.skipIf(!hasPostgres)('nothing is open, lost, doubled or red without a reason (PostgreSQL)', async () => {
    const databases = startTestDatabases()
    onTestFinished(() => databases.stop())
    await run(await databases.createDatabase())
  })
})

async function run(databaseUrl: string | undefined): Promise<void> {
  const github = await startFakeGitHub({ rateLimit: 1_000_000 })
  onTestFinished(() => github.close())
  const bucket = await startS3()
  onTestFinished(() => bucket.stop())
  const server = await startServer(github, bucket, databaseUrl)
  const { repositories, valid, refusedCount } = await disturb(github, server)
  const place = databaseUrl ?? server.disk
  const endedAt = performance.now()
  await untilDelivered(github, place)
  const deliveredAt = performance.now()
  const last = await readLastOpen(place)
  const { updates } = await untilIdle(place)
  const seconds = (until: number) => Math.round((until - endedAt) / 1000)
  console.log(
    `${updates.length} updates, ${refusedCount()} refusals. After the last disturbance, all webhooks had arrived after ${seconds(deliveredAt)} s, ` +
      `and nothing was open after ${seconds(performance.now())} s. The last to end: ${last}`,
  )
  expect(refusedCount()).toBeGreaterThan(20 * minutes)
  expectSettled(github, repositories, updates, [])
  for (const repository of repositories) expectTruth(repository, valid)
  const isRed = updates.filter(({ update }) => update.status === 'failure' && valid.has(update.commit.sha))
  expect(isRed.map(({ update }) => update.summary)).toEqual([])
  await withStore(place, async (store) => {
    for (const { id, repositoryId, repo } of await store.projects.list()) {
      const repository = repositories.find((one) => one.id === repositoryId)
      const tip = repository?.tip('main') ?? ''
      const shown = (await store.sites.findPublished(id))?.build.sha ?? 'none'
      // With errors, the site stays at an earlier commit.
      expect([repo, valid.has(tip) ? shown : valid.has(shown)]).toEqual([repo, valid.has(tip) ? tip : true])
    }
  })
}

/** Describes the jobs that are left last. */
async function readLastOpen(place: string): Promise<string> {
  let last = 'none'
  await withStore(place, async ({ queue }) => {
    for (let groups = await queue.listGroups(); groups.length > 0; groups = await queue.listGroups()) {
      last = JSON.stringify(groups)
      await sleep(200)
    }
  })
  return last
}

/** The tip of each branch has a check that says what is in its files, and a pull request with errors has its comment. */
function expectTruth({ fullName, branches, checkRuns, pullRequests, comments }: FakeRepository, valid: ReadonlySet<string>) {
  for (const [branch, sha] of branches) {
    const check = checkRuns.findLast(({ headSha }) => headSha === sha)
    const expected = valid.has(sha) ? 'success' : 'failure'
    expect([fullName, branch, sha, check?.conclusion, check?.output.title]).toEqual([
      ...[fullName, branch, sha, expected],
      expect.any(String),
    ])
  }
  for (const { number, head } of pullRequests) {
    const sha = branches.get(head) ?? ''
    const texts = comments.filter(({ issueNumber }) => issueNumber === number).map(({ body }) => body)
    const isNamed = texts.some((text) => text.includes(sha.slice(0, 7)))
    expect([fullName, number, texts.length <= 1, valid.has(sha) || isNamed]).toEqual([fullName, number, true, true])
  }
}

async function startServer(github: FakeGitHub, bucket: S3Server, databaseUrl: string | undefined): Promise<Server> {
  const disk = mountDisk()
  const base = {
    SITES_BUCKET: `s3://${testBucket}/soak`,
    SITES_BUCKET_ENDPOINT: bucket.endpoint,
    AWS_REGION: 'us-east-1',
    ...s3Credentials,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: '4' }),
  }
  let app: AppProcess | undefined
  onTestFinished(() => {
    app?.child.kill('SIGKILL')
  })
  const server: Server = {
    env: {},
    disk,
    bucket,
    async kill() {
      app?.child.kill('SIGKILL')
      return await app?.ended
    },
    async restart(env) {
      server.env = env
      app?.child.kill('SIGTERM')
      await app?.ended
      app = await startAppProcess(github, disk, { env: { ...base, SITES_DOMAIN: 'sites.test', ...env } })
    },
  }
  await server.restart({})
  await app?.untilCompared()
  return server
}

/** Pushes all the time while the disturbances come and go. Returns the commits without errors. */
async function disturb(github: FakeGitHub, server: Server) {
  const random = createRandom(Number(process.env['OPENAPI_PAGES_SEED']))
  const valid = new Set<string>()
  const repositories = ['acme/api', 'acme/sdk', 'globex/pets'].map((name) => {
    const repository = github.createRepository(name, { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
    valid.add(repository.tip('main') ?? '')
    return repository
  })
  const startedAt = performance.now()
  const untilPart = async (part: number) => await sleep(Math.max(0, startedAt + part * lastsMs - performance.now()))
  const isOver = () => performance.now() - startedAt > lastsMs
  const push = async (repository: FakeRepository, branch: string, count: number) => {
    const isValid = random() < 0.7
    const document = isValid ? `${validDocument}# ${count}\n` : `openapi: 3.1.0\n# ${count}\n`
    const { sha } = await repository.push({ branch, files: { 'openapi.yaml': document } })
    if (isValid) valid.add(sha)
  }
  const open = async (repository: FakeRepository, head: string) => {
    const pull = repository.openPullRequest({ head })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  }
  const pushes = (async () => {
    for (let count = 0; !isOver(); count++) {
      const repository = random.of(repositories)
      const branch = random.of(['main', 'main', 'topic', 'next'])
      await push(repository, branch, count)
      const isNew = branch !== 'main' && !repository.pullRequests.some(({ head }) => head === branch)
      if (isNew) await open(repository, branch)
      await sleep(Math.max(2_000, lastsMs / 100))
    }
  })()
  let injected = 0
  const refused = (async () => {
    for (; !isOver(); injected++) {
      github.fault({ route: random.of(routes), ...random.of(refusals) })
      await sleep(500)
    }
    injected -= github.faults.splice(0).length
  })()
  const moments = disturbances.flatMap((one) => [
    { at: one.from, name: `${one.name}: begins`, act: () => one.begin(server) },
    { at: one.to, name: `${one.name}: ends`, act: () => one.end(server) },
  ])
  for (const { at, act } of moments.toSorted((a, b) => a.at - b.at)) {
    await untilPart(at)
    await act()
  }
  await Promise.all([pushes, refused])
  return { repositories, valid, refusedCount: () => injected }
}
