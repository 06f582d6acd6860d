import { expect, test } from 'vitest'
import { lockFileName } from '../../../src/docs/config/config-files.ts'
import { settle, type Tree, updateTree } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

interface Operation {
  readonly path: string
  readonly summary: string
  readonly href: string | undefined
}

const responses = { 200: { description: 'Fine' } }

function toDocument(operations: readonly Operation[]): string {
  const paths = operations.map(({ path, summary, href }) => {
    const get = { summary, operationId: path.slice(1), responses, ...(href === undefined ? {} : { 'x-mint': { href } }) }
    return [path, { get }] as const
  })
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: Object.fromEntries(paths) })
}

const start: Tree = {
  'docs.json': JSON.stringify({
    navigation: { tabs: ['one', 'two'].map((tab) => ({ tab, openapi: { source: `${tab}.json`, directory: tab } })) },
  }),
}

/** Takes the files that `theirs` changed, and the tabs of both sides. Keeps the lock file of `ours`, as after `git checkout --ours`. */
function mergeKeepingLock(base: Tree, ours: Tree, theirs: Tree): Tree {
  const changed = [...new Set([...Object.keys(base), ...Object.keys(theirs)])].filter((path) => base[path] !== theirs[path])
  const merged: { [path: string]: string } = { ...ours }
  for (const path of changed) {
    if (path === lockFileName || path === 'docs.json') continue
    const text = theirs[path]
    if (text === undefined) delete merged[path]
    else merged[path] = text
  }
  const [docs, other] = [ours, theirs].map((tree) => JSON.parse(tree['docs.json'] ?? ''))
  docs.navigation.tabs[1] = other.navigation.tabs[1]
  if (docs.redirects || other.redirects) docs.redirects = [...(docs.redirects ?? []), ...(other.redirects ?? [])]
  return { ...merged, 'docs.json': JSON.stringify(docs) }
}

/** The text of the page of each operation, with or without its address. */
const describePages = (tree: Tree) =>
  Object.entries(tree)
    .flatMap(([path, text]) => (path.endsWith('.mdx') ? text : []))
    .sort()

const lockedIn = (tree: Tree) => Object.keys(JSON.parse(tree[lockFileName] ?? '').pages)

/** Two pages with the address would be a conflict for a person. */
const operationsIn = (folder: string) =>
  fc.uniqueArray(
    fc.record({
      path: fc.constantFrom('/a', '/b', '/c', '/d'),
      summary: fc.constantFrom('List', 'Get one', 'Add one'),
      href: fc.constantFrom(undefined, undefined, `/${folder}/here`, `/${folder}/there`),
    }),
    { selector: ({ path }) => path, minLength: 1, maxLength: 4 },
  )
const [one, two] = [operationsIn('one'), operationsIn('two')]

test('a merge that keeps the lock file of one side loses no page of the other', async () => {
  await fc.assert(
    fc.asyncProperty(one, two, one, two, async (firstOne, firstTwo, ourOne, theirTwo) => {
      const base = await settle({ ...start, 'one.json': toDocument(firstOne), 'two.json': toDocument(firstTwo) })
      const ours = await settle({ ...base.tree, 'one.json': toDocument(ourOne) })
      const theirs = await settle({ ...base.tree, 'two.json': toDocument(theirTwo) })
      const merged = await settle(mergeKeepingLock(base.tree, ours.tree, theirs.tree))
      expect((await updateTree(merged.tree)).changes).toEqual([])
      const later = theirTwo.map((operation) => ({ ...operation, summary: `${operation.summary} later` }))
      const { tree } = await settle({ ...merged.tree, 'two.json': toDocument(later) })
      const fresh = await settle({ ...start, 'one.json': toDocument(ourOne), 'two.json': toDocument(later) })
      expect(describePages(tree)).toEqual(describePages(fresh.tree))
      expect(lockedIn(tree)).toHaveLength(ourOne.length + theirTwo.length)
    }),
    { numRuns: propertyRuns(40) },
  )
})
