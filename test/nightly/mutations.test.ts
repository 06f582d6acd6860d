import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isSoak, seed } from '../support/properties.ts'

// The tests of each room notice most changes of it. `scripts/mutate.ts` prints those that they do not notice.

test('the tests of each room notice most of the changes of a sample', () => {
  const args = ['scripts/mutate.ts', '--count', isSoak ? '50' : '4', '--seed', String(seed)]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  console.log(stdout)
  expect(stderr).toBe('')
  const scores = [...stdout.matchAll(/^(\w+): (\d+) of (\d+) noticed/gm)].map(([, room, noticed, all]) => [
    room,
    Number(noticed) / Number(all),
  ])
  expect(scores.map(([room]) => room)).toEqual(['text', 'openapi', 'model', 'checks', 'changes', 'rules'])
  expect(scores.filter(([, score]) => Number(score) < 0.25)).toEqual([])
})
