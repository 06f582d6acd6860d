import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import { git } from '../support/git-remote.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

const hex = '0'.repeat(40)

/** Runs the driver as Git does: in the top of the work tree, with the old file in a temporary folder. */
async function runDriver(before: string | undefined, after: string | undefined, path = 'openapi.yaml', env = {}) {
  const old = makeTemporaryFolder(before === undefined ? {} : { 'openapi.yaml': before })
  const folder = makeTemporaryFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    ...(after !== undefined && { 'api/openapi.yaml': after }),
  })
  const oldFile = before === undefined ? '/dev/null' : join(old, 'openapi.yaml')
  const newFile = after === undefined ? '/dev/null' : 'api/openapi.yaml'
  const args = [path, oldFile, hex, '100644', newFile, hex, '100644']
  return await runInFolder(folder, ['changes', '--git-diff-driver', ...args], { env })
}

describe('the diff driver', () => {
  test('shows changes for API clients', async () => {
    const run = await runDriver(tinyDocument('List pets', 'List cats'), tinyDocument('List pets'), 'api/openapi.yaml')
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toMatch(/^openapi-pages changes api\/openapi\.yaml\n\nGET \/list-cats {2}1 breaking\n/)
    expect(run.stdout).toMatch(/\n✖ 1 breaking change \(api\/openapi\.yaml, 1\)\n\n$/)
  })

  test.each<[string, string | undefined, string | undefined, string]>([
    [
      'a change of a title',
      tinyDocument('List pets'),
      tinyDocument('List pets').replace('Tiny', 'Small'),
      '-    "title": "Tiny"',
    ],
    ['a new document', undefined, tinyDocument('List pets'), '+  "openapi": "3.1.0"'],
    ['a deleted document', tinyDocument('List pets'), undefined, '-  "openapi": "3.1.0"'],
    ['a document with a syntax error', tinyDocument('List pets'), '{"openapi": "3.1.0", ', '+{"openapi": "3.1.0", '],
    ['another file', 'a: 1\n', 'a: 2\n', '-a: 1\n+a: 2\n'],
  ])('shows the lines of %s', async (_, before, after, line) => {
    const run = await runDriver(before, after)
    expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining(line)])
  })

  test('has colors in the pager of Git', async () => {
    expect((await runDriver('a: 1\n', 'a: 2\n', 'x', { GIT_PAGER_IN_USE: 'true' })).stdout).toContain('\x1b[')
  })

  test('shows nothing for a merge conflict, and explains its arguments', async () => {
    const folder = makeTemporaryFolder({})
    expect(await runInFolder(folder, ['changes', '--git-diff-driver', 'openapi.yaml'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
    const { exitCode, stderr } = await runInFolder(folder, ['changes', '--git-diff-driver', 'a', 'b'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('git config diff.openapi.command')])
  })

  test.skipIf(isWindows)('works in Git as documented, also from a subdirectory', () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': tinyDocument('List pets', 'List cats'), 'api/x': '' })
    git(folder, 'init', '--quiet')
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '--message=First')
    writeFileSync(join(folder, 'openapi.yaml'), tinyDocument('List pets'))
    const bin = makeTemporaryFolder()
    symlinkSync(join(projectFolder, 'bin/openapi-pages.cjs'), join(bin, 'openapi-pages'))
    const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter)
    const run = (command: string, cwd: string) =>
      execFileSync('sh', ['-e', '-c', command], { cwd, encoding: 'utf8', env: { ...process.env, PATH: path, NO_COLOR: '1' } })
    const [block = ''] = readBlocks('In `git diff`', 'sh', 'docs/changes.md')
    expect(run(block, folder)).toContain('✖ 1 breaking change (openapi.yaml, 1)\n')
    expect(run('git diff', join(folder, 'api'))).toContain('✖ 1 breaking change (openapi.yaml, 1)\n')
    expect(run('git diff --no-ext-diff', folder)).toContain('-    "/list-cats": {')
  })
})

test('`changes` compares a revision with the working directory by default', async () => {
  const folder = makeTemporaryFolder({ 'api/openapi.json': tinyDocument('List pets', 'List cats') })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=First')
  writeFileSync(join(folder, 'api/openapi.json'), tinyDocument('List pets'))
  expect((await runInFolder(folder, ['changes', 'main'])).stdout).toContain('✖ 1 breaking change (main → ., 1 of 1 document)\n')
  expect((await runInFolder(folder, ['changes', 'main', '.', 'x'])).stderr).toContain('unexpected argument x for `changes`')
})
