import type { MediaType } from '../../model/content.ts'
import { type Example, exampleOf, readSchemaExamples } from '../../model/content.ts'
import { mergeWhole } from '../../model/schema.ts'
import { isBinaryType, isFormData, isJsonType, isXmlType } from '../../model/written-values.ts'
import { isNull } from '../../openapi/references/follow-reference.ts'
import { toJsonLines } from '../../playground/request/http-request.ts'
import { toRequestBody, toXmlSchema } from '../../playground/request/request-body.ts'
import { type Place, parseJson, toWritten } from '../../text/json/json-values.ts'
import type { ReferenceContext } from './context.ts'
import { sampleSchema } from './sample-schema.ts'
import type { ExampleView, SchemaSide } from './types.ts'

/** What the examples of a media type are based on. */
export type ExampleSource = Pick<MediaType, 'name' | 'schema' | 'itemSchema'> & { readonly examples: readonly Example[] }

/** The examples of a media type, else one of its schema, else a generated one. */
export function listContentExamples(mediaType: ExampleSource, side: SchemaSide, context: ReferenceContext): ExampleView[] {
  const { name, itemSchema, schema = itemSchema, examples } = mediaType
  const written = examples.length > 0 || !schema ? examples : readSchemaExamples(schema, context).slice(0, 1)
  const made =
    context.isApart || written.length > 0 || !schema || !isSampled(name, side) ? undefined : sampleSchema(schema, side, context)
  // Where `null` is one of several values, it says nothing.
  const isOdd = made === undefined || (made === null && !isNull(schema?.value))
  const generated = isOdd ? [] : [{ ...toExampleView(exampleOf(made)), isSampled: true }]
  return [...written.map(toExampleView), ...generated].map((view) => withText(view, name, schema, context))
}

/**
 * Whether an example is generated for a media type: not for bytes, and for other text only in requests, whose samples need a body.
 */
function isSampled(mediaType: string, side: SchemaSide): boolean {
  return side === 'request' ? !isBinaryType(mediaType) : sampledTypes.test(mediaType)
}

const sampledTypes =
  /[/+](?:json|xml|yaml)\b|^application\/x-www-form-urlencoded|^multipart\/|^\*\/\*|^application\/(?:x-ndjson|jsonl|json-seq)|^text\/event-stream/i

/** An example with its value as text in its media type. */
function withText(example: ExampleView, mediaType: string, schema: Place | undefined, context: ReferenceContext): ExampleView {
  const { value, text, isSampled } = example
  const isText = typeof value === 'string' && !isSampled && !isJsonType(mediaType)
  if (value === undefined || isText || isFormData(mediaType) || text !== toText(value)) return example
  // The author wrote JSON as text.
  if (typeof value === 'string' && !isSampled && !(schema && mergeWhole([schema], context.follow).types.includes('string')))
    if (typeof parseJson(value) === 'object') return example
  const body = toRequestBody(value, {
    mediaType,
    encodingOf: () => undefined,
    fileOf: () => undefined,
    xml: schema && isXmlType(mediaType) ? toXmlSchema([schema], context.follow) : undefined,
  })
  return { ...example, text: body.kind === 'json' ? toJsonLines(body) : body.kind === 'text' ? body.text : text }
}

/** An example of the document with its value as JSON. */
export function toExampleView({ serialized, place: _, ...example }: Example): ExampleView {
  return { ...example, text: serialized ?? toText(example.value), isSampled: false }
}

/** Strings are unchanged: an XML example is one string. */
function toText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(toWritten(value), null, 2)
}
