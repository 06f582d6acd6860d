import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { readCpuSeconds } from './cpu-seconds.ts'
import { shared } from './once-per-run.ts'

// Writes the CPU seconds of each test file next to the report of the run, where `.ci/summary.mjs` reads them.

const report = process.env['OPENAPI_PAGES_TEST_REPORT']
const before = readOwnSeconds()

afterAll(() => {
  if (report === undefined) return
  const path = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/')
  appendFileSync(`${report}.cpu`, `${(readOwnSeconds() - before).toFixed(2)} ${path}\n`)
})

function readOwnSeconds(): number {
  return readCpuSeconds() - shared.cpuSeconds
}
