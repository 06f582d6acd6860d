import fc from 'fast-check'

/** The seed of the random numbers. `vitest.config.ts` chooses and prints it. `OPENAPI_PAGES_SEED` sets it. */
export const seed = Number(process.env['OPENAPI_PAGES_SEED'])

/** `npm run soak` */
export const isSoak = process.env['OPENAPI_PAGES_SOAK'] !== undefined

/**
 * How often a repeating test, such as one that kills a process, repeats: `count` times in `npm test` and at night,
 * `soakCount` times in `npm run soak`. `OPENAPI_PAGES_RUNS` overrides both.
 */
export function runsOr(count: number, soakCount: number): number {
  return Number(process.env['OPENAPI_PAGES_RUNS'] ?? (isSoak ? soakCount : count))
}

/**
 * Number of random inputs for a property: a tenth of `count` in `npm test`, but at least three; a thousand times `count` in `npm
 * run soak`. `OPENAPI_PAGES_RUNS` overrides both.
 */
export function propertyRuns(count: number): number {
  return runsOr(Math.max(3, Math.ceil(count / 10)), 1_000 * count)
}

fc.configureGlobal({ seed, numRuns: propertyRuns(10) })

/** fast-check with this seed. Tests import it from here, so that random tests are the same on every machine. */
export { fc }
