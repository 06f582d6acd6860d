import { expect, test } from 'vitest'
import type { Comparison } from '../../../../src/changes/change.ts'
import { type ChangesPageDocument, renderChangesPage } from '../../../../src/site/page/api/changes-page.tsx'
import { toSourceFile } from '../../../../src/text/plain/source-file.ts'
import { acceptedChange, exampleChange, exampleComparison, manyChanges } from '../../../changes/example-comparison.ts'

const none = { base: () => undefined, revision: () => undefined }

const renderOne = (comparison: Comparison, sources: ChangesPageDocument['sources']) =>
  renderChangesPage([{ document: comparison.revision.document, kind: 'compared', comparison, sources }])

function toText(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('shows counts, groups with breaking changes first, places and hints', () => {
  const operation = { method: 'get', path: '/owners' }
  const risky = exampleChange({ ...operation, level: 'risky', operations: [operation], base: null })
  const text = toText(renderOne(exampleComparison([risky, exampleChange()]), none))
  expect(text).toContain('1 breaking 1 risky 0 compatible')
  expect(text).toContain('old.yaml → openapi.yaml version 1.0.0 → 2.0.0')
  expect(text.indexOf('GET /pets')).toBeLessThan(text.indexOf('GET /owners'))
  expect(text).toMatch(/Base old\.yaml:9:26 Revision openapi\.yaml:19:26 Hint: Accept the old type too type-narrowed/)
})

test('shows who accepts a change and why, without its source lines', () => {
  const source = toSourceFile('openapi.yaml', new TextEncoder().encode('line\n'.repeat(20)))
  const html = renderOne(exampleComparison([acceptedChange({ author: '<b>Ada' })]), { ...none, revision: () => source })
  expect(html).toContain('Accepted by &lt;b>Ada: No client sends it')
  expect(html).not.toContain('<pre')
  const text = toText(html)
  expect(text).toContain('0 breaking 0 risky 0 compatible 1 accepted')
  expect(text).toContain('breaking, accepted Type of query parameter')
  expect(text).not.toContain('Hint')
})

test('shows the source lines of breaking changes', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line-${index + 1}: <b>`).join('\n')
  const source = toSourceFile('openapi.yaml', new TextEncoder().encode(lines))
  const sources = { base: () => undefined, revision: () => source }
  const html = renderOne(exampleComparison([exampleChange()]), sources)
  expect(html).toContain('▶ 19 │ line-19: &lt;b>')
  expect(renderOne(exampleComparison([exampleChange({ level: 'compatible' })]), sources)).not.toContain('<pre')
})

test('shows that there are no changes', () => {
  expect(toText(renderOne(exampleComparison([]), none))).toContain('No changes for API clients')
})

test('lists all of 400 changes', () => {
  expect(renderOne(manyChanges(400), none).match(/<article/g)).toHaveLength(400)
})

test('is one file without scripts', () => {
  const html = renderOne(exampleComparison([exampleChange()]), none)
  expect(html).not.toMatch(/<script|<link|<img|url\(|@import/)
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
})
