import { expect, test } from 'vitest'
import { cleanCssValue, cleanDeclarations } from '../../../../src/site/content/allowed/css-values.ts'

test.each([
  ['red', 'red'],
  ['1px solid #fff', '1px solid #fff'],
  ['16 / 9', '16/9'],
  ['"Inter", sans-serif', '"Inter",sans-serif'],
  ['linear-gradient(90deg, #fff 0%, rgb(0 0 0 / 50%))', 'linear-gradient(90deg,#fff 0%,rgb(0 0 0/50%))'],
  ['calc(100% - 2px)', 'calc(100% - 2px)'],
  ['var(--a, var(--b, red))', 'var(--a,var(--b,red))'],
  ['repeat(auto-fit, minmax(200px, 1fr))', 'repeat(auto-fit,minmax(200px,1fr))'],
  ['all .2s cubic-bezier(.4, 0, .2, 1)', 'all .2s cubic-bezier(.4,0,.2,1)'],
  ['a/**/b', 'a b'],
])('keeps the value %s', (text, clean) => {
  expect(cleanCssValue(text)).toBe(clean)
})

test.each([
  'url(https://evil.example)',
  'URL("//evil.example")',
  'u\\72l(//evil.example)',
  'u/**/rl(//evil.example)',
  '/**/url(//evil.example)',
  'src("//evil.example")',
  'image-set("//evil.example" 1x)',
  '-webkit-image-set(url(//evil.example) 1x)',
  'cross-fade(url(//evil.example), red)',
  'var(--a, url(//evil.example))',
  'linear-gradient(red, url(//evil.example))',
  'element(#a)',
  'attr(href)',
  'env(a)',
  'paint(a)',
  'expression(alert(1))',
  'progid:DXImageTransform.Microsoft.Alpha(opacity=1)',
  '@import "//evil.example"',
  'red;position:fixed',
  'red}body{display:none',
  'red !important',
  '"</style><script>alert(1)</script>"',
  '{a:b}',
  `${'('.repeat(10_000)}`,
  `${'calc('.repeat(100)}1px${')'.repeat(100)}`,
  'a '.repeat(2_000),
])('refuses the value %j', (text) => {
  expect(cleanCssValue(text)).toBeUndefined()
})

test('splits a style attribute like a browser', () => {
  const text = '/* a:b; */ color: red; background: url("x;y:z"); width: calc(1px + 2px); }; left: 1px'
  expect(cleanDeclarations(text)).toEqual([
    ['color', 'red'],
    ['width', 'calc(1px + 2px)'],
    ['left', '1px'],
  ])
})
