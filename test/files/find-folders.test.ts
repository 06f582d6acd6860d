import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolderFinder } from '../../src/files/find-folders.ts'
import { resolveThroughLinks } from '../../src/files/resolve-through-links.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('says where a folder is, and which part of it is not there', () => {
  const root = resolveThroughLinks(makeTemporaryFolder({ 'real/x': '', file: '' }))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'dangling'))
  const find = createFolderFinder(root)
  const rows = ['', 'real', 'link', 'link/a/b', 'a/b', 'a', 'file/a', 'dangling', '../beside'].map((path) => {
    const { path: found, firstMissing } = find(join(root, path))
    return [path, found.slice(root.length), firstMissing?.slice(root.length)]
  })
  expect(rows.slice(0, -1)).toEqual([
    ['', '', undefined],
    ['real', '/real', undefined],
    ['link', '/real', undefined],
    ['link/a/b', '/real/a/b', '/real/a'],
    ['a/b', '/a/b', '/a'],
    ['a', '/a', '/a'],
    ['file/a', '/file/a', undefined],
    ['dangling', '/nowhere', undefined],
  ])
  expect(rows.at(-1)?.[2]).toBeUndefined()
})
