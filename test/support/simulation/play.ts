import { createRandom } from '../random.ts'
import { comparesEveryMs, type ProcessParts } from './app-process.ts'
import { findViolations } from './invariants.ts'
import { applyOperation, createOperations, type Operation } from './operations.ts'
import type { SimulatedDatabase } from './simulated-databases.ts'
import type { VirtualGlobals } from './virtual-globals.ts'
import { VirtualTime } from './virtual-time.ts'
import { startMs, World } from './world.ts'

/** Random operations, and the random numbers that order the calls between them. Plain data. */
export interface History {
  readonly seed: number
  /** Whether nothing interrupts the app, and webhooks arrive in order. */
  readonly isCalm: boolean
  /** The operations that are left, by their positions. Default: all. */
  readonly kept?: readonly number[] | undefined
}

export interface Played {
  readonly violations: readonly string[]
  /** A hash of everything that happened, in its order. */
  readonly trace: string
  /** What the operations did. */
  readonly lines: readonly string[]
  readonly steps: number
}

/** What histories are played on. */
export interface Stage {
  readonly globals: VirtualGlobals
  parts: ProcessParts
  readonly createDatabase: (seed: number) => SimulatedDatabase
  /** The running world, for the programs and the network. */
  world: World | undefined
}

/** Plays a history from an empty database until everything is quiet. */
export async function play(stage: Stage, history: History, onStep?: (line: string) => void): Promise<Played> {
  const { seed, isCalm } = history
  const database = stage.createDatabase(seed)
  await database.clear()
  const lines: string[] = []
  const [random, time] = [createRandom(seed), new VirtualTime(startMs)]
  Object.assign(stage.globals, { time, random })
  // Some histories have one layer less, so that it does not hide what the others miss.
  const layers = ({ 2: 'webhooks', 4: 'comparison' } as const)[seed % 5] ?? 'all'
  const hasShortQueue = seed % 7 === 0
  const hasBucket = seed % 2 === 0
  // Several processes only share PostgreSQL.
  const config = { ...stage.parts.config, databaseUrl: database.isShared ? 'postgres://simulated' : undefined }
  const parts = { ...stage.parts, config }
  const world = new World({ random, time, isCalm, layers, hasShortQueue, hasBucket, parts, database, onStep })
  stage.world = world
  try {
    for (const operation of listOperations(stage, history)) {
      const done = await applyOperation(world, operation)
      const then = 'steps' in operation.pause ? `${operation.pause.steps} calls` : `${operation.pause.ms} ms`
      if (done !== undefined) lines.push(`${done}; then ${then}`)
    }
    world.heal()
    if (!world.hasHosting) await world.switchHosting()
    if (layers !== 'comparison') await world.expectQuiet(0, findViolations)
    // A comparison finds only what was not told.
    world.isCompared = layers !== 'webhooks'
    if (world.isCompared) await world.expectQuiet(1.1 * comparesEveryMs, findViolations)
    return { violations: world.violations, trace: world.scheduler.trace(), lines, steps: world.scheduler.steps }
  } finally {
    await world.close()
    Object.assign(stage.globals, { time: undefined, random: undefined })
  }
}

function listOperations(stage: Stage, { seed, isCalm, kept }: History): readonly Operation[] {
  const all = createOperations(seed, { isCalm, isShared: stage.createDatabase(seed).isShared })
  return kept ? all.filter((_operation, index) => kept.includes(index)) : all
}

/** The kind of a violation, without names and numbers. */
function toKind(violation: string): string {
  return violation
    .replace(/, whose record.*/, '')
    .replaceAll(/\b[0-9a-f]{7}\b|[\w-]{36}|acme\/\w+|\b(?:main|next|topic)\b|\d+/g, '…')
}

/**
 * Leaves out operations after the first one as long as the history still violates the same rule, in at most `limit` tries.
 *
 * @param violation One that the history has.
 */
export async function shrink(stage: Stage, history: History, violation: string, limit = 150): Promise<History> {
  let smallest = history.kept ?? listOperations(stage, history).map((_operation, index) => index)
  let tries = 0
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && tries < limit; ) {
    let isSmaller = false
    for (let start = smallest.length - size; start >= 1 && tries < limit; start -= size) {
      const kept = smallest.toSpliced(start, size)
      tries += 1
      const { violations } = await play(stage, { ...history, kept })
      if (!violations.some((other) => toKind(other) === toKind(violation))) continue
      smallest = kept
      isSmaller = true
    }
    if (!isSmaller) size = size === 1 ? 0 : Math.floor(size / 2)
    else size = Math.max(1, Math.min(size, Math.floor(smallest.length / 2)))
  }
  return { ...history, kept: smallest }
}
