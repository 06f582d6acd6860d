import fc from 'fast-check'

/** Where the row of random numbers starts; `vitest.config.ts` says how it is chosen, and prints it. `OPENAPI_PAGES_SEED` sets it. */
export const seed = Number(process.env['OPENAPI_PAGES_SEED'])

/** `npm run soak` */
export const isSoak = process.env['OPENAPI_PAGES_SOAK'] !== undefined

/**
 * How often a property is tried or a process killed: `count` times in `npm test` and `npm run test:e2e`, `soakCount` times in
 * `npm run soak`. `OPENAPI_PAGES_RUNS` overrides both.
 */
export function runsOr(count: number, soakCount = 1_000 * count): number {
  return Number(process.env['OPENAPI_PAGES_RUNS'] ?? (isSoak ? soakCount : count))
}

fc.configureGlobal({ seed, numRuns: runsOr(10) })

/** fast-check with this seed. Tests import it from here, so that no random test of `npm test` differs between machines. */
export { fc }
