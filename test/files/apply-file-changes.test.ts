import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { applyFileChanges } from '../../src/files/apply-file-changes.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { FilesError } from '../../src/text/errors.ts'
import type { FileChange } from '../../src/text/plain/source-file.ts'
import { makeOrdinaryUser } from '../support/ordinary-user.ts'
import { readTimes, readTree } from '../support/read-tree.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'

const before = { 'docs.json': '{}\n', 'api/pets/a.mdx': 'A', 'api/pets/b.mdx': 'B', 'api/stores/c.mdx': 'C', 'guide.mdx': 'mine' }

const changes: readonly FileChange[] = [
  { kind: 'add', path: 'api/users/new/d.mdx', content: 'D' },
  { kind: 'modify', path: 'api/pets/a.mdx', before: 'A', content: 'A2' },
  { kind: 'delete', path: 'api/stores/c.mdx', before: 'C' },
  { kind: 'modify', path: 'docs.json', before: '{}\n', content: '{"a":1}\n' },
]

async function failureOf(root: string, given: readonly FileChange[]): Promise<FilesError> {
  const error = await applyFileChanges(toOwnPath(root), given).catch((reason: unknown) => reason)
  if (!(error instanceof FilesError)) throw new Error(`Expected a FilesError, got ${String(error)}`)
  return error
}

describe('applying changes', () => {
  test('adds, changes and deletes files, removes empty folders, and touches no other files', async () => {
    const root = makeTemporaryFolder(before)
    const times = readTimes(root)
    await applyFileChanges(root, changes)
    expect(readTree(root)).toEqual({
      'docs.json': '{"a":1}\n',
      'api/pets/a.mdx': 'A2',
      'api/pets/b.mdx': 'B',
      'api/users/new/d.mdx': 'D',
      'guide.mdx': 'mine',
    })
    const timesAfter = readTimes(root)
    for (const path of ['api/pets/b.mdx', 'guide.mdx']) expect(timesAfter[path]).toBe(times[path])
  })

  test('keeps the mode and the byte order mark of a changed file', async () => {
    const root = makeTemporaryFolder({ 'docs.json': '\uFEFF{}\n' })
    chmodSync(join(root, 'docs.json'), 0o640)
    await applyFileChanges(root, [{ kind: 'modify', path: 'docs.json', before: '{}\n', content: '[]\n' }])
    expect(readFileSync(join(root, 'docs.json'), 'utf8')).toBe('\uFEFF[]\n')
    if (!isWindows) expect(statSync(join(root, 'docs.json')).mode & 0o777).toBe(0o640)
  })

  test('writes through a link inside the root, and deletes the link instead of its target', async () => {
    const root = makeTemporaryFolder({ 'shared/docs.json': 'x', 'shared/page.mdx': 'p' })
    symlinkSync('shared/docs.json', join(root, 'docs.json'))
    symlinkSync('shared/page.mdx', join(root, 'page.mdx'))
    await applyFileChanges(root, [
      { kind: 'modify', path: 'docs.json', before: 'x', content: 'y' },
      { kind: 'delete', path: 'page.mdx', before: 'p' },
    ])
    expect(readTree(root)).toEqual({ 'docs.json': '-> shared/docs.json', 'shared/docs.json': 'y', 'shared/page.mdx': 'p' })
  })

  test('replaces a file with a folder of the same name', async () => {
    const root = makeTemporaryFolder({ 'api/pets': 'a file', 'api/x.mdx': 'X' })
    await applyFileChanges(root, [
      { kind: 'add', path: 'api/pets/a.mdx', content: 'A' },
      { kind: 'delete', path: 'api/pets', before: 'a file' },
    ])
    expect(readTree(root)).toEqual({ 'api/pets/a.mdx': 'A', 'api/x.mdx': 'X' })
  })

  test('writes only inside the writable folder, even through links', async () => {
    const root = makeTemporaryFolder({ 'docs/docs.json': '{}', 'other/page.mdx': 'mine' })
    symlinkSync('../other', join(root, 'docs/link'))
    const write = (path: string) => applyFileChanges(root, [{ kind: 'add', path, content: 'x' }], { writableFolders: ['docs'] })
    await write('docs/a.mdx')
    for (const path of ['other/a.mdx', 'a.mdx', 'docs/../a.mdx', 'docs/link/a.mdx']) {
      await expect(write(path)).rejects.toThrow(`Cannot add \`${path}\`: it is outside the writable directory`)
    }
    expect(Object.keys(readTree(root))).toEqual(['docs/a.mdx', 'docs/docs.json', 'docs/link', 'other/page.mdx'])
  })

  test('creates folders, even behind a link', async () => {
    const root = makeTemporaryFolder({ 'real/x.mdx': 'x' })
    symlinkSync('real', join(root, 'api'))
    await applyFileChanges(root, [
      { kind: 'add', path: 'api/pets/dogs/a.mdx', content: 'A' },
      { kind: 'add', path: 'api/pets/b.mdx', content: 'B' },
      { kind: 'add', path: 'api/y.mdx', content: 'Y' },
      { kind: 'add', path: 'new/c.mdx', content: 'C' },
    ])
    expect(readTree(root)).toEqual({
      api: '-> real',
      'real/x.mdx': 'x',
      'real/y.mdx': 'Y',
      'real/pets/dogs/a.mdx': 'A',
      'real/pets/b.mdx': 'B',
      'new/c.mdx': 'C',
    })
  })

  test('writes 3,000 files within the time limit', async () => {
    const root = makeTemporaryFolder()
    const many = Array.from({ length: 3000 }, (_, index): FileChange => {
      return { kind: 'add', path: `api/tag-${index % 50}/page-${index}.mdx`, content: `page ${index}` }
    })
    await applyFileChanges(root, many)
    expect(Object.keys(readTree(root))).toHaveLength(3000)
  })
})

