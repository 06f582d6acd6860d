import { expect, test } from 'vitest'
import { slug } from '../../src/pages/slug.ts'

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
])('%j gives %j', (text, expected) => {
  expect(slug(text)).toBe(expected)
})
