import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { packIndex, unpackIndex } from '../../src/source/packed-index.ts'

test.each([
  ['nothing', []],
  ['a few', ['one two two', '', 'two three one one one', 'größe 日本 1']],
  ['many', Array.from({ length: 90 }, (_, id) => `every ${'word '.repeat(id % 41)} w${id % 7} w${id}`)],
])('an index that was packed finds the same: %s', (_, texts) => {
  const options = { fields: ['heading', 'text'] }
  const index = new MiniSearch(options)
  for (const [id, text] of texts.entries()) index.add({ id, heading: `h ${id % 3}`, text })
  const plain = JSON.parse(JSON.stringify(index))
  const back = unpackIndex(JSON.parse(JSON.stringify(packIndex(plain))))
  const sorted = (list: typeof plain.index) => Object.fromEntries(list)
  expect({ ...back, index: sorted(back.index) }).toEqual({ ...plain, index: sorted(plain.index) })
  const loaded = MiniSearch.loadJS(back, options)
  for (const query of ['one', 'two three', 'word', 'w6', 'h', 'größe']) {
    const toHits = (search: MiniSearch) => search.search(query, { prefix: true }).map(({ id, score }) => [id, score.toFixed(6)])
    expect(toHits(loaded).toSorted()).toEqual(toHits(index).toSorted())
  }
})
