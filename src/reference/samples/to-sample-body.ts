import type { RequestBody, RequestPart } from '../../request/http-request.ts'
import { toQueryPairs } from '../../request/serialize-parameter.ts'
import { toJsonText } from '../../request/to-json-text.ts'
import { isObject } from '../../text/is-object.ts'
import type { EncodingView, MediaTypeView, PropertyView } from '../types.ts'

/** The body that a sample sends, from the first example; absent where there is none. */
export function toSampleBody({ mediaType, examples, schema, encoding }: MediaTypeView): RequestBody | undefined {
  const [example] = examples
  const { value, text } = example ?? { value: undefined, text: undefined }
  if (/^multipart\//i.test(mediaType)) {
    if (!isObject(value)) return undefined
    return {
      kind: 'multipart',
      mediaType,
      parts: Object.keys(value).flatMap((name) => toParts(name, value[name], schema?.properties, encoding)),
    }
  }
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType) && isObject(value)) {
    const fields = Object.keys(value).flatMap((name) => {
      const own = encoding.find(({ property }) => property === name)
      const style = own?.style ?? 'form'
      return toQueryPairs({ name, style, explode: own?.explode ?? style === 'form' }, toField(value[name], own))
    })
    return { kind: 'form', mediaType, fields }
  }
  if (/[/+]json\b/i.test(mediaType) && text !== undefined && typeof value !== 'string') return { kind: 'json', mediaType, value }
  if (text !== undefined && text !== '') return { kind: 'text', mediaType, text }
  return /^(?:application\/octet-stream|image\/|audio\/|video\/|application\/(?:zip|pdf|gzip))/i.test(mediaType)
    ? { kind: 'file', mediaType, fileName: 'file.bin' }
    : undefined
}

/** An object in a field is JSON, unless its encoding says how else it is written. Source: OpenAPI 3.2.0, "Encoding Object". */
function toField(value: unknown, encoding: EncodingView | undefined): unknown {
  return encoding?.style === undefined && isObject(value) ? JSON.stringify(value) : value
}

function toParts(
  name: string,
  value: unknown,
  properties: readonly PropertyView[] | undefined,
  encoding: readonly EncodingView[],
): RequestPart[] {
  const schema = properties?.find((property) => property.name === name)?.schema
  const isFile = [schema, schema?.items].some((one) => one?.type.some(({ text }) => /binary/.test(text)))
  if (isFile) return [{ name, value: '', fileName: 'file.bin', contentType: undefined }]
  const contentType = encoding.find(({ property }) => property === name)?.contentType
  const isPlain = typeof value !== 'object' || value === null
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return value.map((one) => ({ name, value: toJsonText(one), fileName: undefined, contentType }))
  }
  return [
    {
      name,
      value: toJsonText(value),
      fileName: undefined,
      contentType: contentType ?? (isPlain ? undefined : 'application/json'),
    },
  ]
}
