import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toOwnPath } from '../../src/files/boundary.ts'
import { manifestName } from '../../src/files/files.ts'
import { hashContent, openOutputFolder } from '../../src/files/output-folder.ts'
import { readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

async function publish(folder: string, files: Readonly<Record<string, string>>, force = false) {
  const output = openOutputFolder(toOwnPath(folder), { force, shown: 'site' })
  for (const [path, content] of Object.entries(files)) output.add(path, content)
  return await output.publish()
}

function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(readTree(folder)).filter(([path]) => path !== manifestName))
}

test('creates a missing folder with its parents', async () => {
  const folder = join(makeTemporaryFolder(), 'a/b/site')
  expect(await publish(folder, { 'index.html': 'start', 'guides/one/index.html': 'one' })).toEqual({
    written: 2,
    unchanged: 0,
    removed: 0,
    sizeBytes: 8,
    kept: [],
  })
  expect(treeOf(folder)).toEqual({ 'index.html': 'start', 'guides/one/index.html': 'one' })
})

test('touches no file when nothing has changed', async () => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start' })
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1)
  expect(await publish(folder, { 'index.html': 'start' })).toMatchObject({ written: 0, unchanged: 1, removed: 0 })
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs)).toEqual([1000, 1000])
})

test('removes its own obsolete files and their folders', async () => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start', 'old/page/index.html': 'old' })
  writeFileSync(join(folder, 'CNAME'), 'docs.example.com')
  expect(await publish(folder, { 'index.html': 'start' })).toMatchObject({ removed: 1, kept: [] })
  expect(treeOf(folder)).toEqual({ 'index.html': 'start', CNAME: 'docs.example.com' })
})

test('keeps an obsolete file that was changed after the last build', async () => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start', 'old.html': 'old' })
  writeFileSync(join(folder, 'old.html'), 'edited')
  expect(await publish(folder, { 'index.html': 'start' })).toMatchObject({ removed: 0, kept: ['old.html'] })
  expect(treeOf(folder)).toEqual({ 'index.html': 'start', 'old.html': 'edited' })
})

test('refuses a folder with other files, and keeps them when forced', async () => {
  const folder = makeTemporaryFolder({ 'notes.txt': 'mine', 'photos/a.png': 'mine' })
  await expect(publish(folder, { 'index.html': 'start' })).rejects.toThrow(
    'Cannot build into site: it contains other files (notes.txt, photos)',
  )
  expect(treeOf(folder)).toEqual({ 'notes.txt': 'mine', 'photos/a.png': 'mine' })
  await publish(folder, { 'index.html': 'start' }, true)
  expect(treeOf(folder)).toEqual({ 'index.html': 'start', 'notes.txt': 'mine', 'photos/a.png': 'mine' })
})

test.each([
  ['changed manually', async (folder: string) => writeFileSync(join(folder, 'index.html'), 'edited')],
  ['created by another program', async (folder: string) => writeFileSync(join(folder, 'robots.txt'), 'mine')],
])('does not replace a file %s, unless forced', async (_name, change) => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start' })
  await change(folder)
  const before = treeOf(folder)
  await expect(publish(folder, { 'index.html': 'new', 'robots.txt': 'ours' })).rejects.toThrow(
    'changed or created outside of openapi-pages',
  )
  expect(treeOf(folder)).toEqual(before)
  await publish(folder, { 'index.html': 'new', 'robots.txt': 'ours' }, true)
  expect(treeOf(folder)).toEqual({ 'index.html': 'new', 'robots.txt': 'ours' })
})

test('treats a folder with only .git as empty', async () => {
  const folder = makeTemporaryFolder({ '.git': 'gitdir: elsewhere' })
  await publish(folder, { 'index.html': 'start' })
  expect(treeOf(folder)).toEqual({ 'index.html': 'start' })
})

test('leaves the folder unchanged when a build is discarded', async () => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start' })
  const output = openOutputFolder(toOwnPath(folder), { force: false, shown: 'site' })
  output.add('index.html', 'half of a')
  output.discard()
  expect(readTree(folder)).toEqual(expect.objectContaining({ 'index.html': 'start' }))
  expect(readdirSync(folder).sort()).toEqual([manifestName, 'index.html'].sort())
})

test('removes the files of a killed run and does not treat them as foreign', async () => {
  const folder = makeTemporaryFolder({ '.openapi-pages-new-abc/0': 'half' })
  await publish(folder, { 'index.html': 'start' })
  expect(treeOf(folder)).toEqual({ 'index.html': 'start' })
})

