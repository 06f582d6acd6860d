import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. `tdur` is the CPU time of the thread. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

const mark = 'own-blocking'

/**
 * Source of a script that starts the measurement. To measure a page that loads, run it as the first script of the page. Like Lighthouse, the
 * measurement then starts with the first contentful paint.
 */
export const startOwnBlocking = `performance.mark(${JSON.stringify(mark)})`

/**
 * Runs `run` and returns the Total Blocking Time: the time of the page's main-thread tasks beyond 50 ms each. It uses the CPU time of the
 * thread, so that other programs on a busy machine do not affect it.
 */
export async function measureOwnBlocking<Result>(
  browser: Browser,
  page: Page,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ownTbtMs: number }> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'loading', 'blink.user_timing'] })
  await page.evaluate(startOwnBlocking)
  const result = await run()
  // Chromium's trace format.
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { readonly traceEvents: readonly TraceEvent[] }
  const start = traceEvents.findLast(({ name }) => name === mark)
  if (!start) throw new Error(`Missing \`${mark}\` in the trace of the browser`)
  const paint = traceEvents.find(({ name, pid, ts }) => name === 'firstContentfulPaint' && pid === start.pid && ts >= start.ts)
  const from = paint?.ts ?? start.ts
  const events = traceEvents
    .filter(
      ({ ph, pid, tid, ts, dur = 0 }) =>
        ph === 'X' && pid === start.pid && tid === start.tid && ts >= start.ts && ts + dur > from,
    )
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  let end = 0
  let ownTbtMs = 0
  for (const { ts, dur = 0, tdur = 0 } of events) {
    // Nested in the previous task.
    if (ts < end) continue
    end = ts + dur
    ownTbtMs += Math.max(0, tdur / 1000 - 50)
  }
  return { result, ownTbtMs }
}
