import type { Random } from '../support/random.ts'

/** A schema of OpenAPI 3.1 that can be changed. */
export type Schema = { [keyword: string]: unknown }

/** A schema with the components that it refers to. */
export interface SchemaSet {
  readonly schema: Schema
  readonly components: { readonly [name: string]: Schema }
}

const names = ['a', 'b', 'c'] as const
const words = ['a', 'b', 'ab', 'abc', 'x1'] as const
const patterns = ['^a', '^[a-b]+$', '.*', 'b$'] as const

/** Texts of each format that schemas have. */
export const formatSamples: { readonly [format: string]: readonly string[] } = {
  date: ['2026-01-02'],
  time: ['03:04:05Z', '03:04:05+01:00'],
  'date-time': ['2026-01-02T03:04:05Z'],
  email: ['a@example.com'],
  'idn-email': ['ü@example.com', 'a@example.com'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uri: ['https://example.com/a'],
  'uri-reference': ['/a?b=1', 'https://example.com/a'],
}

/** The formats of texts. */
export const formats = Object.keys(formatSamples)

/** Formats of numbers with the least and the greatest number. */
export const numberFormats: { readonly [format: string]: readonly [least: number, most: number] } = {
  int8: [-128, 127],
  uint8: [0, 255],
  int32: [-(2 ** 31), 2 ** 31 - 1],
}

/** Makes random schemas that have at least a chance to match values: keywords belong to the type beside them. */
export function makeSchemaSet(random: Random, depth: number): SchemaSet {
  return {
    schema: makeSchema(random, depth),
    components: { A: makeObject(random, Math.min(depth, 2)), B: makeSchema(random, 1) },
  }
}

/** Makes a schema of a text: a scalar, or a list of scalars. */
export function makeTextSchema(random: Random): Schema {
  return random() < 0.2 ? { type: 'array', items: makeScalar(random) } : makeScalar(random)
}

function makeSchema(random: Random, depth: number): Schema {
  if (depth <= 0) return makeScalar(random)
  const kind = random()
  if (kind < 0.25) return makeScalar(random)
  if (kind < 0.55) return makeObject(random, depth)
  if (kind < 0.7) return makeArray(random, depth)
  if (kind < 0.8) return { $ref: `#/components/schemas/${random.of(['A', 'B'])}` }
  return makeCombination(random, depth)
}

function makeScalar(random: Random): Schema {
  const schema = random.of([makeText, makeText, makeNumber, makeNumber, makeValues, () => ({ type: 'boolean' })])(random)
  const { type } = schema
  if (typeof type === 'string' && random() < 0.15) {
    return random() < 0.5 ? { ...schema, type: [type, 'null'] } : { [random.of(['oneOf', 'anyOf'])]: [schema, { type: 'null' }] }
  }
  return schema
}

function makeText(random: Random): Schema {
  return random.of<() => Schema>([
    () => ({ type: 'string' }),
    () => ({ type: 'string', ...maybe(random, 'minLength', count), ...maybe(random, 'maxLength', () => count(random) + 2) }),
    () => ({ type: 'string', pattern: random.of(patterns) }),
    () => ({ type: 'string', format: random.of(formats) }),
    () => ({ type: 'string', enum: words.slice(0, 1 + count(random)) }),
  ])()
}

function makeNumber(random: Random): Schema {
  const type = random.of(['integer', 'number'])
  return random.of<() => Schema>([
    () => ({ type }),
    () => ({
      type,
      ...maybe(random, random.of(['minimum', 'exclusiveMinimum']), count),
      ...maybe(random, random.of(['maximum', 'exclusiveMaximum']), () => count(random) + 4),
    }),
    () => ({ type, multipleOf: 1 + count(random) }),
    () => ({
      type,
      format: random.of(Object.keys(numberFormats)),
      ...maybe(random, random.of(['minimum', 'exclusiveMinimum']), () => random.of([-128, 0, 1])),
      ...maybe(random, random.of(['maximum', 'exclusiveMaximum']), () => random.of([9, 127, 128, 255, 256])),
    }),
  ])()
}

function makeValues(random: Random): Schema {
  return random() < 0.5
    ? { const: random.of<unknown>(['a', 1, null, true]) }
    : { enum: ['a', 1, 'b', false].slice(0, 1 + count(random)) }
}

function makeObject(random: Random, depth: number): Schema {
  const properties: Schema = {}
  for (const name of names) if (random() < 0.6) properties[name] = makeProperty(random, depth - 1)
  const known = Object.keys(properties)
  return {
    type: 'object',
    properties,
    ...maybe(random, 'required', () => known.filter(() => random() < 0.5)),
    ...(random() < 0.3 ? { additionalProperties: random.of<unknown>([false, true, makeScalar(random)]) } : {}),
    ...(random() < 0.35 ? makeObjectKeyword(random) : {}),
  }
}

function makeProperty(random: Random, depth: number): Schema {
  const schema = random() < 0.05 ? {} : makeSchema(random, depth)
  return random() < 0.1 && !schema['$ref'] ? { ...schema, [random.of(['readOnly', 'writeOnly'])]: true } : schema
}

function makeObjectKeyword(random: Random): Schema {
  return random.of<() => Schema>([
    // A component can contain itself.
    () => ({ patternProperties: { '^x': random() < 0.3 ? { $ref: '#/components/schemas/A' } : makeScalar(random) } }),
    () => ({ propertyNames: { maxLength: 1 + count(random) } }),
    () => ({ minProperties: count(random) }),
    () => ({ maxProperties: 1 + count(random) }),
    () => ({ dependentRequired: { [random.of(names)]: [random.of(names)] } }),
    () => ({ dependentSchemas: { [random.of(names)]: makeCase(random) } }),
    () => ({ unevaluatedProperties: false }),
    () => makeCondition(random),
  ])()
}

function makeCondition(random: Random): Schema {
  const name = random.of(names)
  return {
    if: { properties: { [name]: makeScalar(random) }, required: [name] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
    then: makeCase(random),
    ...maybe(random, 'else', makeCase),
  }
}

/** What is valid if a condition is met. */
function makeCase(random: Random): Schema {
  const name = random.of(names)
  return random() < 0.5
    ? { required: [name] }
    : { properties: { [name]: { not: { const: random.of<unknown>(['a', 1, true]) } } } }
}

/** An object without other keywords, as a branch of `allOf`. */
function makeBranch(random: Random, depth: number): Schema {
  const name = random.of(names)
  return { properties: { [name]: makeSchema(random, depth - 1) }, ...maybe(random, 'required', () => [name]) }
}

function makeArray(random: Random, depth: number): Schema {
  return {
    type: 'array',
    items: makeSchema(random, depth - 1),
    ...(random() < 0.4
      ? random.of<() => Schema>([
          () => ({ minItems: count(random) }),
          () => ({ maxItems: 1 + count(random) }),
          () => ({ uniqueItems: true }),
          () => ({ prefixItems: [makeScalar(random), makeScalar(random)] }),
          () => ({ prefixItems: [makeScalar(random)], items: false }),
          () => ({
            prefixItems: [makeScalar(random)],
            items: undefined,
            unevaluatedItems: random.of<unknown>([false, makeScalar(random)]),
          }),
          () => ({
            contains: makeScalar(random),
            ...maybe(random, 'minContains', count),
            ...maybe(random, 'maxContains', () => 1 + count(random)),
          }),
        ])()
      : {}),
  }
}

function makeCombination(random: Random, depth: number): Schema {
  const branches = () => Array.from({ length: 2 + Math.floor(random() * 2) }, () => makeSchema(random, depth - 1))
  return random.of<() => Schema>([
    () => ({ [random.of(['oneOf', 'anyOf'])]: branches() }),
    () => makeChoice(random, depth),
    () => ({ allOf: [makeBranch(random, depth), { $ref: '#/components/schemas/A' }] }),
    () => ({
      allOf: [makeBranch(random, depth), makeBranch(random, depth)],
      ...maybe(random, 'unevaluatedProperties', () => false),
    }),
    () => ({ ...makeScalar(random), not: makeScalar(random) }),
  ])()
}

/** Objects that a property tells apart. */
function makeChoice(random: Random, depth: number): Schema {
  const branches = words.slice(0, 2 + Math.floor(random() * 2)).map((kind) => {
    const object = makeObject(random, depth - 1)
    return { ...object, properties: { ...(object['properties'] as Schema), kind: { const: kind } }, required: ['kind'] }
  })
  return { [random.of(['oneOf', 'anyOf'])]: branches, discriminator: { propertyName: 'kind' } }
}

function count(random: Random): number {
  return Math.floor(random() * 4)
}

function maybe(random: Random, keyword: string, make: (random: Random) => unknown): Schema {
  return random() < 0.5 ? { [keyword]: make(random) } : {}
}

/** Changes one place of a schema or of its components. */
export function mutate({ schema, components }: SchemaSet, random: Random): SchemaSet {
  const make = Object.keys(components).length === 0 ? makeTextSchema : (one: Random) => makeSchema(one, 1)
  const changed = structuredClone({ schema, components })
  const places: { readonly owner: Schema | unknown[]; readonly key: string }[] = []
  const visit = (owner: Schema | unknown[], key: string): void => {
    const value: unknown = Reflect.get(owner, key)
    if (!isSchema(value)) return
    places.push({ owner, key })
    for (const { at, name } of listSchemas(value)) visit(at, name)
  }
  visit(changed, 'schema')
  for (const name of Object.keys(components)) visit(changed.components, name)
  // Schemas inside are as likely as those around them.
  const { owner, key } = random.of(places)
  Reflect.set(owner, key, mutateSchema(Reflect.get(owner, key) as Schema, random, make))
  return changed
}

/** The schemas directly inside a schema. */
function listSchemas(schema: Schema): { readonly at: Schema | unknown[]; readonly name: string }[] {
  return Object.entries(schema).flatMap(([keyword, value]): { readonly at: Schema | unknown[]; readonly name: string }[] => {
    if (byName.has(keyword) && isSchema(value)) return Object.keys(value).map((name) => ({ at: value, name }))
    if (Array.isArray(value) && byPosition.has(keyword)) return value.map((_each, index) => ({ at: value, name: String(index) }))
    return single.has(keyword) && isSchema(value) ? [{ at: schema, name: keyword }] : []
  })
}

/** Keywords with a schema for each name. */
export const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords with a list of schemas. */
export const byPosition: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems'])
/** Keywords with one schema. */
export const single: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])

