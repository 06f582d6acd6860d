import { childPlace, isReference, mapPlaces } from '../openapi/references/follow-reference.ts'
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
 * The examples of a Media Type, Parameter or Header Object: `examples`, else `example`. Those without a value or URL are left out, also those whose value
 * is behind a reference that cannot be resolved.
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
 * @param owner an object in the same file. @param left how many Example Objects may refer to the next one.
 */
export function toExample(value: unknown, owner: Place, api: Pick<Api, 'follow'>, name = '', left = maxExamples): Example[] {
  if (!isExampleReference(value)) return [exampleOf(value, name)]
  const end = api.follow.end({ ...owner, value })
  const { value: fields } = end
  if (isReference(fields) || left === 0) return []
  return findValueKey(end) && isObject(fields) ? readExample(name, fields, end, api, left - 1) : [exampleOf(fields, name)]
}

/** The place of the value of an example, as `toExample` finds it. Absent if a reference leads to nothing. */
export function findExampleValue(place: Place, api: Pick<Api, 'follow'>, left = maxExamples): Place | undefined {
  if (!isExampleReference(place.value)) return place
  const end = api.follow.end(place)
  if (isReference(end.value) || left === 0) return undefined
  const key = findValueKey(end)
  return key === undefined ? end : findExampleValue(childPlace(end, key), api, left - 1)
}

/** The most Example Objects that refer to each other. */
const maxExamples = 3

/** An object with more keys is data, such as a JSON Schema. */
function isExampleReference(value: unknown): boolean {
  return isReference(value) && Object.keys(value).length === 1
}

/** The field with the value, if a reference leads to an Example Object. */
function findValueKey({ value, pointer }: Place): string | undefined {
  return /\/examples\/[^/]+$/.test(pointer) ? valueKeys.find((key) => readOwn(value, key) !== undefined) : undefined
}

const valueKeys = ['dataValue', 'value', 'serializedValue']

function readExample(name: string, fields: JsonObject, place: Place, api: Pick<Api, 'follow'>, left?: number): Example[] {
  const key = valueKeys.find((one) => Object.hasOwn(fields, one))
  const [found] = key === undefined ? [] : toExample(readWritten(fields, key), place, api, name, left)
  const externalValue = readText(fields, 'externalValue')
  if (!found && externalValue === undefined) return []
  return [
    {
      name,
      summary: readText(fields, 'summary'),
      description: readText(fields, 'description'),
      value: found?.value,
      serialized: readText(fields, 'serializedValue'),
      externalValue,
    },
  ]
}
