import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ComparableDescription } from '../../src/changes/change.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { compareBodies, compareDocuments, readDocument, toBodyDocument } from './compare-documents.ts'

/** Changes of one subject, from `schemas.yaml`. A schema can be a text, so that its numbers are not rounded. */
interface Case {
  readonly title: string
  readonly base: unknown
  readonly revision: unknown
  readonly baseComponents?: unknown
  readonly revisionComponents?: unknown
  readonly changes: readonly string[]
}

const families: { readonly [family: string]: readonly Case[] } = parse(
  readFileSync(new URL('schemas.yaml', import.meta.url), 'utf8'),
)

const object = (properties: string, rest = '') => `{type: object, properties: {${properties}}${rest}}`

/** Keywords that have no effect on values of a type. */
const withoutEffect: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['integer', 'format: email', 'format: date-time'],
  ['string', 'items: {type: string}', 'contains: {const: a}', 'prefixItems: [{type: string}], items: false'],
  ['string', 'required: [a]', 'properties: {a: {type: string}}', 'patternProperties: {"^x": {type: string}}'],
  ['boolean', 'additionalProperties: false', 'unevaluatedProperties: false', 'propertyNames: {pattern: "^x"}'],
  ['array', 'dependentRequired: {a: [b]}', 'dependentSchemas: {a: {required: [b]}}'],
  ['object', 'items: {type: string}', 'format: date'],
]

describe('keywords for values of another type', () => {
  const cases = withoutEffect.flatMap(([type, ...keywords]) => keywords.map((keyword) => [keyword, type] as const))

  test.each(cases)('have no effect: %s of %s', async (keyword, type) => {
    const [plain, limited] = [`{type: ${type}}`, `{type: ${type}, ${keyword}}`]
    expect(await compareBodies(plain, limited)).toEqual([])
    expect(await compareBodies(limited, plain)).toEqual([])
  })

  test.each(['items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems'])(
    'have no effect if only the schema in them changes: %s of a string',
    async (keyword) => {
      const [one, other] = ['{type: string}', '{type: integer}'].map((inner) => `{type: string, ${keyword}: ${inner}}`)
      expect(await compareBodies(one ?? '', other ?? '')).toEqual([])
    },
  )

  test('have one if the schema allows this type too', async () => {
    for (const types of ['type: [integer, string], ', '']) {
      const changes = await compareBodies(`{${types}minimum: 1}`, `{${types}minimum: 1, format: email}`)
      expect(changes).toEqual(['format-narrowed breaking compatible'])
    }
    const items = await compareBodies('{items: {type: string}}', '{type: [array, boolean], items: {type: integer}}')
    expect(items).toEqual(['type-changed breaking breaking', 'type-narrowed breaking compatible'])
  })
})

describe.each(Object.entries(families))('%s', (_family, cases) => {
  test.each(cases)('$title', async ({ base, revision, baseComponents, revisionComponents = baseComponents, changes }) => {
    const components = [baseComponents, revisionComponents].map((one) => (one ? `components: ${JSON.stringify(one)}` : ''))
    const rest = [components[0] ?? '', components[1] ?? ''] as const
    const toText = (schema: unknown) => (typeof schema === 'string' ? schema : JSON.stringify(schema))
    const texts = [toText(base), toText(revision)] as const
    expect(await compareBodies(...texts, rest)).toEqual(changes)
    if (changes.length === 0) expect(await compareBodies(texts[1], texts[0], [rest[1], rest[0]])).toEqual([])
  })
})

test('compares a version with the next one as if it had not been compared before', async () => {
  const toVersion = async (count: number, ...alternatives: string[]) => {
    const added = Array.from({ length: count }, (_value, index) => `x${index}: {type: array, items: {maximum: ${index}}}, `)
    const schemas = alternatives.map((own) => object(`${added.join('')}${own}, rest: {type: boolean}`))
    return readDocument(toBodyDocument(`{oneOf: [${schemas.join()}]}`))
  }
  const [name, age] = ['a: {type: string}', 'a: {type: integer}']
  const [first, second] = [await toVersion(2, name, age), await toVersion(1, name, age)]
  for (const revision of [await toVersion(0, age, name), await toVersion(3, age, name)]) {
    const codes = (base: ComparableDescription) =>
      compareDescriptions(base, revision, { today: '2026-06-15' }).changes.map(({ code }) => code)
    compareDescriptions(first, second, { today: '2026-06-15' })
    expect(codes(second)).toEqual(codes(await toVersion(1, name, age)))
  }
})

