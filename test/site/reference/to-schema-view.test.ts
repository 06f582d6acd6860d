import { expect, test } from 'vitest'
import { matchSchema, startMatch } from '../../../src/model/instances/match-schema.ts'
import { english } from '../../../src/site/messages/messages.ts'
import { toFactWords, translateLabel } from '../../../src/site/page/api/schema-words.ts'
import { toTopSchemaView } from '../../../src/site/reference/to-schema-view.ts'
import { toTypeText } from '../../../src/site/reference/type-words.ts'
import type { SchemaSide, SchemaView } from '../../../src/site/reference/types.ts'
import { accepts, parseLimits } from '../../support/limits.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { documentOf, referenceOf } from './reference-of.ts'

interface ViewOptions {
  readonly version?: string
  readonly side?: SchemaSide
  /** Other schemas of the document. */
  readonly schemas?: object
  readonly files?: object
}

/** Shows a schema with one row per line, indented by level. */
async function show(schema: unknown, { version = '3.1.0', side = 'both', schemas = {}, files = {} }: ViewOptions = {}) {
  const { context } = await referenceOf({ 'a.json': documentOf({ Tested: schema, ...schemas }, {}, version), ...files })
  const place = { file: 'a.json', pointer: '/components/schemas/Tested', value: schema }
  return toLines(toTopSchemaView(place, context, { side, page: 'Tested' }), '')
}

function toLines(view: SchemaView, indent: string): string[] {
  const row = (name: string, one: SchemaView, more = '') => {
    const [first = '', ...rest] = toLines(one, `${indent}  `)
    return [`${indent}${name}${more}: ${first}`, ...rest]
  }
  const facts = view.facts.map((fact) =>
    fact.kind === 'value' ? `${translateLabel(fact, english)} ${fact.value}` : toFactWords(fact, english),
  )
  const values = view.enum.map(({ value, description }) => (description === undefined ? value : `${value} (${description})`))
  const marks = [
    ...(values.length > 0 ? [`[${values.join(', ')}]`] : []),
    ...facts,
    ...(view.description === undefined ? [] : [`"${view.description}"`]),
    ...(['deprecated', 'readOnly', 'writeOnly', 'isClosed'] as const).filter((flag) => view[flag]),
    ...(view.bases.length === 0 ? [] : [`+${view.bases.map(({ name }) => name).join(', ')}`]),
    ...(view.cut ? [`→${view.cut.kind}`] : []),
  ]
  return [
    [toTypeText(view), ...marks].join(' · '),
    ...view.properties.flatMap(({ name, required, schema }) => row(name, schema, required ? '!' : '')),
    ...view.otherKeys.flatMap(({ label, schema }) => row(`{${label}}`, schema)),
    ...view.prefixItems.flatMap((schema, index) => row(`[${index}]`, schema)),
    ...(view.items ? row('[]', view.items) : []),
    ...view.choices.flatMap(({ kind, discriminator, options }) => [
      `${indent}${kind}${discriminator === undefined ? '' : ` by ${discriminator}`}`,
      ...options.flatMap(({ label, schema }) => row(`- ${label}`, schema)),
    ]),
    ...view.conditions.flatMap((condition) => row(`(${translateLabel(condition, english)})`, condition.schema)),
  ]
}

