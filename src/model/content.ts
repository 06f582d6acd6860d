import { childPlace, isReference, listPlaces, mapPlaces } from '../openapi/references/follow-reference.ts'
import { isObject, type Place, readFlag, readOwn, readText, readWritten, toWritten } from '../text/json/json-values.ts'
import { type Api, type Node, readMap, toNode } from './api.ts'
import { keywordsOf } from './schema.ts'
import { hasStyle, normalizeMediaType, readSerialization, type Serialization } from './written-values.ts'

/** A Media Type Object. Its examples and encodings are read from its place. */
export interface MediaType extends Node {
  /** The media type or range, as written. */
  readonly name: string
  /** In the spelling that `normalizeMediaType` gives it. */
  readonly key: string
  readonly schema: Place | undefined
  /** 3.2: the schema of each item of a sequence. */
  readonly itemSchema: Place | undefined
}

/** An Encoding Object. Since 3.2, it can have encodings, which are read from its place. */
export interface Encoding extends Node {
  /** Its key; `''` in a list. */
  readonly property: string
  /** A media type, or several with commas between them. */
  readonly contentType: string | undefined
  /** Absent unless one of its fields is set. Only without it, `contentType` applies. */
  readonly serialization: Serialization | undefined
  readonly headers: readonly Header[]
}

/** How the parts of a form or of a multipart body are written. */
export interface Encodings {
  /** `encoding`: by property. */
  readonly named: readonly Encoding[]
  /** `prefixEncoding` of 3.2: those of the first items. */
  readonly prefix: readonly Encoding[]
  /** `itemEncoding` of 3.2: that of the other items. */
  readonly items: Encoding | undefined
}

/** What parameters and headers have in common: a value, which a schema describes or which is in a media type. */
export interface DescribedValue extends Node, Serialization {
  readonly description: string | undefined
  readonly required: boolean
  readonly deprecated: boolean
  /** Its own, or that of the media type. */
  readonly schema: Place | undefined
  /** The media type in which the value is written, in place of `style`. */
  readonly content: MediaType | undefined
}

/** A Header Object. */
export interface Header extends DescribedValue {
  /** As written. */
  readonly name: string
  /** In lower case. */
  readonly key: string
}

/** The media types of a body, response, parameter or header, in document order. */
export function readContent(owner: Place, api: Api): MediaType[] {
  return readMap(owner, 'content', api).map(({ name, place: entry }) => {
    const node = toNode(entry, api)
    const [schema, itemSchema] = [readField(node.place, 'schema'), readField(node.place, 'itemSchema')]
    return { ...node, name, key: normalizeMediaType(name), schema, itemSchema }
  })
}

/** The headers of a response or of a part of a body. `Content-Type` is ignored there. Source: OpenAPI 3.2.0, "Response Object". */
export function readHeaders(owner: Place, api: Api): Header[] {
  return readMap(owner, 'headers', api).flatMap(({ name, place }) => {
    const key = name.toLowerCase()
    return key === 'content-type' ? [] : readValue(toNode(place, api), 'header', api, { name, key })
  })
}

/** Reads a parameter or header. Its location decides the defaults of its fields; `own` are fields that only one of them has. */
export function readValue<Own>(node: Node, location: string, api: Api, own: Own): DescribedValue & Own {
  const { place } = node
  const [content] = readContent(place, api)
  const { style, explode, allowReserved } = readSerialization(isObject(place.value) ? place.value : {}, location)
  // Fields one by one: descriptions have thousands of parameters, and a second spread takes as long as everything else.
  return {
    ...own,
    entry: node.entry,
    place,
    isUnresolved: node.isUnresolved,
    style,
    explode,
    allowReserved,
    description: readText(place.value, 'description'),
    required: readFlag(place.value, 'required') || location === 'path',
    deprecated: readFlag(place.value, 'deprecated'),
    schema: content ? content.schema : readField(place, 'schema'),
    content,
  }
}

/** The examples of a parameter or header: those of its media type, then its own. */
export function readValueExamples(
  { content, place }: Pick<DescribedValue, 'content' | 'place'>,
  api: Pick<Api, 'follow'>,
): Example[] {
  return [...(content ? readExamples(content.place, api) : []), ...readExamples(place, api)]
}

/** The encodings of a media type or of an encoding. */
export function readEncodings(owner: Place, api: Api): Encodings {
  const items = readField(owner, 'itemEncoding')
  return {
    named: readNamedEncodings(owner, api),
    prefix: listPlaces(owner, 'prefixEncoding').map((place) => readEncoding('', place, api)),
    items: items && readEncoding('', items, api),
  }
}

/** Those in `encoding`. */
export function readNamedEncodings(owner: Place, api: Api): Encoding[] {
  return readMap(owner, 'encoding', api).map(({ name, place }) => readEncoding(name, place, api))
}

/** Reads an Encoding Object. If there is none, it is one without fields. */
export function readEncoding(property: string, entry: Place, api: Api): Encoding {
  const node = toNode(entry, api)
  const { value } = node.place
  const fields = isObject(value) ? value : {}
  return {
    ...node,
    property,
    contentType: readText(value, 'contentType'),
    serialization: hasStyle(fields) ? readSerialization(fields, 'query') : undefined,
    headers: readHeaders(node.place, api),
  }
}

function readField(owner: Place, key: string): Place | undefined {
  const place = childPlace(owner, key)
  return place.value === undefined ? undefined : place
}

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
  const { examples = [], example } = keywordsOf(place)
  if (examples.length === 0) return toExample(childPlace(place, 'example'), api, { written: example })
  return listPlaces(place, 'examples').flatMap((one, index) =>
    toExample(one, api, { name: index === 0 ? '' : `Example ${index + 1}`, written: examples[index] }),
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
