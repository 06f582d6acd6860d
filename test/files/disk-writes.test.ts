import { readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toOwnPath } from '../../src/files/boundary.ts'
import { createFile, makeRealFolder, removeTemporary, replaceFile, resolveOutput } from '../../src/files/disk-writes.ts'
import { readTree } from '../support/read-tree.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'

test('creating a file follows no link, even one without a target', () => {
  const folder = makeTemporaryFolder({ mine: 'mine' })
  symlinkSync('mine', join(folder, 'link'))
  symlinkSync('nothing', join(folder, 'dangling'))
  for (const name of ['mine', 'link', 'dangling']) expect(() => createFile(toOwnPath(join(folder, name)), 'x')).toThrow('EEXIST')
  expect(readTree(folder)).toEqual({ dangling: '-> nothing', link: '-> mine', mine: 'mine' })
})

test('replacing a file replaces a link, sets the mode, and leaves no other file', () => {
  const folder = makeTemporaryFolder({ mine: 'mine', file: 'old' })
  symlinkSync('mine', join(folder, 'link'))
  for (const name of ['link', 'file', 'new']) {
    replaceFile(toOwnPath(join(folder, name)), 'x', { mode: 0o600 })
    if (!isWindows) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
  expect(() => replaceFile(folder, 'x')).toThrow()
  expect(readTree(folder)).toEqual({ mine: 'mine', link: 'x', file: 'x', new: 'x' })
})

test('what cannot be removed does not fail the work', () => {
  const folder = makeTemporaryFolder({ mine: 'mine' })
  // No system has a file with such a name.
  removeTemporary(toOwnPath(`${folder}/\0`))
  expect(readTree(folder)).toEqual({ mine: 'mine' })
})

test('creating a folder fails at a link', () => {
  const folder = makeTemporaryFolder({ 'mine/a.txt': '' })
  makeRealFolder(toOwnPath(join(folder, 'a/b/c')))
  makeRealFolder(toOwnPath(join(folder, 'a/b/c')))
  symlinkSync('mine', join(folder, 'link'))
  symlinkSync('nothing', join(folder, 'dangling'))
  for (const name of ['link', 'dangling']) expect(() => makeRealFolder(toOwnPath(join(folder, name)))).toThrow('EEXIST')
  expect(readdirSync(folder).sort()).toEqual(['a', 'dangling', 'link', 'mine'])
})

test('an output path may have links of the user, but none that lead into a repository and out of it', () => {
  const folder = makeTemporaryFolder({ 'clone/.git/HEAD': '', 'clone/a/x': '', 'mine/x': '', 'here/x': '' })
  symlinkSync('../mine', join(folder, 'clone/out'))
  symlinkSync('a', join(folder, 'clone/inside'))
  symlinkSync('../mine/../clone/.git', join(folder, 'clone/git'))
  symlinkSync('clone/out', join(folder, 'by-user'))
  symlinkSync('mine', join(folder, 'link'))
  symlinkSync('circle', join(folder, 'clone/circle'))
  const accepts = (path: string, links: 'any' | 'leaving') => {
    try {
      return resolveOutput(toOwnPath(path), join(folder, 'here'), links) === join(folder, 'here', path)
    } catch {
      return false
    }
  }
  const rows = [
    '../link/new',
    '../clone/new',
    '../clone/inside/x',
    '../clone/out',
    '../clone/git/x',
    '../by-user/x',
    '../clone/circle',
  ]
  expect(rows.map((path) => [path, accepts(path, 'leaving'), accepts(path, 'any')])).toEqual([
    ['../link/new', true, true],
    ['../clone/new', true, true],
    ['../clone/inside/x', true, false],
    ['../clone/out', false, false],
    ['../clone/git/x', false, false],
    ['../by-user/x', false, false],
    ['../clone/circle', true, false],
  ])
})