test.each<[string, unknown, string[], ViewOptions?]>([
  ['null among choices', { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, ['string, integer or null']],
  [
    'a choice between plain types and lists of them',
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }, { $ref: '#/components/schemas/Id' }] },
    ['string, array of integers or string · Id'],
    { schemas: { Id: { type: 'string' } } },
  ],
  [
    'a choice between constants',
    {
      type: 'integer',
      oneOf: [{ title: 'LOW', description: 'Few', const: 0 }, { title: 'HIGH', const: 1 }, { const: 2 }, { type: 'null' }],
    },
    ['enum of integers or null · [0 (LOW: Few), 1 (HIGH), 2]'],
  ],
  [
    'a choice between constants with a format',
    { type: 'integer', format: 'int32', oneOf: [{ title: 'LOW', const: 0 }, { const: 1 }] },
    ['enum of integers · [0 (LOW), 1] · Format int32'],
  ],
  [
    'a choice between plain types with a format',
    { format: 'date', oneOf: [{ type: 'string' }, { type: 'null' }, { type: 'integer' }] },
    ['string, integer or null · Format date'],
  ],
  [
    'a choice without a type, with a format',
    { format: 'date', oneOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }] },
    ['one of several · Format date', 'oneOf', '- string: string · At least 1 character', '- integer: integer'],
  ],
  [
    'an enum that selects from constants',
    {
      type: 'integer',
      enum: [1],
      allOf: [
        {
          oneOf: [
            { title: 'LOW', const: 0 },
            { title: 'HIGH', const: 1 },
          ],
        },
      ],
    },
    ['integer · [1 (HIGH)]'],
  ],
  [
    'a choice between plain types that can be null',
    { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
    ['string, integer or null'],
  ],
  ['a choice between constants without a type', { anyOf: [{ const: 'a' }, { const: 'b' }] }, ['enum of strings · [a, b]']],
  [
    'a choice with something to show about an option',
    { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
    ['one of several', 'oneOf', '- string: string', '- integer: integer · At least 1'],
  ],
  ['a format', { type: 'string', format: 'date-time' }, ['string · date-time']],
  ['no type', {}, ['any']],
  ['true', true, ['any']],
  ['false', false, ['nothing']],
  ['several types', { type: ['string', 'integer', 'null'] }, ['string or integer or null']],
  ['nullable of 3.0', { type: 'string', nullable: true }, ['string or null'], { version: '3.0.3' }],
  [
    'a reference that is nullable of 3.0',
    { nullable: true, allOf: [{ $ref: '#/components/schemas/A' }] },
    ['object or null · +A', 'a: string'],
    { version: '3.0.3', schemas: { A: { type: 'object', properties: { a: { type: 'string' } } } } },
  ],
  [
    'a schema of 3.0 that says only that it is nullable',
    { allOf: [{ $ref: '#/components/schemas/A' }, { nullable: true }] },
    ['object or null · +A', 'a: string'],
    { version: '3.0.3', schemas: { A: { type: 'object', properties: { a: { type: 'string' } } } } },
  ],
  ['values without null, with null as a type', { type: ['string', 'null'], enum: ['a', 'b'] }, ['enum of strings · [a, b]']],
  ['values with null', { type: ['string', 'null'], enum: ['a', 'b', null] }, ['enum of strings or null · [a, b, null]']],
  ['a constant with null as a type', { type: ['string', 'null'], const: 'a' }, ['string · Always a']],
  [
    'values without null, nullable of 3.0',
    { type: 'string', nullable: true, enum: ['a'] },
    ['string · [a]'],
    { version: '3.0.3' },
  ],
  [
    'a map that can be null, of values that can be null',
    { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
    ['map of string to string or null', '{any other key}: string or null'],
  ],
  [
    'a list that can be null, of items that can be null',
    { anyOf: [{ type: ['array', 'null'], items: { type: ['string', 'null'] } }, { type: 'null' }] },
    ['array of string or null'],
  ],
  [
    'null in several options',
    { oneOf: [{ type: 'integer' }, { type: ['string', 'null'] }, { type: 'null' }] },
    ['integer, string or null'],
  ],
  ['null as a choice', { oneOf: [{ type: 'string' }, { type: 'null' }] }, ['string or null']],
  ['null in several choices', { anyOf: [{ type: ['string', 'null'] }, { enum: [null] }] }, ['string or null']],
  ['null as a constant choice', { anyOf: [{ type: 'string' }, { const: null }] }, ['string or null']],
  ['lengths', { type: 'string', minLength: 1, maxLength: 5_000, pattern: '^a' }, ['string · 1–5,000 characters · Pattern ^a']],
  [
    'numbers',
    { type: 'number', minimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    ['number · At least 0, less than 1 · A multiple of 0.1'],
  ],
  [
    'items',
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1, uniqueItems: true },
    ['array of strings · 1 item · Unique items', '[]: string'],
  ],
  ['a single value', { type: 'integer', format: 'int32', enum: [1] }, ['integer · [1] · Format int32']],
  [
    'a list of values of an enum',
    { type: 'array', items: { enum: ['a', 'b'] } },
    ['array of strings', '[]: enum of strings · [a, b]'],
  ],
  [
    'a list with a choice',
    { type: 'array', items: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }] } },
    [
      'array of several types',
      '[]: one of several',
      '  anyOf',
      '  - string: string · At least 1 character',
      '  - integer: integer',
    ],
  ],
  ['unique items of a value that is no list', { type: 'string', uniqueItems: true }, ['string']],
  [
    'a default and examples',
    { type: 'boolean', default: false, examples: [true, false] },
    ['boolean · Default false · Example true · Example false'],
  ],
  ['an empty default', { type: 'string', default: '' }, ['string · Default ']],
  ['an enum', { enum: ['a', 1, null] }, ['string or integer · [a, 1, null]']],
  [
    'an enum with words',
    { type: 'string', enum: ['a', 'b'], 'x-enumDescriptions': { a: 'First' } },
    ['enum of strings · [a (First), b]'],
  ],
  [
    'an enum with a list of words',
    { type: 'string', enum: ['a', 'b'], 'x-enum-descriptions': ['First', 'Second'] },
    ['enum of strings · [a (First), b (Second)]'],
  ],
  ...['x-enum-varnames', 'x-enumNames', 'x-enum-names', 'x-speakeasy-enums'].map((name): [string, unknown, string[]] => [
    `an enum with ${name} and descriptions`,
    { type: 'integer', enum: [0, 1], [name]: ['Zero', 'One'], 'x-enum-descriptions': { 1: 'First' } },
    ['enum of integers · [0 (Zero), 1 (One: First)]'],
  ]),
  [
    'an enum of Azure',
    { type: 'integer', enum: [0, 1], 'x-ms-enum': { name: 'A', values: [{ value: 1, name: 'One', description: 'First' }] } },
    ['enum of integers · [0, 1 (One: First)]'],
  ],
  [
    'an enum of Fern',
    { enum: ['a', 'b'], 'x-fern-enum': { a: { name: 'Alpha' }, b: { description: 'Second' } } },
    ['enum of strings · [a (Alpha), b (Second)]'],
  ],
  ['a constant', { const: 'cat' }, ['constant · Always cat']],
  ['deprecated', { type: 'string', deprecated: true }, ['string · deprecated']],
  [
    'content',
    { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    ['string · Content image/png · Encoding base64'],
  ],
])('describes values: %s', async (_, schema, expected, options) => {
  expect(await show(schema, options)).toEqual(expected)
})

