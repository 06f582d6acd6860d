import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ComparableDescription, UnlocatedChange } from '../../src/changes/change.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import type { Random } from '../support/random.ts'
import { readDocument } from './compare-documents.ts'
import {
  byName,
  byPosition,
  isEndless,
  isSchema,
  makeSchemaSet,
  makeTextSchema,
  mutate,
  numberFormats,
  type Schema,
  type SchemaSet,
  single,
} from './random-schemas.ts'
import { makeValue, type ValueOptions } from './random-values.ts'

/** Where the schema of a pair is used: in bodies, in a parameter and a header with JSON, in a part with JSON, or in a parameter and a header whose values are texts. */
type Position = 'body' | 'content' | 'part' | 'text'

/** Two versions of a schema. */
export interface BehaviorPair {
  readonly position: Position
  /** The status codes of the response in both versions: of those that apply to `200`, and the media types of bodies: those that apply to `application/json`. */
  readonly keys: readonly [base: Keys, revision: Keys]
  /** Whether the schemas are small enough that a value for a change in them is always found. */
  readonly isSmall: boolean
  readonly base: SchemaSet
  readonly revision: SchemaSet
}

interface Keys {
  readonly statusCode: string
  readonly mediaType: string
}

export const plainKeys: Keys = { statusCode: '200', mediaType: 'application/json' }

const statusCodes = ['200', '200', '2XX', 'default']
const mediaTypes = ['application/json', 'application/json', 'application/*', '*/*']

/** How often a schema is changed. Each version is compared with the one before, so that it is read and compiled once. */
const versions = 4

/** Makes a schema and changes one place of it, or two. The result is changed again, so that each pair begins with the end of the last. */
export function makePairs(random: Random): BehaviorPair[] {
  const position = random.of<Position>(['body', 'body', 'body', 'body', 'content', 'part', 'text'])
  const toKeys = () => ({ statusCode: random.of(statusCodes), mediaType: random.of(mediaTypes) })
  const keys = [toKeys(), toKeys()] as const
  const isText = position === 'text'
  const isSmall = isText || random() < 0.5
  const make = () => toPlain(isText ? { schema: makeTextSchema(random), components: {} } : makeSchemaSet(random, isSmall ? 1 : 3))
  const change = (set: SchemaSet) => {
    const changed = toPlain(mutate(set, random))
    return !isSmall && random() < 0.2 ? toPlain(mutate(changed, random)) : changed
  }
  let base = retry(make)
  return Array.from({ length: versions }, (_, index) => {
    const pair = {
      position,
      keys: index === 0 ? keys : ([keys[1], keys[1]] as const),
      isSmall,
      base,
      revision: retry(() => change(base)),
    }
    base = pair.revision
    return pair
  })
}

/** A random change can make a cycle. */
function retry(make: () => SchemaSet): SchemaSet {
  const made = make()
  return isEndless(made) ? retry(make) : made
}

/**
 * As in a document: without keywords that have no value. In an `allOf`, and beside an alternative that is `null`, `readOnly` and `writeOnly` in one
 * branch concern all of them, which a validator does not know.
 */
function toPlain(set: SchemaSet): SchemaSet {
  const text = JSON.stringify(set)
  const isMerged = text.includes('"allOf"') || text.includes('{"type":"null"}')
  return JSON.parse(text, (key, value) => (isMerged && (key === 'readOnly' || key === 'writeOnly') ? undefined : value))
}

/** The changes between both versions. */
export async function comparePair({ position, keys, base, revision }: BehaviorPair): Promise<readonly UnlocatedChange[]> {
  const before = await read(base, position, keys[0])
  const after = await read(revision, position, keys[1])
  return compareDescriptions(before, after, { today: '2026-06-15' }).changes
}

const documents = new WeakMap<SchemaSet, { readonly key: string; readonly comparable: ComparableDescription }>()

async function read(set: SchemaSet, position: Position, keys: Keys): Promise<ComparableDescription> {
  const key = `${keys.statusCode} ${keys.mediaType}`
  const known = documents.get(set)
  if (known?.key === key) return known.comparable
  const comparable = await readDocument(JSON.stringify(toDocument(position, set, keys)))
  documents.set(set, { key, comparable })
  return comparable
}

