import { chmodSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../../src/app/main.ts'
import { docsConfig, validDocument } from '../app/support/connected-app.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { expectSettled, readStore, untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { canStartPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// The commands of docs/operate.md, "Backup".

test.skipIf(!canStartPostgres)(
  'recovers a database as of the time before a mistake, and fetches later pushes from GitHub',
  async () => {
    const github = await startFakeGitHub({ rateLimit: 1_000_000 })
    onTestFinished(() => github.close())
    const repository = github.createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
    const archive = makeTemporaryFolder()
    chmodSync(archive, 0o777)
    const settings = ['archive_mode=on', `archive_command='cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'`]
    const postgres = startPostgres({ settings })
    onTestFinished(() => postgres.stop())
    const url = await postgres.createDatabase()
    const acknowledged: string[] = []
    let app: AppProcess | undefined
    onTestFinished(() => void app?.child.kill('SIGKILL'))
    const start = async (databaseUrl: string) => {
      app = await startAppProcess(github, makeTemporaryFolder(), { env: { DATABASE_URL: databaseUrl } })
    }
    const stop = async () => {
      app?.child.kill('SIGTERM')
      expect(await app?.ended).toBe(0)
    }
    const deliver = async (name: string) => {
      const made = repository.commit({ files: { 'openapi.yaml': `${validDocument}# ${name}\n` } })
      expect((await github.deliver('push', repository.pushPayload(made))).status).toBe(202)
      acknowledged.push(made.after)
      return made.after
    }
    const push = async (name: string, databaseUrl: string) => {
      await deliver(name)
      await untilIdle(databaseUrl)
    }

    await start(url)
    await push('before the backup', url)
    const base = join(postgres.folder, 'base')
    postgres.run('pg_basebackup', `--dbname=${toServer(url)}`, `--pgdata=${base}`, '--checkpoint=fast', '--wal-method=none')
    await push('after the backup', url)
    const dump = join(postgres.folder, 'pages.dump')
    postgres.run('pg_dump', '--format=custom', `--file=${dump}`, url)
    const inDump = await readStore(url)
    // Accepted before the time of the recovery, but run after it.
    const queued = await deliver('queued')
    const [{ time } = { time: '' }] = await query<{ time: string }>(url, 'select clock_timestamp()::text as time')
    await untilIdle(url)
    await push('after the time of the recovery', url)
    await query(url, `delete from updates`)
    await stop()
    const [{ wal } = { wal: '' }] = await query<{ wal: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as wal')
    await expect.poll(() => readdirSync(archive).includes(wal)).toBe(true)
    postgres.kill()

    const recovered = startPostgres({
      restore: base,
      settings: [`restore_command='cp ${archive}/%f %p'`, `recovery_target_time='${time}'`, 'recovery_target_action=promote'],
    })
    onTestFinished(() => recovered.stop())
    const recoveredUrl = moveTo(url, recovered)
    await expect.poll(async () => (await query(recoveredUrl, 'select pg_is_in_recovery() as waits'))[0]).toEqual({ waits: false })
    const atTime = await readStore(recoveredUrl)
    expect(atTime.updates.slice(0, 2)).toEqual(inDump.updates)
    const [, , third] = atTime.updates
    expect([atTime.updates.length, third?.update.commit.sha, third?.update.endedAt]).toEqual([3, queued, undefined])
    expect(await main(['backup', '--mark-restored'], { DATABASE_URL: recoveredUrl })).toBe(0)
    await start(recoveredUrl)
    expect(app?.output()).toContain('Public sites are private until GitHub confirms')
    await untilDelivered(github, recoveredUrl)
    await github.settled()
    await push('after the recovery', recoveredUrl)
    const { updates } = await readStore(recoveredUrl)
    // The third push comes from GitHub: as a repeated delivery, or from the comparison of the branch.
    expect(updates.map(({ update }) => update.commit.sha)).toEqual(acknowledged)
    expectSettled(github, [repository], updates, acknowledged)
    const heads = repository.checkRuns.map(({ name, headSha }) => `${name} ${headSha}`)
    expect(heads.filter((head, index) => heads.indexOf(head) !== index)).toEqual([])
    await stop()

    const empty = await recovered.createDatabase()
    renameSync(dump, join(recovered.folder, 'pages.dump'))
    recovered.run('pg_restore', `--dbname=${empty}`, '--no-owner', 'pages.dump')
    expect(await readStore(empty)).toEqual(inDump)
  },
)

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

function toServer(url: string): string {
  return url.replace(/\/test_\w+/, '/')
}

/** The same database on another server. */
function moveTo(url: string, { folder }: TestPostgres): string {
  return url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`)
}