const named = { A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
const toA = { $ref: '#/components/schemas/A' }

test.each<[string, unknown, string[], ViewOptions?]>([
  ['properties', { properties: { a: { type: 'string' }, b: {} }, required: ['a'] }, ['object', 'a!: string', 'b: any']],
  ['nested ones', { properties: { a: { properties: { b: { type: 'string' } } } } }, ['object', 'a: object', '  b: string']],
  [
    'other keys',
    { type: 'object', additionalProperties: { type: 'integer' } },
    ['map of string to integer', '{any other key}: integer'],
  ],
  [
    'other keys with a name',
    { type: 'object', additionalProperties: toA },
    ['map of string to A', '{any other key}: A · →page'],
    { schemas: named },
  ],
  ['no other keys', { properties: { a: {} }, additionalProperties: false }, ['object · isClosed', 'a: any']],
  [
    'keys of a pattern',
    { patternProperties: { '^x-': { type: 'string' }, '[0-9]+': {} } },
    ['map of string to string', '{x-…}: string', '{key of a pattern}: any'],
  ],
  [
    'tuples',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    ['list of 2', '[0]: string', '[1]: integer'],
  ],
  [
    'tuples with more',
    { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    ['list of 1 and more', '[0]: string', '[]: integer'],
  ],
  ['not', { type: 'string', not: { enum: ['a'] } }, ['string', '(Not): string · [a]']],
  [
    'conditions',
    JSON.parse('{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]}}'),
    ['any', '(If): object', '  a: constant · Always 1', '(then): any · Requires b'],
  ],
  ['a reference', toA, ['object · +A', 'a!: string'], { schemas: named }],
  ['words beside a reference', { ...toA, description: 'Mine' }, ['object · "Mine" · +A', 'a!: string'], { schemas: named }],
  [
    'allOf',
    { allOf: [toA, { properties: { b: { type: 'integer' } }, required: ['b'] }], description: 'Both' },
    ['object · "Both" · +A', 'a!: string', 'b!: integer'],
    { schemas: named },
  ],
  [
    'limits of allOf',
    { allOf: [{ type: 'number', minimum: 1 }, { type: 'integer', minimum: 3, maximum: 9 }, { maximum: 5 }] },
    ['integer · 3 to 5'],
  ],
  ['a format next to a constant', { type: 'integer', format: 'int32', const: 1 }, ['integer · int32 · Always 1']],
  ['recursion', { properties: { next: { $ref: '#/components/schemas/Tested' } } }, ['object', 'next: Tested · →recursive']],
  [
    'recursion of lists',
    { properties: { all: { type: 'array', items: { $ref: '#/components/schemas/Tested' } } } },
    ['object', 'all: array of Tested', '  []: Tested · →recursive'],
  ],
  ['what leads only to itself', { $ref: '#/components/schemas/Tested' }, ['any']],
  ['a broken reference', { properties: { a: { $ref: '#/components/schemas/None' } } }, ['object', 'a: any']],
  [
    'wrong types everywhere',
    { type: 7, properties: [1], required: 'a', enum: 'b', allOf: {}, oneOf: 3, items: 'x', minimum: '1', description: 5 },
    ['array of any', '[]: any'],
  ],
  ['one option of another type', { type: 'string', oneOf: [{ type: 'integer' }] }, ['string', 'oneOf', '- integer: integer']],
  [
    'one option that says the same',
    { type: ['string', 'null'], oneOf: [{ type: 'string', pattern: 'a' }] },
    ['string or null · Pattern a'],
  ],
  ['a property called __proto__', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), ['object', '__proto__: string']],
])('expands a schema: %s', async (_, schema, expected, options) => {
  expect(await show(schema, options)).toEqual(expected)
})

test.each<[string, (schema: object) => object]>([
  ['the page itself', (schema) => schema],
  ['a property', (schema) => ({ properties: { n: schema } })],
  ['a property of `allOf`', (schema) => ({ allOf: [{ $ref: '#/components/schemas/Other' }, { properties: { n: schema } }] })],
  ['the items of a list', (schema) => ({ type: 'array', items: schema })],
  ['an item of a tuple', (schema) => ({ prefixItems: [schema] })],
  ['other keys', (schema) => ({ additionalProperties: schema })],
  ['the keys of a pattern', (schema) => ({ patternProperties: { '^x-': schema } })],
  ['an option', (schema) => ({ oneOf: [schema, { type: 'string' }] })],
  ['the only option but null', (schema) => ({ anyOf: [schema, { type: 'null' }] })],
  ['a condition', (schema) => ({ if: schema })],
])('marks fields of a named schema that only one use of it requires: %s', async (_, wrap) => {
  const base = { type: 'object', properties: { x: { type: 'string' }, y: { type: 'integer' } } }
  const toBase = { $ref: '#/components/schemas/Base' }
  const schemas = { Base: base, Other: { properties: { z: {} } } }
  for (const schema of [
    { ...toBase, required: ['x'] },
    { allOf: [toBase], required: ['x'] },
    { allOf: [{ required: ['x'] }, toBase] },
    { allOf: [{ allOf: [toBase] }, { allOf: [{ required: ['x'] }] }] },
  ]) {
    const rows = (await show(wrap(schema), { schemas })).map((line) => line.replace(/^[\s-]+/, ''))
    expect(rows.filter((row) => /^[xy]!?:/.test(row))).toEqual(['x!: string', 'y: integer'])
    expect(rows.join('\n')).not.toContain('Requires')
  }
})

test('says which keys a use of a named schema requires if that schema does not describe them', async () => {
  const schemas = { Base: { type: 'object', properties: { y: {} }, required: ['y'] } }
  const n = { allOf: [{ $ref: '#/components/schemas/Base' }], required: ['x', 'y'] }
  expect(await show({ properties: { n } }, { schemas })).toEqual(['object', 'n: Base · Requires x · →page'])
})

test.each<[SchemaSide, string[]]>([
  ['request', ['object', 'both: string', 'sent: string · writeOnly']],
  ['response', ['object', 'id: string · readOnly', 'both: string']],
  ['both', ['object', 'id: string · readOnly', 'both: string', 'sent: string · writeOnly']],
])('shows read-only and write-only properties on one side only: %s', async (side, expected) => {
  const properties = {
    id: { type: 'string', readOnly: true },
    both: { type: 'string' },
    sent: { type: 'string', writeOnly: true },
  }
  expect(await show({ properties }, { side })).toEqual(expected)
})

const kind = (value: string) => ({ type: 'object', properties: { kind: { const: value } } })
const pets = { Cat: kind('cat'), Dog: { ...kind('dog'), title: 'A dog' } }
const petChoice = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }
const inside = (value: string) => [`  kind: constant · Always ${value}`]