test('does not follow a link out of the folder', async () => {
  const elsewhere = makeTemporaryFolder({ 'page.html': 'theirs' })
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'index.html': 'start' })
  symlinkSync(join(elsewhere, 'page.html'), join(folder, 'page.html'))
  await expect(publish(folder, { 'index.html': 'start', 'page.html': 'ours' })).rejects.toThrow(
    'the output directory contains a symbolic link with that name',
  )
  expect(readFileSync(join(elsewhere, 'page.html'), 'utf8')).toBe('theirs')
})

test('replaces a file with a folder of the same name, and a folder with a file', async () => {
  const folder = join(makeTemporaryFolder(), 'site')
  for (const files of [
    { n: 'file', 'm/a': 'below' },
    { 'n/a/b': 'below', m: 'file' },
    { n: 'file', 'm/b/a': 'below' },
  ]) {
    await publish(folder, files)
    expect(treeOf(folder)).toEqual(files)
  }
})

test.each([
  ['a directory with the name of a file', 'page.html/mine', 'a directory with this name already exists'],
  ['a file with the name of a directory', 'guides', 'a file exists where a directory is needed'],
])('changes nothing when the folder has %s', async (_name, foreign, reason) => {
  const folder = join(makeTemporaryFolder(), 'site')
  await publish(folder, { 'a.html': 'a', 'index.html': 'start', 'old/page.html': 'old' })
  mkdirSync(dirname(join(folder, foreign)), { recursive: true })
  writeFileSync(join(folder, foreign), 'mine')
  const before = readTree(folder)
  const next = { 'a.html': 'A', 'b/c.html': 'new', 'guides/one.html': '1', 'page.html': 'x', 'index.html': 'start' }
  const failure = await publish(folder, next).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    message: expect.stringContaining(reason),
    hint: expect.stringMatching(/No files were changed$/),
  })
  expect(readTree(folder)).toEqual(before)
  expect(readdirSync(dirname(folder))).toEqual(['site'])
})

test.each([
  ['n', 'N'],
  ['n', 'N/a'],
  ['N/a/b', 'n'],
  ['caf\u00e9', 'cafe\u0301/x'],
])('refuses %s and %s, which no folder can contain together', (first, second) => {
  const output = openOutputFolder(toOwnPath(join(makeTemporaryFolder(), 'site')), { force: false, shown: 'site' })
  output.add(first, '')
  expect(() => output.add(second, '')).toThrow(`Cannot write ${second}: it cannot be beside ${first}`)
  output.discard()
})

describe('keeping files of an earlier run', () => {
  const content = 'start'
  const hash = hashContent(content)

  /** A folder with one file that is old enough to have a stamp. */
  async function publishEarlier() {
    const folder = join(makeTemporaryFolder(), 'site')
    const output = openOutputFolder(toOwnPath(folder), { force: false, shown: 'site' })
    output.add('index.html', content)
    await output.publish()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { folder, stamp: output.stampOf('index.html') ?? expect.fail('no stamp') }
  }
  const keep = (folder: string, stamp: string | undefined) => {
    const output = openOutputFolder(toOwnPath(folder), { force: false, shown: 'site' })
    const isKept = output.keep([{ path: 'index.html', hash, stamp }])
    return isKept ? { content: new TextDecoder().decode(output.read('index.html')), publish: output.publish } : undefined
  }

  test('keeps them with or without a stamp', async () => {
    const { folder, stamp } = await publishEarlier()
    for (const known of [stamp, undefined, 'another']) {
      const kept = keep(folder, known)
      expect(kept?.content).toBe(content)
      expect(await kept?.publish()).toEqual({ written: 0, unchanged: 1, removed: 0, sizeBytes: content.length, kept: [] })
    }
  })

  test('detects a changed file, even with the same size and time', async () => {
    const { folder, stamp } = await publishEarlier()
    const { atime, mtime } = statSync(join(folder, 'index.html'))
    writeFileSync(join(folder, 'index.html'), content.toUpperCase())
    utimesSync(join(folder, 'index.html'), atime, mtime)
    expect(keep(folder, stamp)).toBeUndefined()
  })

  test('detects another file or a link in their place', async () => {
    const { folder, stamp } = await publishEarlier()
    const path = join(folder, 'index.html')
    renameSync(path, join(folder, '../moved'))
    expect(keep(folder, stamp)).toBeUndefined()
    writeFileSync(path, content.toUpperCase())
    expect(keep(folder, stamp)).toBeUndefined()
    rmSync(path)
    symlinkSync(join(folder, '../moved'), path)
    expect(() => keep(folder, stamp)).toThrow('the output directory contains a symbolic link with that name')
  })
})
