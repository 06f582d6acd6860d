import { describe, expect, test } from 'vitest'
import { fillMessage, formatMessage } from '../../../src/site/messages/format-message.ts'

describe('formatMessage', () => {
  const pages = { one: '{count} page', other: '{count} pages of {name}' }
  test.each([
    ['a text', 'Search', {}, 'en', 'Search'],
    ['a value', 'In {name}', { name: 'Pets' }, 'en', 'In Pets'],
    ['the form of a number', pages, { count: 1, name: 'Pets' }, 'en', '1 page'],
    ['another form of a number', pages, { count: 12_345, name: 'Pets' }, 'de', '12.345 pages of Pets'],
    ['`other` for a missing form', pages, { count: 2, name: 'Pets' }, 'ar', '2 pages of Pets'],
    ['the digits of code', pages, { count: 12, name: 'Pets' }, 'ar-EG', '12 pages of Pets'],
    ['a value that looks like a placeholder', '{a} {b}', { a: '{b}', b: '$&' }, 'en', '{b} $&'],
    ['a placeholder without a value', '{a} {toString}', {}, 'en', '{a} {toString}'],
  ])('writes %s', (_, message, values, language, expected) => {
    expect(formatMessage(message, values, language)).toBe(expected)
  })
})

test('fillMessage puts parts in place of placeholders', () => {
  const link = { href: '/a' }
  expect(fillMessage('Moved to {link}.', (name) => (name === 'link' ? link : undefined))).toEqual(['Moved to ', link, '.'])
})