/** A document with the base of a pair. */
export function toBaseDocument({ position, keys, base }: BehaviorPair): unknown {
  return toDocument(position, base, keys[0])
}

/** A document with one operation for requests, and one for responses. */
function toDocument(position: Position, { schema, components }: SchemaSet, { statusCode, mediaType }: Keys) {
  const part = { schema: { properties: { a: schema }, required: ['a'] }, encoding: { a: { contentType: 'application/json' } } }
  const content = position === 'part' ? { 'multipart/form-data': part } : { [mediaType]: { schema } }
  const value = position === 'content' ? { content: { 'application/json': { schema } } } : { schema }
  const isBody = position === 'body' || position === 'part'
  const request = isBody ? { requestBody: { content } } : { parameters: [{ name: 'a', in: 'query', ...value }] }
  const response = isBody ? { content } : { headers: { 'X-A': value } }
  const paths = {
    '/request': { post: { ...request, responses: {} } },
    '/response': { post: { responses: { [statusCode]: { description: 'A', ...response } } } },
  }
  return { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, components: { schemas: components } }
}

export const directions = ['request', 'response'] as const

type Direction = (typeof directions)[number]

/**
 * Tries a random value: a request of the base in the revision, or a response of the revision in the base.
 *
 * Returns the value if it is valid for the sender only.
 */
export function createSearch(
  pair: BehaviorPair,
  direction: Direction,
): (random: Random, options: Pick<ValueOptions, 'hasUnknownProperties'>) => Trial {
  const [from, to] = direction === 'request' ? [pair.base, pair.revision] : [pair.revision, pair.base]
  const isText = pair.position === 'text'
  const [isSent, isAccepted] = [from, to].map((set, index) => {
    const isValid = toValidator(set, direction, index !== 0)
    return isText ? (value: unknown) => readTexts(value, direction === 'response').some(isValid) : isValid
  })
  return (random, options) => {
    const value = makeValue(from, to, random, { ...options, leavesOut: direction === 'request' ? 'readOnly' : 'writeOnly' })
    if (!isSent?.(value) || (isText && !isTextValue(value))) return 'invalid'
    return isAccepted?.(value) ? 'accepted' : { refused: value }
  }
}

/** Whether a request is valid in each of the versions. */
export function toRequestJudges(pair: BehaviorPair): readonly [base: Validate, revision: Validate] {
  const isText = pair.position === 'text'
  const toJudge = (set: SchemaSet, unseen: boolean): Validate => {
    const isValid = toValidator(set, 'request', unseen)
    return isText ? (value) => readTexts(value, false).some(isValid) : isValid
  }
  return [toJudge(pair.base, false), toJudge(pair.revision, true)]
}

/** Whether a value has only properties that the sender's version describes for it, in the alternatives and conditions that it meets. */
export function isDescribed({ base, revision }: BehaviorPair, direction: Direction, value: unknown): boolean {
  const { schema, components } = direction === 'request' ? base : revision
  const root = { ...toJsonSchema(schema, direction, false), $defs: toJsonSchema(components, direction, false) }
  return compile(seal(root, true))(value)
}

/** Excludes properties that nothing describes from all values that a schema describes. */
function seal(schema: Schema, isWhole: boolean): Schema {
  // `true` is the default, and describes no properties.
  const isDefault = (key: string, value: unknown) => key === 'additionalProperties' && (value === true || isEmpty(value))
  const entries = Object.entries(schema).filter(([key, value]) => !isDefault(key, value))
  const sealed = Object.fromEntries(
    entries.map(([key, value]) => {
      // The schemas in these keywords apply beside others.
      const isBeside = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', '$defs'].includes(key)
      const sealValue = (one: unknown) => (isSchema(one) ? seal(one, !isBeside) : one)
      if (['enum', 'const', 'propertyNames', 'contains', 'dependentRequired'].includes(key)) return [key, value]
      if (Array.isArray(value)) return [key, value.map(sealValue)]
      const isByName = ['properties', 'patternProperties', 'dependentSchemas', '$defs'].includes(key)
      if (isByName && isSchema(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sealValue(one)]))]
      }
      return [key, sealValue(value)]
    }),
  )
  const isOpen = isWhole && sealed['unevaluatedProperties'] === undefined && sealed['additionalProperties'] === undefined
  return isOpen ? { ...sealed, unevaluatedProperties: false } : sealed
}

