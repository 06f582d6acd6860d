import { expect, test } from 'vitest'
import { displayWidth } from '../../src/text/display-width.ts'

test.each([
  ['', 0],
  ['plain', 5],
  ['Grüße', 5],
  ['e\u0301', 1],
  ['日本', 4],
  ['한국', 4],
  ['ﾊﾝ', 4 - 2 + 2],
  ['（）', 4],
  ['😀', 2],
  ['👍🏽', 2],
  ['…│▶', 3],
])('%s takes %i cells', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})
