import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'
import { keepReferred } from './keep-referred.ts'
import { listPlaces, mapPlaces, readField, readFlag, readText } from './read-fields.ts'
import { toExamples } from './to-examples.ts'
import { findValueSchema } from './to-headers.ts'
import { toTopSchemaView } from './to-schema-view.ts'
import type { ParameterLocation, ParameterView } from './types.ts'

const locations: readonly ParameterLocation[] = ['path', 'query', 'querystring', 'header', 'cookie']

/** Header parameters that OpenAPI has other words for and says to ignore. Source: OpenAPI 3.2.0, "Parameter Object", `name`. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

/** The parameters of an operation with those of its path item, of which it replaces the ones of the same name and location. */
export function toParameters(operation: Place, pathItem: Place, context: ReferenceContext): ParameterView[] {
  const byKey = new Map<string, ParameterView>()
  for (const place of [...listPlaces(pathItem, 'parameters'), ...listPlaces(operation, 'parameters')]) {
    const parameter = keepParameter(place, '', context, () => toParameter(context.follow.end(place), context))
    if (parameter) byKey.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  const all = [...byKey.values()]
  return locations.flatMap((location) => all.filter((parameter) => parameter.in === location))
}

const keepParameter = keepReferred<ParameterView | undefined>()

function toParameter(place: Place, context: ReferenceContext): ParameterView | undefined {
  const { value } = place
  const name = readText(value, 'name')
  const location = locations.find((one) => one === readText(value, 'in'))
  if (!isObject(value) || name === undefined || location === undefined) return undefined
  if (location === 'header' && ignoredHeaders.has(name.toLowerCase())) return undefined
  const style = readText(value, 'style') ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple')
  const explode = readField(value, 'explode')
  const [content] = mapPlaces(place, 'content')
  return {
    name,
    in: location,
    required: readFlag(value, 'required') || location === 'path',
    deprecated: readFlag(value, 'deprecated'),
    description: readText(value, 'description'),
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie',
    allowReserved: readFlag(value, 'allowReserved'),
    schema: toTopSchemaView(findValueSchema(place), context, { side: 'request' }),
    contentType: content?.name,
    examples: toExamples(place, undefined, context),
  }
}
