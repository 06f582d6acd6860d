import { describe, expect, test } from 'vitest'
import { openPackedIndex, packIndex } from '../../../src/site/search/packed-index.ts'
import { splitWords, toStem } from '../../../src/site/search/search-words.ts'

describe('a packed index', () => {
  test.each([
    ['nothing', []],
    [
      'a few documents',
      [
        ['one two two', ''],
        ['', ''],
        ['two three one one one', 'größe 日本 1'],
      ],
    ],
    ['many documents', Array.from({ length: 90 }, (_, id) => [`every ${'word '.repeat(id % 41)}`, `w${id % 7} w${id}`])],
  ])('has the words of %s', (_, documents) => {
    const { terms, postingsOf } = openPackedIndex(JSON.parse(JSON.stringify(packIndex(documents, () => true))))
    const found = terms.flatMap((term, at) => postingsOf(at).flatMap((ids, field) => ids.map((id) => `${id} ${field} ${term}`)))
    const expected = documents.flatMap((fields, id) =>
      fields.flatMap((text, field) => [...new Set(splitWords(text))].map((word) => `${id} ${field} ${word}`)),
    )
    expect(found.toSorted()).toEqual(expected.toSorted())
    expect(terms).toEqual(terms.toSorted())
  })

  test('omits words that are not indexed', () =>
    expect(openPackedIndex(packIndex([['a b', 'a b']], (word, field) => word === 'a' || field === 1)).postingsOf(1)).toEqual([
      [],
      [0],
    ]))
})

test.each([
  ['create', 'creates', 'created', 'creating', 'creation'],
  ['repository', 'repositories'],
  ['branch', 'branches'],
  ['address', 'addresses'],
  ['status'],
  ['key', 'keys'],
  ['ban', 'bans', 'banned', 'banning'],
  ['cancel', 'cancels', 'canceled', 'cancelled', 'cancelling', 'cancellation'],
  ['invite', 'invites', 'inviting', 'invitation', 'invitations'],
  ['authenticate', 'authentication'],
  ['authorize', 'authorise', 'authorization', 'authorisations'],
  ['paginate', 'paginated', 'pagination'],
  ['delete', 'deletion'],
  ['subscribe', 'subscriptions'],
  ['verify', 'verifies', 'verified', 'verification'],
  ['register', 'registration'],
  ['pay', 'payment', 'paying'],
  ['approve', 'approval'],
  ['install', 'installed', 'installation'],
  ['state', 'states'],
  ['format', 'formats', 'formatting'],
  ['日本'],
])('%s and its other forms have the same stem', (...words) => expect(new Set(words.map(toStem)).size).toBe(1))

test.each([
  ['custom', 'customer'],
  ['port', 'portal'],
  ['form', 'format'],
  ['local', 'location'],
  ['app', 'application'],
  ['part', 'party'],
  ['organ', 'organization'],
  ['terminal', 'terminate'],
])('%s and %s have different stems', (one, other) => expect(toStem(one)).not.toBe(toStem(other)))
