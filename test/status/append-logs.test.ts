import { expect, test } from 'vitest'
import { appendLogs, logLimits, toBoundedLogs } from '../../src/status/append-logs.ts'
import { newUpdate } from '../support/new-update.ts'

const bytesOf = (logs: readonly string[]) => logs.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
const numbered = (count: number) => Array.from({ length: count }, (_value, index) => `line ${index + 1}`)

test('keeps lines in order and leaves the given record as it was', () => {
  const update = newUpdate()
  const more = appendLogs(appendLogs(update, ['a', 'b']), ['c'])
  expect(more.logs).toEqual(['a', 'b', 'c'])
  expect(update.logs).toEqual([])
  expect(appendLogs(more, [])).toBe(more)
  expect(toBoundedLogs([], [])).toEqual([])
})

test('requirement 33: logs are bounded in lines, and the last line says how many were dropped', () => {
  expect(toBoundedLogs([], numbered(logLimits.lines - 1))).toHaveLength(logLimits.lines - 1)
  const one = toBoundedLogs([], numbered(logLimits.lines))
  expect(one).toHaveLength(logLimits.lines)
  expect(one.at(-1)).toBe('… 1 more line was dropped')
  const many = toBoundedLogs(toBoundedLogs([], numbered(10_000)), ['x', 'y'])
  expect(many).toHaveLength(logLimits.lines)
  expect(many.at(-2)).toBe(`line ${logLimits.lines - 1}`)
  expect(many.at(-1)).toBe(`… ${10_000 - (logLimits.lines - 1) + 2} more lines were dropped`)
})

test('requirement 33: logs are bounded in bytes of UTF-8', () => {
  let logs: readonly string[] = []
  for (let round = 0; round < 20; round++)
    logs = toBoundedLogs(
      logs,
      Array.from({ length: 10 }, () => 'é€'.repeat(500)),
    )
  expect(bytesOf(logs)).toBeLessThanOrEqual(logLimits.bytes)
  const kept = logs.length - 1
  expect(logs.at(-1)).toBe(`… ${200 - kept} more lines were dropped`)
  // After something was dropped nothing is added, however short: the order of what stays is true.
  expect(toBoundedLogs(logs, ['short']).at(-1)).toBe(`… ${201 - kept} more lines were dropped`)
})

test('cuts a line that is too long', () => {
  const [line] = toBoundedLogs([], ['x'.repeat(100_000)])
  expect(line).toHaveLength(logLimits.lineCharacters)
  expect(line?.endsWith('x…')).toBe(true)
})

test('text cannot forge a line, a colour, or the count of dropped lines', () => {
  expect(
    toBoundedLogs([], ['a\nb\r\nc\rd\u2028e', '\u001b[31mred\u202e\u0000\ttab', '… 7 more lines were dropped', '\ud800']),
  ).toEqual(['a', 'b', 'c', 'd', 'e', '\\u001b[31mred\\u202e\\u0000\ttab', '.… 7 more lines were dropped', '\\ud800'])
  expect(toBoundedLogs(toBoundedLogs([], ['… 7 more lines were dropped']), ['next'])).toEqual([
    '.… 7 more lines were dropped',
    'next',
  ])
})

test('requirement 33: masks tokens, also a key over several lines', () => {
  const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIE', '-----END PRIVATE KEY-----', `ghs_${'a'.repeat(36)}`]
  expect(toBoundedLogs([], lines)).toEqual(['*** (private key)', 'ghs_***'])
})
