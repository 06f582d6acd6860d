import { expect, test } from 'vitest'
import { toGlob } from '../../../src/cli/open/check-entries.ts'

test.each([
  ['docs\\*.yaml', '\\', 'docs/*.yaml'],
  ['C:\\work\\**\\openapi.{yaml,json}', '\\', 'C:/work/**/openapi.{yaml,json}'],
  ['docs/*.yaml', '\\', 'docs/*.yaml'],
  ['docs/\\*.yaml', '/', 'docs/\\*.yaml'],
])('the glob %j with the separator %j means %j', (arg, separator, expected) => {
  expect(toGlob(arg, separator)).toBe(expected)
})
