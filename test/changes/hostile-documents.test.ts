import { expect, test } from 'vitest'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { countCalls } from '../support/count-calls.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'
import { compareDocuments, readDocument } from './compare-documents.ts'
import { everyField, listValues, readValue, writeValue } from './document-values.ts'

const today = '2026-06-15'

/** Values of a wrong type, references to anything, and schemas that contain themselves or many others. */
const hostileValues: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => '',
  () => '{}',
  () => [],
  () => [null, [], {}, 'a', { $ref: 1 }],
  () => ({}),
  () => ({ __proto__: null, constructor: {}, toString: [] }),
  () => ({ $ref: '#' }),
  () => ({ $ref: '#/paths' }),
  () => ({ $ref: '#/components/schemas/Everything', type: 'object' }),
  () => ({ allOf: [{ $ref: '#/components/schemas/Everything' }, { $ref: '#/components/schemas/Everything' }] }),
  (random) => ({
    [random.of(['oneOf', 'anyOf', 'allOf'])]: Array.from({ length: 50 }, (_value, index) => ({ minLength: index })),
  }),
  (random) => nest(random.of(['not', 'items', 'additionalProperties', 'if']), 200),
  (random) => ({
    properties: { a: { $ref: '#/components/schemas/Everything' } },
    required: random.of<unknown>([['a'], 'a', [1]]),
  }),
]

function nest(keyword: string, depth: number): unknown {
  let schema: unknown = {}
  for (let level = 0; level < depth; level++) schema = { [keyword]: schema }
  return schema
}

test('never throws because of a document', async () => {
  for (let run = 0; run < runsOr(15, 5_000); run++) {
    const random = createRandom(seed + run * 1_000_003)
    const document: unknown = structuredClone(random.of(everyField))
    const values = listValues(document)
    const versions = [await readDocument(JSON.stringify(document))]
    for (let version = 0; version < 3; version++) {
      for (let count = 0; count < 5; count++) {
        const { segments } = random.of(values)
        // Without a version or `info`, the document is not OpenAPI.
        if (segments[0] === 'info' || readValue(document, segments) === undefined) continue
        writeValue(document, segments, random.of(hostileValues)(random))
      }
      versions.push(await readDocument(JSON.stringify(document)))
    }
    for (const base of versions) {
      for (const revision of versions) {
        const { changes } = compareDescriptions(base, revision, { today })
        // An unreadable date or level is reported as long as it is there.
        const own = changes.filter(({ code }) => code !== 'sunset-invalid' && code !== 'stability-invalid')
        if (base === revision) expect(own).toEqual([])
      }
    }
  }
})

/** A document with alternatives that share nothing, so that none can be matched by name or contents. */
function toUnion(count: number, keyword: string): unknown {
  const branches = Array.from({ length: count }, (_value, index) => ({
    type: 'object',
    properties: { [`${keyword}${index}`]: { type: 'string', minLength: index } },
    required: [`${keyword}${index}`],
  }))
  const content = { 'application/json': { schema: { oneOf: branches } } }
  const paths = { '/pets': { post: { requestBody: { content }, responses: {} } } }
  return { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }
}

/** A value that counts how often its fields are read. */
function countReads(value: unknown, reads: { count: number }): unknown {
  const known = new WeakMap<object, unknown>()
  const wrap = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one
    const wrapped = known.get(one) ?? new Proxy(one, { get: (target, key) => read(target, key) })
    known.set(one, wrapped)
    return wrapped
  }
  const read = (target: object, key: string | symbol) => {
    reads.count++
    return wrap(Reflect.get(target, key))
  }
  return wrap(value)
}

test('reads alternatives without anything in common a constant number of times', async () => {
  const countFor = async (count: number) => {
    const reads = { count: 0 }
    const read = async (name: string) => {
      const comparable = await readDocument(JSON.stringify(toUnion(count, name)))
      return { ...comparable, root: { ...comparable.root, value: countReads(comparable.root.value, reads) } }
    }
    const { changes } = compareDescriptions(await read('a'), await read('b'), { today })
    expect(changes).toHaveLength(2 * count)
    return reads.count
  }
  // Small lists are compared pair by pair.
  expect((await countFor(4_000)) / (await countFor(1_000))).toBeLessThan(5)
})

test('compares 10,000 alternatives without anything in common', async () => {
  const [base, revision] = [JSON.stringify(toUnion(10_000, 'a')), JSON.stringify(toUnion(10_000, 'b'))]
  expect(await compareDocuments(base, revision)).toHaveLength(20_000)
})

/** Schemas of which each consists of the next one and has alternatives beside it, so that the first one has the alternatives of all. */
function toInherited(count: number, type: string): object {
  const names = Array.from({ length: count }, (_, index) => `S${index}`)
  const schemas = names.map((name, index) => {
    const next = { $ref: `#/components/schemas/S${index + 1}` }
    const own = { type: 'object', properties: { [name]: { const: index }, leaf: {} } }
    return [name, { allOf: [next], oneOf: [own, next], anyOf: [next, own] }]
  })
  const last = { type: 'object', properties: { leaf: { type } }, required: ['leaf'] }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
  const paths = { '/pets': { post: { requestBody: { content }, responses: {} } } }
  const components = { schemas: Object.fromEntries([...schemas, [`S${count}`, last]]) }
  return { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, components }
}

test('compares the alternatives of a component once, however many schemas inherit them', async () => {
  const countFor = async (count: number) => {
    const [base, revision] = [
      await readDocument(JSON.stringify(toInherited(count, 'string'))),
      await readDocument(JSON.stringify(toInherited(count, 'integer'))),
    ]
    return countCalls(async () => expect(compareDescriptions(base, revision, { today }).changes.length).toBeGreaterThan(0))
  }
  // Each schema is read with all that it inherits, so twice as many schemas are four times the work.
  expect((await countFor(60)) / (await countFor(30))).toBeLessThan(4.4)
})
