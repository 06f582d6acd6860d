import { isReference, mapPlaces } from '../openapi/references/follow-reference.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  type Place,
  readOwn,
  readText,
  readWritten,
  toWritten,
  withWritten,
} from '../text/json/json-values.ts'
import type { Api } from './api.ts'

/** An Example Object, or the value of `example`. */
export interface Example {
  /** Its key; `''` for a single example. */
  readonly name: string
  readonly summary: string | undefined
  readonly description: string | undefined
  /** A value with its numbers as written, or a text that is serialized already. Absent if only a URL is given. */
  readonly value: unknown
  /** 3.2: the text on the wire. */
  readonly serialized: string | undefined
  readonly externalValue: string | undefined
}

/** An example that is nothing but a value. */
export function exampleOf(value: unknown, name = ''): Example {
  const none = { summary: undefined, description: undefined, serialized: undefined, externalValue: undefined }
  return { ...none, name, value: toWritten(value) }
}

/**
 * The examples of a Media Type, Parameter or Header Object: `examples`, else `example`. Those behind a reference that cannot be resolved are left out.
 *
 * Source: OpenAPI 3.2.0, "Example Object" (`dataValue` and `serializedValue` are of 3.2).
 */
export function readExamples(owner: Place, api: Pick<Api, 'follow'>): Example[] {
  const named = mapPlaces(owner, 'examples').flatMap(({ name, place }) => {
    const example = api.follow.end(place)
    return isObject(example.value) && !isReference(example.value) ? readExample(name, example.value, example, api) : []
  })
  const single = isObject(owner.value) && named.length === 0 ? readWritten(owner.value, 'example') : undefined
  return single === undefined ? named : toExample(single, owner, api)
}

/** The examples of a schema, without those of the schemas that it refers to or includes: `examples`, else `example`. */
export function readSchemaExamples(schema: Place, api: Pick<Api, 'follow'>): Example[] {
  const place = api.follow.end(schema)
  const listed = withWritten(listOf(readOwn(place.value, 'examples')))
  const all = listed.length > 0 ? listed : [readOwn(withWritten(place.value), 'example')]
  return all.flatMap((value, index) =>
    value === undefined ? [] : toExample(value, place, api, index === 0 ? '' : `Example ${index + 1}`),
  )
}

/**
 * A value of an example as an example. Authors also write a reference there: to the value, or to an Example Object. None if it leads to nothing.
 *
 * @param owner an object in the same file.
 */
export function toExample(value: unknown, owner: Place, api: Pick<Api, 'follow'>, name = ''): Example[] {
  const place = followValue(value, owner, api)
  if (!place) return []
  const { value: end, pointer } = place
  const isObjectOf =
    end !== value && /\/examples\/[^/]+$/.test(pointer) && valueKeys.some((key) => readOwn(end, key) !== undefined)
  return isObjectOf && isObject(end) ? readExample(name, end, place, api) : [exampleOf(end, name)]
}

function followValue(value: unknown, owner: Place, { follow }: Pick<Api, 'follow'>): Place | undefined {
  const place = { ...owner, value }
  // An object with more keys is data, such as a JSON Schema.
  if (!isReference(value) || Object.keys(value).length > 1) return place
  const target = follow.end(place)
  return isReference(target.value) ? undefined : target
}

const valueKeys = ['dataValue', 'value', 'serializedValue']

function readExample(name: string, fields: JsonObject, place: Place, api: Pick<Api, 'follow'>): Example[] {
  const key = valueKeys.find((one) => Object.hasOwn(fields, one))
  const found = key === undefined ? undefined : followValue(readWritten(fields, key), place, api)
  if (key !== undefined && !found) return []
  return [
    {
      ...exampleOf(found?.value, name),
      summary: readText(fields, 'summary'),
      description: readText(fields, 'description'),
      serialized: readText(fields, 'serializedValue'),
      externalValue: readText(fields, 'externalValue'),
    },
  ]
}
