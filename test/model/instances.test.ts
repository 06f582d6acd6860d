import { Ajv, type ErrorObject } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { listMismatches, matchSchema, pointerOf, startMatch, visitSchemas } from '../../src/model/instances/match-schema.ts'
import { matchPattern } from '../../src/openapi/schema/json-schema.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import { readStep, valueAtPointer } from '../../src/text/json/json-values.ts'
import { fc, propertyRuns, seed } from '../support/properties.ts'

/** Without references and without a limit. */
const begin = (dialect: Parameters<typeof startMatch>[0], options?: Parameters<typeof startMatch>[3]) =>
  startMatch(
    dialect,
    () => undefined,
    () => true,
    options,
  )

test.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'a1', false],
  ['\\p{Lu}', 'A', true],
  ['(a+)+$', 'a', undefined],
  ['(a|b)*', 'a', undefined],
  ['(a)\\1', 'aa', undefined],
  ['a*a*a*b', 'a', undefined],
  ['(?=a)a', 'a', undefined],
  ['[', 'a', undefined],
  ['a', 'a'.repeat(201), undefined],
])('matchPattern %s on %s: %s', (pattern, text, expected) => {
  expect(matchPattern(pattern, text)).toBe(expected)
})

const words = fc.constantFrom('a', 'b', 'ab', 'abc', '')
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, 2, 3.5, -1),
    words,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']
const counts = fc.nat({ max: 3 })

type Fields = { [keyword: string]: fc.Arbitrary<unknown> }

/** Schemas of keywords whose violations are always reported, at most three each. `depth` limits the nesting. */
function schemas(release: OpenApiRelease, depth: number): fc.Arbitrary<unknown> {
  const type = fc.constantFrom(...types)
  const scalars: Fields = {
    type: release === '3.0' ? type : fc.oneof(type, fc.constant('null'), fc.uniqueArray(type, { minLength: 1 })),
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    minimum: counts,
    maximum: counts,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: counts,
    maxLength: counts,
    pattern: fc.constantFrom('^a', 'b$', '^[ab]+$'),
    minItems: counts,
    maxItems: counts,
    uniqueItems: fc.boolean(),
    minProperties: counts,
    maxProperties: counts,
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    exclusiveMinimum: release === '3.0' ? fc.boolean() : counts,
    exclusiveMaximum: release === '3.0' ? fc.boolean() : counts,
    ...(release === '3.0'
      ? {}
      : {
          const: values,
          dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(['c']), { noNullPrototype: true, maxKeys: 1 }),
        }),
  }
  const fields = depth === 0 ? scalars : { ...scalars, ...containers(release, schemas(release, depth - 1)) }
  // ajv 8.20 forgets `contains` for an empty list beside `prefixItems`.
  const some = fc.subarray(Object.keys(fields), { minLength: 1, maxLength: 3 })
  const object = some
    .filter((names) => !(names.includes('contains') && names.includes('prefixItems')))
    .chain((names) => {
      return fc.record(Object.fromEntries(names.map((name) => [name, fields[name] ?? fc.constant(0)])), { noNullPrototype: true })
    })
  return release === '3.0' ? object : fc.oneof({ weight: 8, arbitrary: object }, { weight: 1, arbitrary: fc.boolean() })
}

function containers(release: OpenApiRelease, inner: fc.Arbitrary<unknown>): Fields {
  const some = fc.array(inner, { minLength: 1, maxLength: 2 })
  const inBoth = {
    items: inner,
    properties: fc.dictionary(fc.constantFrom('a', 'b'), inner, { noNullPrototype: true, maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: inner,
  }
  if (release === '3.0') return inBoth
  return {
    ...inBoth,
    prefixItems: some,
    contains: inner,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { noNullPrototype: true, maxKeys: 1 }),
    propertyNames: inner,
    unevaluatedProperties: fc.oneof(fc.boolean(), inner),
    unevaluatedItems: fc.oneof(fc.boolean(), inner),
    dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), inner, { noNullPrototype: true, maxKeys: 1 }),
    if: inner,
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
    then: inner,
    else: inner,
  }
}

describe.each(['3.0', '3.1'] as const)('agrees with ajv in %s', (release) => {
  test('on every verdict that is sure', async () => {
    const numRuns = propertyRuns(50)
    const counted = { match: 0, mismatch: 0, uncertain: 0 }
    fc.assert(
      fc.property(schemas(release, 2), fc.array(values, { minLength: 1, maxLength: 4 }), (generated, candidates) => {
        // ajv 8.20 does not count what `contains` and a lone `if` match as evaluated; the JSON Schema Test Suite does.
        const written = JSON.stringify(generated)
        fc.pre(!(written.includes('"unevaluatedItems"') && /"(?:contains|if)"/.test(written)))
        const validate =
          release === '3.0'
            ? new Ajv({ strict: false, logger: false, validateSchema: false }).compile(toDraft7(generated) as object)
            : new Ajv2020({ strict: false, logger: false, validateSchema: false }).compile(generated as object)
        for (const value of candidates) {
          const state = begin(release)
          const mismatch = matchSchema(state, { file: '', value: generated }, value)
          const expected = validate(value)
          counted[mismatch ? 'mismatch' : state.uncertain ? 'uncertain' : 'match']++
          if (mismatch && expected) throw new Error(`ajv allows ${JSON.stringify(value)}, ours: ${JSON.stringify(mismatch)}`)
          if (!mismatch && !state.uncertain && !expected)
            throw new Error(`ajv: ${JSON.stringify(value)} ${JSON.stringify(validate.errors)}`)
        }
      }),
      { numRuns },
    )
    console.log(`${release}, seed ${seed}: ${JSON.stringify(counted)}`)
    expect(counted.match).toBeGreaterThan(0)
    expect(counted.mismatch).toBeGreaterThan(0)
  }, 3_600_000)
})

