import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Update } from '../../../src/docs/types.ts'
import { runAdopt } from '../../../src/docs/update/docs-status.ts'
import { expectTree, layOver } from '../../support/expect-tree.ts'
import { applyToTree, settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'
import { readTree } from '../../support/read-tree.ts'

/**
 * Each case is a folder: the pages of `input` are adopted, which changes the lock file only, and an update after that changes nothing. Then `edit` is
 * laid over it (a file that says `DELETE` is deleted) and the result is updated: `expected` has the files that are other than before, and
 * `report.txt` what was said. `-u` rewrites it.
 */
const cases = join(import.meta.dirname, '../../fixtures/adopt')

test.each(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name)
  const input = readTree(join(folder, 'input'))
  const report = await runAdopt({ root: '', documents: [], directory: 'api-reference' }, toAccess(input))
  expect(report.changes.map(({ path }) => path)).toEqual(['openapi-pages.lock.json'])
  expect(report.remaining).toEqual([])
  const adopted = applyToTree(input, report.changes)
  expect((await updateTree(adopted)).changes).toEqual([])
  const again = await runAdopt({ root: '', documents: [], directory: 'api-reference' }, toAccess(adopted))
  expect(again.changes).toEqual([])
  const edited = existsSync(join(folder, 'edit')) ? layOver(adopted, readTree(join(folder, 'edit'))) : adopted
  const { tree, update } = await settle(edited)
  expect((await updateTree(tree)).changes).toEqual([])
  const result = { ...differences(edited, tree), 'report.txt': toReport(report, update) }
  expectTree(join(folder, 'expected'), result)
})

function differences(before: Tree, after: Tree): Tree {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path])
  return Object.fromEntries(paths.map((path) => [path, after[path] ?? 'DELETED\n']))
}

function toReport(
  { divisions, unbound }: Awaited<ReturnType<typeof runAdopt>>,
  { pages, navigation, diagnostics }: Update,
): string {
  return [
    ...divisions.flatMap(({ division, source, adopted, pages: own, unwritten, pattern }) => [
      `${adopted} ${division}: ${source}, ${own.length} pages, ${own.filter(({ isKept }) => isKept).length} with own text`,
      ...(pattern ? [`  ${pattern.folder} | ${pattern.name} | title: ${pattern.title} | ${pattern.keys.join(' ')}`] : []),
      ...unwritten.map((operation) => `  without a page: ${operation}`),
    ]),
    ...unbound.map(({ page, reason }) => `left alone ${page}: ${reason}`),
    ...pages
      .filter(({ kind }) => kind !== 'unchanged')
      .map(({ kind, path, operation, detail }) => `${kind} ${path} ${operation}${detail === undefined ? '' : ` (${detail})`}`),
    `entries: ${navigation.added} added, ${navigation.removed} removed`,
    ...diagnostics.map(({ severity, code, file, message }) => `${file} ${severity} ${code} ${message}`),
    '',
  ].join('\n')
}
