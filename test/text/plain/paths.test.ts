import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  decodePercent,
  isAllowedUrl,
  isUrl,
  joinPath,
  normalizePath,
  parentPath,
  relativePath,
} from '../../../src/text/plain/paths.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const steps = fc.array(fc.constantFrom('a', 'b', '..', '.', '', 'c.yaml'), { maxLength: 7 })

describe('normalizePath', () => {
  test.each([
    ['', ''],
    ['.', ''],
    ['./a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['a/../../b', '../b'],
    ['../../a', '../../a'],
    ['a/..', ''],
    ['..a/b..', '..a/b..'],
  ])('%s → %s', (path, normalized) => {
    expect(normalizePath(path)).toBe(normalized)
  })

  test('agrees with node:path but for the name of the top', () => {
    fc.assert(
      fc.property(steps, (parts) => {
        const path = parts.join('/').replace(/^\/+/, '')
        const expected = posix.normalize(path).replace(/\/$/, '')
        expect(normalizePath(path)).toBe(expected === '.' ? '' : expected)
      }),
    )
  })
})

test('to join is to normalize with a slash between, however both are written', () => {
  fc.assert(
    fc.property(steps, steps, (folders, parts) => {
      const [folder, path] = [folders.join('/'), parts.join('/')]
      expect(joinPath(folder, path)).toBe(normalizePath(folder === '' ? path : `${folder}/${path}`))
    }),
    { numRuns: propertyRuns(200) },
  )
})

test.each([
  ['', 'a', 'a'],
  ['docs', 'a', 'docs/a'],
  ['docs', '../a', 'a'],
  ['docs', '../../a', '../a'],
])('joins `%s` and `%s`', (folder, path, joined) => {
  expect(joinPath(folder, path)).toBe(joined)
})

test.each([
  ['a', ''],
  ['a/b', 'a'],
  ['a/b/c', 'a/b'],
])('the folder of %s is `%s`', (path, folder) => {
  expect(parentPath(path)).toBe(folder)
})

test('a relative path leads from the folder to the path', () => {
  const inside = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(inside, inside, (folder, path) => {
      expect(joinPath(folder, relativePath(folder, path))).toBe(path)
    }),
  )
})

test.each([
  ['https://example.com/openapi.json', true],
  ['HTTP://localhost:3000', true],
  ['file:///openapi.json', false],
  ['https.yaml', false],
  ['./https://x', false],
])('%s is an address: %s', (source, expected) => {
  expect(isUrl(source)).toBe(expected)
})

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

test.each([
  ['../a?b#c', true, true],
  ['https://example.com', true, true],
  ['https:example.com', false, false],
  ['mailto:a@example.com', true, false],
  ['java\nscript:alert(1)', false, false],
  ['/\\evil.example', false, false],
  ['data:image/png;base64,AA==', false, true],
  ['data:text/html,a', false, false],
])('%j as a link: %s, as an image: %s', (url, asLink, asImage) => {
  expect([isAllowedUrl(url, 'link'), isAllowedUrl(url, 'media')]).toEqual([asLink, asImage])
})
