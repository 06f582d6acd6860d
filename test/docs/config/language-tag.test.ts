import { expect, test } from 'vitest'
import { readLanguageTag } from '../../../src/docs/config/project-config.ts'

test.each([
  ['de', 'de'],
  ['de-at', 'de-AT'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['cn', 'zh-Hans'],
  ['JP', 'ja'],
  ['gsw', 'gsw'],
  // Old codes.
  ['iw', 'he'],
  ['english', undefined],
  ['xx', undefined],
  ['en_US', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['toString', undefined],
])('reads %j as %j', (written, expected) => {
  expect(readLanguageTag(written)).toBe(expected)
})
