import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toOwnPath } from '../../src/files/boundary.ts'
import { isWindowsPath, lookAt, openDiskFiles, readStamp } from '../../src/files/disk-files.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'

test.each([
  ['docs\\a.yaml', true],
  ['..\\..\\secret.yaml', true],
  ['C:/secret.yaml', true],
  ['C:secret.yaml', true],
  ['\\\\server\\share\\a.yaml', true],
  ['a.yaml:stream', true],
  ['a.yaml::$DATA', true],
  ['docs/a.yaml', false],
  ['../a.yaml', false],
  ['ünï/a b.yaml', false],
  ['file:///C:/docs/a.yaml', false],
])('the path %j names a file only on Windows: %j', (path, expected) => {
  expect(isWindowsPath(path, '\\')).toBe(expected)
  expect(isWindowsPath(path, '/')).toBe(false)
})

test('nothing is below a file', () => {
  const path = `${makeTemporaryFolder({ file: 'mine' })}/file/index.html`
  expect([lookAt(path), readStamp(path)]).toEqual([undefined, undefined])
})

describe('read', () => {
  test.each([
    ['docs\\b.yaml', 'missing'],
    ['..\\outside.yaml', 'missing'],
    ['a.yaml::$DATA', 'missing'],
    ['a.yaml', 'file'],
    ['./docs/../a.yaml', 'file'],
    ['docs/b.yaml', 'file'],
    ['link-inside.yaml', 'file'],
    ['folder-link/b.yaml', 'file'],
    ['docs', 'folder'],
    ['', 'folder'],
    ['nothing.yaml', 'missing'],
    ['nothing/at/all.yaml', 'missing'],
    ['a.yaml/below-a-file', 'missing'],
    ['dangling-inside', 'missing'],
    ['nul\0.yaml', 'missing'],
    ['../outside.yaml', 'outside'],
    ['docs/../../outside.yaml', 'outside'],
    ['link-outside', 'outside'],
    ['link-outside/secret.yaml', 'outside'],
    ['link-outside/nothing.yaml', 'outside'],
    ['dangling-outside', 'outside'],
    ['circle', 'unreadable'],
    ['n'.repeat(300), isWindows ? 'missing' : 'unreadable'],
    ...(isWindows ? [] : [['pipe', 'unreadable']]),
  ])('%j is %s', async (path, kind) => {
    const outside = makeTemporaryFolder({ 'secret.yaml': 'secret' })
    const root = makeTemporaryFolder({ 'a.yaml': 'a', 'docs/b.yaml': 'b' })
    symlinkSync('a.yaml', join(root, 'link-inside.yaml'))
    symlinkSync('docs', join(root, 'folder-link'))
    symlinkSync('docs/nothing', join(root, 'dangling-inside'))
    symlinkSync(outside, join(root, 'link-outside'))
    symlinkSync(join(outside, 'nothing'), join(root, 'dangling-outside'))
    symlinkSync('circle', join(root, 'circle'))
    if (!isWindows) execFileSync('mkfifo', [join(root, 'pipe')])
    expect((await openDiskFiles(root).read(path)).kind).toBe(kind)
  })

  test('returns the bytes unchanged', async () => {
    const root = makeTemporaryFolder({ 'a.yaml': '\uFEFFopenapi: ü\r\n' })
    const result = await openDiskFiles(root).read('a.yaml')
    expect(result.kind === 'file' && Buffer.from(result.bytes).toString('utf8')).toBe('\uFEFFopenapi: ü\r\n')
  })

  test('reports the size of a file over the limit', async () => {
    const root = makeTemporaryFolder({ 'a.yaml': '0123456789' })
    const files = openDiskFiles(root)
    expect(await files.read('a.yaml', 9)).toEqual({ kind: 'too-large', sizeBytes: 10, limitBytes: 9 })
    expect((await files.read('a.yaml', 10)).kind).toBe('file')
  })

  test.skipIf(isWindows)('reports a file without read permission', async () => {
    const root = makeTemporaryFolder({ 'a.yaml': 'a' })
    chmodSync(root, 0o755)
    chmodSync(join(root, 'a.yaml'), 0)
    const files = openDiskFiles(root)
    // Root can read every file, so the test runs as another user.
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65534)
    try {
      expect(await files.read('a.yaml')).toEqual({ kind: 'unreadable', reason: 'permission denied' })
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('works below a root that is a link', async () => {
    const root = makeTemporaryFolder({ 'real/a.yaml': 'a' })
    symlinkSync('real', join(root, 'link'))
    expect((await openDiskFiles(toOwnPath(join(root, 'link'))).read('a.yaml')).kind).toBe('file')
  })
})

describe('list', () => {
  test('does not list sites built among the files, but reads their files', async () => {
    const files = openDiskFiles(makeTemporaryFolder({ 'a.mdx': '', 'site/.openapi-pages.json': '{}', 'site/b/c.md': '' }))
    expect(await files.list('')).toEqual(['a.mdx'])
    expect(await files.list('site')).toEqual(['site/.openapi-pages.json', 'site/b/c.md'])
  })

  test('lists all files in order, without .git and node_modules, and does not follow links to folders', async () => {
    const root = makeTemporaryFolder({
      'b.yaml': '',
      'a/z.yaml': '',
      'a/node_modules/x.yaml': '',
      'a-b.yaml': '',
      '.git/config': '',
      '.github/x.yml': '',
    })
    symlinkSync('b.yaml', join(root, 'link.yaml'))
    symlinkSync('a', join(root, 'folder-link'))
    symlinkSync('/etc/hostname', join(root, 'outside-link'))
    symlinkSync('nothing', join(root, 'dangling'))
    const files = openDiskFiles(root)
    expect(await files.list('')).toEqual(['.github/x.yml', 'a-b.yaml', 'a/z.yaml', 'b.yaml', 'link.yaml'])
    expect(await files.list('a')).toEqual(['a/z.yaml'])
    expect(await files.list('nothing')).toEqual([])
    expect(await files.list('../')).toEqual([])
  })
})
