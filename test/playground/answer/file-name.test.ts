import { expect, test } from 'vitest'
import { toFileName } from '../../../src/playground/answer/file-name.ts'

test.each([
  [undefined, 'application/json', 'https://a.test/v1/pets', 'pets.json'],
  [undefined, 'application/problem+json', 'https://a.test/', 'response.json'],
  [undefined, undefined, 'https://a.test/v1/report.pdf', 'report.pdf'],
  [undefined, 'image/jpeg', 'https://a.test/photo', 'photo.jpg'],
  ['attachment; filename="a b.csv"', 'text/csv', 'https://a.test/x', 'a-b.csv'],
  ['attachment; filename=../../.bashrc', undefined, 'https://a.test/x', 'bashrc'],
  ['attachment; filename="\u202Efdp.exe"', undefined, 'https://a.test/x', 'fdp.exe'],
  [undefined, undefined, 'https://a.test/%2e%2e%2f', '2e-2e-2f'],
])('%s, %s, %s: %s', (disposition, mediaType, url, name) => {
  expect(toFileName(disposition, mediaType, url)).toBe(name)
})
