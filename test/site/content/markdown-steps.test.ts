import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { families } from './hostile-markdown.ts'

describe('number of steps', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'count-steps.ts')], { encoding: 'utf8' })
  const counts = (stdout === '' ? [] : JSON.parse(stdout)) as { name: string; kind: string; length: number; steps: number[] }[]

  test('includes every text', () => {
    expect(stderr).toBe('')
    expect(counts).toHaveLength(3 * Object.keys(families).length)
  })

  // Without the budget, texts with quadratic time need at least 1,350 steps for the first length, and 2,700 for the second.
  test.each(counts)('$kind: reads $name in a bounded number of steps per character', ({ steps, length }) => {
    for (const [index, count] of steps.entries()) expect(count / (length * 2 ** index)).toBeLessThan(1_600)
  })
})
