// Lists the failed tests, the unit test files that use the most CPU time, and the totals: `node .ci/summary.mjs FOLDER NAME...`
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [folder, ...names] = process.argv.slice(2)
let passed = 0
let failed = 0
let skipped = 0
/** @type {{ path: string, seconds: number }[]} */
const costs = []

for (const name of names) {
  let report
  try {
    report = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
  } catch {
    console.log(`no report for the ${name} tests`)
    process.exitCode = 1
    continue
  }
  // Random comparisons at night take what they need.
  const cpuFile = name === 'changes' ? '' : `${folder}/${name}.json.cpu`
  const cpuLines = existsSync(cpuFile) ? readFileSync(cpuFile, 'utf8').trim().split('\n') : []
  costs.push(...cpuLines.map((line) => ({ path: line.replace(/^\S+ /, ''), seconds: Number.parseFloat(line) })))
  passed += report.numPassedTests
  failed += report.numFailedTests
  skipped += report.numPendingTests + report.numTodoTests
  for (const file of report.testResults) {
    const path = relative(process.cwd(), file.name)
    for (const test of file.assertionResults) {
      const reasons = test.failureMessages.map((message) =>
        message
          .split('\n')
          .filter((line) => !line.includes('/node_modules/'))
          .slice(0, 15)
          .join('\n    '),
      )
      if (test.status === 'failed') console.log(`failed: ${path}: ${test.fullName}\n    ${reasons.join('\n    ')}`)
      else if (test.status !== 'passed') console.log(`skipped: ${path}: ${test.fullName}`)
    }
    // An error outside of a test, in a hook or an import.
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) {
      console.log(`failed: ${path}: ${String(file.message).slice(0, 1_000)}`)
      process.exitCode = 1
    }
  }
}
const byCost = costs.sort((a, b) => b.seconds - a.seconds)
// CPU seconds that a test file may use. On slower machines all files need more, so there it is a share of the whole. The share of a file that
// starts many processes differs by machine: where they are expensive, the same file had 6.4 % instead of 3.4 %.
const cpuLimit = Math.max(10, 0.08 * byCost.reduce((sum, { seconds }) => sum + seconds, 0))
if (byCost.length > 0) console.log('the unit test files that use the most CPU time:')
for (const { path, seconds } of byCost.slice(0, 10)) console.log(`${seconds.toFixed(1).padStart(7)} s ${path}`)
for (const { path, seconds } of byCost.filter((one) => one.seconds > cpuLimit)) {
  console.log(`failed: ${path} uses ${seconds.toFixed(1)} s of CPU time, expected at most ${cpuLimit.toFixed(1)} s`)
  process.exitCode = 1
}
if (skipped > 0) console.log(`${skipped} tests were skipped; in CI every test must run`)
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0 || skipped > 0 || passed === 0) process.exitCode = 1
