import { existsSync, mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChangedSource, changeSource } from './sabotages.ts'
import { replaceGlobals } from './virtual-globals.ts'

// Plays histories in this process, whose clock, timers and random numbers it replaces: see `virtual-globals.ts`. Writes one line of JSON for
// each failed history, and one at the end of each request.
const globals = replaceGlobals()
const { databaseUrl, requests, changed } = JSON.parse(process.argv[2] ?? '') as SimulationProgram // Written by `simulate.ts`.
if (changed) changeSource(changed)
const { readConfig } = await import('../../../src/app/base/config/app-config.ts')
const { createMetrics } = await import('../../../src/app/base/telemetry/metrics.ts')
const { play, shrink } = await import('./play.ts')
const { createPostgresDatabases } = await import('./postgres-databases.ts')
const { createPrograms } = await import('./simulated-programs.ts')
const { createSqliteDatabases } = await import('./sqlite-databases.ts')

/** What a process plays: on SQLite without a URL. */
export interface SimulationProgram {
  readonly databaseUrl: string | undefined
  readonly requests: readonly SimulationRequest[]
  /** Code of the app that is broken on purpose, in every process of a history. */
  readonly changed?: ChangedSource | undefined
}

/** What to play. */
export interface SimulationRequest {
  /** Plays `count` histories from this seed on. */
  readonly firstSeed: number
  readonly count: number
  readonly isCalm?: boolean
  /** Plays only these operations, by their positions. */
  readonly kept?: readonly number[]
  /** Writes every step to the error output. */
  readonly isVerbose?: boolean
  /** Failed histories after which it stops. Default: 1. */
  readonly failures?: number
  /** Looks only at violations with these words. */
  readonly about?: string
  /** Does not shrink failed histories. */
  readonly isRaw?: boolean
  /** Ends after this many histories if none of them reached the changed place. */
  readonly reachWithin?: number
}

/** A line of the output. Each request ends with its last line. */
export type SimulationLine =
  | {
      readonly kind: 'failed'
      /** As small as possible. */
      readonly history: import('./play.ts').History
      readonly violations: readonly string[]
      /** What its operations did. */
      readonly lines: readonly string[]
    }
  | {
      readonly kind: 'end'
      readonly histories: number
      readonly steps: number
      readonly failed: number
      readonly seconds: number
      /** A hash of each history. */
      readonly traces: readonly string[]
      /** Whether a history reached the changed place of a mutant. */
      readonly isReached: boolean
    }

const isVerbose = requests.some((request) => request.isVerbose)
const realNow = process.hrtime.bigint
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simulation-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const settings = { DATA_DIR: folder, SITES_DOMAIN: 'localhost', CHROMIUM_PATH: 'off', GITHUB_URL: 'https://github.test' }
const config = await readConfig(settings)
const createDatabase =
  databaseUrl === undefined ? await createSqliteDatabases(folder) : await createPostgresDatabases(databaseUrl)
const first = createDatabase(0)
await first.clear()
const firstStore = first.open({ now: Date.now, randomBytes: (count) => new Uint8Array(count) })
const stage: import('./play.ts').Stage = {
  globals,
  createDatabase,
  parts: {
    config,
    metrics: createMetrics({
      store: firstStore,
      config,
      now: () => new Date(),
      waiting: () => 0,
      budgets: () => [],
    }),
    programs: createPrograms(
      () => current().scheduler,
      () => current().random,
      () => current().diskFullUntilMs > current().time.nowMs,
    ),
    onLog: isVerbose ? (line) => process.stderr.write(`                ${line}`) : undefined,
  },
  world: undefined,
}

function current() {
  if (!stage.world) throw new Error('No history is played')
  return stage.world
}

globalThis.fetch = (input, init) => current().github.fetch(input, init)

const onStep = isVerbose ? (line: string) => process.stderr.write(`${line}\n`) : undefined
for (const request of requests) await playAll(request)
process.exit()

async function playAll(request: SimulationRequest): Promise<void> {
  const traces: string[] = []
  let steps = 0
  let failed = 0
  const startedAt = realNow()
  for (let index = 0; index < request.count && failed < (request.failures ?? 1); index++) {
    if (index === request.reachWithin && !isReached()) break
    const history = { seed: request.firstSeed + index, isCalm: request.isCalm ?? false, kept: request.kept }
    const played = await play(stage, history, onStep)
    steps += played.steps
    traces.push(played.trace)
    const violation = played.violations.find((text) => text.includes(request.about ?? ''))
    if (violation === undefined) continue
    failed += 1
    const isRaw = isVerbose || request.isRaw
    const smallest = isRaw ? history : await shrink(stage, history, violation)
    const { violations, lines } = isRaw ? played : await play(stage, smallest)
    write({ kind: 'failed', history: smallest, violations, lines })
  }
  write({
    kind: 'end',
    histories: traces.length,
    steps,
    failed,
    seconds: Number(realNow() - startedAt) / 1e9,
    traces,
    isReached: isReached(),
  })
}

function isReached(): boolean {
  return 'isMutantReached' in globalThis
}

function write(line: SimulationLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
