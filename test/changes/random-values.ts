import type { Random } from '../support/random.ts'
import { formatSamples, isSchema, numberFormats, type Schema, type SchemaSet } from './random-schemas.ts'

export interface ValueOptions {
  /** Properties that no schema names. Clients and servers that follow a description do not send them. */
  readonly hasUnknownProperties: boolean
  /** The keyword of properties that the sender leaves out. */
  readonly leavesOut: 'readOnly' | 'writeOnly'
}

/**
 * Makes values that are likely to match a schema, and to tell it from another one: limits and listed values of both are used.
 *
 * Only the properties of the first schema are used.
 */
export function makeValue(set: SchemaSet, other: SchemaSet, random: Random, options: ValueOptions): unknown {
  const expand = { random, options, left: 200 }
  return makeFrom(collect([set.schema], set, expand), collect([other.schema], other, expand), expand, 4)
}

interface Expand {
  readonly random: Random
  readonly options: ValueOptions
  /** Schemas that are still followed. */
  left: number
}

/** Schemas that apply to the same value, with the components that they refer to. */
interface Facets {
  readonly schemas: readonly Schema[]
  readonly set: SchemaSet
}

/** Adds the branches that apply to the same value. Of alternatives, one is chosen. */
function collect(schemas: readonly unknown[], set: SchemaSet, expand: Expand): Facets {
  const found: Schema[] = []
  const { random } = expand
  const add = (schema: unknown): void => {
    if (!isSchema(schema) || expand.left-- <= 0) return
    found.push(schema)
    const { $ref, allOf, oneOf, anyOf, dependentSchemas } = schema
    if (typeof $ref === 'string') add(set.components[$ref.replace('#/components/schemas/', '')])
    if (Array.isArray(allOf)) for (const branch of allOf) add(branch)
    for (const branches of [oneOf, anyOf]) if (Array.isArray(branches) && branches.length > 0) add(random.of(branches))
    for (const keyword of ['if', 'then', 'else']) if (random() < 0.5) add(schema[keyword])
    if (isSchema(dependentSchemas) && random() < 0.5) for (const branch of Object.values(dependentSchemas)) add(branch)
    if (random() < 0.2) add(schema['not'])
  }
  for (const schema of schemas) add(schema)
  return { schemas: found, set }
}

const allTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array'] as const

function makeFrom(own: Facets, other: Facets, expand: Expand, depth: number): unknown {
  const { random } = expand
  const listed = [...own.schemas, ...other.schemas].flatMap(({ enum: values, const: constant }) => [
    ...(Array.isArray(values) ? values : []),
    ...(constant === undefined ? [] : [constant]),
  ])
  if (listed.length > 0 && random() < 0.8) return random.of<unknown>(listed)
  const typesOf = ({ schemas }: Facets) => schemas.flatMap((schema) => [schema['type'] ?? inferType(schema) ?? []].flat())
  const preferred = [typesOf(own), typesOf(other), []][random() < 0.75 ? 0 : random() < 0.7 ? 1 : 2] ?? []
  const type = random.of<unknown>(preferred.length > 0 ? preferred : allTypes)
  if (type === 'string') return makeText(own, other, random)
  if (type === 'integer' || type === 'number') return makeNumber(own, other, random, type)
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  return type === 'array' ? makeItems(own, other, expand, depth) : makeProperties(own, other, expand, depth)
}

function inferType(schema: Schema): string | undefined {
  if (schema['properties'] || schema['required'] || schema['dependentRequired']) return 'object'
  return schema['items'] !== undefined || schema['prefixItems'] ? 'array' : undefined
}

/** Numbers around the limits of both. */
function limitsOf(own: Facets, other: Facets, keywords: readonly string[]): number[] {
  return [...own.schemas, ...other.schemas].flatMap((schema) =>
    keywords.flatMap((keyword) =>
      typeof schema[keyword] === 'number' ? [schema[keyword] - 1, schema[keyword], schema[keyword] + 1] : [],
    ),
  )
}

const samples = ['', 'a', 'b', 'ab', 'abc', 'x1', 'zz'] as const

