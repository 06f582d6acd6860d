import { readFileSync, writeFileSync } from 'node:fs'
import { serveRequests } from '../../../src/app/isolate/untrusted-child.ts'

// A program that misbehaves as requested.

export interface Misbehavior {
  readonly act:
    | 'answer'
    | 'heap'
    | 'off-heap'
    | 'loop'
    | 'wait'
    | 'throw'
    | 'abort'
    | 'flood'
    | 'environment'
    | 'read'
    | 'write'
    | 'ask'
    | 'answer-and-talk'
  readonly path?: string
}

/** Prevents garbage collection of allocations. */
export const kept: unknown[] = []

serveRequests(async ({ act, path = '' }: Misbehavior, ask) => {
  if (act === 'heap') for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
  if (act === 'off-heap') for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
  if (act === 'loop') for (;;) kept.length = 0
  if (act === 'wait') await new Promise((resolve) => setTimeout(resolve, 600_000))
  if (act === 'throw') throw Object.assign(new Error('No space left'), { code: 'ENOSPC' })
  if (act === 'abort') process.abort()
  if (act === 'flood') return Buffer.alloc(65 * 1024 * 1024)
  if (act === 'environment') return { env: { ...process.env }, cwd: process.cwd() }
  if (act === 'read') return readFileSync(path, 'utf8')
  if (act === 'ask') return await Promise.all([ask('one'), ask('two')])
  if (act === 'answer-and-talk') setTimeout(() => process.send?.('Is anyone there?'), 50)
  if (act === 'write') writeFileSync(path, 'a')
  return new Map([['answer', process.pid]])
})