describe('components', () => {
  test.each([
    ['a schema', "{$ref: '#/components/schemas/None'}", '{type: string, enum: [a]}'],
    ['a branch of `allOf`', `{allOf: [{$ref: '#/components/schemas/None'}]}`, object('name: {type: string}')],
    ['a file that does not exist', '{$ref: none.yaml}', '{type: string}'],
  ])('are not compared if the reference of %s cannot be resolved', async (_title, unresolved, schema) => {
    const inside = (one: string) => object(`pet: ${one}, id: {type: integer}`)
    expect(await compareBodies(unresolved, schema)).toEqual([])
    expect(await compareBodies(inside(schema), inside(unresolved))).toEqual([])
  })

  const component = (schema: string) =>
    `components: {schemas: {Pet: ${schema}, Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}`

  test('lists a change of a component once', async () => {
    const schema = "{$ref: '#/components/schemas/Pets'}"
    const changes = await compareBodies(schema, schema, [component('{type: string}'), component('{type: integer}')])
    expect(changes).toEqual(['type-changed breaking breaking'])
  })

  test.each(['other.yaml#b', '#b'])('compares what the dynamic reference %s refers to in another file', async (reference) => {
    const toFiles = (type: string) => ({
      'openapi.yaml': toBodyDocument(object(`a: {$ref: 'other.yaml#/A'}, b: {$ref: 'list.yaml'}`)),
      'list.yaml': `{type: array, items: {$dynamicRef: '${reference}'}}\n`,
      'other.yaml': `A: {type: string}\nB: {$dynamicAnchor: b, type: ${type}}\n`,
    })
    const changes = await compareDocuments(toFiles('string'), toFiles('integer'))
    expect(changes.map(({ code }) => code)).toEqual(['type-changed'])
  })

  test('compares a schema that contains itself', async () => {
    const node = (rest: string) =>
      `components: {schemas: {Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}${rest}}}}}`
    const schema = "{$ref: '#/components/schemas/Node'}"
    expect(await compareBodies(schema, schema, [node(''), node(', name: {type: string}')])).toEqual([
      'optional-property-added compatible compatible',
    ])
  })

  const inItself = ['oneOf', 'anyOf'].flatMap((one) =>
    ['not', 'if', 'contains', 'propertyNames', 'items'].map((other) => [one, other]),
  )

  test.each(inItself)('compares a schema that has itself in %s and below %s', async (alternatives, keyword) => {
    const own = "{$ref: '#/components/schemas/Node'}"
    const node = (schema: string) => `components: {schemas: {Node: ${schema}}}`
    const recursive = node(`{${alternatives}: [${own}, {type: integer}], ${keyword}: {allOf: [${own}]}}`)
    const plain = node('{type: string}')
    expect(await compareBodies(own, own, [plain, recursive])).not.toEqual([])
    expect(await compareBodies(own, own, [recursive, plain])).not.toEqual([])
  })

  test('compares 10,000 alternatives and schemas that contain each other', async () => {
    const count = 10_000
    const names = Array.from({ length: count }, (_value, index) => `S${index}`)
    const toSchemas = (last: string) => {
      const schemas = names.map((name, index) => {
        const next = `{$ref: '#/components/schemas/S${(index + 1) % count}'}`
        return `    ${name}: {type: object, properties: {next: ${next}, all: {$ref: '#/components/schemas/All'}${index === count - 1 ? last : ''}}}`
      })
      const all = names.map((name) => `{$ref: '#/components/schemas/${name}'}`).join(', ')
      return `components:\n  schemas:\n    All: {oneOf: [${all}]}\n${schemas.join('\n')}`
    }
    const schema = "{$ref: '#/components/schemas/All'}"
    expect(await compareBodies(schema, schema, [toSchemas(''), toSchemas(', added: {type: string}')])).toEqual([
      'optional-property-added compatible compatible',
    ])
  })
})
