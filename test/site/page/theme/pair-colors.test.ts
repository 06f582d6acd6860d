import { expect, test } from 'vitest'
import { pairColors } from '../../../../src/site/page/theme/pair-colors.ts'

test.each([
  ['a light background gets the light theme', 'background:#fff', 'color-scheme:light;color:var(--ink);background:#fff'],
  ['a dark background gets the dark theme', 'background-color:navy', 'color-scheme:dark;color:var(--ink);background-color:navy'],
  [
    'a gradient gets the theme that is readable on all its colors',
    'background:linear-gradient(135deg,#667eea 0%,hsl(271 37% 46%))',
    'color-scheme:dark;color:var(--ink);background:linear-gradient(135deg,#667eea 0%,hsl(271 37% 46%))',
  ],
  ['a background keeps its color', 'background:#111;color:#fff', 'color-scheme:dark;background:#111;color:#fff'],
  ['dark text is lighter in the dark theme', 'color:#333', 'color:#333;color:light-dark(#333,#d1d1d1)'],
  ['white text is dark in the light theme', 'color:white', 'color:white;color:light-dark(#333333,white)'],
  [
    'a color changes only in the theme where it is not readable',
    'color:#767676',
    'color:#767676;color:light-dark(#767676,#828282)',
  ],
])('%s', (_name, declarations, expected) => {
  expect(pairColors(declarations)).toBe(expected)
})

test.each([
  'width:20px',
  'background:none',
  'background:rgba(0,0,0,.05)',
  'background:var(--x)',
  'color:transparent',
  'color:inherit',
  'color:var(--x)',
  'background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent',
])('leaves %s unchanged', (declarations) => {
  expect(pairColors(declarations)).toBe(declarations)
})
