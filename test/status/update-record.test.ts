import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import {
  appendLogs,
  type EndedUpdate,
  type FilesChanged,
  finishUpdate,
  foldFilesChanged,
  isUpdateId,
  listedFiles,
  logLimits,
  nextUpdateId,
  queueUpdate,
  startUpdate,
  summaryCharacters,
  toBoundedLogs,
  toBrokenSummary,
  toFailedSummary,
  toFirstId,
  toLostSummary,
  toSupersededSummary,
  toValidSummary,
  type UpdateStatus,
} from '../../src/status/update-record.ts'
import { newUpdate } from '../support/new-update.ts'

const endedAt = '2026-11-20T07:15:09.000Z'
const queued = newUpdate()
const running = startUpdate(queued, 'Checking')
const success = finishUpdate(running, { status: 'success', summary: 'Valid.', endedAt })
const failure = finishUpdate(running, { status: 'failure', summary: 'Failed.', endedAt })

describe('the record moves only forward', () => {
  test('queued → in_progress → success or failure, queued → failure', () => {
    expect([queued.status, running.status, success.status, failure.status]).toEqual([
      'queued',
      'in_progress',
      'success',
      'failure',
    ])
    expect(finishUpdate(queued, { status: 'failure', summary: 'Not run.', endedAt }).status).toBe('failure')
    expect(queued.summary).toBe('')
    expect(running.summary).toBe('Checking')
  })

  test('rejects illegal transitions at run time', () => {
    // The types forbid all of these. The casts simulate values from a store or another version.
    const start = startUpdate as (update: UpdateStatus, summary: string) => unknown
    const finish = finishUpdate as (update: UpdateStatus, end: object) => unknown
    for (const update of [running, success, failure]) expect(() => start(update, 'again')).toThrow(/Cannot start update/)
    for (const update of [success, failure]) {
      for (const status of ['success', 'failure', 'queued']) {
        expect(() => finish(update, { status, summary: 'x', endedAt })).toThrow(/Cannot end update/)
      }
    }
    expect(() => finish(queued, { status: 'success', summary: 'x', endedAt })).toThrow('Cannot end update')
    expect(() => finish(running, { status: 'in_progress', summary: 'x', endedAt })).toThrow('Cannot end update')
    expect(() => finish(running, { status: 'success', summary: 'x', endedAt: 'now' })).toThrow('unexpected time `now`')
  })

  test('forbids illegal transitions in the types', () => {
    expectTypeOf(startUpdate).parameter(0).not.toExtend<EndedUpdate>()
    // @ts-expect-error an ended record cannot start
    expect(() => startUpdate(success, 'again')).toThrow()
    // @ts-expect-error a queued record cannot be a success
    expect(() => finishUpdate(queued, { status: 'success', summary: 'x', endedAt })).toThrow()
    // @ts-expect-error a final record takes no more lines
    appendLogs(success, ['x'])
  })
})

describe('endedAt', () => {
  test('is present only after the end, and then always', () => {
    expect('endedAt' in queued).toBe(false)
    expect('endedAt' in running).toBe(false)
    expect(success.endedAt).toBe(endedAt)
    expect(failure.endedAt).toBe(endedAt)
  })

  test('is never before createdAt, even after the clock was set back', () => {
    expect(finishUpdate(running, { status: 'success', summary: '', endedAt: '2026-11-20T07:00:00.000Z' }).endedAt).toBe(
      queued.createdAt,
    )
  })
})

test('the record is plain JSON with its documented fields and no others', () => {
  expect(JSON.parse(JSON.stringify(success))).toEqual(success)
  const always = ['_id', 'author', 'commit', 'createdAt', 'logs', 'projectId', 'source', 'status', 'subdomain', 'summary']
  expect(Object.keys(queued).sort()).toEqual(always)
  expect(Object.keys(running).sort()).toEqual(always)
  expect(Object.keys(success).sort()).toEqual([...always, 'endedAt'].sort())
})

test('writes the summary as one line, limited and masked', () => {
  const summary = `bad\nline ghs_${'a'.repeat(36)} \u001b[31m`
  expect(finishUpdate(running, { status: 'failure', summary, endedAt }).summary).toBe('bad line ghs_*** \\u001b[31m')
  expect(finishUpdate(running, { status: 'failure', summary: 'x'.repeat(9999), endedAt }).summary).toHaveLength(summaryCharacters)
})

test('accepts the last log lines with the end', () => {
  const ended = finishUpdate(appendLogs(running, ['first']), { status: 'failure', summary: 'Failed.', endedAt, logs: ['last'] })
  expect(ended.logs).toEqual(['first', 'last'])
})

test.each([
  ['id', { id: 'x' }, 'unexpected id `x`'],
  ['time', { createdAt: '2026-11-20' }, 'unexpected time `2026-11-20`'],
  ['sha', { commit: { ...queued.commit, sha: 'HEAD' } }, 'unexpected sha `HEAD`'],
])('rejects a new record with a wrong %s', (_title, wrong, message) => {
  const { _id: id, projectId, subdomain, createdAt, author, commit, source } = queued
  expect(() => queueUpdate({ id, projectId, subdomain, createdAt, author, commit, source, ...wrong })).toThrow(message)
})

