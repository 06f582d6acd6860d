import { isReference, mapPlaces } from '../openapi/references/follow-reference.ts'
import { isObject, listOf, type Place, readOwn, readText, readWritten, toWritten, withWritten } from '../text/json/json-values.ts'
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

/**
 * The examples of a Media Type, Parameter or Header Object: `examples`, else `example`. Those behind a reference that cannot be resolved are left out.
 *
 * Source: OpenAPI 3.2.0, "Example Object" (`dataValue` and `serializedValue` are of 3.2).
 */
export function readExamples(owner: Place, api: Pick<Api, 'follow'>): Example[] {
  const named = mapPlaces(owner, 'examples').flatMap(({ name, place }) => {
    const { value } = api.follow.end(place)
    return isObject(value) && !isReference(value) ? [{ ...readExample(value, api, place), name }] : []
  })
  return named.length > 0
    ? named
    : toExamples(owner, isObject(owner.value) ? readWritten(owner.value, 'example') : undefined, api)
}

/** The examples of a schema, without those of the schemas that it refers to or includes: `examples`, else `example`. */
export function readSchemaExamples(schema: Place, api: Pick<Api, 'follow'>): Example[] {
  const place = api.follow.end(schema)
  const listed = withWritten(listOf(readOwn(place.value, 'examples')))
  const all = listed.length > 0 ? listed : [readOwn(withWritten(place.value), 'example')]
  return all.flatMap((value, index) => toExamples(place, value, api, index === 0 ? '' : `Example ${index + 1}`))
}

function readExample(value: { readonly [key: string]: unknown }, api: Pick<Api, 'follow'>, place: Place): Example {
  const [data] = ['dataValue', 'value'].flatMap((key) => (Object.hasOwn(value, key) ? [readWritten(value, key)] : []))
  const serialized = readText(value, 'serializedValue')
  const shown = data === undefined ? serialized : data
  const [example] = toExamples(place, shown, api)
  return {
    name: '',
    summary: readText(value, 'summary'),
    description: readText(value, 'description'),
    value: example?.value,
    serialized,
    externalValue: readText(value, 'externalValue'),
  }
}

/** An example without a name. Authors also write a reference as its value: to the value, or to an Example Object. */
function toExamples(owner: Place, value: unknown, api: Pick<Api, 'follow'>, name = ''): Example[] {
  const none = { name, summary: undefined, description: undefined, serialized: undefined, externalValue: undefined }
  if (value === undefined) return []
  if (!isReference(value)) return [{ ...none, value: toWritten(value) }]
  const target = api.follow.end({ ...owner, value })
  if (isReference(target.value)) return []
  const isExample = isObject(target.value) && /\/examples\/[^/]+$/.test(target.pointer) && Object.hasOwn(target.value, 'value')
  return [isExample ? readExample(Object(target.value), api, target) : { ...none, value: toWritten(target.value) }]
}
