import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFileName } from '../../src/app/open-store.ts'
import { openPostgresDatabase } from '../../src/store/postgres-database.ts'
import { docsConfig, validDocument } from '../app/support/connected-app.ts'
import { startAppProcess } from '../support/app-process.ts'
import { expectSettled, readStore, untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { toCommand } from '../support/bundled-programs.ts'
import { compileCache } from '../support/compile-cache.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../support/fake-github/payloads.ts'
import { fillStore } from '../support/fill-store.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Records in the store before the load starts. */
const records = runsOr(2_000, 100_000)

test.skipIf(!canStartPostgres)(
  `a move under load, killed three times, loses nothing with ${records} records`,
  { timeout: 600_000 },
  async () => {
    const random = createRandom(seed)
    const postgres = startPostgres()
    onTestFinished(() => postgres.stop())
    const url = await postgres.createDatabase()
    const github = await startFakeGitHub({ rateLimit: 1_000_000 })
    onTestFinished(() => github.close())
    const dataDir = makeTemporaryFolder()
    const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
    const repositories = ['acme/api', 'acme/sdk', 'globex/pets'].map((name) => github.createRepository(name, { files }))
    for (const repository of repositories) {
      repository.commit({ files: { 'a.mdx': 'a' }, branch: 'topic' })
      repository.openPullRequest({ head: 'topic' })
    }
    let app = await startAppProcess(github, dataDir)
    onTestFinished(() => void app.child.kill('SIGKILL'))
    const filling = new DatabaseSync(join(dataDir, databaseFileName), { timeout: 5_000 })
    fillStore(filling, records)
    filling.close()

    const acknowledged: string[] = []
    const statuses = new Map<number, number>()
    let isLoading = true
    let sent = 0
    const load = (async () => {
      while (isLoading) {
        const repository = repositories[sent % repositories.length]
        if (!repository) return
        const branch = random() < 0.5 ? 'main' : 'topic'
        const push = repository.commit({ files: { 'openapi.yaml': `${validDocument}# ${sent++}\n` }, branch })
        const { status } = await github.deliver('push', repository.pushPayload(push))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 202) acknowledged.push(push.after)
        const [pull] = repository.pullRequests
        if (branch === 'topic' && pull) {
          await github.deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, push.before))
        }
        await sleep(400)
      }
    })()

    const words = ['migrate-store', '--from', `sqlite:${join(dataDir, databaseFileName)}`, '--to', url]
    for (const until of ['deliveries', 'Comparing', 'Refusing']) await killAt(startCommand(words), until)
    const { output, code } = await startCommand(words).ended
    expect([code, output]).toEqual([0, expect.stringContaining('✔ Moved and compared')])
    expect(output).toContain('Continuing to move')
    // The old server still serves reads and refuses the rest.
    const before = (statuses.get(503) ?? 0) + 1
    await expect.poll(() => statuses.get(503) ?? 0, { timeout: 30_000 }).toBeGreaterThan(before)
    expect((await fetch(`${app.address}/readyz`)).status).toBe(200)
    expect((await fetch(`${app.address}/v1/openapi.json`)).status).toBe(200)
    const refused = await fetch(`${app.address}/v1/project/update-status/${acknowledged[0]}`)
    expect(refused.status).toBe(401)
    app.child.kill('SIGTERM')
    await app.ended
    await expect(startAppProcess(github, dataDir)).rejects.toThrow('it was moved to')

    app = await startAppProcess(github, dataDir, { env: { DATABASE_URL: url } })
    await sleep(500)
    isLoading = false
    await load
    await untilDelivered(github, url, 180_000)
    await github.settled()
    await untilIdle(url, 120_000)
    const { updates } = await readStore(url)
    // The reconciler has deleted the projects of the other records, because the fake GitHub does not have their repositories.
    const { database, close } = openPostgresDatabase(url, { connections: 1 })
    const { count } = await database
      .selectFrom('updates')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await close()
    expect(count).toBe(records + updates.length)
    expectSettled(github, repositories, updates, acknowledged)
    app.child.kill('SIGTERM')
    expect(await app.ended).toBe(0)
    console.log(
      `seed ${seed}: ${records} records moved under ${sent} pushes, responses ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
  },
)

interface Command {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

function startCommand(words: readonly string[]): Command {
  const child = spawn(process.execPath, toCommand(words), {
    env: { PATH: process.env['PATH'], ...compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => output, ended: ended.then((code) => ({ code, output })) }
}

/** Kills the command once its output has a text. */
async function killAt({ child, output, ended }: Command, text: string): Promise<void> {
  await expect.poll(() => output().includes(text) || child.exitCode !== null, { interval: 5, timeout: 120_000 }).toBe(true)
  child.kill('SIGKILL')
  expect((await ended).code, output()).toBe(null)
}
