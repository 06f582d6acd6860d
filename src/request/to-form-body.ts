import { encode } from './encode.ts'
import type { NamedText, RequestBody, RequestFile } from './http-request.ts'
import { isJsonType, isXmlType, toConcreteType } from './media-type.ts'
import { isUndefinedValue, type ParameterStyle, toFieldPairs, toQueryText } from './serialize-parameter.ts'
import { toJsonText } from './to-json-text.ts'
import { toXmlText } from './to-xml-text.ts'

/** An Encoding Object. */
export interface PropertyEncoding {
  readonly style: string | undefined
  readonly explode: boolean | undefined
  readonly allowReserved: boolean | undefined
  readonly contentType: string | undefined
  readonly headers: readonly NamedText[]
}

export type EncodingOf = (property: string) => PropertyEncoding | undefined

/**
 * A form in fields. Without `style`, `explode` and `allowReserved` the URL standard decides how it is encoded, as in every language's library; with
 * them RFC 6570 does, and a form with delimiters that no library leaves as they are is text.
 */
export function toFormBody(
  value: Readonly<Record<string, unknown>>,
  mediaType: string,
  encodingOf: EncodingOf,
  fileOf: (value: unknown, property: string) => RequestFile | undefined,
): RequestBody {
  const written = Object.entries(value).flatMap(([name, one]) => {
    const encoding = encodingOf(name)
    const style = toPropertyStyle(name, encoding)
    if (style) return isUndefinedValue(one) ? [] : { pairs: toFieldPairs(style, one), text: toQueryText(style, one) }
    const pairs = toItems(one).map((item) => ({
      name,
      value: fileOf(item, name)?.name ?? toPropertyContent(item, encoding?.contentType).value,
    }))
    return { pairs, text: undefined }
  })
  const fields = written.flatMap(({ pairs }) => pairs)
  const isPlain = written.every(
    ({ pairs, text }) =>
      text === undefined || text === pairs.map((pair) => `${encode(pair.name)}=${encode(pair.value)}`).join('&'),
  )
  if (isPlain) return { kind: 'form', mediaType, fields }
  const texts = written.map(({ pairs, text }) => text ?? toUrlStandardText(pairs))
  return { kind: 'text', mediaType, text: texts.filter((text) => text !== '').join('&') }
}

/** The same as it stands in a query. */
export function toFormText(value: Readonly<Record<string, unknown>>, encodingOf: EncodingOf = () => undefined): string {
  const body = toFormBody(value, 'application/x-www-form-urlencoded', encodingOf, () => undefined)
  return body.kind === 'form' ? toUrlStandardText(body.fields) : body.kind === 'text' ? body.text : ''
}

/** The style of a property; absent where none of the three is written, only then `contentType` counts. Source: OpenAPI 3.2.0, "Encoding Object". */
export function toPropertyStyle(name: string, encoding: PropertyEncoding | undefined): ParameterStyle | undefined {
  const { style, explode, allowReserved } = encoding ?? {}
  if (style === undefined && explode === undefined && allowReserved === undefined) return undefined
  const known = style ?? 'form'
  return { name, style: known, explode: explode ?? known === 'form', allowReserved: allowReserved ?? false }
}

/** The members of a list are fields or parts of their own; what is `null` is none. */
export function toItems(value: unknown): readonly unknown[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined)
}

/** What a property is in its media type: objects and lists JSON, all else plain text. */
export function toPropertyContent(
  value: unknown,
  contentTypes: string | undefined,
): { value: string; contentType: string | undefined } {
  const contentType = toConcreteType(contentTypes) ?? (typeof value === 'object' ? 'application/json' : undefined)
  if (contentType === undefined) return { value: toJsonText(value), contentType }
  if (isJsonType(contentType)) return { value: JSON.stringify(value), contentType }
  return { value: isXmlType(contentType) && typeof value !== 'string' ? toXmlText(value) : toJsonText(value), contentType }
}

function toUrlStandardText(pairs: readonly NamedText[]): string {
  return new URLSearchParams(pairs.map(({ name, value }) => [name, value])).toString()
}
