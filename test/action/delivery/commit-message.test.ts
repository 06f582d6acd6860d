import { expect, test } from 'vitest'
import { toCommitMessage } from '../../../src/action/delivery/commit-message.ts'
import type { Update } from '../../../src/docs/types.ts'
import { makePage, makeReport } from '../report/example-report.ts'

function toMessage(commitMessage: string, update: Update, skipCi = false): string {
  return toCommitMessage(
    { commitMessage, committer: { name: 'Docs', email: 'docs@example.com' }, signoff: false, skipCi },
    update,
    [['Openapi-Pages-Source', 'abc']],
  )
}

function toUpdate(more: Partial<Update>): Update {
  const { update } = makeReport({}, more)
  if (!update) throw new Error('The example has no update')
  return update
}

test('adds page counts, but no text from documents', () => {
  const pages = [
    makePage('added', 'a.mdx'),
    makePage('modified', 'b.mdx'),
    makePage('modified', 'Co-authored-by: x'),
    makePage('kept', 'd'),
  ]
  const update = toUpdate({ pages, navigation: { added: 1, removed: 2 } })
  expect(toMessage('docs: pages', update)).toBe(
    'docs: pages\n\n1 page added, 2 pages changed, 1 added to the navigation, 2 removed from the navigation.\n\nOpenapi-Pages-Source: abc',
  )
})

test('keeps messages of several lines and messages without page changes', () => {
  expect(toMessage('docs: pages\n\nMine.', toUpdate({ pages: [makePage('added', 'a.mdx')] }))).toBe(
    'docs: pages\n\nMine.\n\nOpenapi-Pages-Source: abc',
  )
  expect(toMessage('docs: pages', toUpdate({}))).toBe('docs: pages\n\nOpenapi-Pages-Source: abc')
})

test('appends to existing trailers, and adds [skip ci] if requested', () => {
  const update = toUpdate({})
  expect(toMessage('docs: pages\n\nSigned-off-by: Pat <pat@example.com>', update)).toBe(
    'docs: pages\n\nSigned-off-by: Pat <pat@example.com>\nOpenapi-Pages-Source: abc',
  )
  expect(toMessage('docs: pages', update, true)).toBe('docs: pages [skip ci]\n\nOpenapi-Pages-Source: abc')
})