test.each<[string, unknown, string[], ViewOptions?]>([
  ['names and titles', petChoice, ['one of several', 'oneOf', '- Cat: Cat', ...inside('cat'), '- A dog: Dog', ...inside('dog')]],
  [
    'constants of the discriminator',
    { ...petChoice, discriminator: { propertyName: 'kind' } },
    ['one of several', 'oneOf by kind', '- cat: Cat', ...inside('cat'), '- dog: Dog', ...inside('dog')],
  ],
  [
    'the mapping',
    { ...petChoice, discriminator: { propertyName: 'kind', mapping: { C: 'Cat', D: '#/components/schemas/Dog' } } },
    ['one of several', 'oneOf by kind', '- C: Cat', ...inside('cat'), '- D: Dog', ...inside('dog')],
  ],
  [
    'type, with a number for duplicates',
    { anyOf: [{ type: 'string' }, { type: 'string', format: 'uri' }, { type: 'string', description: 'Words' }] },
    ['one of several', 'anyOf', '- string: string', '- string · uri: string · uri', '- string 2: string · "Words"'],
  ],
  [
    'a mapping alone',
    {
      type: 'object',
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } },
    },
    ['object', 'kind: string', 'oneOf by kind', '- cat: Cat', ...inside('cat')],
  ],
])('labels choices by %s', async (_, schema, expected) => {
  expect(await show(schema, { schemas: pets })).toEqual(expected)
})

