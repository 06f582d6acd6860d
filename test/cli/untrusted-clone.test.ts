import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLocalDocs } from '../../src/cli/editors/local-docs.ts'
import { createLocalTools } from '../../src/cli/editors/local-tools.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { findGit, openGit, readGit } from '../../src/git/git.ts'
import {
  fetchingPlants,
  type PlantedClone,
  plantInBareRepository,
  plantInConfig,
  plantInRemote,
} from '../support/planted-clone.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

/** Runs git as a user without precautions. */
function runPlainGit(folder: string, ...args: readonly string[]): void {
  spawnSync('git', args, { cwd: folder })
}

/** Calls the tool `changes` of `openapi-pages mcp`. */
async function callChanges(folder: string, args: { readonly base: string; readonly revision?: string }): Promise<void> {
  const output = { write: () => {}, isTerminal: false, columns: undefined }
  const context = {
    workingDirectory: toOwnPath(folder),
    env: {},
    readStdin: async () => new Uint8Array(),
    stdout: output,
    stderr: output,
  }
  const docs = openLocalDocs(folder, { boundary: toOwnPath(folder), allowHttp: false, network: false }, context)
  const tool = createLocalTools(docs).find(({ name }) => name === 'changes')
  await tool?.run(args).catch(() => {})
}

/** Every command that reads a repository, from its top. */
const commandLines: readonly (readonly string[])[] = [
  ['check', '--format', 'json'],
  ['check', 'docs', '--format', 'sarif'],
  ['check', 'docs/openapi.json', '--format', 'github'],
  ['update', 'docs', '--check'],
  ['update', 'docs', '--dry-run'],
  ['adopt', 'docs', '--dry-run'],
  ['ci', 'docs'],
  ['status', 'docs'],
  ['changes', 'main', 'docs/openapi.json'],
  ['changes', 'HEAD~1', 'docs'],
  ['changes', 'main:docs/openapi.json', 'HEAD~1:docs/openapi.json'],
  ['accept', 'HEAD~1', 'docs/openapi.json', '--reason', 'test', '--author', 'Pat'],
  ['review', 'HEAD~1', 'docs', '-o', '-'],
  ['doctor'],
  ['init', '--dry-run'],
  ['build', 'docs', '-o', 'OUT'],
]

async function runAll({ folder }: PlantedClone): Promise<void> {
  const out = join(makeTemporaryFolder(), 'site')
  for (const argv of commandLines) {
    await runInFolder(
      folder,
      argv.map((word) => (word === 'OUT' ? out : word)),
      { env: { XDG_CACHE_HOME: makeTemporaryFolder() } },
    )
  }
  expect(existsSync(join(out, 'index.html'))).toBe(true)
  await callChanges(folder, { base: 'main' })
  await callChanges(folder, { base: 'HEAD~1', revision: 'main' })
}

describe('runs no command that a repository plants', () => {
  test('in .git/config, in a file that it includes, in hooks or in a submodule', async () => {
    const clone = plantInConfig()
    await runAll(clone)
    expect(clone.ran()).toEqual([])
    // The same repository runs them with a plain git.
    const commands = [
      ['status'],
      ['diff', 'HEAD', '--', 'docs/b.txt'],
      ['diff', 'HEAD', '--', 'docs/module/a.txt'],
      ['diff', '--no-ext-diff', 'HEAD', '--', 'docs/b.txt'],
      ['log', '-1'],
      ['add', 'docs/openapi.json'],
      ['add', 'docs/docs.json'],
      ['-c', 'user.name=Pat', '-c', 'user.email=pat@example.com', 'commit', '--message', 'x'],
    ]
    for (const args of commands) runPlainGit(clone.folder, ...args)
    expect(clone.ran().toSorted()).toEqual([
      'core.fsmonitor',
      'diff.command',
      'diff.external',
      'diff.textconv',
      'filter.clean',
      'filter.process',
      'gpg.program',
      'hook-post-index-change',
      'hook-pre-commit',
      'submodule-filter',
      'submodule-fsmonitor',
    ])
  })

  test.each(Object.keys(fetchingPlants) as (keyof typeof fetchingPlants)[])(
    'to fetch an object that the clone lacks (%s)',
    async (name) => {
      const clone = plantInRemote(name)
      await runInFolder(clone.folder, ['changes', 'main', 'docs/openapi.json'])
      await runInFolder(clone.folder, ['build', 'docs', '-o', join(makeTemporaryFolder(), 'site')])
      await callChanges(clone.folder, { base: 'main' })
      expect(clone.ran()).toEqual([])
      runPlainGit(clone.folder, 'show', 'main:docs/openapi.json')
      expect(clone.ran()).toEqual([name.replaceAll(/[^\w.]/g, '-')])
    },
  )

  test('in an embedded bare repository', async () => {
    const clone = plantInBareRepository()
    await runAll(clone)
    const docs = { ...clone, folder: join(clone.folder, 'docs') }
    const compared = await runInFolder(docs.folder, ['changes', 'main', 'openapi.json'])
    expect(compared).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No changes') })
    for (const argv of [
      ['check'],
      ['update', '--check'],
      ['ci'],
      ['doctor'],
      ['changes', 'main'],
      ['check', '--boundary', '.'],
    ]) {
      await runInFolder(docs.folder, argv)
    }
    await runInFolder(docs.folder, ['changes', 'main', 'openapi.json', '--boundary', '.'])
    await runInFolder(docs.folder, ['build', '.', '--boundary', '.', '-o', join(makeTemporaryFolder(), 'site')])
    await callChanges(docs.folder, { base: 'main' })
    expect(clone.ran()).toEqual([])
    runPlainGit(docs.folder, 'rev-parse', '--verify', 'main^{commit}')
    expect(clone.ran()).toEqual(['ext'])
  })
})

