import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

// Writes the CPU seconds of each test file next to the report of the run, where `.ci/summary.mjs` reads them.

const report = process.env['OPENAPI_PAGES_TEST_REPORT']
const before = readCpuSeconds()

afterAll(() => {
  if (report === undefined) return
  const path = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/')
  appendFileSync(`${report}.cpu`, `${(readCpuSeconds() - before).toFixed(2)} ${path}\n`)
})

/** CPU time of this worker, which runs one file after the other. On Linux, that of the programs that have ended is included. */
function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + readChildSeconds()
}

function readChildSeconds(): number {
  if (process.platform !== 'linux') return 0
  // Source: proc_pid_stat(5): `cutime` and `cstime` are the 16th and 17th field, in ticks of 10 ms.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
