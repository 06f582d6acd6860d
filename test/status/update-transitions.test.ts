import { describe, expect, expectTypeOf, test } from 'vitest'
import { appendLogs } from '../../src/status/append-logs.ts'
import { finishUpdate, summaryCharacters } from '../../src/status/finish-update.ts'
import { queueUpdate } from '../../src/status/queue-update.ts'
import { startUpdate } from '../../src/status/start-update.ts'
import type { EndedUpdate, UpdateStatus } from '../../src/status/types.ts'
import { newUpdate } from '../support/new-update.ts'

const endedAt = '2026-11-20T07:15:09.000Z'
const queued = newUpdate()
const running = startUpdate(queued, 'Checking')
const success = finishUpdate(running, { status: 'success', summary: 'Valid.', endedAt })
const failure = finishUpdate(running, { status: 'failure', summary: 'Failed.', endedAt })

describe('requirement 31: the record moves only forward', () => {
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

  test('illegal moves are refused at run time', () => {
    // The types refuse all of these; the casts stand for a value that a store or another version gave.
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

  test('illegal moves are impossible by type', () => {
    expectTypeOf(startUpdate).parameter(0).not.toExtend<EndedUpdate>()
    // @ts-expect-error an ended record cannot start
    expect(() => startUpdate(success, 'again')).toThrow()
    // @ts-expect-error a queued record cannot be a success
    expect(() => finishUpdate(queued, { status: 'success', summary: 'x', endedAt })).toThrow()
    // @ts-expect-error a final record takes no more lines
    appendLogs(success, ['x'])
  })
})

describe('requirement 31: endedAt', () => {
  test('is there only at the end, and then always', () => {
    expect('endedAt' in queued).toBe(false)
    expect('endedAt' in running).toBe(false)
    expect(success.endedAt).toBe(endedAt)
    expect(failure.endedAt).toBe(endedAt)
  })

  test('is never before createdAt, even when the clock was set back', () => {
    expect(finishUpdate(running, { status: 'success', summary: '', endedAt: '2026-11-20T07:00:00.000Z' }).endedAt).toBe(
      queued.createdAt,
    )
  })
})

test('the record is plain JSON with the fields of the contract and no others', () => {
  expect(JSON.parse(JSON.stringify(success))).toEqual(success)
  const always = ['_id', 'author', 'commit', 'createdAt', 'logs', 'projectId', 'source', 'status', 'subdomain', 'summary']
  expect(Object.keys(queued).sort()).toEqual(always)
  expect(Object.keys(running).sort()).toEqual(always)
  expect(Object.keys(success).sort()).toEqual([...always, 'endedAt'].sort())
})

test('a summary is one line, bounded and masked', () => {
  const summary = `bad\nline ghs_${'a'.repeat(36)} \u001b[31m`
  expect(finishUpdate(running, { status: 'failure', summary, endedAt }).summary).toBe('bad line ghs_*** \\u001b[31m')
  expect(finishUpdate(running, { status: 'failure', summary: 'x'.repeat(9999), endedAt }).summary).toHaveLength(summaryCharacters)
})

test('the last log lines can come with the end', () => {
  const ended = finishUpdate(appendLogs(running, ['first']), { status: 'failure', summary: 'Failed.', endedAt, logs: ['last'] })
  expect(ended.logs).toEqual(['first', 'last'])
})

test.each([
  ['id', { id: 'x' }, 'unexpected id `x`'],
  ['time', { createdAt: '2026-11-20' }, 'unexpected time `2026-11-20`'],
  ['sha', { commit: { ...queued.commit, sha: 'HEAD' } }, 'unexpected sha `HEAD`'],
])('refuses to queue with a wrong %s', (_title, wrong, message) => {
  const { _id: id, projectId, subdomain, createdAt, author, commit, source } = queued
  expect(() => queueUpdate({ id, projectId, subdomain, createdAt, author, commit, source, ...wrong })).toThrow(message)
})
