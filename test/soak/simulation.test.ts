import { describe, expect, onTestFinished, test } from 'vitest'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { runsOr, seed } from '../support/properties.ts'
import type { Sabotage } from '../support/simulation/sabotages.ts'
import { replayVariable, simulate } from '../support/simulation/simulate.ts'

/** Number of histories: half of them on each kind of database would take twice as long in CI, because PostgreSQL needs more time for each. */
const onSqlite = runsOr(460, 20_000)
const onPostgres = runsOr(40, 20_000)

const replay = process.env[replayVariable]
const hour = 3_600_000

/** Tests with PostgreSQL are skipped without it. */
const databases = [
  { name: 'SQLite', isThere: true, count: onSqlite, createUrl: async () => undefined },
  {
    name: 'PostgreSQL',
    isThere: hasPostgres,
    count: onPostgres,
    createUrl: async () => {
      const server = startTestDatabases()
      onTestFinished(server.stop)
      return await server.createDatabase()
    },
  },
] as const

// Not skipped otherwise: a skipped test fails CI.
if (replay !== undefined)
  describe('a failed history', () => {
    test.for(databases.filter(({ isThere }) => isThere))('is played again on $name', async ({ createUrl }) => {
      const databaseUrl = await createUrl()
      const request = JSON.parse(replay ?? '') as Parameters<typeof simulate>[0] // As printed.
      const { failed } = await simulate({
        ...request,
        count: 1,
        isVerbose: true,
        ...(databaseUrl !== undefined && { databaseUrl }),
      })
      expect(failed.join('\n')).toBe('')
    })
  })

if (replay === undefined)
  describe('the app in simulated histories', () => {
    test.concurrent.for(databases.filter(({ isThere }) => isThere))(
      'shows every tip, checks every pull request once, and exposes and forgets nothing on $name',
      { timeout: 12 * hour },
      async ({ name, count, createUrl }, { expect }) => {
        const databaseUrl = await createUrl()
        const { failed, end } = await simulate({ firstSeed: seed, count, ...(databaseUrl !== undefined && { databaseUrl }) })
        console.log(`seed ${seed}, ${name}: ${end.histories} histories, ${end.steps} calls, ${end.seconds.toFixed(0)} s`)
        expect(failed.join('\n\n')).toBe('')
        expect(end.histories).toBe(count)
      },
    )
  })

if (replay === undefined)
  describe('the simulation', () => {
    test.for(databases.filter(({ isThere }) => isThere))('does the same for the same seed on $name', async ({ createUrl }) => {
      const databaseUrl = await createUrl()
      const request = { firstSeed: seed, count: 4, failures: 4, isRaw: true, ...(databaseUrl !== undefined && { databaseUrl }) }
      const { end } = await simulate(request)
      expect(new Set(end.traces).size).toBe(request.count)
      expect((await simulate(request)).end.traces).toEqual(end.traces)
      // Whatever was played before.
      expect((await simulate({ ...request, firstSeed: seed + 2, count: 2 })).end.traces).toEqual(end.traces.slice(2))
    })

    test.for<readonly [Sabotage, RegExp]>([
      ['loses-work', /has no check|the production site is/],
      ['forgets-checks', /has several checks/],
      ['ignores-visibility', /a stranger reads the site|is stored as/],
      ['keeps-removed', /but the app has no access/],
      ['never-publishes', /the production site is/],
    ])('notices an app that %s', async ([sabotage, expected]) => {
      const { failed } = await simulate({ firstSeed: seed, count: 60, failures: 3, isRaw: true, sabotage })
      expect(failed.join('\n')).toMatch(expected)
    })

    test('shrinks a failed history', async () => {
      const { failed } = await simulate({ firstSeed: seed, count: 60, sabotage: 'never-publishes' })
      expect(failed[0]?.split('\n').filter((line) => /^ {2}\d+\. /.test(line)).length).toBeLessThan(6)
    })
  })
