import type { RequestBody } from '../request/http-request.ts'
import { toFormText, toRequestBody } from '../request/to-request-body.ts'
import { toPropertyEncoding } from './to-property-encoding.ts'
import { toXmlSchema } from './to-xml-schema.ts'
import type { FieldValue, PlaygroundBody, PlaygroundOperation } from './types.ts'

/** What writes bodies that are not JSON, and forms in parameters; it is loaded where an operation has any. */
export type OtherBodies = typeof import('./other-bodies.ts')

/** The body that a form's value is. */
export function writeBody(
  value: FieldValue,
  { mediaType, encoding, schema }: PlaygroundBody,
  resolve: PlaygroundOperation['resolve'],
): RequestBody {
  return toRequestBody(value, {
    mediaType,
    encodingOf: (property) => toPropertyEncoding(Object.hasOwn(encoding, property) ? encoding[property] : undefined),
    fileOf: (one) => (one instanceof File ? one : undefined),
    xml: toXmlSchema(schema, resolve),
  })
}

/** A form as it stands in a query. */
export function writeForm(value: Readonly<Record<string, unknown>>, encoding: PlaygroundBody['encoding']): string {
  return toFormText(value, (property) => toPropertyEncoding(Object.hasOwn(encoding, property) ? encoding[property] : undefined))
}
