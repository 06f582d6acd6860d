import { expect, test } from 'vitest'
import type { ComparableDescription, UnlocatedChange } from '../../src/changes/change.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { isObject, valueAtPointer } from '../../src/text/json/json-values.ts'
import { runsOr, seed } from '../support/properties.ts'
import { compareDocuments, readDocument, summarize, type TestDocument } from './compare-documents.ts'
import { type DocumentValue, everyField, isIgnored, listValues, readValue, replacements, withValue } from './document-values.ts'
import { listUnmirrored } from './opposite-codes.ts'

/** Mutations without an effect, with the reason. */
const withoutEffect: readonly (readonly [mutation: RegExp, reason: string])[] = [
  [/^\w+ Parameter\.required .*\/\{id\}\/parameters\/0\//, 'A parameter in a path is always required'],
  [/^change .* OAuth Flow\.scopes /, 'The value of a scope is its description'],
  [
    /^remove Schema\.type at \/components\/schemas\/(?:HasName|Pet\/allOf\/1)\/type$/,
    'The other part of the `allOf` has the same type',
  ],
  [/\/(?:\$defs|definitions)\//, 'Only the uses of a schema have an effect'],
  [/^remove Responses\.404 /, 'What applies to `404` without it says the same'],
  [/^change Parameter\.name at \/paths\/\/owners\/post\/parameters\/0\//, 'The whole query string has no name'],
  [/^remove Schema\.type .*\/(?:x-www-form-urlencoded|form-data)\/schema\/type$/, 'A form is an object'],
  [/^\w+ XML\.wrapped .*\/tags\/xml\//, 'An attribute is never wrapped'],
]

/** Mutations that are another change in the other direction, with the reason. */
const withoutOpposite: typeof withoutEffect = [
  [/^remove Response\.content .*\/json$/, 'Its clients get the type with the suffix, whose clients do not get the new type'],
]

/** Mutations after which a reference cannot be resolved. The check reports it, and what it referred to is not compared. */
const breaksReferences = /^remove (?:OpenAPI\.components|Components\.(?!securitySchemes)\w+) at /

interface Mutation extends DocumentValue {
  readonly kind: 'remove' | 'change'
}

/** Every value of a document that can be removed or changed. */
function listMutations(document: unknown): Mutation[] {
  return listValues(document).flatMap((value): Mutation[] => {
    const isScalar = Object(readValue(document, value.segments)) !== readValue(document, value.segments)
    return [{ ...value, kind: 'remove' }, ...(isScalar ? [{ ...value, kind: 'change' } as const] : [])]
  })
}

function replace(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (value === null) return 'null'
  return typeof value === 'string' ? (replacements[value] ?? `${value}x`) : value
}

/** Mutations of each large document in `npm test`. */
const sample = 40
const today = '2026-06-15'

const documents = everyField.map((document) => ({ document, mutations: listMutations(document) }))

test.each(documents)('finds every change that is not text, in both directions and at the same places', async (swept) => {
  const { document, mutations } = swept
  const base = await readDocument(JSON.stringify(document))
  const faults: string[] = []
  const step = mutations.length < 300 ? 1 : Math.ceil(mutations.length / runsOr(sample, mutations.length))
  for (const { kind, field, segments } of mutations.filter((_mutation, index) => (index + seed) % step === 0)) {
    const mutated = withValue(document, segments, kind === 'remove' ? undefined : replace(readValue(document, segments)))
    const revision = await readDocument(JSON.stringify(mutated))
    const shown = `${kind} ${field} at /${segments.join('/')}`
    const there = compareDescriptions(base, revision, { today }).changes
    const back = compareDescriptions(revision, base, { today }).changes
    const isEffective = !isIgnored(field) && !withoutEffect.some(([pattern]) => pattern.test(shown))
    const hasOpposite = !withoutOpposite.some(([pattern]) => pattern.test(shown))
    const found = [
      ...listUnplaced(there, base, revision),
      ...listUnplaced(back, revision, base),
      ...(hasOpposite ? listUnmirrored(there, back) : []),
      ...(hasOpposite && String(listPlaces(there, 'base')) !== String(listPlaces(back, 'revision')) ? ['other places'] : []),
      ...(breaksReferences.test(shown) ? [] : [there, back].flatMap((changes) => judge(changes, isEffective))),
    ]
    faults.push(...found.map((fault) => `${shown}: ${fault}`))
  }
  expect(faults).toEqual([])
})

function judge(changes: readonly UnlocatedChange[], isEffective: boolean): string[] {
  if (isEffective) return changes.length > 0 ? [] : ['missed']
  return changes.map(({ code }) => `unexpected ${code}`)
}

/** The changes at places that the documents do not have. */
function listUnplaced(changes: readonly UnlocatedChange[], from: ComparableDescription, to: ComparableDescription): string[] {
  const isPlaced = ({ root }: ComparableDescription, place: UnlocatedChange['base']) =>
    !place || valueAtPointer(root.value, place.pointer) !== undefined
  return changes.flatMap(({ code, base, revision }) =>
    isPlaced(from, base) && isPlaced(to, revision) ? [] : [`no place for ${code}`],
  )
}

/** Of these codes, one is at the value, and its opposite beside it: at the date, or at the keyword. */
const hasOwnPlace = /^\w+-(?:deprecated|reactivated)$|read-only/

function listPlaces(changes: readonly UnlocatedChange[], side: 'base' | 'revision'): string[] {
  const comparable = changes.filter((change) => !hasOwnPlace.test(change.code) && !change[side]?.pointer.endsWith('Only'))
  const places = comparable.flatMap((change) => change.operations.map(({ path }) => `${path} ${change[side]?.pointer}`))
  return [...new Set(places)].sort()
}

const openapi = (version: string, rest: string) => `openapi: ${version}\ninfo: {title: Pets, version: "1"}\n${rest}`

function withSchema(version: string, schema: string, rest = ''): string {
  const responses = `{'200': {description: Pet, content: {application/json: {schema: ${schema}}}}}`
  return openapi(version, `paths: {/pets: {get: {responses: ${responses}}}}\n${rest}`)
}

const orderless = new Set(['required', 'enum', 'oneOf', 'allOf', 'tags', 'parameters', 'servers', 'security', 'type'])

/** The lists of one description that have no order, from the end. */
function reverseLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseLists)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const inner = reverseLists(entry)
      return [key, orderless.has(key) && Array.isArray(inner) ? inner.toReversed() : inner]
    }),
  )
}

