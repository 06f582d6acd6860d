import { describe, expect, test } from 'vitest'
import { concernsDocuments } from '../../../src/docs/update/update-results.ts'
import { compareDocuments } from '../../../src/docs/versions/compare-documents.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

const toDocument = (title: string, ...operations: string[]) =>
  `openapi: 3.1.0\ninfo: {title: ${title}, version: "1"}\npaths:\n${operations.map((path) => `  ${path}: {get: {responses: {"200": {description: OK}}}}\n`).join('')}`
const toDocs = (...openapi: string[]) =>
  JSON.stringify({ navigation: { tabs: openapi.map((path) => ({ tab: path, openapi: path })) } })

async function compareAll(root: string, versions: Parameters<typeof compareDocuments>[1]) {
  const compared = await compareDocuments({ root, documents: [], directory: 'api', today: '2026-11-22' }, versions)
  if (compared.kind === 'unreadable') throw new Error(compared.reason)
  return compared.documents
}

async function compareTrees(base: Tree, revision: Tree, root = '') {
  const versions = { base: toAccess(base), revision: toAccess(revision) }
  return (await compareAll(root, versions)).map(({ document, kind, errors, comparison }) => {
    const changes = comparison?.changes.map(({ code, path, base, revision }) => {
      const [before, after] = [base, revision].map((place) => place && `${place.file}:${place.range.start.line}`)
      return `${code} ${path} ${before} ${after}`
    })
    return { document, kind, errors: [errors.base, errors.revision], changes }
  })
}

const [pets, owners] = [toDocument('Pets', '/pets', '/cats'), toDocument('Owners', '/owners')]
const tree: Tree = { 'docs.json': toDocs('pets.yaml', 'owners.yaml'), 'pets.yaml': pets, 'owners.yaml': owners }

test('lists the documents with changes', async () => {
  expect(await compareTrees(tree, { ...tree, 'pets.yaml': toDocument('Pets', '/pets', '/dogs/{id}/toys') })).toEqual([
    {
      document: 'pets.yaml',
      kind: 'compared',
      errors: [0, 1],
      changes: ['operation-removed /cats pets.yaml:5 null', 'operation-added /dogs/{id}/toys null pets.yaml:5'],
    },
  ])
  expect(await compareTrees(tree, { ...tree, 'pets.yaml': `# A comment\n${pets}` })).toEqual([])
})

test.each<{ name: string; revision: Tree }>([
  { name: 'moved', revision: { 'docs.json': toDocs('pets.yaml', 'v2/api.yaml'), 'pets.yaml': pets, 'v2/api.yaml': owners } },
  {
    name: 'renamed with another title',
    revision: {
      'docs.json': toDocs('pets.yaml', 'people.yaml'),
      'pets.yaml': pets,
      'people.yaml': toDocument('People', '/owners'),
    },
  },
])('compares a document that was $name', async ({ revision }) => {
  expect(await compareTrees(tree, revision)).toEqual([])
})

test('lists the operations of added and removed documents', async () => {
  const one = { 'docs.json': toDocs('pets.yaml'), 'pets.yaml': pets }
  expect(await compareTrees(one, tree)).toEqual([
    { document: 'owners.yaml', kind: 'added', errors: [0, 0], changes: ['operation-added /owners null owners.yaml:4'] },
  ])
  expect(await compareTrees(tree, one)).toEqual([
    { document: 'owners.yaml', kind: 'removed', errors: [0, 0], changes: ['operation-removed /owners owners.yaml:4 null'] },
  ])
})

