import { isObject, readOwn } from '../../text/json/json-values.ts'
import { encodeUrlPart } from '../../text/plain/urls.ts'
import type { NamedText } from './http-request.ts'
import { toJsonText } from './media-type.ts'

/** How a value is serialized. */
export interface ParameterStyle {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
}

/**
 * Whether a value is undefined in terms of RFC 6570: `null`, and lists and objects with only such members. An empty string is a value.
 *
 * Source: RFC 6570, section 2.3, which OpenAPI 3.2.0 follows ("Undefined Values and Manual URI Template Construction").
 */
export function isUndefinedValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => one === null || one === undefined)
  return isObject(value) ? isUndefinedValue(Object.values(value)) : value === null || value === undefined
}

/**
 * Serializes a value for the path, encoded, always including `/`, `?` and `#`.
 *
 * Source of this and the functions below: OpenAPI 3.2.0, "Style Examples"; RFC 6570, section 3.2, for empty values.
 */
export function toPathText({ name, style, explode, allowReserved }: ParameterStyle, value: unknown): string {
  const write = allowReserved ? (text: string) => encodeReserved(text, '/?#[]') : encode
  const key = write(name)
  const { pairs, list } = toMembers(value)
  // A matrix parameter has `=` only before a value.
  const assign = (before: string, text: string) => (text === '' && style === 'matrix' ? before : `${before}=${text}`)
  const exploded = pairs?.map(([one, text]) => assign(write(one), write(text)))
  const joined = (pairs?.flat() ?? list).map(write).join(',')
  switch (style) {
    case 'label':
      return `.${explode ? (exploded ?? list.map(write)).join('.') : joined}`
    case 'matrix':
      if (!explode) return `;${assign(key, joined)}`
      return (exploded ?? (list.length > 0 ? list : ['']).map((text) => assign(key, write(text))))
        .map((one) => `;${one}`)
        .join('')
    default:
      return explode && exploded ? exploded.join(',') : joined
  }
}

/** Serializes a value for a query or an encoded form: pairs joined by `&`. */
export function toQueryText(parameter: ParameterStyle, value: unknown): string {
  const write = parameter.allowReserved ? (text: string) => encodeReserved(text, '[]#&=+') : encode
  return toFields(parameter, value)
    .map(
      ({ name, values, separator }) => `${encode(name)}=${values.map(write).join(separator === ',' ? ',' : encode(separator))}`,
    )
    .join('&')
}

/** The same as unencoded fields, for a multipart form. Source: OpenAPI 3.2.0, "Appendix C". */
export function toFieldPairs(parameter: Omit<ParameterStyle, 'allowReserved'>, value: unknown): NamedText[] {
  return toFields(parameter, value).map(({ name, values, separator }) => ({ name, value: values.join(separator) }))
}

/** Serializes a value for a header, without encoding as OpenAPI requires. */
export function toHeaderText({ explode }: Pick<ParameterStyle, 'explode'>, value: unknown): string {
  const { pairs, list } = toMembers(value)
  if (!pairs) return list.join(',')
  return pairs.map(([key, text]) => `${key}${explode ? '=' : ','}${text}`).join(',')
}

/**
 * Serializes a value for the `Cookie` header: pairs joined by `; `. Style `form` encodes, `cookie` does not.
 *
 * The table of styles joins the pairs of an exploded `form` with `&`. OpenAPI 3.2.0, "Appendix D", calls that wrong: servers would read one cookie.
 */
export function toCookieText(parameter: ParameterStyle, value: unknown): string {
  const isRaw = parameter.style === 'cookie'
  const write = (text: string) => (isRaw ? text : parameter.allowReserved ? encodeReserved(text, ',;') : encode(text))
  return toFields({ ...parameter, style: 'form' }, value)
    .map(({ name, values }) => `${isRaw ? name : encode(name)}=${values.map(write).join(',')}`)
    .join('; ')
}

interface Field {
  readonly name: string
  readonly values: readonly string[]
  readonly separator: string
}

function toFields({ name, style, explode }: Omit<ParameterStyle, 'allowReserved'>, value: unknown): Field[] {
  const single = (one: string, text: string): Field => ({ name: one, values: [text], separator: ',' })
  if (style === 'deepObject' && typeof value === 'object' && !isUndefinedValue(value)) return toDeepFields(name, value, 0)
  const { pairs, list } = toMembers(value)
  if (explode && pairs) return pairs.map(([key, text]) => single(key, text))
  if (explode && list.length > 0) return list.map((text) => single(name, text))
  return [{ name, values: pairs?.flat() ?? list, separator: readOwn(separators, style) ?? ',' }]
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** `a[b]=1`. OpenAPI does not define deeper levels; servers read `a[b][c]=1` and `a[0]=1`. */
function toDeepFields(name: string, value: unknown, depth: number): Field[] {
  if (value === null || value === undefined) return []
  if (depth < 5 && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => toDeepFields(`${name}[${key}]`, one, depth + 1))
  return [{ name, values: [toJsonText(value)], separator: ',' }]
}

/** The defined members of a value as text. A scalar has one member, an undefined value none. */
function toMembers(value: unknown): { readonly pairs: [string, string][] | undefined; readonly list: readonly string[] } {
  const isThere = (one: unknown) => one !== null && one !== undefined
  if (!isThere(value) || isUndefinedValue(value)) return { pairs: undefined, list: [] }
  if (Array.isArray(value)) return { pairs: undefined, list: value.filter(isThere).map(toJsonText) }
  if (!isObject(value)) return { pairs: undefined, list: [toJsonText(value)] }
  const entries = Object.entries(value).filter(([, one]) => isThere(one))
  return { pairs: entries.map(([key, one]) => [key, toJsonText(one)]), list: [] }
}

/**
 * Percent-encodes everything but letters, digits and `-._~`. Lone surrogates are replaced.
 *
 * Source: RFC 6570, section 3.2.1; OpenAPI 3.2.0, "URL Percent-Encoding".
 */
export function encode(text: string): string {
  return encodeUrlPart(text).replace(/[!'()*]/g, toTriple)
}

/** Keeps the reserved characters of RFC 3986 and existing percent-encodings, except for the characters in `not`. */
function encodeReserved(text: string, not: string): string {
  return text.replace(/%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/gi, (part) =>
    (part.length === 1 && reserved.includes(part) && !not.includes(part)) || /^%../.test(part) ? part : encode(part),
  )
}

const reserved = ":/?#[]@!$&'()*+,;="

/** Encodes characters that people write in URLs although URLs do not allow them: spaces, quotes, control and non-ASCII characters. */
export function encodeRest(url: string): string {
  return url.replace(/[^\x21-\x7e]+|["<>\\^`|]/g, encode)
}

function toTriple(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