const mostObjects = everyField.at(-1)

const equivalents: readonly (readonly [title: string, base: TestDocument, revision: TestDocument])[] = [
  ['lists without an order in another order', JSON.stringify(mostObjects), JSON.stringify(reverseLists(mostObjects))],
  ['another version', JSON.stringify(mostObjects), JSON.stringify(mostObjects).replace('"3.1.0"', '"3.2.0"')],
  [
    'files that refer to each other as one',
    {
      'openapi.yaml': openapi('3.1.0', "paths: {/pets: {$ref: 'paths/pets.yaml'}}"),
      'paths/pets.yaml': `get:
  responses:
    '200': {description: Pet, content: {application/json: {schema: {oneOf: [{$ref: '../schemas.yaml#/Dog'}, {$ref: '../schemas.yaml#/Cat'}]}}}}
`,
      'schemas.yaml': `Dog: {type: object, properties: {cat: {$ref: '#/Cat'}}}
Cat: {type: object, properties: {dog: {$ref: '#/Dog'}}}
`,
    },
    withSchema(
      '3.1.0',
      "{oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}]}",
      `components:
  schemas:
    Dog: {type: object, properties: {cat: {$ref: '#/components/schemas/Cat'}}}
    Cat: {type: object, properties: {dog: {$ref: '#/components/schemas/Dog'}}}
`,
    ),
  ],
  [
    'the spelling of another version',
    withSchema('3.0.3', '{type: integer, nullable: true, minimum: 1, exclusiveMinimum: true}'),
    withSchema('3.1.0', "{type: [integer, 'null'], exclusiveMinimum: 1}"),
  ],
  [
    'a body of bytes without a schema',
    withSchema('3.0.3', '{type: string, format: binary}').replace('application/json', 'image/png'),
    withSchema('3.1.0', '{}').replace('application/json: {schema: {}}', 'image/png: {}'),
  ],
]

test.each(equivalents)('finds no change with %s', async (_title, base, revision) => {
  expect(revision).not.toEqual(base)
  expect(summarize(await compareDocuments(base, revision))).toEqual([])
  expect(summarize(await compareDocuments(revision, base))).toEqual([])
})