describe('refusing to write', () => {
  test.each<[string, FileChange, RegExp]>([
    [
      'a changed file',
      { kind: 'modify', path: 'guide.mdx', before: 'yours', content: 'x' },
      /^Cannot change `guide.mdx`: it has changed/,
    ],
    [
      'a changed file to delete',
      { kind: 'delete', path: 'guide.mdx', before: 'yours' },
      /^Cannot delete `guide.mdx`: it has changed/,
    ],
    ['a missing file', { kind: 'delete', path: 'gone.mdx', before: '' }, /^Cannot delete `gone.mdx`: .*ENOENT/],
    ['an existing file', { kind: 'add', path: 'guide.mdx', content: 'x' }, /^Cannot add `guide.mdx`: a file with this name/],
    ['an existing folder', { kind: 'add', path: 'api', content: 'x' }, /^Cannot add `api`: a directory with this name/],
    ['a path out of the root', { kind: 'add', path: '../x.mdx', content: 'x' }, /^Cannot add `..\/x.mdx`: it is outside/],
    ['a link out of the root', { kind: 'add', path: 'out/x.mdx', content: 'x' }, /^Cannot add `out\/x.mdx`: it is outside/],
    ['a path into .git', { kind: 'add', path: '.git/hooks/pre-commit', content: 'x' }, /^Cannot add .*: it is inside `.git`/],
    ['a path into .GIT', { kind: 'add', path: 'a/../.GIT/config', content: 'x' }, /it is inside `.git`/],
    ['two changes of one file', { kind: 'delete', path: './docs.json', before: '{}\n' }, /two changes have the same target file/],
    [
      'a file where a folder is needed',
      { kind: 'add', path: 'guide.mdx/x.mdx', content: 'x' },
      /a file exists where a directory/,
    ],
    [
      'a name too long',
      { kind: 'add', path: `${'n'.repeat(300)}.mdx`, content: 'x' },
      isWindows ? /E(?:NAMETOOLONG|NOENT)/ : /ENAMETOOLONG/,
    ],
  ])('changes nothing if there is %s', async (_, change, message) => {
    const elsewhere = makeTemporaryFolder({})
    const root = makeTemporaryFolder(before)
    symlinkSync(elsewhere, join(root, 'out'))
    const [tree, times] = [readTree(root), readTimes(root)]
    const failure = await failureOf(root, [...changes, change])
    expect(failure.message).toMatch(message)
    expect(failure.hint).toContain('No files were changed')
    expect(failure.path).toBe(change.path)
    expect(readTree(root)).toEqual(tree)
    expect(readTimes(root)).toEqual(times)
    expect(readTree(elsewhere)).toEqual({})
  })
})

/** Runs the changes in another process, so that a test can set system limits for it. */
const runner = join(import.meta.dirname, '../support/apply-changes-process.ts')

