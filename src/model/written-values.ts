import { type JsonObject, readOwn, stringOf } from '../text/json/json-values.ts'

/** Whether a media type is a single JSON value, not a sequence of them. */
export function isJsonType(mediaType: string): boolean {
  return /[/+]json\b(?!-)/i.test(mediaType)
}

export function isFormType(mediaType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(mediaType)
}

/** Whether a body is one of HTML's form encodings. */
export function isFormData(mediaType: string): boolean {
  return isFormType(mediaType) || /^multipart\//i.test(mediaType)
}

/** Whether content of a media type is bytes that nobody types, such as an image. */
export function isBinaryType(mediaType: string): boolean {
  return /^(?:image\/(?!svg)|audio|video|font|application\/(?:octet|pdf|cbor|wasm|msword|x-tar|vnd\.(?:ms-|open|oasis)|.*(?:zip|7z|msgpack|protobuf)))/i.test(
    mediaType,
  )
}

export function isXmlType(mediaType: string): boolean {
  return /[/+]xml\b/i.test(mediaType)
}

/**
 * How the values in a media type are written.
 *
 * - `form`: the properties of an object as texts, except objects, which are JSON.
 * - `xml`, `text`: every value as text, so that a number and the string of its digits are the same.
 * - `typed`: with types, as in JSON. This includes sequences, YAML, CBOR, unknown media types and every range.
 */
export function howWritten(mediaType: string): 'form' | 'xml' | 'text' | 'typed' {
  if (isFormData(mediaType)) return 'form'
  if (isXmlType(mediaType)) return 'xml'
  return /^text\/(?:plain|csv|tab-separated-values)\b/i.test(mediaType) ? 'text' : 'typed'
}

/** A media type without differences in case and spaces. JSON always has the charset UTF-8. */
export function normalizeMediaType(mediaType: string): string {
  const name = mediaType.toLowerCase().replace(/\s+/g, '')
  return name.replace(/(?<=[/+]json);charset=utf-8$/, '')
}

/**
 * Whether everything of one media type is of another one, too: a range such as `application/*`, the type that a suffix such as `+json` names, or the
 * same one without parameters. Both are normalized.
 */
export function includesMediaType(general: string, special: string): boolean {
  const [name = '', ...parameters] = general.split(';')
  const [other = '', ...more] = special.split(';')
  if (!parameters.every((parameter) => more.includes(parameter))) return false
  if (name === other) return parameters.length < more.length
  const [type = '', subtype = ''] = name.split('/')
  const [otherType = '', otherSubtype = ''] = other.split('/')
  if (name === '*/*') return true
  return type === otherType && (subtype === '*' || otherSubtype.endsWith(`+${subtype}`))
}

/**
 * What applies to a media type: what is listed for it, else for the narrowest one that includes it.
 *
 * Source: OpenAPI 3.1.1, "Request Body Object" and "Response Object": the most specific key applies.
 */
export function findMediaType<One extends { readonly key: string }>(
  listed: ReadonlyMap<string, One>,
  key: string,
): One | undefined {
  let found = listed.get(key)
  if (found) return found
  for (const one of listed.values()) {
    if (includesMediaType(one.key, key) && (!found || includesMediaType(found.key, one.key))) found = one
  }
  return found
}

/**
 * What applies to a status code or range: what is listed for it, else for its range, else for `default`.
 *
 * Source: OpenAPI 3.1.1, "Responses Object".
 */
export function findStatus<One>(listed: ReadonlyMap<string, One>, key: string): One | undefined {
  return listed.get(key) ?? listed.get(`${key.slice(0, 1)}XX`) ?? listed.get('default')
}

/** How a value is written as text. Source: OpenAPI 3.2.0, "Parameter Object", "Style Values". */
export interface Serialization {
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
}

/** The serialization of a parameter, header or encoding, with the defaults of its location. The fields of an Encoding Object have those of a query. */
export function readSerialization(fields: JsonObject, location: string): Serialization {
  const style = stringOf(readOwn(fields, 'style')) ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple')
  const explode = readOwn(fields, 'explode')
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie',
    allowReserved: readOwn(fields, 'allowReserved') === true,
  }
}

/** Whether an Encoding Object has one of the fields with which RFC 6570 applies. Only without them, `contentType` does. Source: OpenAPI 3.2.0, "Encoding Object". */
export function hasStyle(fields: JsonObject): boolean {
  return ['style', 'explode', 'allowReserved'].some((field) => Object.hasOwn(fields, field))
}
