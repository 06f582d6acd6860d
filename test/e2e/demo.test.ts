import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { steps } from '../../scripts/demo-steps.mjs'
import { projectFolder } from '../support/action-harness.ts'
import { findNodes } from '../support/find-nodes.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const demo = join(projectFolder, 'scripts/demo.mjs')

function toAccess(temporary: string, path = process.env['PATH'] ?? ''): NodeJS.ProcessEnv {
  return { PATH: path, TMPDIR: temporary, HOME: temporary }
}

test.each([process.execPath, ...findNodes()])(
  'runs every step on %s and leaves no files behind',
  (node) => {
    const temporary = makeTemporaryFolder()
    const run = spawnSync(node, [demo, '--verbose'], { cwd: temporary, env: toAccess(temporary), encoding: 'utf8' })
    expect(run.stdout).not.toContain('✖ failed')
    expect([run.status, run.stderr]).toEqual([0, ''])
    const parts = ['Problems', 'Commit on the remote branch main', 'Job summary', 'Annotations', '1 breaking API change']
    for (const part of [...parts, '✔ All checks passed']) {
      expect(run.stdout).toContain(part)
    }
    // Only the first push creates a branch.
    expect(run.stdout.match(/the branch is new/g)).toHaveLength(1)
    expect(run.stdout).not.toContain('of the pull request is not checked out')
    expect(run.stdout).not.toContain('\u001b[')
    expect(readdirSync(temporary)).toEqual([])
  },
  180_000,
)

test('shows the change and the result of each step on one screen', () => {
  const temporary = makeTemporaryFolder()
  const run = spawnSync(process.execPath, [demo], { env: toAccess(temporary), encoding: 'utf8' })
  expect([run.status, run.stderr]).toEqual([0, ''])
  expect(run.stdout.split('\n').length).toBeLessThanOrEqual(61)
  for (const step of steps) expect(run.stdout).toContain(step.title)
  expect(run.stdout).toContain('openapi.yaml:18:7 error unknown-field: Unexpected field `sumary`')
  expect(run.stdout).toContain('npm run demo -- --keep')
})

test('rejects an unknown option', () => {
  const run = spawnSync(process.execPath, [demo, '--kepp'], { encoding: 'utf8' })
  expect([run.status, run.stdout, run.stderr]).toEqual([2, '', expect.stringContaining('unexpected --kepp')])
})

test('leaves no files behind when stopped', async () => {
  const temporary = makeTemporaryFolder()
  const child = spawn(process.execPath, [demo], { env: toAccess(temporary), stdio: ['ignore', 'pipe', 'inherit'] })
  // The demo is in its second step until it prints the title of the third.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Run again')) resolve()
    })
  })
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code).toBe(130)
  expect(readdirSync(temporary)).toEqual([])
})

test('reports in one line that git is missing', () => {
  const temporary = makeTemporaryFolder()
  const bin = join(temporary, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  const run = spawnSync(process.execPath, [demo], { env: toAccess(temporary, bin), encoding: 'utf8' })
  expect([run.status, run.stdout]).toEqual([1, ''])
  expect(run.stderr).toBe('openapi-pages: the demo needs git, but it is not installed or not in PATH\n')
})
