import { childPlace } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../openapi/types.ts'
import { isObject } from '../../text/json/json-values.ts'
import type { ReferenceContext } from './context.ts'
import { mapPlaces, readField, readText } from './read-fields.ts'
import { sampleSchema } from './sample-schema.ts'
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