test('shows the schemas that extend one in another file', async () => {
  const files = { 'pet.json': { type: 'object', discriminator: { propertyName: 'kind' } } }
  const schemas = { Cat: { allOf: [{ $ref: '#/components/schemas/Tested' }] } }
  expect((await show({ $ref: 'pet.json' }, { schemas, files })).join('\n')).toContain('Cat')
})

test.each([
  ['no mapping', undefined, ['Cat', 'Dog', 'Kitten']],
  ['a partial mapping', { kitten: 'Kitten' }, ['kitten', 'Cat', 'Dog']],
  ['a complete mapping', { a: 'Cat', b: 'Dog', c: '#/components/schemas/Kitten' }, ['a', 'b', 'c']],
])('shows the schemas that extend a schema with a discriminator, with %s', async (_, mapping, expected) => {
  const extend = (base: string, own: string) => ({
    allOf: [{ $ref: `#/components/schemas/${base}` }, { properties: { [own]: { type: 'string' } } }],
  })
  const schemas = { Cat: extend('Tested', 'claw'), Dog: extend('Tested', 'bark'), Kitten: extend('Cat', 'play'), Other: {} }
  const lines = await show({ type: 'object', discriminator: { propertyName: 'kind', mapping } }, { schemas })
  expect(lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2).split(':', 1)[0])).toEqual(expected)
})

