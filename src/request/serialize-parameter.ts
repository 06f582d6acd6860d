import { isObject } from '../text/is-object.ts'
import type { NamedText } from './http-request.ts'
import { toJsonText } from './to-json-text.ts'

/** How a value is written into a request. */
export interface ParameterStyle {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
}

/** What stands in the path for a value, encoded. Source: OpenAPI 3.2.0, "Style Examples". */
export function toPathText({ name, style, explode }: ParameterStyle, value: unknown): string {
  const pairs = toPairs(value)
  const key = encode(name)
  const list = (separator: string, assign: string) =>
    (pairs ?? []).map(([k, v]) => `${encode(k)}${assign}${encode(v)}`).join(separator)
  const plain = Array.isArray(value) ? value.map((one) => encode(toJsonText(one))) : [encode(toJsonText(value))]
  switch (style) {
    case 'label':
      return pairs ? `.${explode ? list('.', '=') : list(',', ',')}` : `.${plain.join(explode ? '.' : ',')}`
    case 'matrix':
      if (pairs) return explode ? `;${list(';', '=')}` : `;${key}=${list(',', ',')}`
      return explode ? plain.map((one) => `;${key}=${one}`).join('') : `;${key}=${plain.join(',')}`
    default:
      return pairs ? (explode ? list(',', '=') : list(',', ',')) : plain.join(',')
  }
}

/** What a header or cookie has for a value; not encoded. */
export function toHeaderText({ explode }: Pick<ParameterStyle, 'explode'>, value: unknown): string {
  const pairs = toPairs(value)
  if (pairs) return pairs.map(([key, one]) => `${key}${explode ? '=' : ','}${one}`).join(',')
  return Array.isArray(value) ? value.map(toJsonText).join(',') : toJsonText(value)
}

/** The pairs that a value is in a query or a form. */
export function toQueryPairs({ name, style, explode }: Omit<ParameterStyle, 'allowReserved'>, value: unknown): NamedText[] {
  const pairs = toPairs(value)
  if (style === 'deepObject' && (pairs || Array.isArray(value))) return toDeepPairs(name, value, 0)
  if (pairs) {
    if (explode) return pairs.map(([key, one]) => ({ name: key, value: one }))
    return [{ name, value: pairs.flat().join(separatorOf(style)) }]
  }
  if (!Array.isArray(value)) return [{ name, value: toJsonText(value) }]
  if (explode) return value.map((one) => ({ name, value: toJsonText(one) }))
  return [{ name, value: value.map(toJsonText).join(separatorOf(style)) }]
}

/** Pairs as they stand in an address. */
export function toQueryText(pairs: readonly NamedText[], allowReserved = false): string {
  return pairs.map(({ name, value }) => `${encode(name)}=${allowReserved ? encodeReserved(value) : encode(value)}`).join('&')
}

/** Percent-encodes all that an address has another use for; halves of characters, which no encoding has, are replaced. */
export function encode(text: string): string {
  return encodeURIComponent(toWellFormed(text))
}

/** Text without halves of surrogate pairs. */
export function toWellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
}

/** Leaves what RFC 3986 reserves as it is, but for what would end the query. */
function encodeReserved(text: string): string {
  return encodeURI(toWellFormed(text)).replaceAll('#', '%23').replaceAll('&', '%26').replaceAll('+', '%2B')
}

function separatorOf(style: string): string {
  return style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ','
}

function toPairs(value: unknown): [string, string][] | undefined {
  return isObject(value) ? Object.keys(value).map((key) => [key, toJsonText(value[key])]) : undefined
}

/** `a[b]=1`; OpenAPI leaves open what is deeper, servers read `a[b][c]=1` and `a[0]=1`. */
function toDeepPairs(name: string, value: unknown, depth: number): NamedText[] {
  if (depth < 5 && isObject(value))
    return Object.keys(value).flatMap((key) => toDeepPairs(`${name}[${key}]`, value[key], depth + 1))
  if (depth < 5 && Array.isArray(value)) return value.flatMap((one, index) => toDeepPairs(`${name}[${index}]`, one, depth + 1))
  return [{ name, value: toJsonText(value) }]
}
