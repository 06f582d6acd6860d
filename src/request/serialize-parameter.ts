import { isObject } from '../text/is-object.ts'
import type { NamedText } from './http-request.ts'
import { toJsonText } from './media-type.ts'

/** How a value is written into a request. */
export interface ParameterStyle {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
}

/**
 * What RFC 6570 calls undefined: `null`, and lists and maps with nothing else in them. Empty text is a value.
 *
 * Source: RFC 6570, section 2.3, which OpenAPI 3.2.0 follows ("Undefined Values and Manual URI Template Construction").
 */
export function isUndefinedValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => one === null || one === undefined)
  return isObject(value) ? isUndefinedValue(Object.values(value)) : value === null || value === undefined
}

/**
 * What stands in the path for a value, encoded: `/`, `?` and `#` always are.
 *
 * Source of this and the functions below: OpenAPI 3.2.0, "Style Examples"; RFC 6570, section 3.2, for what is empty.
 */
export function toPathText({ name, style, explode, allowReserved }: ParameterStyle, value: unknown): string {
  const write = allowReserved ? (text: string) => encodeReserved(text, '/?#[]') : encode
  const key = write(name)
  const { pairs, list } = toMembers(value)
  // After the name of a matrix parameter `=` stands only before a value.
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

/** What a query or a form in fields has for a value, encoded: pairs with `&` between them. */
export function toQueryText(parameter: ParameterStyle, value: unknown): string {
  const write = parameter.allowReserved ? (text: string) => encodeReserved(text, '[]#&=+') : encode
  return toFields(parameter, value)
    .map(
      ({ name, values, separator }) => `${encode(name)}=${values.map(write).join(separator === ',' ? ',' : encode(separator))}`,
    )
    .join('&')
}

/** The same as fields, not encoded, as a form in parts has them. Source: OpenAPI 3.2.0, "Appendix C". */
export function toFieldPairs(parameter: Omit<ParameterStyle, 'allowReserved'>, value: unknown): NamedText[] {
  return toFields(parameter, value).map(({ name, values, separator }) => ({ name, value: values.join(separator) }))
}

/** What a header has for a value. Nothing is encoded, as OpenAPI wants it. */
export function toHeaderText({ explode }: Pick<ParameterStyle, 'explode'>, value: unknown): string {
  const { pairs, list } = toMembers(value)
  if (!pairs) return list.join(',')
  return pairs.map(([key, text]) => `${key}${explode ? '=' : ','}${text}`).join(',')
}

/**
 * What the `Cookie` header has for a value, pairs with `; ` between them. Style `form` encodes, `cookie` does not.
 *
 * The table has `&` between the pairs of an exploded `form`; OpenAPI 3.2.0, "Appendix D", calls that wrong, and servers read one cookie.
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
  return [{ name, values: pairs?.flat() ?? list, separator: separators[style] ?? ',' }]
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** `a[b]=1`; OpenAPI leaves open what is deeper, servers read `a[b][c]=1` and `a[0]=1`. */
function toDeepFields(name: string, value: unknown, depth: number): Field[] {
  if (value === null || value === undefined) return []
  if (depth < 5 && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => toDeepFields(`${name}[${key}]`, one, depth + 1))
  return [{ name, values: [toJsonText(value)], separator: ',' }]
}

/** The text of what a value has in it, without what is undefined. A value that is no list has one member, an undefined one none. */
function toMembers(value: unknown): { readonly pairs: [string, string][] | undefined; readonly list: readonly string[] } {
  const isThere = (one: unknown) => one !== null && one !== undefined
  if (!isThere(value) || isUndefinedValue(value)) return { pairs: undefined, list: [] }
  if (Array.isArray(value)) return { pairs: undefined, list: value.filter(isThere).map(toJsonText) }
  if (!isObject(value)) return { pairs: undefined, list: [toJsonText(value)] }
  const entries = Object.entries(value).filter(([, one]) => isThere(one))
  return { pairs: entries.map(([key, one]) => [key, toJsonText(one)]), list: [] }
}

/**
 * Percent-encodes all but letters, digits and `-._~`; halves of characters, which no encoding has, are replaced.
 *
 * Source: RFC 6570, section 3.2.1; OpenAPI 3.2.0, "URL Percent-Encoding".
 */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, toTriple)
}

/** Leaves what RFC 3986 reserves, and what is percent-encoded already, as it is; but not the characters of `not`. */
function encodeReserved(text: string, not: string): string {
  return text.replace(/%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/gi, (part) =>
    (part.length === 1 && reserved.includes(part) && !not.includes(part)) || /^%../.test(part) ? part : encode(part),
  )
}

const reserved = ":/?#[]@!$&'()*+,;="

/** Encodes what documents and people have in addresses and no address has: blanks, quotes, controls and letters beyond ASCII. */
export function encodeRest(url: string): string {
  return url.replace(/[^\x21-\x7e]+|["<>\\^`|]/g, encode)
}

function toTriple(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
