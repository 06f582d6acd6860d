import { expect, test } from 'vitest'
import { cleanElement } from '../../../../src/site/content/allowed/allowed-html.ts'

test.each([
  ['div', { role: 'button', tabIndex: '0', 'aria-pressed': 'true', title: 'a' }, { title: 'a' }],
  ['span', { role: 'tab', 'aria-selected': 'true', 'aria-label': 'a' }, { 'aria-label': 'a' }],
  ['li', { role: 'menuitemradio', 'aria-checked': 'false' }, {}],
  ['div', { role: 'note', 'aria-label': 'a' }, { role: 'note', 'aria-label': 'a' }],
  ['a', { role: 'button', href: '/a' }, { role: 'button', href: '/a' }],
  ['a', { role: 'button' }, {}],
])('<%s> with %o keeps no role of a control without a function', (name, props, kept) => {
  expect(cleanElement(name, props)).toEqual({ kind: 'element', name, props: kept })
})
