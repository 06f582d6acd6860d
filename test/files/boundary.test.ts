import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import {
  createLocator,
  findBoundary,
  findInside,
  resolveThroughLinks,
  toOwnPath,
  toPathInside,
} from '../../src/files/boundary.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('is the Git work tree of the entry, whatever the working directory', () => {
  const root = makeTemporaryFolder({ 'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/docs/api/openapi.yaml': '' })
  expect(findBoundary(toOwnPath('repo/docs/api/openapi.yaml'), root)).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('openapi.yaml'), join(root, 'repo/docs/api'))).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('repo/docs'), root)).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('repo/docs/not-yet-there/openapi.yaml'), root)).toBe(join(root, 'repo'))
})

test('is the innermost work tree, and accepts a `.git` file', () => {
  const root = makeTemporaryFolder({
    '.git/HEAD': '',
    'module/.git': 'gitdir: ../.git/modules/module\n',
    'module/openapi.yaml': '',
  })
  expect(findBoundary(toOwnPath('module/openapi.yaml'), root)).toBe(join(root, 'module'))
})

test('is the work tree of the target of a link', () => {
  const root = makeTemporaryFolder({ 'repo/.git/HEAD': '', 'repo/openapi.yaml': '' })
  symlinkSync('repo/openapi.yaml', join(root, 'link.yaml'))
  expect(findBoundary(toOwnPath('link.yaml'), root)).toBe(join(root, 'repo'))
})

test('stays in the work tree when a link inside points outside', () => {
  const root = makeTemporaryFolder({ 'repo/.git/HEAD': '', 'repo/real.yaml': '', 'other/secret.yaml': '' })
  symlinkSync('../other/secret.yaml', join(root, 'repo/link.yaml'))
  symlinkSync('../other', join(root, 'repo/folder'))
  symlinkSync('real.yaml', join(root, 'repo/inside.yaml'))
  expect(findBoundary(toOwnPath('repo/link.yaml'), root)).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('folder/secret.yaml'), join(root, 'repo'))).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('folder'), join(root, 'repo'))).toBe(join(root, 'repo'))
  // Also if the target is a repository.
  mkdirSync(join(root, 'other/.git'))
  writeFileSync(join(root, 'other/.git/HEAD'), '')
  expect(findBoundary(toOwnPath('folder/secret.yaml'), join(root, 'repo'))).toBe(join(root, 'repo'))
  expect(findBoundary(toOwnPath('inside.yaml'), join(root, 'repo'))).toBe(join(root, 'repo'))
})

test('is the working directory without Git, or the folder of an entry outside it', () => {
  const root = makeTemporaryFolder({ 'here/docs/openapi.yaml': '', 'there/deep/openapi.yaml': '' })
  mkdirSync(join(root, 'there/.git'))
  expect(findBoundary(toOwnPath('docs/openapi.yaml'), join(root, 'here'))).toBe(join(root, 'here'))
  expect(findBoundary(toOwnPath('docs'), join(root, 'here'))).toBe(join(root, 'here'))
  expect(findBoundary(toOwnPath('../there/deep/openapi.yaml'), join(root, 'here'))).toBe(join(root, 'there/deep'))
  expect(findBoundary(toOwnPath('../there/deep'), join(root, 'here'))).toBe(join(root, 'there/deep'))
})

test('never throws on a path that does not exist', () => {
  const root = makeTemporaryFolder()
  writeFileSync(join(root, 'file'), '')
  symlinkSync('circle', join(root, 'circle'))
  expect(findBoundary(toOwnPath('file/below'), root)).toBe(root)
  expect(findBoundary(toOwnPath('circle'), root)).toBe(root)
  expect(findBoundary(toOwnPath('nul\0'), root)).toBe(root)
})

test('converts a path to one inside the boundary, also if it leads there through a link outside', () => {
  const root = resolveThroughLinks(makeTemporaryFolder({ 'real/docs/a.yaml': '', 'other/b.yaml': '' }))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('../../other/b.yaml', join(root, 'real/docs/outside.yaml'))
  const inside = (path: string) => toPathInside(join(root, 'real'), join(root, path))
  expect(['real/docs/a.yaml', 'link/docs/a.yaml', 'link/new/b.yaml', 'real', 'link'].map(inside)).toEqual([
    'docs/a.yaml',
    'docs/a.yaml',
    'new/b.yaml',
    '',
    '',
  ])
  // Reading refuses the target of a link inside the boundary.
  expect(['real/docs/outside.yaml', 'other/b.yaml', 'link/../b.yaml'].map(inside)).toEqual([
    'docs/outside.yaml',
    undefined,
    undefined,
  ])
})

test('finds where a path leads: inside, outside or into .git', () => {
  const root = resolveThroughLinks(makeTemporaryFolder({ 'real/x': '', file: '' }))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'dangling'))
  symlinkSync('../..', join(root, 'real/out'))
  symlinkSync('../.git/hooks/a', join(root, 'real/hook'))
  const locate = createLocator(root, [''])
  const toRow = (path: string, end: 'link' | 'target' = 'target') => {
    const located = locate(path, end)
    if (located.kind !== 'inside') return located.kind
    return located.path.replace(root, '').replaceAll(sep, '/')
  }
  const inside = ['f', 'real/f', 'link/f', 'link/a/b/f', 'a/b/f', 'file/a/f', 'dangling/f', 'dangling']
  expect(inside.map((path) => toRow(path))).toEqual([
    '/f',
    '/real/f',
    '/real/f',
    '/real/a/b/f',
    '/a/b/f',
    '/file/a/f',
    '/nowhere/f',
    '/nowhere',
  ])
  for (const path of ['', '.', '..', '../f', 'a/../../f', 'real/..', 'real/out', 'real/out/f', 'real/out/a/f', 'a\0/f', 'f\0'])
    expect([path, toRow(path)]).toEqual([path, 'outside'])
  for (const path of ['.git', '.git/config', '.GIT/a/f', 'real/.Git/config', 'real/hook'])
    expect([path, toRow(path)]).toEqual([path, 'git'])
  expect(toRow('real/out', 'link')).toBe('/real/out')
  expect([findInside(root, ''), findInside(root, 'real/out'), findInside(root, '.git/config')]).toEqual([
    root,
    undefined,
    undefined,
  ])
})
