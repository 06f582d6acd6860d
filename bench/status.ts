import { cpus } from 'node:os'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { hasPostgres, startTestDatabases } from '../test/support/postgres.ts'
import { median } from './measure.ts'
import { type Server, startServer } from './served.ts'

// Compares the status endpoint on SQLite and on PostgreSQL with a bare `node:http` server that sends the same body.

const help = `npm run bench -- status [--rounds N] [--seconds N] [--connections N] [--polled N]

  --rounds N       counted rounds of each server (default 5, after one warm-up)
  --seconds N      length of a round (default 2)
  --connections N  (default 20)
  --polled N       number of records that are read in turn, at most 100 (default 1)

Prints a Markdown table. The servers are separate processes and take turns. The ratios are medians of the ratios of the rounds.
PostgreSQL is left out if it is not installed.`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '20' },
    polled: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
})

/** What `app.ts --serve` announces. */
interface Served {
  readonly address: string
  readonly token: string
  readonly statusIds: readonly string[]
}

interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  readonly cpuMicroseconds: number
}

if (values.help) console.log(help)
else await compare()

async function compare(): Promise<void> {
  const databases = hasPostgres ? startTestDatabases() : undefined
  const serve = (what: 'bare' | 'app', url?: string) =>
    startServer<Served>(join(import.meta.dirname, 'app.ts'), ['--serve', what, '--records', '1000'], {
      ...process.env,
      DATABASE_URL: url,
    })
  const servers = new Map([
    ['bare `node:http`', await serve('bare')],
    ['SQLite', await serve('app')],
  ])
  if (databases) servers.set('PostgreSQL', await serve('app', await databases.createDatabase()))
  try {
    const loads: Load[][] = []
    for (let round = 0; round <= Number(values.rounds); round++) {
      const results: Load[] = []
      for (const server of servers.values()) results.push(await load(server))
      // The first round is a warm-up.
      if (round > 0) loads.push(results)
    }
    report([...servers.keys()], loads)
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    databases?.stop()
  }
}

async function load({ announced, readCpu }: Server<Served>): Promise<Load> {
  const { address, token, statusIds } = announced
  const before = await readCpu()
  const times = createHistogram()
  const run = autocannon({
    url: address,
    connections: Number(values.connections),
    duration: Number(values.seconds),
    headers: { authorization: `Bearer ${token}` },
    requests: statusIds.slice(0, Number(values.polled)).map((id) => ({ path: `/v1/project/update-status/${id}` })),
  })
  // Its own figures are in whole milliseconds, longer than most responses take.
  run.on('response', (_client, _status, _bytes, ms) => times.record(Math.max(1, Math.round(ms * 1000))))
  const { requests, non2xx, errors } = await run
  if (non2xx + errors > 0) throw new Error(`Unexpected ${non2xx} statuses and ${errors} errors, expected only 200`)
  return {
    perSecond: requests.average,
    p99Ms: times.percentile(99) / 1000,
    cpuMicroseconds: ((await readCpu()) - before) / requests.total,
  }
}

function report(names: readonly string[], rounds: readonly Load[][]): void {
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, medians of ${values.rounds} interleaved rounds of ${values.seconds} s, ` +
      `${values.connections} connections, ${values.polled} records.\n`,
  )
  console.log('| server | requests/s | ÷ bare | p99 ms | ÷ bare | CPU µs/request | bare ÷ CPU |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [index, name] of names.entries()) {
    const of = (read: (own: Load, bare: Load) => number) =>
      median(rounds.flatMap((results) => (results[index] && results[0] ? [read(results[index], results[0])] : [])))
    const cells = [
      of(({ perSecond }) => perSecond).toFixed(0),
      of((own, bare) => own.perSecond / bare.perSecond).toFixed(2),
      of(({ p99Ms }) => p99Ms).toFixed(2),
      of((own, bare) => own.p99Ms / bare.p99Ms).toFixed(2),
      of(({ cpuMicroseconds }) => cpuMicroseconds).toFixed(1),
      of((own, bare) => bare.cpuMicroseconds / own.cpuMicroseconds).toFixed(2),
    ]
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
}
