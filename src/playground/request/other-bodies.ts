import { isObject } from '../../text/json/json-values.ts'
import type { RequestBody } from './http-request.ts'
import { toJsonText } from './media-type.ts'
import type { DescribedBody, DescribedOperation, JsonSchema } from './read-operation.ts'
import { type PropertyEncoding, toFormText, toRequestBody } from './to-request-body.ts'
import type { XmlSchema } from './to-xml-text.ts'

/** Writes bodies other than JSON, and forms in parameters. Loaded only for operations that need it. */
export interface OtherBodies {
  readonly writeBody: typeof writeBody
  readonly writeForm: typeof writeForm
}

/** The request body for a value. A `File` in it is sent as a file. */
export function writeBody(
  value: unknown,
  { mediaType, encoding, schema }: DescribedBody,
  resolve: DescribedOperation['resolve'],
): RequestBody {
  return toRequestBody(value, {
    mediaType,
    encodingOf: (property) => toPropertyEncoding(Object.hasOwn(encoding, property) ? encoding[property] : undefined),
    fileOf: (one) => (one instanceof File ? one : undefined),
    xml: toXmlSchema(schema, resolve),
  })
}

/** A form as a query string. */
export function writeForm(value: Readonly<Record<string, unknown>>, encoding: DescribedBody['encoding']): string {
  return toFormText(value, (property) => toPropertyEncoding(Object.hasOwn(encoding, property) ? encoding[property] : undefined))
}

/** Reads an Encoding Object. The form has no fields for its headers, so a header is sent only if it has an example or a default. */
function toPropertyEncoding(encoding: Readonly<Record<string, unknown>> | undefined): PropertyEncoding | undefined {
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

/** The XML names of a schema, read lazily. Without an explicit name, the root element has the name of the component. */
function toXmlSchema(schema: unknown, resolve: (schema: unknown) => JsonSchema, isRoot = true): XmlSchema {
  const own = resolve(schema)
  const { xml, properties, items } = own
  const { name, prefix, namespace, attribute, wrapped, nodeType } = isObject(xml) ? xml : {}
  const reference = isObject(schema) && isRoot ? schema['$ref'] : undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    name: text(name) ?? text(reference)?.split('/').at(-1),
    prefix: text(prefix),
    namespace: text(namespace),
    isAttribute: attribute === true || nodeType === 'attribute',
    isText: nodeType === 'text' || nodeType === 'cdata',
    isWrapped: wrapped === true || (nodeType === 'element' && own['type'] === 'array'),
    property: (key) =>
      isObject(properties) && Object.hasOwn(properties, key) ? toXmlSchema(properties[key], resolve, false) : undefined,
    items: items === undefined ? undefined : toXmlSchema(items, resolve, false),
  }
}