test('a commit runs no hooks and no monitor, also not of a submodule', async () => {
  const clone = plantInConfig()
  const { folder, history } = clone
  const remote = makeTemporaryFolder()
  // A commit uses filters. This one would stop it.
  history.git('config', '--file', join(folder, '.git/included'), '--unset', 'filter.b.process')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote])
  history.git('remote', 'add', 'origin', remote)
  history.git('-c', 'core.hooksPath=/dev/null', 'push', '--quiet', 'origin', 'main')
  history.git('-c', 'core.hooksPath=/dev/null', 'checkout', '--quiet', '--', 'docs/docs.json', 'docs/openapi.json')
  const before = clone.ran()
  const run = await runInFolder(folder, ['ci', 'docs', '--commit', '--branch', 'main'])
  expect(run.stderr).toMatch(/^Committed \w+ to main$/m)
  expect(clone.ran().filter((name) => !before.includes(name) && /fsmonitor|hook/.test(name))).toEqual([])
})

test('ignores an empty folder .git, as git does', async () => {
  const clone = plantInConfig()
  mkdirSync(join(clone.folder, 'docs/.git'))
  expect(await readGit(openGit(join(clone.folder, 'docs')), 'read', ['rev-parse', '--show-prefix'])).toBe('docs/\n')
})

test('reads the work tree around the folder, whatever core.worktree names', async () => {
  const clone = plantInConfig()
  const other = makeTemporaryFolder({ '.gitignore': '*', '.gitattributes': '* eol=crlf' })
  clone.history.git('config', 'core.worktree', other)
  const git = openGit(clone.folder)
  expect(await readGit(git, 'read', ['rev-parse', '--show-toplevel'])).toBe(`${clone.folder}\n`)
  expect(await findGit(git, 'read', ['check-ignore', '-z', '--stdin'], { input: 'a.mdx\0' })).toBe(undefined)
})

test('reports content that a partial clone lacks, instead of fetching it', async () => {
  const clone = plantInRemote('ext')
  const { exitCode, stderr, stdout } = await runInFolder(clone.folder, ['changes', 'main', 'docs/openapi.json'])
  expect(exitCode).toBe(2)
  expect(stdout + stderr).toContain('the partial clone lacks its content')
})

test('refuses a setting whose command cannot be turned off', async () => {
  const clone = plantInConfig()
  execFileSync('git', ['config', 'filter.x=y.clean', 'true'], { cwd: clone.folder })
  writeFileSync(join(clone.folder, '.gitattributes'), 'openapi.json filter=x=y\n')
  await expect(openGit(clone.folder).run(['status', '--porcelain'])).rejects.toThrow('the name of the filter `x=y` contains `=`')
})

test('runs only commands that read', async () => {
  const git = openGit(makeTemporaryFolder())
  await expect(git.run(['commit', '--message', 'x'])).rejects.toThrow('Unexpected `git commit`')
})
