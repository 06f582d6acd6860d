import { expect, test } from 'vitest'
import { decodePercent } from '../../src/text/decode-percent.ts'

test.each([
  ['a b/ü', 'a b/ü'],
  ['a%20b%2f%C3%BC', 'a b/ü'],
  ['100%', '100%'],
  ['%C3 is no letter, %20 is left with it', '%C3 is no letter, %20 is left with it'],
  ['', ''],
  ['\ud800', '\ud800'],
])('%j is decoded as %j', (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded)
})
