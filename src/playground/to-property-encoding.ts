import { toJsonText } from '../request/media-type.ts'
import type { PropertyEncoding } from '../request/to-request-body.ts'
import { isObject } from '../text/is-object.ts'

/** An Encoding Object as a document has it. Of its headers those are sent that have an example or a default: nobody is asked for them. */
export function toPropertyEncoding(encoding: Readonly<Record<string, unknown>> | undefined): PropertyEncoding | undefined {
  if (!isObject(encoding)) return undefined
  const { style, explode, allowReserved, contentType, headers } = encoding
  return {
    style: typeof style === 'string' ? style : undefined,
    explode: typeof explode === 'boolean' ? explode : undefined,
    allowReserved: typeof allowReserved === 'boolean' ? allowReserved : undefined,
    contentType: typeof contentType === 'string' ? contentType : undefined,
    headers: Object.entries(isObject(headers) ? headers : {}).flatMap(([name, header]) => {
      const value = isObject(header) ? (header['example'] ?? readDefault(header['schema'])) : undefined
      return value === undefined ? [] : [{ name, value: toJsonText(value) }]
    }),
  }
}

function readDefault(schema: unknown): unknown {
  return isObject(schema) ? (schema['example'] ?? schema['default'] ?? schema['const']) : undefined
}