function applyInProcess(
  root: string,
  given: readonly FileChange[],
  wrap: (command: string) => string[],
  options: SpawnSyncOptions = {},
) {
  const [command = '', ...args] = wrap(`'${process.execPath}' '${runner}' '${root}'`)
  return spawnSync(command, args, { ...options, input: JSON.stringify(given), encoding: 'utf8' })
}

describe.skipIf(isWindows)('restoring the tree', () => {
  const large: FileChange = { kind: 'add', path: 'api/users/large.mdx', content: 'x'.repeat(200_000) }

  test('restores it when a file exceeds the size limit of the process', () => {
    const root = makeTemporaryFolder(before)
    const [tree, times] = [readTree(root), readTimes(root)]
    const run = applyInProcess(root, [...changes, large], (command) => toShell(`ulimit -f 64; exec ${command}`))
    expect(run.stdout).toContain('Cannot write `api/users/large.mdx`: the file is too large (EFBIG)')
    expect([readTree(root), readTimes(root)]).toEqual([tree, times])
  })

  test('restores it when the disk is full', () => {
    const files = { 'docs.json': '{}\n', 'guide.mdx': 'mine' }
    const root = makeTemporaryFolder(files)
    const [tree, times] = [readTree(root), readTimes(root)]
    const preload = pathToFileURL(join(import.meta.dirname, '../support/full-disk.mjs')).href
    const run = applyInProcess(root, [{ kind: 'modify', path: 'docs.json', before: '{}\n', content: '[]' }, large], toShell, {
      env: { ...process.env, NODE_OPTIONS: `--import=${preload}`, FULL_DISK: root, FULL_DISK_BYTES: '65536' },
    })
    expect(run.stdout).toContain('Cannot write `api/users/large.mdx`: no space left on disk (ENOSPC)')
    expect([readTree(root), readTimes(root)]).toEqual([tree, times])
  })

  test('restores it when a folder is not writable', () => {
    const root = makeTemporaryFolder(before)
    const { ids, toPlace, own } = makeOrdinaryUser()
    own(root)
    chmodSync(join(root, 'api/stores'), 0o555)
    const [tree, times] = [readTree(root), readTimes(root)]
    const run = applyInProcess(root, changes, (command) => toShell(toPlace(command)), ids)
    // Lets the current user remove the folder.
    chmodSync(join(root, 'api/stores'), 0o755)
    expect(run.stdout).toContain('Cannot write `api/stores/c.mdx`: permission denied (EACCES)')
    expect([readTree(root), readTimes(root)]).toEqual([tree, times])
  })

  test('restores it when a new folder was already in place', async () => {
    const root = makeTemporaryFolder({ 'a.mdx': 'a' })
    const failure = await failureOf(root, [
      { kind: 'add', path: 'new/pets/b.mdx', content: 'B' },
      { kind: 'add', path: 'late', content: 'in the way' },
      { kind: 'add', path: 'late/c.mdx', content: 'C' },
    ])
    expect(failure.message).toMatch(/^Cannot write `late\/c\.mdx`: a file exists where a directory is needed/)
    expect(readTree(root)).toEqual({ 'a.mdx': 'a' })
  })

  test('restores files that were already in place when a later step fails', async () => {
    const root = makeTemporaryFolder({ ...before, 'zzz/keep.mdx': 'keep' })
    const tree = readTree(root)
    // Deleting works, then adding below a name that has become a file does not.
    const failure = await failureOf(root, [
      ...changes,
      { kind: 'add', path: 'later', content: 'a file' },
      { kind: 'add', path: 'later/below.mdx', content: 'x' },
    ])
    expect(failure.code).toMatch(/^E(EXIST|NOTDIR)$/)
    expect(readTree(root)).toEqual(tree)
  })

  test('completes all changes when a stop signal arrives in the middle', () => {
    const root = makeTemporaryFolder(before)
    const run = applyInProcess(root, changes, (command) => toShell(`SIGNAL_IN_THE_MIDDLE=SIGTERM exec ${command}`))
    expect(run.signal).toBe('SIGTERM')
    expect(readFileSync(join(root, 'docs.json'), 'utf8')).toBe('{"a":1}\n')
    expect(existsSync(join(root, 'api/stores'))).toBe(false)
  })
})

function toShell(command: string): string[] {
  return ['bash', '-c', command]
}