test('does not repeat all variants inside a variant', async () => {
  const schemas = {
    Cat: { allOf: [{ $ref: '#/components/schemas/Tested' }, { properties: { purrs: { type: 'boolean' } } }] },
    Dog: { allOf: [{ $ref: '#/components/schemas/Tested' }, { properties: { barks: { type: 'boolean' } } }] },
  }
  const expected = [
    'oneOf',
    '- Cat: Cat · +Tested',
    '  name: string',
    '  purrs: boolean',
    '- Dog: Dog · +Tested',
    '  name: string',
    '  barks: boolean',
  ]
  expect(await show({ properties: { name: { type: 'string' } }, ...petChoice }, { schemas })).toEqual([
    'object',
    'name: string',
    ...expected,
  ])
})

const chain = (names: string) =>
  Object.fromEntries(
    [...names].map((name, index) => {
      const next = names[index + 1]
      return [
        name,
        { type: 'object', properties: next === undefined ? { end: {} } : { next: { $ref: `#/components/schemas/${next}` } } },
      ]
    }),
  )

test.each<[SchemaSide, boolean, string[]]>([
  ['request', false, ['A', 'next: B', '  next: C · →page']],
  ['response', false, ['A', 'next: B · →page']],
  ['response', true, ['A', 'next: B · →page']],
])('shows the content of nearby schemas in place: %s, page of an error: %s', async (side, isError, expected) => {
  const { context } = await referenceOf({ 'a.json': documentOf(chain('ABCD')) })
  const place = { file: 'a.json', pointer: '/x', value: { $ref: '#/components/schemas/A' } }
  expect(toLines(toTopSchemaView(place, context, { side, isError }), '')).toEqual(expected)
})

test('leaves out the content of a nearby schema with too many rows', async () => {
  const wide = { properties: Object.fromEntries(Array.from({ length: 151 }, (_, index) => [`p${index}`, {}])) }
  const schemas = {
    A: { properties: { wide: { $ref: '#/components/schemas/Wide' }, b: { $ref: '#/components/schemas/B' } } },
    Wide: wide,
    B: named.A,
  }
  const { context } = await referenceOf({ 'a.json': documentOf(schemas) })
  const place = { file: 'a.json', pointer: '/x', value: { $ref: '#/components/schemas/A' } }
  expect(toLines(toTopSchemaView(place, context, { side: 'request' }), '')).toEqual([
    'A',
    'wide: Wide · →page',
    'b: B',
    '  a!: string',
  ])
})

const object = (size: number) => ({
  properties: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, {}])),
})

test('keeps all properties of a very wide schema, without what is inside of them', async () => {
  const wide = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`p${index}`, object(10)]))
  const lines = await show({ properties: wide })
  expect(lines).toHaveLength(901)
  expect(lines.at(-1)).toBe('p899: object · →part')
})

test('splits the largest parts off a large schema, at every level', async () => {
  const { context, schemaParts } = await referenceOf({
    'a.json': documentOf({
      Tested: { properties: { first: object(180), second: { properties: { inner: object(250) } }, third: object(8) } },
    }),
  })
  const place = { file: 'a.json', pointer: '/components/schemas/Tested', value: context.named.places.get('Tested')?.value }
  const lines = toLines(toTopSchemaView(place, context, { side: 'both', page: 'Tested' }), '')
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['object', 'first: object', 'second: object', 'third: object'])
  expect(lines).toContain('  inner: object · →part')
  expect(schemaParts('Tested').map(({ names }) => names)).toEqual([['second', 'inner']])
})

