import { sample } from 'openapi-sampler'
import { childPlace } from '../../openapi/collect-operations.ts'
import type { Place } from '../../openapi/follow-reference.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { memoizeByReference, type ReferenceContext } from './context.ts'
import { mapPlaces, readField, readText } from './read-fields.ts'
import type { ExampleView, SchemaSide } from './types.ts'

/** What a generated example is based on. */
interface SampleInput {
  readonly schema: Place | undefined
  readonly side: SchemaSide
}

/**
 * The examples of a Media Type, Parameter or Header Object: `examples`, else `example`, else those of its schema, else a generated one.
 *
 * Source: OpenAPI 3.2.0, "Example Object" (`dataValue`, `serializedValue` are of 3.2).
 */
export function toExamples(owner: Place, sample: SampleInput | undefined, context: ReferenceContext): ExampleView[] {
  const named = mapPlaces(owner, 'examples').flatMap(({ name, place }) => {
    const { value } = context.follow.end(place)
    return isObject(value) ? [toNamed(name, value)] : []
  })
  if (named.length > 0) return named
  const own = isObject(owner.value) && 'example' in owner.value ? owner.value['example'] : undefined
  if (own !== undefined) return [toExample(own)]
  if (!sample?.schema) return []
  const written = findSchemaExample(context.follow.end(sample.schema))
  if (written !== undefined) return [toExample(written)]
  const made = sampleSchema(sample.schema, sample.side, context)
  return made === undefined || made === null ? [] : [{ ...toExample(made), isSampled: true }]
}

/** The examples of a named schema in the document. */
export function listWrittenExamples(schema: Place, context: ReferenceContext): ExampleView[] {
  const end = context.follow.end(schema)
  const { value: list } = childPlace(end, 'examples')
  if (Array.isArray(list) && list.length > 0)
    return list.map((value, index) => ({ ...toExample(value), name: index > 0 ? `Example ${index + 1}` : '' }))
  const written = findSchemaExample(end)
  return written === undefined ? [] : [toExample(written)]
}

/** A generated example of a named schema; none if that is impossible. */
export function sampleNamedSchema(schema: Place, context: ReferenceContext): ExampleView[] {
  const end = context.follow.end(schema)
  return toExamples({ ...end, value: {} }, { schema: end, side: 'both' }, context)
}

function findSchemaExample({ value }: Place): unknown {
  const examples = readField(value, 'examples')
  return readField(value, 'example') ?? (Array.isArray(examples) ? (examples[0] as unknown) : undefined) // Untrusted input: unknown.
}

function toNamed(name: string, value: { readonly [key: string]: unknown }): ExampleView {
  const data = value['dataValue'] ?? value['value']
  const serialized = readText(value, 'serializedValue')
  const shown = data === undefined ? serialized : data
  return {
    ...toExample(shown),
    name,
    summary: readText(value, 'summary'),
    description: readText(value, 'description'),
    text: serialized ?? toText(shown),
    externalValue: readText(value, 'externalValue'),
  }
}

function toExample(value: unknown): ExampleView {
  const none = { name: '', summary: undefined, description: undefined, externalValue: undefined, isSampled: false }
  return { ...none, value, text: toText(value) }
}

/** Strings are unchanged: an XML example is one string. */
function toText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Maximum number of lines in a request sample with all optional fields, as indented JSON. */
const maxRequestLines = 60

/** Many operations share the same body. */
const memoizeSample = memoizeByReference<unknown>()

/**
 * Generates an example for a schema from its own examples and defaults, else from its types. `undefined` if that is impossible. Cached for
 * references.
 */
function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  return memoizeSample(schema, side, context, () => makeSample(schema, side, context))
}

function makeSample(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const inlined = inlineSchema(schema, context)
  if (!isObject(inlined)) return undefined
  const options = { skipReadOnly: side === 'request', skipWriteOnly: side === 'response', quiet: true }
  try {
    const whole = sampleSilently(inlined, options)
    // A request with many optional fields is reduced to the required ones.
    if (side !== 'request' || JSON.stringify(whole, null, 1).split('\n').length <= maxRequestLines) return whole
    const least = sampleSilently(inlined, { ...options, skipNonRequired: true })
    return isObject(least) && Object.keys(least).length === 0 && isObject(whole) ? keepFirst(whole) : least
  } catch {
    // The library throws on keywords of the wrong type, which an invalid document can have.
    return undefined
  }
}

