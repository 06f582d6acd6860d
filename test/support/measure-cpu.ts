import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { readCpuSeconds } from './cpu-seconds.ts'
import { shared } from './once-per-run.ts'

// Limits the CPU time of each test, and writes that of each file next to the report of the run, where `.ci/summary.mjs` reads them.

const report = process.env['OPENAPI_PAGES_TEST_REPORT']
const before = readOwnSeconds()
/** Of one test, with its programs. Longer runs are asked for with these variables. */
const maxSeconds = process.env['OPENAPI_PAGES_RUNS'] || process.env['OPENAPI_PAGES_SOAK'] ? Infinity : 60
let atStart = 0

beforeEach(() => {
  atStart = readCpuSeconds()
})

afterEach(() => {
  expect(readCpuSeconds() - atStart, 'CPU seconds of this test').toBeLessThan(maxSeconds)
})

afterAll(() => {
  if (report === undefined) return
  const path = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/')
  appendFileSync(`${report}.cpu`, `${(readOwnSeconds() - before).toFixed(2)} ${path}\n`)
})

function readOwnSeconds(): number {
  return readCpuSeconds() - shared.cpuSeconds
}
