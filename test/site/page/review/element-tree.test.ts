import { type ComponentChildren, Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { markDifferences, type Shown, showNodes, toTree } from '../../../../src/site/page/review/element-tree.tsx'
import { fc, propertyRuns } from '../../../support/properties.ts'

const whole: Shown = { notes: new Map(), isShortened: false }
const toHtml = (nodes: ComponentChildren) => renderToString(h(Fragment, {}, nodes))

function mark(before: ComponentChildren, after: ComponentChildren, shown = whole): [string, string] {
  const [one, other] = [toTree(before), toTree(after)]
  markDifferences(one, other)
  return [toHtml(showNodes(one.children, shown)), toHtml(showNodes(other.children, shown))]
}

test('marks only the words that differ', () => {
  expect(mark(h('p', {}, 'Lists all pets & owners'), h('p', {}, 'Lists old pets < owners'))).toEqual([
    '<p>Lists<del> all</del> pets<del> &amp;</del> owners</p>',
    '<p>Lists<ins> old</ins> pets<ins> &lt;</ins> owners</p>',
  ])
})

const rows = (...contents: readonly (readonly [id: string, text: string])[]) =>
  h(
    'ul',
    {},
    contents.map(([id, text]) => h('li', { id }, h('p', {}, text))),
  )

test('pairs elements by ID, else by their content', () => {
  expect(mark(rows(['a', 'a'], ['b', 'b'], ['c', 'c']), rows(['c', 'c'], ['d', 'd'], ['a', 'a']))).toEqual([
    '<ul><li><p>a</p></li><li><p><del>b</del></p></li><li><p>c</p></li></ul>',
    '<ul><li><p>c</p></li><li><p><ins>d</ins></p></li><li><p>a</p></li></ul>',
  ])
  const codes = (...names: string[]) => names.map((name) => [h('code', {}, name), ' '])
  const [before, after] = mark(codes('a', 'b', 'c'), codes('b', 'c'))
  expect(before).toContain('<code><del>a</del></code>')
  expect(after).toBe(toHtml(codes('b', 'c')))
})

test('only counts the parts of a changed page that are the same', () => {
  const parts = (text: string) => rows(['a', 'a'], ['b', text], ['c', 'c'], ['d', 'd'])
  const [before] = mark(parts('old'), parts('new'), { ...whole, isShortened: true })
  expect(before).toBe(
    '<ul><li class="muted">1 unchanged</li><li><p><del>old</del></p></li><li class="muted">2 unchanged</li></ul>',
  )
})

test('leaves out what needs scripts or files, and keeps only links to websites', () => {
  const tree = toTree(
    h('p', {}, [
      h('a', { href: '/pets/', id: 'x' }, 'Pets'),
      h('a', { href: 'https://example.com' }, 'Web'),
      h('button', {}, 'Copy'),
      h('img', { src: 'a.png' }),
      h('br', {}),
      'x',
    ]),
  )
  expect(toHtml(showNodes(tree.children, whole))).toBe('<p><a>Pets</a><a href="https://example.com">Web</a><br/>x</p>')
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
    const [one, other] = mark(h('p', {}, before.join(' ')), h('p', {}, after.join(' ')))
    const kept = [one, other].map((html) => html.replace(/<(ins|del)>.*?<\/\1>|<[^>]*>/g, '').match(/[abc-]/g) ?? [])
    expect(kept[0]).toEqual(kept[1])
    expect(kept[0]).toHaveLength(countCommon(before, after))
    expect(one.replace(/<[^>]*>/g, '')).toBe(before.join(' '))
    expect(other.replace(/<[^>]*>/g, '')).toBe(after.join(' '))
  })
  fc.assert(property, { numRuns: propertyRuns(1_000) })
})
