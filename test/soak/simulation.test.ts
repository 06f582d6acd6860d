import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { copyProject } from '../support/changed-copy.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { isSoak, runsOr, seed } from '../support/properties.ts'
import { createMutants } from '../support/simulation/mutants.ts'
import type { SimulationRequest } from '../support/simulation/run-simulation.ts'
import { type SabotageName, sabotageSource, sabotages } from '../support/simulation/sabotages.ts'
import { replayVariable, simulate } from '../support/simulation/simulate.ts'

/** Number of histories, which take less than a minute of CI. Each of them needs four times as long on PostgreSQL, with several processes. */
const onSqlite = runsOr(230, 20_000)
const onPostgres = runsOr(20, 20_000)

/** Mutants of the app, each in 300 histories. */
const mutantCount = isSoak ? 60 : 8

const replay = process.env[replayVariable]
const hour = 3_600_000

const servers = hasPostgres ? [startTestDatabases()] : []
afterAll(() => Promise.all(servers.map(({ stop }) => stop())))

/** Tests with PostgreSQL are skipped without it. */
const databases = [
  { name: 'SQLite', count: onSqlite, createUrl: async () => undefined },
  ...servers.map(({ createDatabase }) => ({ name: 'PostgreSQL', count: onPostgres, createUrl: () => createDatabase() })),
].map(({ name, count, createUrl }) => ({
  name,
  count,
  createUrl,
  /** Plays all histories, for the first test that needs them. */
  playAll: lazy(async () => one(await simulate({ databaseUrl: await createUrl(), requests: [{ firstSeed: seed, count }] }))),
}))

// Not skipped otherwise: a skipped test fails CI.
if (replay !== undefined)
  describe('a failed history', () => {
    test.for(databases)('is played again on $name', async ({ createUrl }) => {
      const request = JSON.parse(replay ?? '') as SimulationRequest // As printed.
      const requests = [{ ...request, count: 1, isVerbose: true }]
      expect(one(await simulate({ databaseUrl: await createUrl(), requests })).failed.join('\n')).toBe('')
    })
  })

if (replay === undefined)
  describe('the app in simulated histories', () => {
    test.concurrent.for(databases)(
      'keeps every promise in time, and exposes and forgets nothing on $name',
      { timeout: 12 * hour },
      async ({ name, count, playAll }, { expect }) => {
        const { failed, end } = await playAll()
        console.log(`seed ${seed}, ${name}: ${end.histories} histories, ${end.steps} calls, ${end.seconds.toFixed(0)} s`)
        expect(failed.join('\n\n')).toBe('')
        expect(end.histories).toBe(count)
      },
    )
  })

if (replay === undefined)
  describe('the simulation', () => {
    // In another process, and after another history than before.
    test.for(databases)('does the same for the same seed on $name', async ({ createUrl, playAll }) => {
      const requests = [{ firstSeed: seed + 2, count: 2, failures: 2, isRaw: true }]
      const { end } = one(await simulate({ databaseUrl: await createUrl(), requests }))
      const { traces } = (await playAll()).end
      expect(end.traces).toEqual(traces.slice(2, 4))
      expect(new Set(traces).size).toBe(traces.length)
    })

    test.for(Object.keys(sabotages) as SabotageName[])('notices an app that %s', { timeout: hour }, async (sabotage) => {
      const requests = [{ firstSeed: seed, count: 500, isRaw: true }]
      const { failed, end } = one(await simulate({ databaseUrl: undefined, changed: sabotageSource(sabotage), requests }))
      console.log(`noticed in history ${end.histories}`)
      expect(failed).toHaveLength(1)
    })

    // These are drawn, so that they say how much the tests notice: first the simulation, then the unit tests of the room.
    test('and unit tests notice most generated mutants', { timeout: 12 * hour }, async () => {
      const survivors: string[] = []
      let reached = 0
      const copy = copyProject()
      onTestFinished(() => copy.remove())
      // Otherwise, every mutant would be noticed.
      for (const room of ['test/store', 'test/app']) expect(copy.passes([room]), `${room} without a change`).toBe(true)
      for (const { name, ...changed } of createMutants(seed, mutantCount)) {
        const requests = [{ firstSeed: seed, count: 300, isRaw: true, reachWithin: 20 }]
        const played = await simulate({ databaseUrl: undefined, changed, requests }, hour / 2).catch(() => undefined)
        const { failed, end } = played === undefined ? { failed: ['it does not end'], end: undefined } : one(played)
        const isReached = end?.isReached ?? true
        if (isReached) reached += 1
        const isLeft = isReached && failed.length === 0
        const change = { file: relative(process.cwd(), fileURLToPath(changed.url)), source: changed.source }
        const room = name.startsWith('store/') ? 'test/store' : 'test/app'
        const isNoticed = isLeft && !copy.passes([room], change)
        if (isLeft && !isNoticed) survivors.push(name)
        const later = isNoticed ? ', but by a unit test' : ''
        const what = isReached ? (failed[0] ?? `not noticed in ${end?.histories} histories${later}`) : 'no history reaches it'
        console.log(`seed ${seed}, ${name}\n${what}`)
      }
      console.log(`${survivors.length} of ${reached} mutants survive:\n${survivors.join('\n')}`)
      // Eight say little.
      expect(survivors.length).toBeLessThanOrEqual(reached / (isSoak ? 5 : 2))
    })

    test('shrinks a failed history', async () => {
      const requests = [{ firstSeed: seed, count: 60 }]
      const changed = sabotageSource('publishes only the first site')
      const [text] = one(await simulate({ databaseUrl: undefined, changed, requests })).failed
      expect(text?.split('\n').filter((line) => /^ {2}\d+\. /.test(line)).length).toBeLessThan(6)
    })
  })

function lazy<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | undefined
  return () => {
    promise ??= work()
    return promise
  }
}

function one<Value>([value]: readonly Value[]): Value {
  if (value === undefined) throw new Error('Nothing was played')
  return value
}