const bytesOf = (logs: readonly string[]) => logs.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
const numbered = (count: number) => Array.from({ length: count }, (_value, index) => `line ${index + 1}`)

test('appends log lines in order without changing the given record', () => {
  const update = newUpdate()
  const more = appendLogs(appendLogs(update, ['a', 'b']), ['c'])
  expect(more.logs).toEqual(['a', 'b', 'c'])
  expect(update.logs).toEqual([])
  expect(appendLogs(more, [])).toBe(more)
  expect(toBoundedLogs([], [])).toEqual([])
})

test('limits the number of log lines and counts the dropped ones in the last line', () => {
  expect(toBoundedLogs([], numbered(logLimits.lines - 1))).toHaveLength(logLimits.lines - 1)
  const one = toBoundedLogs([], numbered(logLimits.lines))
  expect(one).toHaveLength(logLimits.lines)
  expect(one.at(-1)).toBe('… 1 more line was dropped')
  const many = toBoundedLogs(toBoundedLogs([], numbered(10_000)), ['x', 'y'])
  expect(many).toHaveLength(logLimits.lines)
  expect(many.at(-2)).toBe(`line ${logLimits.lines - 1}`)
  expect(many.at(-1)).toBe(`… ${10_000 - (logLimits.lines - 1) + 2} more lines were dropped`)
})

test('limits the logs in UTF-8 bytes', () => {
  let logs: readonly string[] = []
  for (let round = 0; round < 20; round++)
    logs = toBoundedLogs(
      logs,
      Array.from({ length: 10 }, () => 'é€'.repeat(500)),
    )
  expect(bytesOf(logs)).toBeLessThanOrEqual(logLimits.bytes)
  const kept = logs.length - 1
  expect(logs.at(-1)).toBe(`… ${200 - kept} more lines were dropped`)
  // After lines were dropped, even a short one is not added, so that the order of the others stays correct.
  expect(toBoundedLogs(logs, ['short']).at(-1)).toBe(`… ${201 - kept} more lines were dropped`)
})

test('cuts a log line over the limit', () => {
  const [line] = toBoundedLogs([], ['x'.repeat(100_000)])
  expect(line).toHaveLength(logLimits.lineCharacters)
  expect(line?.endsWith('x…')).toBe(true)
})

test('escapes text that imitates a line, a color or the count of dropped lines', () => {
  expect(
    toBoundedLogs([], ['a\nb\r\nc\rd\u2028e', '\u001b[31mred\u202e\u0000\ttab', '… 7 more lines were dropped', '\ud800']),
  ).toEqual(['a', 'b', 'c', 'd', 'e', '\\u001b[31mred\\u202e\\u0000\ttab', '.… 7 more lines were dropped', '\\ud800'])
  expect(toBoundedLogs(toBoundedLogs([], ['… 7 more lines were dropped']), ['next'])).toEqual([
    '.… 7 more lines were dropped',
    'next',
  ])
})

test('masks tokens, even a key over several lines', () => {
  const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIE', '-----END PRIVATE KEY-----', `ghs_${'a'.repeat(36)}`]
  expect(toBoundedLogs([], lines)).toEqual(['*** (private key)', 'ghs_***'])
})

const zeros = new Uint8Array(10)
const ones = new Uint8Array(10).fill(255)
const time = Date.parse('2026-11-20T07:15:03.120Z')

test('is a UUID of version 7 that begins with the time', () => {
  expect(nextUpdateId(undefined, time, zeros)).toBe('01a1f7cf-0950-7000-8000-000000000000')
  expect(nextUpdateId(undefined, time, ones)).toBe('01a1f7cf-0950-7fff-bfff-ffffffffffff')
  expect(0x01a1f7cf0950).toBe(time)
  expect(toFirstId(time)).toBe('01a1f7cf-0950')
  expect(nextUpdateId(undefined, time - 1, ones) < toFirstId(time)).toBe(true)
  expect(nextUpdateId(undefined, time, zeros) > toFirstId(time)).toBe(true)
})

test('is greater than the previous one when the clock stops or goes back', () => {
  const first = nextUpdateId(undefined, time, zeros)
  const second = nextUpdateId(first, time, zeros)
  const third = nextUpdateId(second, time - 5000, ones)
  expect([second, third]).toEqual(['01a1f7cf-0950-7000-8000-000000000001', '01a1f7cf-0950-7000-8000-000000000002'])
  expect(nextUpdateId(third, time + 1, zeros)).toBe('01a1f7cf-0951-7000-8000-000000000000')
})

test('carries over between its parts', () => {
  expect(nextUpdateId('01a1f7cf-0950-7000-bfff-ffffffffffff', time, zeros)).toBe('01a1f7cf-0950-7001-8000-000000000000')
  expect(nextUpdateId('01a1f7cf-0950-7fff-bfff-ffffffffffff', time, zeros)).toBe('01a1f7cf-0951-7000-8000-000000000000')
})