/** The keywords of older drafts, and `format`. */
const older: Fields = {
  dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.constant(['c']), schemas('3.1', 0)), {
    noNullPrototype: true,
    maxKeys: 1,
  }),
  items: fc.array(schemas('3.1', 0), { minLength: 1, maxLength: 2 }),
  additionalItems: fc.oneof(fc.boolean(), schemas('3.1', 0)),
}

describe.each([
  ['draft7', Ajv],
  ['draft2019-09', Ajv2019],
  ['draft2020-12', Ajv2020],
] as const)('with all keywords of %s', (dialect, Validator) => {
  test('agrees with ajv on every value, and finds all mismatches where it finds one', () => {
    const extended = fc.tuple(
      schemas('3.1', 2),
      dialect === 'draft2020-12' ? fc.constant({}) : fc.record(older, { requiredKeys: [] }),
    )
    const isSame = fc.property(extended, fc.array(values, { minLength: 1, maxLength: 4 }), ([schema, more], candidates) => {
      const generated = typeof schema === 'object' ? Object.assign({}, schema, more) : schema
      // For `unevaluated…`, see above. ajv 8.20 forgets `contains` for an empty list beside a list of `items`.
      const written = JSON.stringify(generated)
      fc.pre(!/unevaluated/.test(written) && !(written.includes('"contains"') && written.includes('"items":[')))
      const validate = new Validator({ strict: false, logger: false, validateSchema: false }).compile(generated as object)
      for (const value of candidates) {
        const [all, first] = [true, false].map((findsAll) => {
          const options = { isStrict: true, findsAll, mayMiss: [] }
          return listMismatches(begin(dialect, options), { file: '', value: generated }, value)
        })
        expect([written, value, all?.length === 0, first?.length]).toEqual([
          written,
          value,
          validate(value),
          all?.length === 0 ? 0 : 1,
        ])
      }
    })
    fc.assert(isSame, { numRuns: propertyRuns(50) })
  }, 3_600_000)
})

/** Below these keywords, ajv lists what no schema of several matches. They have an error of their own. */
const apart = /\/(?:anyOf|oneOf|not|if|contains|propertyNames)\//

test('with all mismatches, finds what ajv finds with all errors, unless the type or the choice is wrong', () => {
  let several = 0
  const members = (member: fc.Arbitrary<unknown>) => fc.record({ a: member, b: member, c: member }, { noNullPrototype: true })
  const parts = { properties: members(schemas('3.1', 2)), allOf: fc.tuple(schemas('3.1', 1)) }
  const generated = fc.record(parts, { noNullPrototype: true })
  const isSame = fc.property(generated, fc.array(members(values), { minLength: 1, maxLength: 4 }), (schema, candidates) => {
    const written = JSON.stringify(schema)
    fc.pre(!/unevaluated/.test(written))
    const validate = new Ajv2020({ strict: false, logger: false, validateSchema: false, allErrors: true }).compile(schema)
    for (const value of candidates) {
      validate(value)
      const errors = (validate.errors ?? []).map(toMismatch)
      const found = listMismatches(begin('3.1', { findsAll: true }), { file: '', value: schema }, value)
      const ours = found.map(({ path, on, keyword }) => ({ path: path.map((step) => `/${step}`).join(''), on, keyword }))
      const missed = errors.filter(({ path, keyword, schemaPath }) => {
        if (apart.test(schemaPath)) return false
        const isInside = /^(?:anyOf|oneOf|if|propertyNames|items|uniqueItems)$/.test(keyword)
        return !ours.some((own) => {
          if (isInside ? `${own.path}/`.startsWith(`${path}/`) : own.path === path && own.keyword === keyword) return true
          return own.on === 'value' && /^(?:type|enum|const)$/.test(own.keyword) && `${path}/`.startsWith(`${own.path}/`)
        })
      })
      const extra = ours.filter((own) => {
        const isOfEntry = (keyword: string) => keyword === 'items' || keyword === 'uniqueItems'
        // ajv 8.20 forgets `contains` for an empty list.
        if (own.keyword === 'contains') return false
        return !errors.some(({ path, keyword }) =>
          isOfEntry(keyword) ? own.path.replace(/\/\d+$/, '') === path : own.path === path && own.keyword === keyword,
        )
      })
      expect({ written, value, missed, extra }).toEqual({ written, value, missed: [], extra: [] })
      if (ours.length > 1) several++
    }
  })
  fc.assert(isSame, { numRuns: propertyRuns(100) })
  expect(several).toBeGreaterThan(0)
}, 3_600_000)

