import fc from 'fast-check'

/** Where the row of random numbers starts; `vitest.config.ts` says how it is chosen, and prints it. `OPENAPI_PAGES_SEED` sets it. */
export const seed = Number(process.env['OPENAPI_PAGES_SEED'])

/** How often a property is tried: as often as `OPENAPI_PAGES_RUNS` says, or as `usual`. */
export function runsOr(usual: number): number {
  return Number(process.env['OPENAPI_PAGES_RUNS'] ?? usual)
}

fc.configureGlobal({ seed, numRuns: runsOr(100) })

/** fast-check with this seed. Tests take it from here, that no random test of `npm cit` differs from one machine to the next. */
export { fc }