test('orders a thousand IDs of one millisecond', () => {
  let previous: string | undefined
  for (let index = 0; index < 1000; index++) {
    const id = nextUpdateId(previous, time, new Uint8Array(10).fill((index * 37) % 256))
    expect(isUpdateId(id)).toBe(true)
    if (previous) expect(id > previous).toBe(true)
    previous = id
  }
})

test('rejects too few random bytes', () => {
  expect(() => nextUpdateId(undefined, time, new Uint8Array(4))).toThrow('expected 10 random bytes')
})

test.each([
  ['x'],
  ['01a1f7cf-0950-4000-8000-000000000000'],
  ['019AA031-5610-7000-8000-000000000000'],
  ['01a1f7cf-0950-7000-8000-0000000000001'],
])('rejects %s as an update ID', (text) => expect(isUpdateId(text)).toBe(false))

/** `+a ~b -c` is one commit. */
function commit(text: string): FilesChanged {
  const pick = (sign: string) =>
    text
      .split(' ')
      .filter((word) => word.startsWith(sign))
      .map((word) => word.slice(1))
  return { added: pick('+'), modified: pick('~'), removed: pick('-') }
}

test.each([
  ['nothing at all', [], ''],
  ['one commit', ['+b +a ~c -d'], '+a +b ~c -d'],
  ['add then remove is nothing', ['+a', '-a'], ''],
  ['remove then add is modified', ['-a', '+a'], '~a'],
  ['add then modify is added', ['+a', '~a', '~a'], '+a'],
  ['modify then remove is removed', ['~a', '-a'], '-a'],
  ['modify twice is modified once', ['~a', '~a'], '~a'],
  ['add, remove, add is added', ['+a', '-a', '+a'], '+a'],
  ['remove, add, remove is removed', ['-a', '+a', '-a'], '-a'],
  ['remove and add in one commit is modified', ['+a -a'], '~a'],
  ['the same path twice in one list', ['+a +a ~b ~b'], '+a ~b'],
  ['a rename there and back', ['-a +b', '-b +a'], '~a'],
  ['names that objects have', ['+__proto__ +constructor', '-constructor'], '+__proto__'],
  ['sorted by UTF-16 units', ['+b +B +a +é +z'], '+B +a +b +z +é'],
])('%s', (_title, commits, expected) => {
  expect(foldFilesChanged(commits.map(commit))).toEqual(commit(expected))
})

test('lists at most as many files as the API describes', () => {
  const added = Array.from({ length: 24_000 }, (_, index) => String(index))
  expect(foldFilesChanged([{ added, modified: [], removed: [] }]).added).toHaveLength(listedFiles)
})

const diagnostic = (file: string, line: number, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
  code: 'unknown-field',
  severity,
  message: 'Unexpected field `sumary` in an Operation Object',
  file,
  range: { start: { line, column: 7 }, end: { line, column: 13 } },
  pointer: '',
  related: [],
})

test.each([
  [{ documents: 3, operations: 1214, pages: 2 }, 'Valid: 3 documents, 1,214 operations. 2 pages would change.'],
  [{ documents: 1, operations: 1, pages: 1 }, 'Valid: 1 document, 1 operation. 1 page would change.'],
  [{ documents: 1, operations: 0, pages: 0 }, 'Valid: 1 document, 0 operations. All pages are up to date.'],
  [
    { documents: 1, operations: 2, problems: { errors: 0, warnings: 1, infos: 2 } },
    'Valid: 1 document, 2 operations, 1 warning, 2 info messages.',
  ],
])('valid: %j', (counts, expected) => {
  expect(toValidSummary(counts)).toBe(expected)
})

test('counts all problems and names the first error', () => {
  const pets = 'openapi/pets.yaml'
  expect(toFailedSummary([diagnostic(pets, 3, 'warning'), diagnostic(pets, 14), diagnostic(pets, 80)])).toBe(
    'Failed: 2 errors, 1 warning in openapi/pets.yaml (first error at 14:7: Unexpected field `sumary` in an Operation Object).',
  )
  expect(toFailedSummary([diagnostic('a.yaml', 1), diagnostic('b.yaml', 2)])).toBe(
    'Failed: 2 errors in 2 files (first error at a.yaml:1:7: Unexpected field `sumary` in an Operation Object).',
  )
  expect(() => toFailedSummary([diagnostic(pets, 3, 'warning')])).toThrow('without an error')
})

test('describes updates that could not run', () => {
  expect(toBrokenSummary('the archive is over 256 MiB.')).toBe('Failed: the archive is over 256 MiB.')
  expect(toLostSummary(2, '2026-11-20T07:15:03.120Z')).toBe(
    'Failed: the worker stopped responding twice, and the run was not retried (last heartbeat at 2026-11-20T07:15:03.120Z).',
  )
  expect(toLostSummary(3, 'x')).toContain('3 times')
  expect(toSupersededSummary('9f8e7d6c5b4a39281706f5e4d3c2b1a098765432')).toBe('Not run: superseded by 9f8e7d6.')
})