describe('accepted changes', () => {
  const removed = { ...tree, 'pets.yaml': toDocument('Pets', '/pets') }
  const compare = async (base: Tree, revision: Tree, root = '') => {
    const versions = { base: toAccess(base), revision: toAccess(revision) }
    return (await compareAll(root, versions)).flatMap(({ comparison }) => comparison?.changes ?? [])
  }
  const toFile = async (fields = {}) => {
    const [change] = await compare(tree, removed)
    const entry = { fingerprint: change?.fingerprint, code: change?.code, message: change?.message }
    return JSON.stringify([{ ...entry, document: 'pets.yaml', reason: 'Unused', author: 'Ada', date: '2026-11-22', ...fields }])
  }

  test('marks the changes that the revision accepts', async () => {
    const accepted = { 'openapi-pages.accepted.yaml': await toFile() }
    const withFile = { ...removed, ...accepted }
    expect(await compare(tree, withFile)).toMatchObject([{ accepted: { reason: 'Unused', author: 'Ada', isNew: true } }])
    expect(await compare({ ...tree, ...accepted }, withFile)).toMatchObject([{ accepted: { isNew: false } }])
    const inFolder = (files: Tree) => Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text]))
    expect(await compare(inFolder(tree), inFolder(withFile), 'docs')).toMatchObject([{ accepted: { isNew: true } }])
  })

  test.each([
    ['only in the base', {}, { 'openapi-pages.accepted.yaml': {} }],
    ['for another document', { 'openapi-pages.accepted.yaml': { document: 'owners.yaml' } }, {}],
    ['with an error', { 'openapi-pages.accepted.yaml': { date: 'today' } }, {}],
    ['in another directory', { 'api/openapi-pages.accepted.yaml': {} }, {}],
  ])('marks nothing for an entry %s', async (_, inRevision, inBase) => {
    const write = async (files: Record<string, object>) =>
      Object.fromEntries(
        await Promise.all(Object.entries(files).map(async ([path, fields]) => [path, await toFile(fields)] as const)),
      )
    const changes = await compare({ ...tree, ...(await write(inBase)) }, { ...removed, ...(await write(inRevision)) })
    expect(changes).toHaveLength(1)
    expect(changes[0]).not.toHaveProperty('accepted')
  })
})

test.each([
  ['base', { ...tree, 'docs.json': '{' }, tree],
  ['commit', tree, { ...tree, 'docs.json': '{' }],
] as const)('compares nothing if the docs.json of the %s cannot be read', async (name, base, revision) => {
  await expect(compareTrees(base, revision)).rejects.toThrow(`the \`docs.json\` of the ${name} cannot be read`)
})

test('compares all documents of a version without a docs.json', async () => {
  const { 'docs.json': _, ...bare } = tree
  const changed = { ...bare, 'pets.yaml': toDocument('Pets', '/pets') }
  expect(await compareTrees(bare, changed)).toMatchObject([
    { document: 'pets.yaml', changes: ['operation-removed /cats pets.yaml:5 null'] },
  ])
  // A new docs.json that names only some documents removes none.
  const one = { 'docs.json': toDocs('pets.yaml') }
  expect(
    await compareTrees({ ...bare, 'examples/toys.yaml': toDocument('Toys', '/toys') }, { ...changed, ...one }),
  ).toMatchObject([{ document: 'examples/toys.yaml', kind: 'removed' }, { document: 'pets.yaml' }])
  const withToys = { ...bare, 'examples/toys.yaml': toDocument('Toys', '/toys') }
  expect(await compareTrees(withToys, { ...withToys, ...one })).toEqual([])
})

test('lists a document that cannot be compared', async () => {
  const unreadable = { ...tree, 'pets.yaml': 'openapi: [' }
  const expected = { document: 'pets.yaml', kind: 'compared', changes: undefined }
  expect(await compareTrees(tree, unreadable)).toEqual([{ ...expected, errors: [0, 1] }])
  expect(await compareTrees(unreadable, tree)).toEqual([{ ...expected, errors: [1, 0] }])
})

test('compares the documents of a directory below the boundary, with their other files', async () => {
  const files = (type: string): Tree => ({
    'docs/docs.json': toDocs('../api/pets.yaml'),
    'api/pets.yaml': `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths:\n  /pets:\n    get:\n      parameters: [{name: age, in: query, schema: {$ref: age.yaml}}]\n      responses: {"200": {description: OK}}\n`,
    'api/age.yaml': `type: ${type}\n`,
  })
  expect(await compareTrees(files('string'), files('integer'), 'docs')).toMatchObject([
    { document: 'api/pets.yaml', changes: ['type-narrowed null api/age.yaml:1 api/age.yaml:1'] },
  ])
})

test.each([
  { changed: ['guide.mdx', 'logo.svg'], concerns: false },
  { changed: ['guide.mdx', 'schemas/pet.yml'], concerns: true },
  { changed: ['docs.json'], concerns: true },
  { changed: ['schemas/pet'], concerns: true },
])('changes of $changed concern documents: $concerns', ({ changed, concerns }) => {
  expect(concernsDocuments(changed, { documentFiles: [{ path: 'schemas/pet', isValid: true }] })).toBe(concerns)
})
