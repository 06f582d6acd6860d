import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import type { ReferenceContext } from './context.ts'
import { mapPlaces, readField, readFlag, readText } from './read-fields.ts'
import { toExamples } from './to-examples.ts'
import { toHeaders } from './to-headers.ts'
import { type TopSchema, toTopSchemaView } from './to-schema-view.ts'
import type { EncodingView, MediaTypeView } from './types.ts'

/** The media types of a `content`, in document order. */
export function toMediaTypes(owner: Place, top: TopSchema, context: ReferenceContext): MediaTypeView[] {
  return mapPlaces(owner, 'content').map(({ name, place }) => {
    const mediaType = context.follow.end(place)
    const schema = findField(mediaType, 'schema')
    const itemSchema = findField(mediaType, 'itemSchema')
    return {
      mediaType: name,
      schema: schema && toTopSchemaView(schema, context, top),
      itemSchema: itemSchema && toTopSchemaView(itemSchema, context, top),
      examples: toExamples(mediaType, isSampled(name) ? { schema: schema ?? itemSchema, side: top.side } : undefined, context),
      encoding: mapPlaces(mediaType, 'encoding').map(({ name: property, place: encoding }) =>
        toEncoding(property, encoding, context),
      ),
    }
  })
}

function findField(parent: Place, key: string): Place | undefined {
  const place = childPlace(parent, key)
  return place.value === undefined ? undefined : place
}

/** Of JSON and forms an example can be made; one of XML or text made from a schema would mislead. */
function isSampled(mediaType: string): boolean {
  return /[/+]json\b|^application\/x-www-form-urlencoded|^multipart\/|^\*\/\*|^application\/(?:x-ndjson|jsonl|json-seq)|^text\/event-stream/i.test(
    mediaType,
  )
}

function toEncoding(property: string, place: Place, context: ReferenceContext): EncodingView {
  const { value } = place
  const explode = readField(value, 'explode')
  return {
    property,
    contentType: readText(value, 'contentType'),
    style: readText(value, 'style'),
    explode: typeof explode === 'boolean' ? explode : undefined,
    allowReserved: readFlag(value, 'allowReserved'),
    headers: toHeaders(place, context),
  }
}
