import { childPlace, isReference, listPlaces, mapPlaces } from '../openapi/references/follow-reference.ts'
import { listOf, type Place, readOwn, readText, readWritten, toWritten, withWritten } from '../text/json/json-values.ts'
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
  /** Where `value` is. Absent for generated values. */
  readonly place?: Place | undefined
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
    return isReference(example.value) ? [] : readExample(name, example, api)
  })
  return named.length > 0
    ? named
    : toExample(childPlace(owner, 'example'), api, { written: readWritten(Object(owner.value), 'example') })
}

/** The examples of a schema, without those of the schemas that it refers to or includes: `examples`, else `example`. */
export function readSchemaExamples(schema: Place, api: Pick<Api, 'follow'>): Example[] {
  const place = api.follow.end(schema)
  const { examples, example } = Object(withWritten(place.value))
  const listed = withWritten(listOf(examples))
  if (listed.length === 0) return toExample(childPlace(place, 'example'), api, { written: example })
  return listPlaces(place, 'examples').flatMap((one, index) =>
    toExample(one, api, { name: index === 0 ? '' : `Example ${index + 1}`, written: listed[index] }),
  )
}

interface ExampleUse {
  readonly name?: string
  /** The value with its numbers as written. */
  readonly written?: unknown
  /** How many Example Objects may refer to the next one. */
  readonly left?: number | undefined
}

/** A value of an example as an example. Authors also write a reference there: to the value, or to an Example Object. None if it leads to nothing. */
export function toExample(
  place: Place,
  api: Pick<Api, 'follow'>,
  { name = '', written = place.value, left = 3 }: ExampleUse = {},
): Example[] {
  if (place.value === undefined) return []
  // An object with more keys is data, such as a JSON Schema.
  if (!isReference(place.value) || Object.keys(place.value).length > 1) return [{ ...exampleOf(written, name), place }]
  const end = api.follow.end(place)
  if (isReference(end.value) || left === 0) return []
  const isExample = /\/examples\/[^/]+$/.test(end.pointer) && valueKeys.some((key) => readOwn(end.value, key) !== undefined)
  return isExample ? readExample(name, end, api, left - 1) : [{ ...exampleOf(end.value, name), place: end }]
}

const valueKeys = ['dataValue', 'value', 'serializedValue']

function readExample(name: string, place: Place, api: Pick<Api, 'follow'>, left?: number): Example[] {
  const fields = Object(place.value)
  const key = valueKeys.find((one) => Object.hasOwn(fields, one))
  const [found] =
    key === undefined ? [] : toExample(childPlace(place, key), api, { name, written: readWritten(fields, key), left })
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
      place: found?.place,
    },
  ]
}
