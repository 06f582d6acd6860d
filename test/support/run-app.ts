import { readConfig } from '../../src/app/base/config/app-config.ts'
import { createLog } from '../../src/app/base/telemetry/create-log.ts'
import { createReconcilePart, defaultReconcileTimes } from '../../src/app/github-events/reconcile/reconcile.ts'
import { defaultCatchUpTimes } from '../../src/app/github-events/webhooks/catch-up.ts'
import { createWebhooksPart } from '../../src/app/github-events/webhooks/webhooks-part.ts'
import { createRunPart } from '../../src/app/jobs/run-part.ts'
import { startApp } from '../../src/app/start/start-app.ts'
import { killTimes } from './app-process.ts'
import { createReach, toFetchWithCrashPoints, withCrashPoints } from './crash-points.ts'
import { fastPace } from './github-app.ts'

// The app as `serve` starts it, with short times, for tests that kill it. `OPENAPI_PAGES_FAULT` names a point at which it exits, and
// `OPENAPI_PAGES_CLOCK_MS` is the error of its clock.
const reach = createReach(process.env['OPENAPI_PAGES_FAULT'] ?? '')
globalThis.fetch = toFetchWithCrashPoints(globalThis.fetch, reach)
const clockMs = Number(process.env['OPENAPI_PAGES_CLOCK_MS'] ?? 0)
const config = await readConfig(process.env)
const log = createLog({ level: config.logLevel, format: 'json', write: (line) => process.stdout.write(line) })
const parts = [
  createWebhooksPart({ ...defaultCatchUpTimes, everyMs: 300, spacingMs: 500, paceMs: 0 }),
  createReconcilePart({ ...defaultReconcileTimes, everyMs: 2_000, retryMs: 200 }),
  createRunPart({ ...killTimes, leaseMs: Number(process.env['OPENAPI_PAGES_LEASE_MS'] ?? killTimes.leaseMs) }),
].map(
  (createPart): typeof createPart =>
    (context, tools) =>
      createPart({ ...context, store: withCrashPoints(context.store, reach) }, tools),
)
const app = await startApp({
  now: () => new Date(Date.now() + clockMs),
  config,
  log,
  parts,
  pace: { ...fastPace, writesPerMinute: 10_000, writesPerHour: 100_000 },
})
console.log(`ready ${app.address}`)
process.once('SIGTERM', () => {
  app.stop().then(() => process.exit(0))
})
