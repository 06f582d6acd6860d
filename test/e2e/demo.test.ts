import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import { findNodes } from '../support/find-nodes.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const demo = join(projectFolder, 'scripts/demo.mjs')

function toEnvironment(temporary: string, path = process.env['PATH'] ?? ''): NodeJS.ProcessEnv {
  return { PATH: path, TMPDIR: temporary, HOME: temporary }
}

test.each([process.execPath, ...findNodes()])(
  'tells the whole story on %s, keeps its promises and leaves nothing behind',
  (node) => {
    const temporary = makeTemporaryFolder()
    const run = spawnSync(node, [demo], { cwd: temporary, env: toEnvironment(temporary), encoding: 'utf8' })
    expect(run.stdout).not.toContain('✖ not so')
    expect([run.status, run.stderr]).toEqual([0, ''])
    for (const part of [
      'Findings',
      'The commit on main of the remote',
      'The summary of the job',
      '✔ Every step did what it says',
    ]) {
      expect(run.stdout).toContain(part)
    }
    // Of the first push alone: the others change a file of a branch that is there.
    expect(run.stdout.match(/the branch is new/g)).toHaveLength(1)
    expect(run.stdout).not.toContain('the merge of the pull request')
    expect(run.stdout).not.toContain('\u001b[')
    expect(readdirSync(temporary)).toEqual([])
  },
  180_000,
)

test('leaves no files behind when stopped', async () => {
  const temporary = makeTemporaryFolder()
  const child = spawn(process.execPath, [demo], { env: toEnvironment(temporary), stdio: ['ignore', 'pipe', 'inherit'] })
  // It is in the middle of its second step when the third one has not been announced.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('It runs again')) resolve()
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
  const run = spawnSync(process.execPath, [demo], { env: toEnvironment(temporary, bin), encoding: 'utf8' })
  expect([run.status, run.stdout]).toEqual([1, ''])
  expect(run.stderr).toBe('openapi-pages: the demo needs git, which is not installed or not in PATH\n')
})
