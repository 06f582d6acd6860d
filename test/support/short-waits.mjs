import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

// Loaded before the bundle of the Action in tests that are not about its pace: what waits a second between two writes waits a moment.
// That GitHub is asked no faster than it wants is for the tests of `src/github` and for `test/e2e/api-commit.test.ts`.

const { setTimeout: wait } = timers
timers.setTimeout = (delayMs, ...rest) => wait(Math.min(delayMs, 5), ...rest)
syncBuiltinESMExports()
