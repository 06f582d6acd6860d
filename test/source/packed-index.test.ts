import { describe, expect, test } from 'vitest'
import { openPackedIndex, packIndex } from '../../src/source/packed-index.ts'
import { splitWords, toStem } from '../../src/source/search-words.ts'

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
  [['create', 'creates', 'created', 'creating'], 'creat'],
  [['repository', 'repositories'], 'repository'],
  [['branch', 'branches'], 'branch'],
  [['address', 'addresses'], 'address'],
  [['status'], 'status'],
  [['key', 'keys'], 'key'],
  [['日本'], '日本'],
])('toStem(%j) is %s', (words, stem) => expect([...new Set(words.map(toStem))]).toEqual([stem]))