function makeText(own: Facets, other: Facets, random: Random): string {
  const schemas = [...own.schemas, ...other.schemas]
  const lengths = limitsOf(own, other, ['minLength', 'maxLength']).filter((length) => length >= 0)
  if (lengths.length > 0 && random() < 0.7) return random.of(['a', 'b', 'z']).repeat(random.of(lengths))
  const ofFormats = schemas.flatMap(({ format }) => formatSamples[String(format)] ?? [])
  if (ofFormats.length > 0 && random() < 0.7) return random.of(ofFormats)
  return random.of([...samples, ...Object.values(formatSamples).flat()])
}

function makeNumber(own: Facets, other: Facets, random: Random, type: string): number {
  const near = limitsOf(own, other, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'])
  near.push(...[...own.schemas, ...other.schemas].flatMap(({ format }) => listBounds(format)))
  const base = near.length > 0 && random() < 0.6 ? random.of(near) : Math.floor(random() * 24) - 3
  return type === 'number' && random() < 0.4 ? base + 0.5 : base
}

/** The bounds of a format of numbers, and the numbers after them. */
function listBounds(format: unknown): number[] {
  const [least, most] = numberFormats[String(format)] ?? []
  return least === undefined || most === undefined ? [] : [least - 1, least, most, most + 1]
}

function makeItems(own: Facets, other: Facets, expand: Expand, depth: number): unknown[] {
  const { random } = expand
  if (depth <= 0) return []
  const counts = limitsOf(own, other, ['minItems', 'maxItems', 'minContains', 'maxContains']).filter((count) => count >= 0)
  const prefix = Math.max(0, ...own.schemas.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)))
  const length =
    counts.length > 0 && random() < 0.6 ? random.of(counts) : prefix + Math.floor(random() * 3) - (random() < 0.2 ? 1 : 0)
  const isContained = random() < 0.5
  const itemOf = ({ schemas, set }: Facets, index: number) => {
    const found = schemas.flatMap(({ prefixItems, items, unevaluatedItems, contains }) => {
      const item: unknown =
        Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : (items ?? unevaluatedItems)
      return isContained ? [item, contains] : [item]
    })
    return collect(found, set, expand)
  }
  return Array.from({ length: Math.max(0, length) }, (_, index) =>
    makeFrom(itemOf(own, index), itemOf(other, index), expand, depth - 1),
  )
}

function makeProperties(own: Facets, other: Facets, expand: Expand, depth: number): Schema {
  const { random, options } = expand
  const value: Schema = {}
  if (depth <= 0) return value
  const known = new Set(own.schemas.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])))
  const required = new Set(own.schemas.flatMap(({ required: listed }) => (Array.isArray(listed) ? listed : [])))
  const unknown = [...(own.schemas.some(hasOtherProperties) || options.hasUnknownProperties ? ['x1', 'other'] : [])]
  if (options.hasUnknownProperties) unknown.push('a', 'b', 'c', 'abc', 'abcd')
  const [many, few] = [random() < 0.3, random() < 0.2]
  for (const name of [...known, ...required, ...unknown.filter((one) => !known.has(one))]) {
    const chance = required.has(name) ? 0.97 : many ? 1 : few ? 0.1 : 0.5
    if (Object.hasOwn(value, name) || random() > chance || isLeftOut(name, own.schemas, options)) continue
    value[name] = makeFrom(propertyOf(name, own, expand), propertyOf(name, other, expand), expand, depth - 1)
  }
  return value
}

function isLeftOut(name: string, schemas: readonly Schema[], { leavesOut }: ValueOptions): boolean {
  return schemas.some(({ properties }) => {
    const schema = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    return isSchema(schema) && schema[leavesOut] === true
  })
}

function hasOtherProperties({ additionalProperties, unevaluatedProperties, patternProperties }: Schema): boolean {
  return isSchema(additionalProperties) || isSchema(unevaluatedProperties) || isSchema(patternProperties)
}

function propertyOf(name: string, { schemas, set }: Facets, expand: Expand): Facets {
  const found = schemas.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const named = isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    const matched = isSchema(patternProperties) && name.startsWith('x') ? Object.values(patternProperties) : []
    return named.length + matched.length > 0 ? [...named, ...matched] : [additionalProperties]
  })
  return collect(found, set, expand)
}
