import { expect, test } from 'vitest'
import { type Element, markDifferences, type Node, parseRendered, printNode } from '../../../../src/site/page/review/html-tree.ts'
import { fc, propertyRuns } from '../../../support/properties.ts'

function mark(before: string, after: string): [string, string] {
  const [one, other] = [parseRendered(before), parseRendered(after)]
  markDifferences(one, other)
  return [printChildren(one), printChildren(other)]
}

const printChildren = ({ children }: Element): string => children.map((child: Node) => printNode(child)).join('')

test('marks only the words that differ', () => {
  expect(mark('<p>Lists all pets &amp; owners</p>', '<p>Lists old pets &lt; owners</p>')).toEqual([
    '<p>Lists<del> all</del> pets<del> &amp;</del> owners</p>',
    '<p>Lists<ins> old</ins> pets<ins> &lt;</ins> owners</p>',
  ])
})

test('pairs elements by ID, else by their content', () => {
  const rows = (...ids: string[]) => `<ul>${ids.map((id) => `<li id="${id}"><p>${id}</p></li>`).join('')}</ul>`
  expect(mark(rows('a', 'b', 'c'), rows('c', 'd', 'a'))).toEqual([
    '<ul><li><p>a</p></li><li><del><p>b</p></del></li><li><p>c</p></li></ul>',
    '<ul><li><p>c</p></li><li><ins><p>d</p></ins></li><li><p>a</p></li></ul>',
  ])
  const codes = (...names: string[]) => names.map((name) => `<code>${name}</code>`).join(' ')
  expect(mark(codes('a', 'b', 'c'), codes('b', 'c'))[0]).toContain('<code><del>a</del></code>')
  expect(mark(codes('a', 'b', 'c'), codes('b', 'c'))[1]).toBe(codes('b', 'c'))
})

test('leaves out what needs scripts or files, and keeps only links to websites', () => {
  const html =
    '<p><a href="/pets/" id="x">Pets</a><a href="https://example.com">Web</a><button>Copy</button><img src="a.png"><br/>x</p>'
  expect(printNode(parseRendered(html))).toBe('<div><p><a>Pets</a><a href="https://example.com">Web</a><br>x</p></div>')
})

const words = fc.array(fc.constantFrom('a', 'b', 'c', '-'), { maxLength: 7 })

/** The length of the longest common words. */
function countCommon(before: readonly string[], after: readonly string[]): number {
  const [one, ...others] = before
  const at = one === undefined ? -1 : after.indexOf(one)
  const without = one === undefined ? 0 : countCommon(others, after)
  return at === -1 ? without : Math.max(without, 1 + countCommon(others, after.slice(at + 1)))
}

test('marks as few words as possible', () => {
  const property = fc.property(words, words, (before, after) => {
    const [one, other] = mark(`<p>${before.join(' ')}</p>`, `<p>${after.join(' ')}</p>`)
    const kept = [one, other].map((html) => html.replace(/<(ins|del)>.*?<\/\1>|<[^>]*>/g, '').match(/[abc-]/g) ?? [])
    expect(kept[0]).toEqual(kept[1])
    expect(kept[0]).toHaveLength(countCommon(before, after))
    expect(one.replace(/<[^>]*>/g, '')).toBe(before.join(' '))
    expect(other.replace(/<[^>]*>/g, '')).toBe(after.join(' '))
  })
  fc.assert(property, { numRuns: propertyRuns(1_000) })
})