test.each([
  ['YAML', '{b: {}, "10": {$ref: "#/components/schemas/Other"}, 2: {}, a: {}, "1": {}}'],
  ['JSON', '{"b": {}, "10": {"$ref": "#/components/schemas/Other"}, "2": {}, "a": {}, "1": {}}'],
])('keeps the order of properties whose names are numbers: %s', async (syntax, written) => {
  const [start, end] = syntax === 'YAML' ? ['', ''] : ['{', '}']
  const other = '{"properties": {"y": {}, "3": {}, "x": {}}}'
  const text = `${start}"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {"Other": ${other}, "Tested": {"properties": ${written}}}}${end}`
  const { context } = await referenceOf({ 'a.txt': syntax === 'YAML' ? `{${text}}`.replace(/^/, '# YAML\n') : text })
  const namesOf = (name: string) => {
    const place = context.named.places.get(name)
    return place && toTopSchemaView(place, context, { side: 'both', page: name }).properties.map((property) => property.name)
  }
  expect(namesOf('Tested')).toEqual(['b', '10', '2', 'a', '1'])
  expect(namesOf('Other')).toEqual(['y', '3', 'x'])
})

test('shows a range of numbers that accepts the same numbers as the schemas', async () => {
  const limit = fc.option(fc.integer({ min: -2, max: 3 }), { nil: undefined })
  const flag = fc.option(fc.boolean(), { nil: undefined })
  const part = (exclusive: fc.Arbitrary<unknown>) =>
    fc.record({ minimum: limit, maximum: limit, exclusiveMinimum: exclusive, exclusiveMaximum: exclusive })
  const parts = (version: string, exclusive: fc.Arbitrary<unknown>) =>
    fc.tuple(fc.constant(version), fc.array(part(exclusive), { minLength: 1, maxLength: 3 }))
  const documents = fc.oneof(parts('3.0.3', flag), parts('3.1.0', limit))
  await fc.assert(
    fc.asyncProperty(documents, async ([version, allOf]) => {
      const written = JSON.parse(JSON.stringify({ type: 'number', allOf })) as object // Without `undefined`.
      const { context } = await referenceOf({ 'a.json': documentOf({ Tested: written }, {}, version) })
      const place = { file: 'a.json', pointer: '/components/schemas/Tested', value: written }
      const { facts } = toTopSchemaView(place, context, { side: 'both', page: 'Tested' })
      const words = facts.flatMap((fact) => (fact.kind === 'value' ? [] : [toFactWords(fact, english)]))
      for (let value = -4; value <= 5; value += 0.5) {
        const state = startMatch(
          context.release,
          () => undefined,
          () => true,
        )
        const isAccepted = matchSchema(state, place, value) === undefined
        expect([value, words, accepts(words.flatMap(parseLimits), value)]).toEqual([value, words, isAccepted])
      }
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

test('names schemas that only references name, and gives a schema with bases its own page if it is large', async () => {
  const schemas = {
    Tested: {
      properties: { a: { $ref: 'b.json#/$defs/Inner' }, both: { allOf: [{ $ref: '#/components/schemas/Wide' }, object(3)] } },
    },
    Wide: object(40),
  }
  const files = {
    'a.json': documentOf(schemas, { paths: usePath('Tested') }),
    'b.json': { $defs: { Inner: { properties: { x: {} } } } },
  }
  const { context, usedSchemas, schemaParts } = await referenceOf(files)
  expect(usedSchemas.map(({ name }) => name)).toEqual(['Tested', 'Wide', 'Inner'])
  const place = { file: 'a.json', pointer: '/components/schemas/Tested', value: schemas.Tested }
  expect(toLines(toTopSchemaView(place, context, { side: 'both', page: 'Tested' }), '')).toEqual([
    'object',
    'a: Inner · →page',
    'both: object · →part',
  ])
  expect(schemaParts('Tested').map(({ names, view }) => [names, view().properties.length])).toEqual([[['both'], 40]])
})

test('shows what several schemas say about the same value', async () => {
  const schema = {
    description: 'Own.',
    allOf: [
      { $ref: '#/components/schemas/A' },
      { description: 'First.', properties: { a: { description: 'A note', pattern: 'x' }, b: { default: 1 } } },
      { description: 'Second.', pattern: 'y', if: { required: ['a'] } },
      JSON.parse('{"pattern":"z","if":{"required":["b"]},"then":false}'),
    ],
  }
  expect(await show(schema, { schemas: named })).toEqual([
    'object · Pattern y · Pattern z · "Own.\n\nFirst.\n\nSecond." · +A',
    'a!: string · Pattern x · "A note"',
    'b: any · Default 1',
    '(If): any · Requires a',
    '(If): any · Requires b',
    '(then): nothing',
  ])
})

function usePath(name: string): object {
  const schema = { $ref: `#/components/schemas/${name}` }
  return { '/x': { get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } } } }
}

test('follows references to other files and between them', async () => {
  const files = {
    'b.json': {
      type: 'object',
      properties: { a: { $ref: '#/$defs/inner' }, up: { $ref: 'a.json#/components/schemas/A' } },
      $defs: { inner: { type: 'string' } },
    },
  }
  expect(await show({ $ref: 'b.json' }, { files, schemas: named })).toEqual(['object', 'a: string', 'up: A · →page'])
})

const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })

test.each<[string, object, string[]]>([
  ['an object', nullable({ ...named.A, description: 'Words' }), ['N or null · "Words"', '  a!: string']],
  [
    'a map',
    nullable({ type: 'object', additionalProperties: { type: 'string' }, description: 'Words' }),
    ['N or null · "Words"', '  {any other key}: string'],
  ],
  ['an enum', nullable({ enum: ['a', 'b'], default: 'a' }), ['enum of strings · N or null · [a, b] · Default a']],
  ['another name', nullable(toA), ['N or null · →page']],
  ['itself', nullable({ $ref: '#/components/schemas/N' }), ['N or null · →page']],
])('shows a named schema that is only nullable with the words of the other one: %s', async (_, schema, expected) => {
  const { context } = await referenceOf({ 'a.json': documentOf({ ...named, N: schema }) })
  const value = { properties: { n: { $ref: '#/components/schemas/N' } } }
  const [, ...lines] = toLines(toTopSchemaView({ file: 'a.json', pointer: '/x', value }, context, { side: 'request' }), '')
  expect(lines).toEqual([`n: ${expected[0]}`, ...expected.slice(1)])
})

const levels = {
  type: 'integer',
  oneOf: [
    { const: 0, title: 'LOW' },
    { const: 1, title: 'HIGH' },
  ],
}

test.each<[string, object, string]>([
  ['constants', { ...levels, format: 'int32' }, 'n: enum of integers · N · [0 (LOW), 1 (HIGH)] · Format int32'],
  ['constants or null', { anyOf: [levels, { type: 'null' }] }, 'n: enum of integers · N or null · [0 (LOW), 1 (HIGH)]'],
  [
    'plain types',
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { $ref: '#/components/schemas/Id' }] },
    'n: string, integer or string · Id · N',
  ],
])('shows a named choice without content in its row: %s', async (_, schema, expected) => {
  const { context } = await referenceOf({ 'a.json': documentOf({ N: schema, Id: { type: 'string' } }) })
  const value = { properties: { n: { $ref: '#/components/schemas/N' } } }
  const lines = toLines(toTopSchemaView({ file: 'a.json', pointer: '/x', value }, context, { side: 'response' }), '')
  expect(lines).toEqual(['object', expected])
})

test('shows words and limits once that several descriptions of a value repeat', async () => {
  const limited = { type: 'integer', minimum: 0, maximum: 20, description: 'How many' }
  const schema = { allOf: [{ properties: { a: nullable(limited) } }, { properties: { a: { ...limited, description: 'More' } } }] }
  expect(await show(schema)).toEqual(['object', 'a: integer or null · 0 to 20 · "More\n\nHow many"'])
})

test('reads a circular `allOf` once', async () => {
  const itself = { allOf: [{ $ref: '#/components/schemas/Tested' }], properties: { a: { type: 'string' } } }
  expect(await show(itself)).toEqual(['object', 'a: string'])
  const other = { allOf: [{ $ref: '#/components/schemas/B' }], type: 'object' }
  const schemas = { B: { allOf: [{ $ref: '#/components/schemas/Tested' }], properties: { b: { type: 'string' } } } }
  expect(await show(other, { schemas })).toEqual(['object · +B', 'b: string'])
})
