import { expect, test } from 'vitest'
import { toCommitMessage } from '../../src/action/commit-message.ts'
import type { Update } from '../../src/update/types.ts'
import { makePage, makeReport } from './example-report.ts'

function toUpdate(more: Partial<Update>): Update {
  const { update } = makeReport({}, more)
  if (!update) throw new Error('The example has no update')
  return update
}

test('adds the numbers, and nothing that a document says', () => {
  const pages = [
    makePage('added', 'a.mdx'),
    makePage('modified', 'b.mdx'),
    makePage('modified', 'Co-authored-by: x'),
    makePage('kept', 'd'),
  ]
  const update = toUpdate({ pages, navigation: { added: 1, removed: 2 } })
  expect(toCommitMessage('docs: pages', update)).toBe(
    'docs: pages\n\n1 page added, 2 pages changed, 1 added to the navigation, 2 removed from the navigation.',
  )
})

test('leaves a message of several lines as it is, and one without pages too', () => {
  expect(toCommitMessage('docs: pages\n\nMine.', toUpdate({ pages: [makePage('added', 'a.mdx')] }))).toBe('docs: pages\n\nMine.')
  expect(toCommitMessage('docs: pages', toUpdate({}))).toBe('docs: pages')
})