function isEmpty(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0
}

/** Texts have no lists inside lists. */
function isTextValue(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object' || value === null
}

/** After this many schemas, Ajv is created again, because it keeps a part of each. */
const maxCompiled = 1_000

let ajv: Ajv2020 | undefined
let compiled = 0

function createAjv(): Ajv2020 {
  const created = new Ajv2020({
    ...{ strict: false, validateSchema: false, logger: false, messages: false, code: { optimize: false } },
    // Each definition is a function.
    inlineRefs: false,
  })
  addFormats.default(created)
  created.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/)
  for (const [format, [least, most]] of Object.entries(numberFormats)) {
    const validate = (value: number) => Number.isInteger(value) && value >= least && value <= most
    created.addFormat(format, { type: 'number', validate })
  }
  return created
}

function compile(schema: Schema): Validate {
  if (!ajv || compiled++ % maxCompiled === 0) ajv = createAjv()
  return ajv.compile(withSeparateFunctions(schema))
}

/** The value is invalid for the sender, valid for both, or refused by the recipient. */
type Trial = 'invalid' | 'accepted' | { readonly refused: unknown }

type Validate = (value: unknown) => boolean

const validators = new WeakMap<SchemaSet, Map<string, Validate>>()

/** Compiles a schema with Ajv. */
function toValidator(set: SchemaSet, direction: Direction, unseen: boolean): Validate {
  let known = validators.get(set)
  if (!known) {
    known = new Map()
    validators.set(set, known)
  }
  // The direction only makes a difference for `readOnly` and `writeOnly`.
  const key = /"(?:read|write)Only"/.test(JSON.stringify(set)) ? `${direction} ${unseen}` : ''
  let validate = known.get(key)
  if (!validate) {
    const { schema, components } = set
    validate = compile({ ...toJsonSchema(schema, direction, unseen), $defs: toJsonSchema(components, direction, unseen) })
    known.set(key, validate)
  }
  return validate
}

/**
 * A schema in JSON Schema 2020-12. Clients do not send properties with `readOnly` and do not receive those with `writeOnly`: `unseen` is
 * the schema of these, `false` for a sender and `true` for a recipient. A value that
 * matches several alternatives of a `oneOf` is valid: real documents mean one of them.
 */
function toJsonSchema(value: unknown, direction: Direction, unseen: boolean): Schema {
  const convert = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(convert)
    if (!isSchema(one)) return one
    const { oneOf, anyOf, discriminator: _discriminator, ...rest } = withoutUnseen(one, direction, unseen)
    const groups = [oneOf, anyOf].filter((branches) => branches !== undefined)
    const alternatives: Schema =
      groups.length > 1
        ? { allOf: [...((rest['allOf'] as unknown[]) ?? []), ...groups.map((branches) => ({ anyOf: branches }))] }
        : groups.length === 1
          ? { anyOf: groups[0] }
          : {}
    const all: Schema = { ...rest, ...alternatives }
    if (typeof all['$ref'] === 'string') all['$ref'] = all['$ref'].replace('#/components/schemas/', '#/$defs/')
    return Object.fromEntries(
      Object.entries(withSeparateCases(withSeparateContains(all))).map(([key, inner]) => {
        return [key, key === 'enum' || key === 'const' ? inner : convert(inner)]
      }),
    )
  }
  return convert(value) as Schema
}

/** Beside `prefixItems`, Ajv 8 accepts an empty list that `contains` and `maxContains` refuse. */
function withSeparateContains(schema: Schema): Schema {
  const { contains, minContains, maxContains, ...rest } = schema
  if (contains === undefined || rest['prefixItems'] === undefined) return schema
  return { ...rest, allOf: [...((rest['allOf'] as unknown[]) ?? []), { contains, minContains, maxContains }] }
}

