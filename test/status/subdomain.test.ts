import { expect, test } from 'vitest'
import { isSubdomain, toSubdomain } from '../../src/status/subdomain.ts'

test.each([
  ['acme', 'api', '', 1, 'acme-api'],
  ['acme', 'api', 'docs/v2', 1, 'acme-api-docs-v2'],
  ['Acme_Inc', '.github.io', '', 1, 'acme-inc-github-io'],
  ['acme', 'api', '', 2, 'acme-api-2'],
  ['xn', '', 'a', 1, 'xn-a'],
  ['xn', '', '', 1, 'project-xn'],
  ['x', 'y'.repeat(100), '', 12, `x-${'y'.repeat(44)}-12`],
  ['---', '___', '', 1, 'project'],
  ['www', '', '', 1, 'project-www'],
])('derives the subdomain of %s/%s with docs directory `%s`, attempt %i', (owner, repo, root, attempt, expected) => {
  const subdomain = toSubdomain({ owner, repo, root }, attempt)
  expect(subdomain).toBe(expected)
  expect(isSubdomain(subdomain)).toBe(true)
})

test.each([['a'], ['a-b'], ['0'], ['a'.repeat(49)]])('accepts %s', (text) => expect(isSubdomain(text)).toBe(true))

test.each([
  [''],
  ['-a'],
  ['a-'],
  ['A'],
  ['a.b'],
  ['a_b'],
  ['xn--a'],
  ['xn'],
  ['www'],
  ['api'],
  ['a'.repeat(50)],
  ['a--b'],
  ['a--pr-1'],
  ['localhost'],
  ['é'],
  ['a\n'],
])('rejects %j', (text) => expect(isSubdomain(text)).toBe(false))
