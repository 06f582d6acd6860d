import { entriesOf, isObject, listOf, parseJson, readOwn, setOwn, stringOf } from '../../text/json/json-values.ts'
import type { FilledBody } from './fill-request.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  isFileSchema,
  isFormData,
  isJsonType,
  isXmlType,
  keyOf,
  listParts,
} from './read-operation.ts'

type Resolve = DescribedOperation['resolve']

/**
 * The values of the parameters in samples, by `keyOf`: the author's examples, else generated ones. Optional parameters have one only if
 * `defaults` is `all` and the author gave an example. A generated `Accept` is sent, because it selects the version of some APIs.
 */
export function sampleParameters(
  { parameters }: Pick<DescribedOperation, 'parameters'>,
  defaults: 'required' | 'all',
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const { required, example, in: location, name } = parameter
    const isWanted =
      required || (defaults === 'all' && example !== undefined) || (location === 'header' && /^accept$/i.test(name))
    const value = isWanted ? sampleParameter(parameter) : undefined
    if (value !== undefined) setOwn(values, keyOf(parameter), value)
  }
  return values
}

function sampleParameter({ example, generated }: DescribedParameter): unknown {
  return example === undefined ? generated : example
}

/**
 * The body of a sample: an example of the author, else the generated one, without read-only values, which are not sent. A required body
 * has at least its type.
 */
export function sampleBody(
  { resolve, isBodyRequired }: Pick<DescribedOperation, 'resolve' | 'isBodyRequired'>,
  description: DescribedBody,
  example: DescribedBody['examples'][number] | undefined = description.examples[0],
): FilledBody | undefined {
  const { mediaType, schema, isFile } = description
  if (!example) {
    const value = isFile ? '' : fillGenerated(description, resolve, isBodyRequired)
    return value === undefined || (value === '' && !isFile) ? undefined : { description, value }
  }
  const value = withoutReadOnly(example.value, schema, resolve)
  if (typeof value !== 'string' || !isJsonType(mediaType) || allowsText(schema, resolve)) return { description, value }
  // The author wrote JSON as text, such as to keep its layout.
  const parsed = parseJson(value)
  return typeof parsed === 'object' && parsed !== null ? { description, text: value } : { description, value }
}

/** The generated value in terms of its media type. */
function fillGenerated(
  { mediaType, generated, schema, encoding }: DescribedBody,
  resolve: Resolve,
  isRequired: boolean,
): unknown {
  const isForm = isFormData(mediaType)
  const value = generated ?? (isRequired ? (isForm || isJsonType(mediaType) ? {} : 'string') : undefined)
  if (typeof value === 'string' && /graphql/i.test(mediaType)) return '{ __typename }'
  if (typeof value === 'string' && isXmlType(mediaType)) return `<root>${value}</root>`
  if (!isForm || !isObject(value)) return value
  const filled = new Map(Object.entries(value))
  for (const { properties, required } of listParts(schema, resolve)) {
    for (const [name, property] of entriesOf(properties)) {
      const contentType = stringOf(readOwn(readOwn(encoding, name), 'contentType'))
      const isNeeded = filled.size === 0 || listOf(required).includes(name)
      if (isNeeded && (filled.get(name) ?? undefined) === undefined && isFileSchema(property, contentType, resolve))
        filled.set(name, '')
    }
  }
  return Object.fromEntries(filled)
}

/** Whether the type of a schema is text. */
function allowsText(schema: unknown, resolve: Resolve): boolean {
  return listParts(schema, resolve).some((part) => [part['type']].flat().includes('string'))
}

/** Removes the properties that are only in responses. */
function withoutReadOnly(value: unknown, schema: unknown, resolve: Resolve, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 20) return value
  const parts = listParts(schema, resolve)
  if (parts.length === 0) return value
  if (Array.isArray(value)) {
    const items = { allOf: parts.flatMap((part) => part['items'] ?? []) }
    return value.map((item) => withoutReadOnly(item, items, resolve, depth + 1))
  }
  const kept = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const property = { allOf: parts.flatMap((part) => readOwn(part['properties'], name) ?? []) }
    if (listParts(property, resolve).some((part) => part['readOnly'] === true)) return []
    return [[name, withoutReadOnly(one, property, resolve, depth + 1)]]
  })
  return Object.fromEntries(kept)
}
