import { describe, expect, test } from 'vitest'
import {
  createPathClaims,
  slug,
  toHrefPath,
  toPageFolder,
  toPagePath,
  toPathKey,
} from '../../../src/docs/pages/generated-page.ts'
import type { PageSubject } from '../../../src/docs/pages/subjects.ts'
import { arbitraryText } from '../../support/arbitrary-text.ts'
import { fc } from '../../support/properties.ts'

function subject(fields: { summary?: string; tag?: string; path?: string; method?: string; webhook?: string }): PageSubject {
  const { summary, tag, path = '/x', method = 'get', webhook } = fields
  const binding =
    webhook === undefined
      ? { kind: 'operation' as const, file: undefined, method, pathTemplate: path }
      : { kind: 'webhook' as const, file: undefined, name: webhook }
  const nothing = { operationId: undefined, description: undefined, deprecated: undefined, mint: undefined, parameters: [] }
  return { binding, target: '', summary, tag, hidden: false, excluded: false, file: '', pointer: '', ...nothing }
}

describe('toPagePath', () => {
  test.each([
    [{ summary: 'List all users', tag: 'Users' }, 'ref/users/list-all-users'],
    [{ path: '/users/{id}' }, 'ref/get-users'],
    [{ path: '/users/{id}', method: 'COPY' }, 'ref/copy-users'],
    [{ path: '/' }, 'ref/get-'],
    [{ summary: '()', path: '/a' }, 'ref/get-a'],
    [{ summary: 'a<b>c:d"e|f?g*h\\i%j#k' }, 'ref/abcdefghijk'],
    [{ summary: 'tab\tbell\u0007next\u0085line\u2028' }, 'ref/tabbellnextline'],
    [{ summary: 'CON' }, 'ref/con-'],
    [{ summary: 'x', tag: 'LPT1' }, 'ref/lpt1-/x'],
    [{ summary: 'CONOUT$' }, 'ref/conout$-'],
    [{ summary: 'nul.txt', tag: 'aux' }, 'ref/aux-/nultxt'],
    [{ summary: '\u202egpj.exe', tag: '\u200f\u200bPets\ufeff' }, 'ref/pets/gpjexe'],
    [{ summary: '🐶 good \u{1F469}\u200d\u{1F52C}' }, 'ref/🐶-good-\u{1F469}\u200d\u{1F52C}'],
    [{ summary: '../../etc/passwd', tag: '..' }, 'ref/etcpasswd'],
    [{ summary: '/abs', tag: 'C:\\x' }, 'ref/cx/abs'],
    [{ summary: '\u0000', tag: '\u0000', path: '/a' }, 'ref/get-a'],
    [{ summary: '...', tag: '---', path: '/a' }, 'ref/-/get-a'],
    [{ summary: '\ud800', path: '/a' }, 'ref/\ufffd'],
    [{ summary: 'console' }, 'ref/console'],
    [{ webhook: 'order.shipped Event' }, 'ref/ordershipped-event'],
    [{ webhook: '??' }, 'ref/webhook'],
    [{ summary: 'e\u0301' }, 'ref/\u00e9'],
  ])('puts %j at %s', (fields, expected) => {
    expect(toPagePath(subject(fields), 'ref')).toBe(expected)
  })

  test('truncates long names to 200 bytes and keeps them distinct', () => {
    const [one, two] = ['one', 'two'].map((end) => toPagePath(subject({ summary: `${'ü'.repeat(300)} ${end}` }), ''))
    expect(one).not.toBe(two)
    expect(Buffer.byteLength(one ?? '')).toBeLessThanOrEqual(200)
  })

  test('returns a path in the directory that is valid in URLs and on Windows, for any names', () => {
    const text = arbitraryText({ maxLength: 40 })
    fc.assert(
      fc.property(text, text, text, (summary, tag, path) => {
        const steps = toPagePath(subject({ summary, tag, path: `/${path}` }), 'ref').split('/')
        expect(steps[0]).toBe('ref')
        for (const step of steps) {
          expect(step).not.toMatch(/[<>:"|?*\\%#\u0000-\u001f]|[. ]$|^$|^\.+$/)
          expect(step).toBe(step.normalize('NFC'))
        }
      }),
    )
  })
})

test.each([
  ['', ''],
  ['Ref/v1', 'ref/v1'],
  ['a//b./aux', 'a/b/aux-'],
])('converts the directory %j to %j', (directory, expected) => {
  expect(toPageFolder(directory)).toBe(expected)
})

test.each([
  ['/custom/place/My Page', 'custom/place/my-page'],
  ['guide.mdx#part', 'guide'],
  ['../up', undefined],
  ['/a/../../up', undefined],
  ['a\\..\\..\\up', undefined],
  ['https://example.com/x', undefined],
  ['//example.com/x', undefined],
  ['.git/refs/heads/main', undefined],
  ['a/.github/x', undefined],
  ['a/.', 'a'],
  ['C:/x', undefined],
  ['con/\u202ex', 'con-/x'],
  ['a\u0000b', 'ab'],
  ['/', undefined],
])('converts the href %j to %j', (href, expected) => {
  expect(toHrefPath(href)).toBe(expected)
})

test('paths that differ only in case or Unicode form collide', () => {
  const claim = createPathClaims([toPathKey('Ref/CAF\u00c9.md')])
  expect(claim('ref/cafe\u0301')).toBe('ref/cafe\u0301-1')
  expect(claim('ref/Caf\u00e9')).toBe('ref/Caf\u00e9-2')
  expect(claim('ref/other-1')).toBe('ref/other-1')
  expect(['ref/other', 'ref/other', 'ref/other'].map(claim)).toEqual(['ref/other', 'ref/other-2', 'ref/other-3'])
})

test('assigns unique paths quickly to many pages with the same name', () => {
  const claim = createPathClaims([])
  const paths = Array.from({ length: 50_000 }, () => claim('list'))
  expect(paths.at(-1)).toBe('list-49999')
})

test.each([
  ['List all users', 'list-all-users'],
  ['/users', 'users'],
  ['/users/{id}', 'users'],
  ['/users/{id}/posts', 'users-posts'],
  ['/a/{x}/b/{y}.json', 'a-b-json'],
  ['/api/v1/users.list', 'apiv1userslist'],
  ['/odd_path/With-Upper/and~tilde:action/@me', 'odd_pathwith-upperand~tilde:action@me'],
  ['/', ''],
  ['/{a}/{b}', '-'],
  [`Get bill: the "big" one, it's (really) 100% & more / less?`, 'get-bill:-the-"big"-one-its-really-100%-&-more-less?'],
  ['Über Straße 日本', 'über-straße-日本'],
  ['  Lead and trail - ', '-lead-and-trail-'],
  ['a -- b --- c', 'a--b---c'],
  ['A / one', 'a-one'],
  ['v1.0 (beta)', 'v10-beta'],
  ["Tag/With {Odd}. (Chars), & 'q'", 'tagwith--chars-&-q'],
  ['Billing Stuff', 'billing-stuff'],
  ['()', ''],
  ['A/B c', 'ab-c'],
  ['order.shipped Event', 'ordershipped-event'],
  ['two\nlines', 'twolines'],
])('converts %j to %j', (text, expected) => {
  expect(slug(text)).toBe(expected)
})
