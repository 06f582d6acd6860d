import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCpuSeconds } from './cpu-seconds.ts'

/** CPU seconds that this worker has spent on what all files share. They count for no file. */
export const shared = { cpuSeconds: 0 }

/**
 * Makes something once for all files of a test run: the first worker that needs it makes it, and the others wait. Outside of a run, and in a
 * watched run, which has newer sources when a file runs again, it is made for each call.
 */
export function oncePerRun(name: string, make: () => void): void {
  const folder = process.env['OPENAPI_PAGES_TEST_SHARED']
  if (folder === undefined || process.env['VITEST_MODE'] !== 'RUN') {
    make()
    return
  }
  const mark = join(folder, `made-${name}`)
  const isFirst = mkdirSync(`${mark}-started`, { recursive: true }) !== undefined
  if (isFirst) {
    const before = readCpuSeconds()
    make()
    shared.cpuSeconds += readCpuSeconds() - before
    writeFileSync(mark, '')
  }
  const until = performance.now() + 120_000
  while (!existsSync(mark)) {
    if (performance.now() > until) throw new Error(`No other worker has made ${mark}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}