/** The library logs merge failures to the console even in quiet mode, which would interfere with the program's output. */
const sampleSilently: typeof sample = (...given) => {
  const { warn } = console
  console.warn = () => {}
  try {
    return sample(...given)
  } finally {
    console.warn = warn
  }
}

/** Maximum number of lines in the sample of a request without required fields. */
const maxOptionalLines = 10

/** Keeps the first fields of a sample. */
function keepFirst(whole: JsonObject): JsonObject {
  const keptValues: { [name: string]: unknown } = {}
  let left = maxOptionalLines
  for (const name of Object.keys(whole)) {
    const lines = JSON.stringify(whole[name] ?? null, null, 1).split('\n').length
    if (lines > left || name === '__proto__') continue
    keptValues[name] = whole[name]
    left -= lines
  }
  return keptValues
}

/** Maximum nesting of a sample. */
const maxDepth = 6

/** Maximum number of schemas in one sample, since `allOf` of wide schemas grows fast. */
const maxSchemas = 400

/**
 * Inlines the references of a schema, for a library that cannot resolve them across files. Keywords next to a `$ref` override
 * those of its target. Circular and deeply nested schemas become empty. Only the first of several choices is kept, since a sample
 * shows only one.
 */
function inlineSchema(schema: Place, { follow }: ReferenceContext): unknown {
  let left = maxSchemas
  // The schemas around the current one, to detect circular ones.
  const around = new Set<unknown>()
  const inline = (file: string, value: unknown, depth: number): unknown => {
    const end = isObject(value) && '$ref' in value ? follow.end({ file, pointer: '', value }) : { file, value }
    if (!isObject(end.value)) return end.value
    if (around.has(end.value) || depth > maxDepth || --left < 0) return {}
    around.add(end.value)
    const copy = copyKeywords(end.value, (child) => inline(end.file, child, depth + 1))
    if (end.value !== value && isObject(value)) Object.assign(copy, keepSampleKeywords(value))
    around.delete(end.value)
    return copy
  }
  return inline(schema.file, schema.value, 0)
}

function copyKeywords(
  schema: { readonly [key: string]: unknown },
  step: (child: unknown) => unknown,
): { [key: string]: unknown } {
  const copy: { [key: string]: unknown } = {}
  for (const key of Object.keys(schema)) {
    if (key === '__proto__' || key === '$ref') continue
    const child = schema[key]
    if (singleKeywords.has(key)) copy[key] = step(child)
    else if (choiceKeywords.has(key)) copy[key] = Array.isArray(child) ? child.slice(0, 1).map(step) : []
    else if (listKeywords.has(key)) copy[key] = Array.isArray(child) ? child.map(step) : []
    else if (key === 'properties') copy[key] = isObject(child) ? copyProperties(child, step) : {}
    else copy[key] = child
  }
  return copy
}

function copyProperties(properties: { readonly [name: string]: unknown }, step: (child: unknown) => unknown) {
  // Not assigned, because a property can be called `__proto__`.
  return Object.fromEntries(Object.keys(properties).map((name) => [name, step(properties[name])]))
}

/** Keywords next to a `$ref` that affect a sample. */
function keepSampleKeywords(value: { readonly [key: string]: unknown }): { [key: string]: unknown } {
  const own: { [key: string]: unknown } = {}
  for (const key of ['example', 'examples', 'default', 'const', 'readOnly', 'writeOnly']) {
    if (Object.hasOwn(value, key)) own[key] = value[key]
  }
  return own
}

const singleKeywords = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'])
const listKeywords = new Set(['allOf', 'prefixItems'])
/** A sample shows the first choice. */
const choiceKeywords = new Set(['oneOf', 'anyOf'])
