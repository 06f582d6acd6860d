import { expect, test } from 'vitest'
import { toProps } from '../../../../src/script/values/values.ts'
import { readStyle } from '../../../../src/site/content/allowed/allowed-style.ts'

test.each([
  [{ maxWidth: 300, zIndex: 2, lineHeight: 1.5 }, 'max-width:300px;z-index:2;line-height:1.5'],
  [{ background: 'linear-gradient(90deg, red, blue)' }, 'background:linear-gradient(90deg,red,blue)'],
  [{ position: 'relative', inset: 0, transition: 'all .2s' }, 'position:relative;inset:0;transition:all .2s'],
  [{ WebkitLineClamp: 2, objectFit: 'cover' }, '-webkit-line-clamp:2;object-fit:cover'],
  [{ position: 'fixed' }, 'position:absolute'],
  [{ position: ' FIXED ' }, 'position:absolute'],
  [{ behavior: 'a', MozBinding: 'a', content: 'a', '--bg': 'red' }, ''],
  [{ color: 'red;position:fixed' }, ''],
])('reads the style object %j', (style, expected) => {
  expect(readStyle({ kind: 'object', entries: toProps(Object.entries(style)) })).toBe(expected)
})

test.each([
  ['color: red; width: 20px', 'color:red;width:20px'],
  ['position:fixed;inset:0;z-index:9999', 'position:absolute;inset:0;z-index:9999'],
  ['color:/**/red;background:u\\72l(//evil.example)', ''],
  ['color: red !important; float: left', 'color:red;float:left'],
  ['background-image:url(//evil.example);color:red', 'color:red'],
])('reads the style attribute %j', (style, expected) => {
  expect(readStyle(style)).toBe(expected)
})
