import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('`npm run demo -- app` keeps its promises, needs no credentials, and leaves nothing behind', async () => {
  const temporary = makeTemporaryFolder()
  const demo = join(import.meta.dirname, '../../scripts/demo.mjs')
  const startedAt = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo, 'app'], {
    cwd: temporary,
    env: { PATH: process.env['PATH'], TMPDIR: temporary, NO_COLOR: '1' },
  })
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect(stderr).toBe('')
  expect(stdout).not.toContain('✖ not so')
  for (const shown of [
    'queued',
    'in_progress',
    'success',
    'failure',
    '$ curl -H',
    'The check on GitHub',
    '**API documentation: 1 error**',
    '**API documentation: fixed**',
  ])
    expect(stdout).toContain(shown)
  expect(stdout).toMatch(/✔ Every step did what it says/)
  expect(readdirSync(temporary)).toEqual([])
})
