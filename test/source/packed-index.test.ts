import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { createPackedIndex, splitWords, unpackIndex } from '../../src/source/packed-index.ts'

test.each([
  ['nothing', []],
  ['a few', ['one two two', '', 'two three one one one', 'größe 日本 1']],
  ['many', Array.from({ length: 90 }, (_, id) => `every ${'word '.repeat(id % 41)} w${id % 7} w${id}`)],
])('a packed index equals the index of MiniSearch: %s', (_, texts) => {
  const options = { fields: ['heading', 'text'], tokenize: splitWords, processTerm: (term: string) => term }
  const index = new MiniSearch(options)
  const documents = texts.map((text, id) => ({ heading: `h ${id % 3}`, text }))
  for (const [id, document] of documents.entries()) index.add({ id, ...document })
  const plain = JSON.parse(JSON.stringify(index))
  const packed = createPackedIndex(['heading', 'text'], documents, (word) => word)
  const back = unpackIndex(JSON.parse(JSON.stringify(packed)))
  const sorted = (list: typeof plain.index) => Object.fromEntries(list)
  expect({ ...back, index: sorted(back.index) }).toEqual({ ...plain, index: sorted(plain.index) })
  const loaded = MiniSearch.loadJS(back, options)
  for (const query of ['one', 'two three', 'word', 'w6', 'h', 'größe']) {
    const toHits = (search: MiniSearch) => search.search(query, { prefix: true }).map(({ id, score }) => [id, score.toFixed(6)])
    expect(toHits(loaded).toSorted()).toEqual(toHits(index).toSorted())
  }
})
