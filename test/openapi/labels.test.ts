import { expect, test } from 'vitest'
import { readLabels } from '../../src/openapi/read/titles.ts'

const show = (value: unknown) =>
  readLabels(value).map(
    ({ text, position, color }) => `${position === 'before' ? '<' : ''}${text}${color === undefined ? '' : ` (${color})`}`,
  )

test.each<[string, unknown, string[]]>([
  ['no labels', { summary: 'a' }, []],
  [
    'x-badges',
    {
      'x-badges': [
        { name: 'New', position: 'before' },
        { name: 'Paid', color: 'purple' },
        { name: 'Old', color: '#ff2200' },
        { name: 'Grey', color: '#777' },
        { name: 'Sky', color: '#09f' },
      ],
    },
    ['<New', 'Paid (violet)', 'Old (red)', 'Grey', 'Sky (blue)'],
  ],
  ['x-mint.pre and post', { 'x-mint': { pre: ['PII'], post: ['indexed', 'unique'] } }, ['<PII', 'indexed', 'unique']],
  ['x-beta', { 'x-beta': true }, ['Beta (violet)']],
  ['x-beta: false', { 'x-beta': false }, []],
  ['x-stability-level', { 'x-stability-level': 'alpha' }, ['Alpha (violet)']],
  ['a stable operation', { 'x-stability-level': 'stable' }, []],
  ['x-sunset', { 'x-sunset': '2026-12-31' }, ['Sunset 2026-12-31 (amber)']],
  ['sunset with a time', { sunset: '2026-12-31T00:00:00Z' }, ['Sunset 2026-12-31 (amber)']],
  ['a sunset without a date', { 'x-sunset': 'soon' }, []],
  ['the same label twice', { 'x-badges': [{ name: 'beta' }], 'x-beta': true, 'x-stability-level': 'beta' }, ['Beta (violet)']],
  [
    'values of the wrong type',
    { 'x-badges': 'New', 'x-mint': { pre: 'a', post: [1, ' '] }, 'x-beta': 'yes', 'x-stability-level': 2, sunset: 3 },
    [],
  ],
  ['no object', null, []],
])('reads %s', (_, value, expected) => expect(show(value)).toEqual(expected))

test('reads the values of further fields before x-mint.post', () => {
  const value = {
    nullable: true,
    'x-internal': 'admin',
    'x-count': 3,
    'x-list': ['a', 1, true, { b: 1 }],
    'x-off': false,
    'x-null': null,
    'x-empty': '',
    'x-object': { a: 1 },
    'x-mint': { pre: ['PII'], post: ['last'] },
  }
  const fields = [...Object.keys(value).slice(0, -1), 'constructor', 'absent']
  expect(readLabels(value, fields).map(({ text }) => text)).toEqual(['PII', 'nullable', 'admin', '3', 'a', '1', 'last'])
  expect(readLabels({ nullable: true }, fields).map(({ text }) => text)).toEqual(['nullable'])
  expect(readLabels({ nullable: true })).toEqual([])
})

test('limits the number and the length of labels', () => {
  const labels = readLabels({
    'x-badges': Array.from({ length: 20 }, (_, index) => ({ name: `${index} ${'very '.repeat(20)}` })),
  })
  expect(labels).toHaveLength(8)
  expect(labels.every(({ text }) => text.length <= 40 && text.endsWith('…'))).toBe(true)
})
