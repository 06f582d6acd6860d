// Lists the failed tests and the totals: `node .ci/summary.mjs FOLDER NAME...`
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [folder, ...names] = process.argv.slice(2)
let passed = 0
let failed = 0
let skipped = 0

for (const name of names) {
  let report
  try {
    report = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
  } catch {
    console.log(`no report for the ${name} tests`)
    process.exitCode = 1
    continue
  }
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
if (skipped > 0) console.log(`${skipped} tests were skipped; in CI every test must run`)
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0 || skipped > 0 || passed === 0) process.exitCode = 1
