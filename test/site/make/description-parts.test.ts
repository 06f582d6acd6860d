import { expect, test } from 'vitest'
import { type GraphNode, hashClosures } from '../../../src/site/make/description-parts.ts'

function toGraph(references: { readonly [name: string]: readonly string[] }, changed?: string): Map<string, GraphNode> {
  return new Map(
    Object.entries(references).map(([name, to]) => [name, { hash: name === changed ? `${name} changed` : name, references: to }]),
  )
}

/** Lists the nodes with a different hash after one node has changed. */
function listChanged(references: { readonly [name: string]: readonly string[] }, changed: string): string[] {
  const before = hashClosures(toGraph(references))
  const after = hashClosures(toGraph(references, changed))
  return [...before].filter(([name, hash]) => after.get(name) !== hash).map(([name]) => name)
}

test('a hash depends on the node and everything reachable from it, and nothing else', () => {
  const references = { page: ['pet'], pet: ['tag', 'owner'], owner: [], tag: [], other: ['owner'], alone: ['nowhere'] }
  expect(listChanged(references, 'tag').sort()).toEqual(['page', 'pet', 'tag'])
  expect(listChanged(references, 'owner').sort()).toEqual(['other', 'owner', 'page', 'pet'])
  expect(listChanged(references, 'alone')).toEqual(['alone'])
})

test('nodes in a cycle share a hash', () => {
  const hashes = hashClosures(
    toGraph({ start: ['one'], one: ['two'], two: ['three', 'end'], three: ['one'], end: [], self: ['self'] }),
  )
  const [one, two, three] = ['one', 'two', 'three'].map((name) => hashes.get(name))
  expect([two, three]).toEqual([one, one])
  expect(new Set(hashes.values()).size).toBe(4)
})

test('a change at the end of 20,000 nodes reaches the start', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`)
  const chain = Object.fromEntries(names.map((name, index) => [name, names.slice(index + 1, index + 2)]))
  expect(new Set(hashClosures(toGraph(chain)).values()).size).toBe(20_000)
  expect(listChanged(chain, 'n19999')).toHaveLength(20_000)
  expect(listChanged(chain, 'n5000')).toHaveLength(5_001)
})
