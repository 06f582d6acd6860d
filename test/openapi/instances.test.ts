import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { MatchState } from '../../src/openapi/instances/match-scalar.ts'
import { matchPattern } from '../../src/openapi/instances/match-scalar.ts'
import { matchSchema } from '../../src/openapi/instances/match-schema.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import { checkFiles, diagnosticLines } from '../support/check-text.ts'
import { fc, propertyRuns, seed } from '../support/properties.ts'

/** The diagnostics about values of some components. */
async function linesOf(components: string, version = '3.1.0'): Promise<string[]> {
  return diagnosticLines(`openapi: ${version}\ninfo: {title: Pets, version: 1.0.0}\npaths: {}\ncomponents:\n${components}\n`)
}

const schema = (value: string) => `  schemas:\n    A: ${value}`

describe('a value that its schema does not allow', () => {
  test.each([
    ['{type: integer, example: ten}', '6:33 warning example-mismatch Unexpected string for an example, expected an integer'],
    [
      '{type: integer, example: "10"}',
      '6:33 warning example-mismatch Unexpected string for an example, expected an integer · Remove the quotes',
    ],
    [
      '{type: string, default: 5}',
      '6:32 warning default-mismatch Unexpected number for `default`, expected a string · Put the value in quotes',
    ],
    [
      '{type: string, default: null}',
      '6:32 warning default-mismatch Unexpected `null` for `default`, expected a string · Write `type: [string, "null"]` in the schema to allow `null`',
    ],
    ['{type: integer, example: 1.5}', '6:33 warning example-mismatch Unexpected `1.5` for an example, expected an integer'],
    [
      '{type: [string, "null"], example: 5}',
      '6:42 warning example-mismatch Unexpected number for an example, expected a string or `null`',
    ],
    ['{enum: [a, b], example: c}', '6:32 warning example-mismatch Unexpected `c` for an example, expected one of `a`, `b`'],
    ['{const: a, default: b}', '6:28 warning default-mismatch Unexpected `b` for `default`, expected `a`'],
    [
      '{type: string, enum: [a, 5]}',
      '6:33 warning enum-mismatch Unexpected number for an entry of `enum`, expected a string · Put the value in quotes',
    ],
    ['{minimum: 5, example: 4}', '6:30 warning example-mismatch Unexpected `4` for an example, expected at least 5'],
    ['{exclusiveMaximum: 5, example: 5}', '6:39 warning example-mismatch Unexpected `5` for an example, expected less than 5'],
    [
      '{multipleOf: 0.1, example: 0.35}',
      '6:35 warning example-mismatch Unexpected `0.35` for an example, expected a multiple of 0.1',
    ],
    [
      '{maxLength: 2, example: abc}',
      '6:32 warning example-mismatch Unexpected `abc` for an example, expected at most 2 characters',
    ],
    [
      '{pattern: "^a+$", example: b}',
      '6:35 warning example-mismatch Unexpected `b` for an example, expected a string that matches `^a+$`',
    ],
    ['{minItems: 1, example: []}', '6:31 warning example-mismatch Unexpected 0 entries for an example, expected at least 1'],
    [
      '{uniqueItems: true, example: [1, 1]}',
      '6:41 warning example-mismatch Unexpected duplicate value for an entry of an example, expected unique entries',
    ],
    [
      '{items: {type: string}, example: [a, 5]}',
      '6:45 warning example-mismatch Unexpected number for an entry of an example, expected a string · Put the value in quotes',
    ],
    [
      '{prefixItems: [{type: string}], items: false, example: [a, b]}',
      '6:67 warning example-mismatch Unexpected string for an entry of an example, expected no value',
    ],
    [
      '{properties: {a: {type: string}}, example: {a: 5}}',
      '6:55 warning example-mismatch Unexpected number for `a` in an example, expected a string · Put the value in quotes',
    ],
    [
      '{required: [name], example: {nmae: 5}}',
      '6:36 warning example-mismatch Unexpected mapping without `name` for an example, expected all required properties · Is `nmae` a typo?',
    ],
    [
      '{properties: {name: {}}, additionalProperties: false, example: {nmae: 5}}',
      '6:72 warning example-mismatch Unexpected property `nmae` in an example, expected only properties of the schema (`additionalProperties: false`) · Did you mean `name`?',
    ],
    [
      '{allOf: [{properties: {name: {}}}], properties: {age: {}}, unevaluatedProperties: false, example: {name: 1, aeg: 5}}',
      '6:116 warning example-mismatch Unexpected property `aeg` in an example, expected only properties of the schema (`unevaluatedProperties: false`) · Did you mean `age`?',
    ],
    [
      '{prefixItems: [{}], contains: {const: 5}, unevaluatedItems: {type: string}, example: [1, 5, a, 2]}',
      '6:103 warning example-mismatch Unexpected number for an entry of an example, expected a string · Put the value in quotes',
    ],
    [
      '{oneOf: [{type: string}, {type: number}], example: true}',
      '6:59 warning example-mismatch Unexpected `true` for an example, expected a value that matches one of the 2 schemas of `oneOf`',
    ],
    [
      '{anyOf: [{properties: {a: {type: string}}}, {type: "null"}], example: {a: 5}}',
      '6:82 warning example-mismatch Unexpected number for `a` in an example, expected a string · Put the value in quotes',
    ],
    [
      '{not: {type: string}, example: a}',
      '6:39 warning example-mismatch Unexpected string for an example, expected a value that does not match `not`',
    ],
    [
      '{if: {type: string}, then: {minLength: 2}, example: a}',
      '6:60 warning example-mismatch Unexpected `a` for an example, expected at least 2 characters',
    ],
    [
      '{examples: [1, a], type: string}',
      '6:20 warning example-mismatch Unexpected number for an example, expected a string · Put the value in quotes',
    ],
  ])('%s', async (value, expected) => {
    expect((await linesOf(schema(value))).filter((line) => !line.includes(' required-property '))).toEqual([expected])
  })

  test.each([
    ['3.0.3', '{type: string, nullable: true, example: null}', 0],
    ['3.0.3', '{type: string, example: null}', 1],
    ['3.0.3', '{minimum: 5, exclusiveMinimum: true, example: 5}', 1],
    [
      '3.0.3',
      '{type: object, required: [a, b], properties: {a: {readOnly: true}, b: {$ref: "#/components/schemas/B"}}, example: {}}',
      0,
    ],
    ['3.1.0', '{allOf: [{required: [a]}], example: {}}', 1],
    ['3.1.0', '{allOf: [{required: [a]}, {properties: {a: {readOnly: true}}}], example: {}}', 0],
    ['3.1.0', '{allOf: [{required: [a]}, {$ref: "#/components/schemas/C"}], example: {}}', 0],
    ['3.1.0', '{allOf: [{required: [a]}, {$ref: "#/components/schemas/None"}], example: {}}', 0],
    ['3.1.0', '{properties: {a: {$ref: "#/components/schemas/B"}}, anyOf: [{required: [a]}], example: {}}', 0],
    ['3.1.0', '{properties: {b: {allOf: [{required: [a]}], properties: {a: {readOnly: true}}}}, example: {b: {}}}', 0],
    ['3.1.0', '{$ref: "#/components/schemas/D", example: {}}', 1],
    ['3.1.0', '{oneOf: [{type: integer}, {minimum: 2}], example: 3}', 1],
    ['3.0.3', '{oneOf: [{required: [a]}, {required: [b]}], example: {a: 1, b: 1}}', 1],
    ['3.1.0', '{oneOf: [true, true], example: 1}', 1],
    ['3.1.0', '{properties: {a: {format: date}, b: {oneOf: [true, true]}}, example: {a: x, b: 1}}', 1],
    ['3.1.0', '{allOf: [{oneOf: [{}, {type: string}]}, {not: {format: uuid, minLength: 9}}], example: a}', 1],
    ['3.1.0', '{oneOf: [{type: string, format: date}, {type: string}], example: a}', 0],
    ['3.1.0', '{oneOf: [{type: integer, format: int32}, {type: integer, format: int64}], example: 1}', 0],
    ['3.1.0', '{oneOf: [{items: {format: date}}, {items: {format: uuid}}], example: [a]}', 0],
    ['3.1.0', '{oneOf: [{contentMediaType: a/b}, {contentEncoding: base64}], example: a}', 0],
    [
      '3.1.0',
      '{oneOf: [{$ref: "#/components/schemas/C"}, {$ref: "#/components/schemas/D2"}], discriminator: {propertyName: a}, example: {}}',
      0,
    ],
    ['3.1.0', '{unevaluatedProperties: false, $dynamicRef: "#a", example: {a: 1}}', 0],
    ['3.1.0', '{not: {unevaluatedProperties: false}, example: {a: 1}}', 0],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {e: 1, other: 1}}', 1],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {e: 1, f: 1}}', 1],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {f: 1, x: 1}}', 1],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {e: 1}}', 0],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {f: 1}}', 0],
    ['3.1.0', '{$ref: "#/components/schemas/E1", unevaluatedProperties: false, example: {x: 1, x2: 1}}', 0],
    ['3.1.0', '{properties: {a: {$ref: "#/components/schemas/F/properties/x~1y~0z%25"}}, example: {a: text}}', 1],
    ['3.1.0', '{properties: {a: {$ref: "#/components/schemas/F/properties/x~1y~0z%25"}}, example: {a: 1}}', 0],
    ['3.1.0', '{required: ["a\\nb", "a\\"b"], example: {"a\\nb": 1}}', 1],
    ['3.1.0', '{required: ["a\\nb", "a\\"b"], example: {"a\\nb": 1, "a\\"b": 1}}', 0],
    ['3.1.0', '{dependentRequired: {"a\\tb": ["a/b"]}, example: {"a\\tb": 1}}', 1],
    ['3.1.0', '{dependentRequired: {"a\\tb": ["a/b"]}, example: {"a/b": 1}}', 0],
    ['3.1.0', '{oneOf: [{format: date}, {format: uuid}], type: string, example: a}', 0],
    ['3.1.0', '{$schema: "https://example.com/own", type: string, example: 5}', 0],
    ['3.1.0', '{$ref: "https://example.com/a", example: 5}', 0],
    ['3.1.0', '{pattern: "^(a+)+$", example: b}', 0],
    ['3.1.0', '{allOf: [{$ref: "#/components/schemas/A"}], example: 5}', 0],
  ])('%s %s: %i', async (version, value, count) => {
    const others = `
    B: {writeOnly: true}
    C: {properties: {a: {readOnly: true}}}
    D: {required: [e]}
    D2: {}
    E1: {oneOf: [{$ref: '#/components/schemas/E2'}, {required: [f], properties: {f: {}}}]}
    E2: {oneOf: [{required: [e], properties: {e: {}}}, {required: [x], patternProperties: {'^x': {}}}]}
    F: {properties: {'x/y~z%': {type: integer}}}`
    const lines = await linesOf(`${schema(value)}${others}`, version)
    expect(lines.filter((line) => line.includes('-mismatch '))).toHaveLength(count)
  })

  test('of parameters and media types, also by reference and in other files', async () => {
    const text = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    post:
      parameters:
        - {name: a, in: query, schema: {type: integer}, example: "5"}
        - {name: b, in: query, schema: {type: array, items: {type: integer}}, example: "5,6"}
        - {name: c, in: query, schema: {type: integer}, examples: {One: {value: x}}}
      requestBody:
        content:
          application/json:
            schema: {$ref: 'pet.yaml'}
            examples: {One: {$ref: '#/components/examples/One'}, Two: {value: '{"name": "a"}'}}
          application/xml:
            schema: {$ref: 'pet.yaml'}
            example: <pet/>
      responses: {default: {description: OK}}
components:
  examples:
    One: {value: {name: 5}}
`
    const lines = await diagnosticLines({
      'openapi.yaml': text,
      'pet.yaml': 'type: object\nproperties: {name: {type: string}}\n',
    })
    expect(lines).toEqual([
      '9:81 warning example-mismatch Unexpected string for an example, expected an integer',
      '21:25 warning example-mismatch Unexpected number for `name` in an example, expected a string · Put the value in quotes',
    ])
  })

  test('once for an example that media types share, so that it is counted once', async () => {
    const media = `{schema: {type: integer}, examples: {One: {$ref: '#/components/examples/One'}}}`
    const text = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths: {}
components:
  requestBodies:
    A: {content: {application/json: ${media}}}
    B: {content: {application/json: ${media}}}
  examples: {One: {value: one}}
`
    const { findings } = await checkFiles({ 'openapi.yaml': text })
    expect(findings.filter(({ code }) => code === 'example-mismatch')).toHaveLength(1)
  })
})

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
        // ajv 8.20 does not count what `contains` matches as evaluated; the JSON Schema Test Suite does.
        const written = JSON.stringify(generated)
        fc.pre(!(written.includes('"unevaluatedItems"') && written.includes('"contains"')))
        const validate =
          release === '3.0'
            ? new Ajv({ strict: false, logger: false, validateSchema: false }).compile(toDraft7(generated) as object)
            : new Ajv2020({ strict: false, logger: false, validateSchema: false }).compile(generated as object)
        for (const value of candidates) {
          const state: MatchState = {
            ...{ release, find: () => undefined, stepsLeft: 100_000, uncertain: false, isAnnotated: false, path: [], depth: 0 },
            top: undefined,
            evaluated: undefined,
          }
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