/** Whether a schema applies itself to the same value by references, so that no validator comes to an end. */
export function isEndless({ schema, components }: SchemaSet): boolean {
  const open = new Set<string>()
  const visit = (one: unknown): boolean => {
    if (!isSchema(one)) return false
    const { $ref, allOf, oneOf, anyOf, dependentSchemas } = one
    if (typeof $ref === 'string') {
      if (open.has($ref)) return true
      open.add($ref)
      const isCycle = visit(components[$ref.replace('#/components/schemas/', '')])
      open.delete($ref)
      if (isCycle) return true
    }
    const lists = [allOf, oneOf, anyOf, isSchema(dependentSchemas) ? Object.values(dependentSchemas) : []]
    const branches = [
      ...lists.flatMap((list) => (Array.isArray(list) ? list : [])),
      one['not'],
      one['if'],
      one['then'],
      one['else'],
    ]
    return branches.some(visit)
  }
  return [schema, ...Object.values(components)].some(visit)
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type MakeSchema = (random: Random) => Schema

function mutateSchema(schema: Schema, random: Random, make: MakeSchema): Schema {
  if (schema['$ref'] !== undefined)
    return random() < 0.5 ? make(random) : { $ref: `#/components/schemas/${random.of(['A', 'B'])}` }
  const keywords = Object.keys(schema)
  const choice = random()
  if (choice < 0.1 || keywords.length === 0) return make(random)
  if (choice < 0.2) return { ...schema, ...makeKeyword(schema, random) }
  if (choice < 0.25) return wrap(schema, random, make)
  const keyword = random.of(keywords)
  const { [keyword]: value, ...rest } = schema
  if (choice < 0.4) return keyword === 'type' && keywords.length > 1 ? schema : rest
  return { ...rest, ...mutateKeyword(keyword, value, schema, random, make) }
}

function wrap(schema: Schema, random: Random, make: MakeSchema): Schema {
  return random.of<() => Schema>([
    () => ({ [random.of(['oneOf', 'anyOf'])]: [schema, make(random)] }),
    () => ({ [random.of(['oneOf', 'anyOf'])]: [schema, { type: 'null' }] }),
    () => ({ allOf: [schema, make(random)] }),
  ])()
}

/** A further keyword that has an effect on values of the type. */
function makeKeyword({ type, properties }: Schema, random: Random): Schema {
  const made =
    type === 'object' || properties
      ? { ...makeObject(random, 1), ...makeObjectKeyword(random), properties }
      : type === 'array'
        ? makeArray(random, 1)
        : type === 'string'
          ? makeText(random)
          : makeNumber(random)
  const { type: _type, properties: _properties, ...rest } = made
  const keywords = Object.entries(rest).filter(([, value]) => value !== undefined)
  return keywords.length === 0 ? { not: makeScalar(random) } : Object.fromEntries([random.of(keywords)])
}

function mutateKeyword(keyword: string, value: unknown, schema: Schema, random: Random, make: MakeSchema): Schema {
  if (keyword === 'type') {
    if (schema['enum'] || schema['const'] !== undefined) return { type: value }
    const types = Array.isArray(value) ? value : [value]
    if (random() < 0.5) return { type: types.includes('null') ? types[0] : [...types, 'null'] }
    return { type: random.of(['string', 'integer', 'number', 'boolean']) }
  }
  if (typeof value === 'number')
    return { [keyword]: Math.max(keyword === 'multipleOf' ? 1 : 0, value + random.of([-2, -1, 1, 2])) }
  if (keyword === 'required') return { required: toggle(value as string[], random.of(names)) }
  if (keyword === 'enum') return { enum: toggle(value as unknown[], random.of(value as unknown[]), random.of(words)) }
  if (keyword === 'const') return { const: random.of<unknown>(['a', 'b', 1, null]) }
  if (keyword === 'pattern') return { pattern: random.of(patterns) }
  if (keyword === 'format') return { format: random.of(isNumber(schema) ? Object.keys(numberFormats) : formats) }
  if (keyword === 'readOnly' || keyword === 'writeOnly')
    return random() < 0.5 ? {} : { [keyword === 'readOnly' ? 'writeOnly' : 'readOnly']: true }
  if (keyword === 'oneOf') return random() < 0.5 ? { anyOf: value } : { oneOf: mutateBranches(value as unknown[], random, make) }
  if (keyword === 'anyOf' || keyword === 'allOf' || keyword === 'prefixItems') {
    return { [keyword]: mutateBranches(value as unknown[], random, make) }
  }
  if (keyword === 'dependentRequired') return { dependentRequired: { [random.of(names)]: [random.of(names)] } }
  if (byName.has(keyword) && isSchema(value)) {
    const name = keyword === 'patternProperties' ? '^x' : random.of(names)
    const { [name]: known, ...others } = value
    const added = keyword === 'properties' ? makeProperty(random, 1) : makeScalar(random)
    return { [keyword]: known === undefined || random() < 0.5 ? { ...value, [name]: added } : others }
  }
  if (typeof value === 'boolean')
    return keyword === 'uniqueItems' ? {} : { [keyword]: random.of<unknown>([!value, makeScalar(random)]) }
  return single.has(keyword)
    ? { [keyword]: random.of<unknown>([makeScalar(random), keyword === 'not' ? {} : false]) }
    : { [keyword]: schema[keyword] }
}

function isNumber({ type, format }: Schema): boolean {
  return Object.hasOwn(numberFormats, String(format)) || ['integer', 'number'].some((one) => [type].flat().includes(one))
}

function mutateBranches(branches: readonly unknown[], random: Random, make: MakeSchema): readonly unknown[] {
  if (random() < 0.4 || branches.length < 2) return [...branches, make(random)]
  const removed = Math.floor(random() * branches.length)
  return branches.filter((_branch, index) => index !== removed)
}

function toggle<Value>(list: readonly Value[], old: Value, added: Value = old): Value[] {
  if (list.includes(old) && list.length > 1) return list.filter((one) => one !== old)
  return list.includes(added) ? [...list] : [...list, added]
}
