import type { RequestBody, RequestFile } from '../../request/http-request.ts'
import { toRawBody } from '../../request/to-raw-body.ts'
import { toRequestBody } from '../../request/to-request-body.ts'
import type { MediaTypeView } from '../types.ts'

/** The body that a sample sends, from the first example; absent where there is none. */
export function toSampleBody({ mediaType, examples, schema, encoding }: MediaTypeView): RequestBody | undefined {
  const { value, text } = examples[0] ?? { value: undefined, text: undefined }
  const isPlain = typeof value !== 'object' || value === null
  const file: RequestFile = { name: 'file.bin', type: '' }
  if (isPlain && (text === undefined || text === '' || /^multipart\//i.test(mediaType))) {
    const isBinary = /^(?:application\/octet-stream|image\/|audio\/|video\/|application\/(?:zip|pdf|gzip))/i.test(mediaType)
    return isBinary ? toRequestBody(undefined, { mediaType, encodingOf: () => undefined, fileOf: () => file }) : undefined
  }
  // A form without fields says nothing, not even that it is one.
  if (/^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(mediaType) && !isPlain && Object.keys(value).length === 0)
    return undefined
  // An example that is text is the whole body.
  if (typeof value === 'string') return toRawBody(text ?? value, mediaType)
  return toRequestBody(value, {
    mediaType,
    encodingOf: (property) => {
      const own = encoding.find((one) => one.property === property)
      return own && { ...own, allowReserved: own.allowReserved || undefined, headers: [] }
    },
    fileOf: (_value, property) => {
      const own = schema?.properties?.find(({ name }) => name === property)?.schema
      const isBinary = [own, own?.items].some((one) => one?.type.some((type) => /binary/.test(type.text)))
      return isBinary ? file : undefined
    },
  })
}
