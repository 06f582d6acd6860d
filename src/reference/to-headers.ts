import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import type { ReferenceContext } from './context.ts'
import { keepReferred } from './keep-referred.ts'
import { mapPlaces, readFlag, readText } from './read-fields.ts'
import { toExamples } from './to-examples.ts'
import { toTopSchemaView } from './to-schema-view.ts'
import type { HeaderView } from './types.ts'

/** The `headers` of a response or a part of a body. `Content-Type` says nothing there and is left out (OpenAPI, "Response Object"). */
export function toHeaders(owner: Place, context: ReferenceContext): HeaderView[] {
  return mapPlaces(owner, 'headers')
    .filter(({ name }) => name.toLowerCase() !== 'content-type')
    .map(({ name, place }) => keepHeader(place, name, context, () => toHeader(name, context.follow.end(place), context)))
}

const keepHeader = keepReferred<HeaderView>()

function toHeader(name: string, header: Place, context: ReferenceContext): HeaderView {
  return {
    name,
    required: readFlag(header.value, 'required'),
    deprecated: readFlag(header.value, 'deprecated'),
    description: readText(header.value, 'description'),
    schema: toTopSchemaView(findValueSchema(header), context, { side: 'response' }),
    examples: toExamples(header, undefined, context),
  }
}

/** The schema of a header or parameter: its own, or that of the one media type of its `content`. */
export function findValueSchema(owner: Place): Place {
  const schema = childPlace(owner, 'schema')
  if (schema.value !== undefined) return schema
  const [content] = mapPlaces(owner, 'content')
  return content ? childPlace(content.place, 'schema') : schema
}
