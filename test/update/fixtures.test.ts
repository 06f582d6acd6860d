import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Update, UpdateOptions } from '../../src/update/types.ts'
import { settle, type Tree, updateTree } from '../support/memory-tree.ts'
import { readTree } from '../support/read-tree.ts'

/**
 * Each case is a directory. The test updates `input`. If there is an `edit`, it copies that over the result and updates again. A file
 * with the content `DELETE` deletes its counterpart. `expected` is the tree after the last update, and `expected/report.txt` its output.
 * `options.json` has the options of the update. `-u` rewrites the expected files.
 */
const cases = join(import.meta.dirname, '../fixtures/update')

test.each(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name)
  const optionsFile = join(folder, 'options.json')
  const options = existsSync(optionsFile) ? (JSON.parse(readFileSync(optionsFile, 'utf8')) as Partial<UpdateOptions>) : {}
  let { tree, update } = await settle(readTree(join(folder, 'input')), options)
  if (existsSync(join(folder, 'edit'))) {
    ;({ tree, update } = await settle(layOver(tree, readTree(join(folder, 'edit'))), options))
  }
  const result: Tree = { ...tree, 'report.txt': toReport(update) }
  if (isRewriting()) writeTree(join(folder, 'expected'), result)
  expect(result).toEqual(readTree(join(folder, 'expected')))
  const again = await updateTree(tree, options)
  expect(again.changes).toEqual([])
  expect(again.materialized).toEqual([])
})

/** The state of snapshots is not typed, but nothing else tells a test of `-u`. */
function isRewriting(): boolean {
  const snapshots = expect.getState().snapshotState as unknown as { readonly _updateSnapshot?: string }
  return snapshots._updateSnapshot === 'all'
}

function layOver(tree: Tree, edit: Tree): Tree {
  const merged = { ...tree, ...edit }
  return Object.fromEntries(Object.entries(merged).filter(([, content]) => content.trim() !== 'DELETE'))
}

function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Everything an update says, one line a fact. */
function toReport({ documents, pages, materialized, navigation, diagnostics }: Update): string {
  return [
    ...documents.map(
      ({ path, valid, divisions }) => `${valid ? 'valid' : 'invalid'} ${path}${divisions.map((place) => ` → ${place}`)}`,
    ),
    ...materialized.map(
      ({ label, source, directory, pageCount }) => `materialized ${label}: ${source} in ${directory}, ${pageCount} pages`,
    ),
    ...pages.map(
      ({ kind, path, operation, detail }) => `${kind} ${path} ${operation}${detail === undefined ? '' : ` (${detail})`}`,
    ),
    `entries: ${navigation.added} added, ${navigation.removed} removed`,
    ...diagnostics.map(
      ({ severity, code, file, range, message, hint }) =>
        `${file}:${range.start.line}:${range.start.column} ${severity} ${code} ${message}${hint === undefined ? '' : ` [${hint}]`}`,
    ),
    '',
  ].join('\n')
}
