import { isFormData, isJsonType, isXmlType } from '../../model/written-values.ts'
import { allowsText, childPlace, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { toJsonLines } from '../../playground/request/http-request.ts'
import { toRequestBody, toXmlSchema } from '../../playground/request/request-body.ts'
import {
  isObject,
  listOf,
  type Place,
  parseJson,
  readOwn,
  readText,
  readWritten,
  toWritten,
  withWritten,
} from '../../text/json/json-values.ts'
import type { ReferenceContext } from './context.ts'
import { sampleSchema } from './sample-schema.ts'
import type { ExampleView, SchemaSide } from './types.ts'

/** What an example is based on. */
interface SampleInput {
  readonly schema: Place | undefined
  readonly side: SchemaSide
  /** Its text is in this media type; `isGenerated` whether one is made if there is none. */
  readonly mediaType: string
  readonly isGenerated: boolean
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
  const write = (example: ExampleView) => (sample ? withText(example, sample, context) : example)
  if (named.length > 0) return named.map(write)
  const own = isObject(owner.value) ? readWritten(owner.value, 'example') : undefined
  if (own !== undefined) return [write(toExample(own))]
  if (!sample?.schema) return []
  const written = findSchemaExample(context.follow.end(sample.schema))
  if (written !== undefined) return [write(toExample(written))]
  const made = sample.isGenerated ? sampleSchema(sample.schema, sample.side, context) : undefined
  return made === undefined || made === null ? [] : [write({ ...toExample(made), isSampled: true })]
}

/** An example with its value as text in its media type. */
function withText(example: ExampleView, { mediaType, schema }: SampleInput, context: ReferenceContext): ExampleView {
  const { value, text, isSampled } = example
  const isText = typeof value === 'string' && !isSampled && !isJsonType(mediaType)
  if (value === undefined || isText || isFormData(mediaType) || text !== toText(value)) return example
  // The author wrote JSON as text.
  if (typeof value === 'string' && !isSampled && !(schema && allowsText(schema, context.follow)))
    if (typeof parseJson(value) === 'object') return example
  const body = toRequestBody(value, {
    mediaType,
    encodingOf: () => undefined,
    fileOf: () => undefined,
    xml: schema && isXmlType(mediaType) ? toXmlSchema([schema], context.follow) : undefined,
  })
  return { ...example, text: body.kind === 'json' ? toJsonLines(body) : body.kind === 'text' ? body.text : text }
}

/** The examples of a named schema in the document. */
export function listWrittenExamples(schema: Place, context: ReferenceContext): ExampleView[] {
  const end = context.follow.end(schema)
  const { value: list } = childPlace(end, 'examples')
  if (Array.isArray(list) && list.length > 0)
    return withWritten(list).map((value: unknown, index) => ({
      ...toExample(value),
      name: index > 0 ? `Example ${index + 1}` : '',
    }))
  const written = findSchemaExample(end)
  return written === undefined ? [] : [toExample(written)]
}

function findSchemaExample({ value }: Place): unknown {
  return readOwn(withWritten(value), 'example') ?? withWritten(listOf(readOwn(value, 'examples')))[0]
}

function toNamed(name: string, example: { readonly [key: string]: unknown }): ExampleView {
  const value = withWritten(example)
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
  return { ...none, value: toWritten(value), text: toText(value) }
}

/** Strings are unchanged: an XML example is one string. */
function toText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(toWritten(value), null, 2)
}
