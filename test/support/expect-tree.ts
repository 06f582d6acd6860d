import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Tree } from './memory-tree.ts'
import { readTree } from './read-tree.ts'

/** Compares files with the folder that has the expected ones. `-u=all` rewrites it. */
export function expectTree(folder: string, tree: Tree): void {
  if (isRewriting()) {
    rmSync(folder, { recursive: true, force: true })
    for (const [path, content] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
  }
  expect(tree).toEqual(readTree(folder))
}

/** Whether the tests run with `-u=all`. The state of snapshots is not typed, but nothing else tells a test. */
export function isRewriting(): boolean {
  const snapshots = expect.getState().snapshotState as unknown as { readonly _updateSnapshot?: string }
  return snapshots._updateSnapshot === 'all'
}

/** Lays files over others. A file with the content `DELETE` deletes its counterpart. */
export function layOver(tree: Tree, edit: Tree): Tree {
  const merged = { ...tree, ...edit }
  return Object.fromEntries(Object.entries(merged).filter(([, content]) => content.trim() !== 'DELETE'))
}