/** The place and the keyword of an error of ajv, as ours name them. */
function toMismatch({ instancePath, keyword, schemaPath, params, propertyName }: ErrorObject) {
  const key = params['additionalProperty'] ?? propertyName
  return {
    path: key === undefined ? instancePath : `${instancePath}/${key}`,
    keyword: keyword === 'false schema' ? 'false' : keyword,
    schemaPath,
  }
}

test('finds the format, each mismatch of a value, and those of the schema that matches furthest', () => {
  const schema = {
    required: ['a', 'b'],
    properties: {
      a: { type: 'string' },
      b: { format: 'date' },
      c: { anyOf: [{ type: 'array' }, { additionalProperties: false }] },
    },
  }
  const state = begin('3.1', { isStrict: true, findsAll: true })
  const found = listMismatches(state, { file: '', value: schema }, { b: '1', c: { d: 1, e: 1 } })
  expect(found.map(({ path, keyword, expected }) => `${path.join('/')} ${keyword} ${expected}`)).toEqual([
    ' required all required properties',
    'b format the format `date`',
    'c/d additionalProperties only properties of the schema (`additionalProperties: false`)',
    'c/e additionalProperties only properties of the schema (`additionalProperties: false`)',
  ])
})

const branch = (name: string, required: readonly string[] = []) => ({
  type: 'object',
  properties: { kind: { enum: [name] }, size: { type: 'integer' } },
  required: ['kind', ...required],
})

test.each([
  [
    'the branch of the type',
    { oneOf: [{ type: 'string' }, branch('a')] },
    { kind: 'a', size: 'x' },
    '/oneOf/1/properties/size type',
  ],
  ['the branch of the tag', { anyOf: [branch('a'), branch('b', ['size'])] }, { kind: 'b' }, '/anyOf/1 required'],
  [
    'the branch with the keys',
    { oneOf: [branch('a', ['id']), branch('a')] },
    { kind: 'a', size: 'x' },
    '/oneOf/1/properties/size type',
  ],
  ['no branch', { oneOf: [branch('a'), branch('b')] }, { kind: 'c' }, ' oneOf'],
])('names the reason of %s', (_, schema, value, expected) => {
  const [found] = listMismatches(begin('3.1', { findsAll: true }), { file: '', pointer: '', value: schema }, value)
  expect(found && `${pointerOf(found.schema)} ${found.keyword}`).toBe(expected)
})

test('names the place of every schema that it applies, and of every keyword that a value does not match', () => {
  fc.assert(
    fc.property(schemas('3.1', 2), values, (schema, value) => {
      const options = { isStrict: true, findsAll: true }
      const { visits, mismatches } = visitSchemas(begin('3.1', options), { file: '', pointer: '', value: schema }, value)
      for (const visit of visits) {
        expect(valueAtPointer(schema, pointerOf(visit.schema))).toBe(visit.schema.value)
        expect(visit.path.reduce<unknown>(readStep, value)).toBe(visit.value)
      }
      for (const { schema: place, keyword } of mismatches) {
        const at = valueAtPointer(schema, pointerOf(place))
        expect(at === false ? 'false' : Object.keys(Object(at))).toContain(keyword)
      }
    }),
    { numRuns: propertyRuns(300) },
  )
})

test('applies all alternatives that match, and those that do not only if none does', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'integer' }, { minimum: 3 }], not: { const: 1 } }
  const listOf = (value: unknown) =>
    visitSchemas(begin('3.1', { findsAll: true }), { file: '', pointer: '', value: schema }, value).visits.map((visit) =>
      pointerOf(visit.schema),
    )
  expect(listOf(3)).toEqual(['', '/anyOf/1', '/anyOf/2'])
  expect(listOf(2.5)).toEqual(['', '/anyOf/0', '/anyOf/1', '/anyOf/2'])
})

test('ends without an error on a deep value and schemas that refer to each other', () => {
  let value: unknown = 1
  for (let level = 0; level < 250; level++) value = level % 2 === 0 ? [value] : { a: value }
  const all: { [key: string]: unknown } = {}
  const schema = { oneOf: [{ allOf: [{ anyOf: [all] }] }] }
  Object.assign(all, { items: schema, properties: { a: schema }, unevaluatedProperties: false, not: { type: 'string' } })
  for (const findsAll of [true, false]) {
    const state = begin('3.1', { findsAll })
    expect(matchSchema(state, { file: '', value: schema }, value)).toBeUndefined()
  }
})

/** The boolean bounds of 3.0 as numbers. */
function toDraft7(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toDraft7)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !key.startsWith('exclusive'))
  const result: { [key: string]: unknown } = Object.fromEntries(
    entries.map(([key, entry]) => [key, ['enum', 'const', 'required'].includes(key) ? entry : toDraft7(entry)]),
  )
  const source = value as { [key: string]: unknown } // Neither null nor a list.
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (source[flag] === true && typeof source[bound] === 'number') result[flag] = source[bound]
  }
  return result
}