/**
 * If the condition of `if` or `dependentSchemas` is not met, Ajv 8 takes what the keywords beside it evaluate as not evaluated, and
 * `patternProperties` can throw an error.
 */
function withSeparateCases(schema: Schema): Schema {
  const { dependentSchemas, if: condition, then, else: otherwise, unevaluatedProperties, unevaluatedItems, ...rest } = schema
  if ((dependentSchemas === undefined && condition === undefined) || Object.keys(rest).length === 0) return schema
  const cases = { dependentSchemas, if: condition, then, else: otherwise }
  const branches = Object.entries(cases).filter(([, value]) => value !== undefined)
  return { allOf: [rest, Object.fromEntries(branches)], unevaluatedProperties, unevaluatedItems }
}

/**
 * Inside one function, Ajv 8 takes what a refused alternative or condition, or the item before, evaluates as evaluated. So beside
 * `unevaluatedProperties` and `unevaluatedItems`, every schema becomes a definition, which has a separate function.
 */
function withSeparateFunctions(root: Schema): Schema {
  if (!JSON.stringify(root).includes('"unevaluated')) return root
  const definitions: Schema = {}
  const separate = (value: unknown): unknown => {
    if (!isSchema(value)) return value
    const name = `part${Object.keys(definitions).length}`
    // Takes the name.
    definitions[name] = value
    definitions[name] = visit(value)
    return { $ref: `#/$defs/${name}` }
  }
  const visit = (schema: Schema): Schema => {
    return mapValues(schema, (value, key) => {
      if (byName.has(key) && isSchema(value)) return mapValues(value, separate)
      if (byPosition.has(key) && Array.isArray(value)) return value.map(separate)
      return single.has(key) ? separate(value) : value
    })
  }
  const { $defs, ...rest } = root
  const components = mapValues(isSchema($defs) ? $defs : {}, (component) => (isSchema(component) ? visit(component) : component))
  return { ...visit(rest), $defs: { ...components, ...definitions } }
}

function mapValues(schema: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(value, key)]))
}

function withoutUnseen(schema: Schema, direction: Direction, unseen: boolean): Schema {
  const { properties, required, dependentRequired } = schema
  if (!isSchema(properties)) return schema
  const marker = direction === 'request' ? 'readOnly' : 'writeOnly'
  const names = new Set(Object.keys(properties).filter((name) => isSchema(properties[name]) && properties[name][marker] === true))
  if (names.size === 0) return schema
  const withoutNames = (list: unknown) => (Array.isArray(list) ? list.filter((name) => !names.has(name)) : list)
  const dependencies = Object.entries(isSchema(dependentRequired) ? dependentRequired : {})
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, names.has(name) ? unseen : property]),
    ),
    ...(required === undefined ? {} : { required: withoutNames(required) }),
    ...(dependentRequired === undefined
      ? {}
      : { dependentRequired: Object.fromEntries(dependencies.map(([name, list]) => [name, withoutNames(list)])) }),
  }
}

/** Further items of a list are of the same kind as the last of these. */
const maxMixed = 4

/** The values that a text of a parameter or header can stand for. In a header, a list is one text. */
function readTexts(value: unknown, isHeader: boolean): unknown[] {
  if (Array.isArray(value)) {
    const lists = value.map((item) => readTexts(item, isHeader))
    // Each item can be a text or the value that a text means.
    const kinds = Array.from({ length: 2 ** Math.min(value.length, maxMixed) }, (_, bits) => {
      return lists.map((list, index) => list[(bits >> Math.min(index, maxMixed - 1)) & 1] ?? list[0])
    })
    return [...kinds, ...(value.length === 1 ? (lists[0] ?? []) : isHeader ? [value.join()] : [])]
  }
  const text = String(value)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const other =
    text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : Number.isNaN(number) ? undefined : number
  const scalars = other === undefined ? [text] : [text, other]
  return [...scalars, ...scalars.map((one) => [one])]
}
