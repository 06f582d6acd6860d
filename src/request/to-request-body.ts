import { isObject } from '../text/is-object.ts'
import type { RequestBody, RequestFile, RequestPart } from './http-request.ts'
import { isFormType, isJsonType, isXmlType, toConcreteType } from './media-type.ts'
import { toSafeHeaders } from './safe-headers.ts'
import { isUndefinedValue, toFieldPairs } from './serialize-parameter.ts'
import { type EncodingOf, toFormBody, toItems, toPropertyContent, toPropertyStyle } from './to-form-body.ts'
import { toJsonText } from './to-json-text.ts'
import { toMultipartBody } from './to-multipart-body.ts'
import { toXmlText, type XmlSchema } from './to-xml-text.ts'

/** How a value becomes a body. */
export interface BodyDescription {
  /** A media type or a range of them, as written. */
  readonly mediaType: string
  readonly encodingOf: EncodingOf
  /** Tells the file in a value, of the whole body or of a property. */
  readonly fileOf: (value: unknown, property: string | undefined) => RequestFile | undefined
  /** Names and attributes of XML; without it elements are named after properties. */
  readonly xml?: XmlSchema | undefined
}

/**
 * The body that a value is in a media type. Text is sent as it is, but in JSON.
 *
 * Source: OpenAPI 3.2.0, "Media Type Object", "Encoding Object".
 */
export function toRequestBody(value: unknown, description: BodyDescription): RequestBody {
  const { mediaType, encodingOf, fileOf, xml } = description
  const file = fileOf(value, undefined)
  if (file) return { kind: 'file', mediaType: toConcreteType(mediaType, file.type) ?? 'application/octet-stream', file }
  if (/^multipart\//i.test(mediaType) && typeof value === 'object' && value !== null) {
    return toMultipartBody(toConcreteType(mediaType) ?? 'multipart/form-data', toParts(value, description))
  }
  if (isFormType(mediaType) && isObject(value)) return toFormBody(value, mediaType, encodingOf, fileOf)
  if (/[/+](?:x-)?(?:ndjson|jsonl|json-lines|jsonlines|json-seq)\b/i.test(mediaType) && Array.isArray(value)) {
    // RFC 7464: each text of a sequence begins with a record separator.
    const before = /json-seq/i.test(mediaType) ? '\x1e' : ''
    return { kind: 'text', mediaType, text: value.map((one) => `${before}${JSON.stringify(one)}\n`).join('') }
  }
  if (isJsonType(mediaType)) return { kind: 'json', mediaType, value }
  const known = toConcreteType(mediaType)
  if (typeof value === 'string') return { kind: 'text', mediaType: known ?? 'text/plain', text: value }
  if (known === undefined) return { kind: 'json', mediaType: 'application/json', value }
  return { kind: 'text', mediaType: known, text: isXmlType(known) ? toXmlText(value, xml) : toJsonText(value) }
}

function toParts(value: object, { mediaType, encodingOf, fileOf }: BodyDescription): RequestPart[] {
  // In a list each member is a part without a name, also one that is a list.
  const entries = Array.isArray(value) ? value.map((one: unknown) => ['', one] as const) : Object.entries(value)
  return entries.flatMap(([name, one]): RequestPart[] => {
    const encoding = encodingOf(name)
    const headers = toSafeHeaders(encoding?.headers ?? []).filter(
      (header) => !/^content-(?:type|disposition)$/i.test(header.name),
    )
    const style = toPropertyStyle(name, encoding)
    if (style && /^multipart\/form-data\b/i.test(mediaType)) {
      if (isUndefinedValue(one)) return []
      return toFieldPairs(style, one).map((pair) => ({ ...pair, file: undefined, contentType: undefined, headers }))
    }
    return (Array.isArray(value) ? [one] : toItems(one)).map((item) => {
      const file = fileOf(item, name)
      if (file) {
        const contentType = toConcreteType(encoding?.contentType, file.type)
        return { name, value: '', file, contentType: contentType ?? (file.type || undefined), headers }
      }
      return { name, ...toPropertyContent(item, encoding?.contentType), file: undefined, headers }
    })
  })
}
