import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Project } from '../src/status/types.ts'
import { queueUpdate } from '../src/status/update-record.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../src/store/types.ts'
import { fillStore } from '../test/support/fill-store.ts'
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { fillPostgres } from './fill-postgres.ts'

// Times the database alone, with synced commits and more and more records.

const help = `npm run bench -- store [--postgres] [--records N,N,…] [--seconds N] [--folder PATH]

  --postgres     measure a private PostgreSQL server instead of SQLite
  --records N,N  records in each database (default 1000,100000,1000000: 3 GB on disk, some minutes)
  --rounds N     rounds for each operation and database, in turn (default 3). The table shows medians
  --seconds N    length of a round (default 1)
  --folder PATH  directory for the files of SQLite (default: the temporary directory)

Prints a Markdown table. The ratio is the time with the most records divided by the time with the fewest.`

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean' },
    records: { type: 'string', default: '1000,100000,1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    folder: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const durationMs = Number(values.seconds) * 1000
const folder = mkdtempSync(join(values.folder, 'openapi-pages-bench-'))
const postgres = values.postgres ? startPostgres() : undefined

interface Measure {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Runs `work` repeatedly with the given concurrency. */
async function measure(work: (round: number) => Promise<number>, parallel = 1): Promise<Measure> {
  const times: number[] = []
  let count = 0
  let round = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (performance.now() - startedAt < durationMs) {
        const from = performance.now()
        const done = await work(round++)
        count += done
        times.push(performance.now() - from)
        // Let other work of a server run.
        if (times.length % 1000 === 0) await new Promise(setImmediate)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: count / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Measurements by their name in the table. */
async function prepareMeasures({ store, projects, ids }: FilledStore): Promise<Readonly<Record<string, () => Promise<Measure>>>> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await store.tokens.create({ grant: { scope: 'admin' }, name: 'bench', expiresAt }, 'bench')
  if (!made) throw new Error('no token')
  const pick = (round: number) => ids[(round * 7919) % ids.length] ?? ''
  const [project] = projects
  if (!project) throw new Error('no project')
  let pushes = 0
  const accept = async () => {
    pushes += 1
    const pushed = projects[pushes % projects.length] ?? project
    const sha = pushes.toString(16).padStart(8, '0').repeat(5)
    const update = queueUpdate({
      id: store.newId(),
      projectId: pushed.id,
      subdomain: pushed.subdomain,
      createdAt: new Date().toISOString(),
      author: 'octocat',
      commit: {
        sha,
        ref: `refs/heads/branch-${pushes % 97}`,
        message: 'm'.repeat(400),
        filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] },
      },
      source: 'github-app-installation',
    })
    const details = { trigger: 'push' as const, before: '0'.repeat(40) }
    const { installationId = 0 } = pushed
    await store.accept({
      delivery: { id: `bench-${update._id}`, event: 'push' },
      updates: [{ update, details, once: 'push', installationId }],
    })
    return 1
  }
  return {
    'get by id and check a token, the same record': () =>
      measure(async () => {
        await store.tokens.check(made.token)
        return (await store.statuses.find(ids[0] ?? '')) ? 1 : 0
      }),
    'get by id, each time another record': () => measure(async (round) => ((await store.statuses.find(pick(round))) ? 1 : 0)),
    'list, 8 records a page': () => measure(async () => ((await store.statuses.list(project.id, { limit: 8 })) ? 1 : 0)),
    'list by status, 8 records a page': () =>
      measure(async () => ((await store.statuses.list(project.id, { status: 'success', limit: 8 })) ? 1 : 0)),
    'accept a push (delivery, record, job), one at a time': () => measure(accept),
    'accept a push, 20 at a time': () => measure(accept, 20),
    'claim, finish and complete a run': () =>
      measure(async () => {
        const job = await store.queue.claim({ worker: 'bench', leaseMs: 60_000 })
        if (!job || job.kind === 'task') return 0
        const endedAt = new Date().toISOString()
        if (job.kind === 'run') {
          await store.queue.finish(job.lease, { ...job.stored.update, status: 'success', summary: 'Valid.', endedAt })
        }
        await store.queue.complete(job.lease)
        return 1
      }),
  }
}

interface FilledStore {
  readonly store: Store
  readonly ids: readonly string[]
  readonly projects: readonly Project[]
  readonly sizeBytes: number
}

/** About 50,000 IDs of all records. */
function toStep(records: number): number {
  return Math.max(1, Math.floor(records / 50_000))
}

async function openFilledSqlite(records: number): Promise<FilledStore> {
  const path = join(folder, `${records}.sqlite`)
  await (await openSqliteStore({ path })).close()
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = OFF')
  fillStore(database, records)
  database.exec('update projects set installation_id = rowid')
  const rows = database.prepare('select id from updates where rowid % ? = 0').all(toStep(records))
  database.close()
  const store = await openSqliteStore({ path })
  return { store, ids: rows.map(({ id }) => String(id)), projects: await store.projects.list(), sizeBytes: statSync(path).size }
}

async function openFilledPostgres(server: TestPostgres, records: number): Promise<FilledStore> {
  const url = await server.createDatabase()
  const store = await openPostgresStore({ url })
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await fillPostgres(database, records)
  const { rows } = await sql<{ readonly id: string; readonly size: string }>`
    select id, pg_database_size(current_database()) as size from (select id, row_number() over (order by id) as number from updates) numbered
    where number % ${sql.lit(toStep(records))} = 0`.execute(database)
  await database.destroy()
  return { store, ids: rows.map(({ id }) => id), projects: await store.projects.list(), sizeBytes: Number(rows[0]?.size) }
}

/** The measurement with the median rate. */
const median = (measures: readonly Measure[]) =>
  [...measures].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(measures.length / 2)]

try {
  const sizes = values.records.split(',').map(Number)
  const filled: FilledStore[] = []
  for (const size of sizes) filled.push(await (postgres ? openFilledPostgres(postgres, size) : openFilledSqlite(size)))
  const prepared = await Promise.all(filled.map(prepareMeasures))
  const heads = sizes.map((size) => `${size.toLocaleString('en-US')} records`)
  console.log(`| per second (ms at p50 / p99) | ${heads.join(' | ')} | ratio |`)
  console.log(`|---|${sizes.map(() => '---:|').join('')}---:|`)
  for (const label of Object.keys(prepared[0] ?? {})) {
    const measures: Measure[][] = sizes.map(() => [])
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [index, measured] of prepared.entries()) {
        const result = await measured[label]?.()
        if (result) measures[index]?.push(result)
      }
    }
    const medians = measures.map(median)
    const cells = medians.map((value) =>
      value
        ? `${Math.round(value.perSecond).toLocaleString('en-US')} (${value.p50Ms.toFixed(3)} / ${value.p99Ms.toFixed(3)})`
        : '–',
    )
    const ratio = (medians[0]?.perSecond ?? Number.NaN) / (medians.at(-1)?.perSecond ?? Number.NaN)
    console.log(`| ${label} | ${cells.join(' | ')} | ${ratio.toFixed(2)} |`)
  }
  const megabytes = filled.map(({ sizeBytes }) => `${(sizeBytes / 1e6).toFixed(0)} MB`)
  console.log(`\n${megabytes.join(', ')}. Node ${process.version}, ${cpus().length} cores.`)
  for (const { store } of filled) await store.close()
} finally {
  postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
