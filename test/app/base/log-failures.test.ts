import { expect, test } from 'vitest'
import { createLog, logFailures } from '../../../src/app/base/telemetry/create-log.ts'

function open() {
  const lines: string[] = []
  const clock = { ms: 5_000 }
  const log = createLog({
    level: 'info',
    format: 'json',
    write: (line) => {
      const { level, msg, failures } = JSON.parse(line) as Record<string, unknown>
      lines.push(`${level} ${msg} ${failures}`)
    },
  })
  return { lines, clock, claims: logFailures(log, 'claim a job', () => clock.ms) }
}

test('logs the first failure, then one per minute, and the end of the failures', () => {
  const { lines, clock, claims } = open()
  claims.succeeded()
  for (let second = 0; second <= 120; second++) {
    claims.failed(new Error('The connection was refused'))
    clock.ms += 1_000
  }
  claims.succeeded()
  claims.succeeded()
  expect(lines).toEqual([
    'error Cannot claim a job 1',
    'error Cannot claim a job 61',
    'error Cannot claim a job 121',
    'info Can claim a job again 121',
  ])
})

test('logs failures after a success at once', () => {
  const { lines, claims } = open()
  for (let round = 0; round < 2; round++) {
    claims.failed(new Error('The connection was refused'))
    claims.succeeded()
  }
  expect(lines).toHaveLength(4)
})
