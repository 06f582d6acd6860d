import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Update, UpdateOptions } from '../../../src/docs/types.ts'
import { expectTree, layOver } from '../../support/expect-tree.ts'
import { settle, updateTree } from '../../support/memory-tree.ts'
import { readTree } from '../../support/read-tree.ts'

/**
 * Each case is a directory. The test updates `input`. If there is an `edit`, it copies that over the result and updates again. A file
 * with the content `DELETE` deletes its counterpart. `expected` is the tree after the last update, and `expected/report.txt` its output.
 * `options.json` has the options of the update. `-u` rewrites the expected files.
 */
const cases = join(import.meta.dirname, '../../fixtures/update')

test.each(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name)
  const optionsFile = join(folder, 'options.json')
  const options = existsSync(optionsFile) ? (JSON.parse(readFileSync(optionsFile, 'utf8')) as Partial<UpdateOptions>) : {}
  let { tree, update } = await settle(readTree(join(folder, 'input')), options)
  if (existsSync(join(folder, 'edit'))) {
    ;({ tree, update } = await settle(layOver(tree, readTree(join(folder, 'edit'))), options))
  }
  expectTree(join(folder, 'expected'), { ...tree, 'report.txt': toReport(update) })
  const again = await updateTree(tree, options)
  expect(again.changes).toEqual([])
  expect(again.materialized).toEqual([])
})

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
