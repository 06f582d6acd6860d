import { entriesOf, isObject, listOf, parseJson, readOwn, setOwn, stringOf } from '../../text/json/json-values.ts'
import {
  buildRequest,
  type FilledParameter,
  type HttpRequest,
  isUndefinedValue,
  type NamedText,
  type RequestBody,
  type RequestCredential,
  toPathText,
  toRawBody,
  toSafeHeaders,
} from './http-request.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  isFileSchema,
  isFormData,
  isFormType,
  isJsonType,
  isXmlType,
  keyOf,
  listParts,
} from './read-operation.ts'
import type { OtherBodies } from './request-body.ts'

/** What fills in a request: the form of the playground, the samples of a page, or an agent. */
export interface RequestValues {
  /** The URL of the server, with its variables filled in. */
  readonly server: string
  /** By `keyOf(parameter)`; absent ones are not sent. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Headers and query parameters that the document does not describe. */
  readonly extras: readonly ({ readonly in: 'header' | 'query' } & NamedText)[]
  readonly credentials: readonly RequestCredential[]
  readonly body: FilledBody | undefined
}

/** A body: a value, or text that is sent as it is. */
export type FilledBody =
  | { readonly description: DescribedBody; readonly value: unknown }
  | { readonly description: DescribedBody; readonly text: string }

interface FillOptions {
  /** `show`: missing required values become `<name>`, and files have a name only. `send`: they are omitted. */
  readonly purpose: 'send' | 'show'
  /** Not needed unless `needsOtherBodies` is true. */
  readonly others: OtherBodies | undefined
}

/**
 * The request of an operation with some values, and the required parameters that are missing in it.
 *
 * The only way from values to a request: samples, playground and agents differ in their values. Never throws: any values produce a request.
 */
export function fillRequest(
  operation: DescribedOperation,
  { server, parameters, extras, credentials, body }: RequestValues,
  options: FillOptions,
): {
  readonly request: HttpRequest
  readonly missing: readonly DescribedParameter[]
  readonly filled: readonly FilledParameter[]
} {
  const missing: DescribedParameter[] = []
  const isReplaced = toReplacedHeaders(operation, credentials, body)
  const filled = operation.parameters.flatMap((parameter) => {
    const value = readOwn(parameters, keyOf(parameter))
    const isGiven = isFilled(parameter, value)
    if (isReplaced(parameter, isGiven)) return []
    if (!isGiven && parameter.required) missing.push(parameter)
    const { encoding = {} } = parameter
    const writeForm: FilledParameter['writeForm'] = (form) => options.others?.writeForm(form, encoding) ?? ''
    if (isGiven) return isSent(parameter, value) ? [{ ...parameter, writeForm, value }] : []
    const isShown = parameter.required && parameter.in !== 'path' && options.purpose === 'show'
    return isShown ? [{ ...parameter, writeForm, value: `<${parameter.name}>` }] : []
  })
  const shared = { style: 'form', explode: true, allowReserved: false, contentType: undefined, writeForm: () => '' }
  const queries = extras.flatMap(({ in: location, name, value }) =>
    location === 'query' ? { ...shared, in: location, name, value } : [],
  )
  const { method, path, accepts } = operation
  const request = buildRequest({
    method,
    server,
    path,
    parameters: [...filled, ...queries],
    credentials,
    accept: filled.some(({ in: location, name }) => location === 'header' && /^accept$/i.test(name)) ? undefined : accepts[0],
    body: body && toBody(operation, body, options),
  })
  const headers = extras.filter((extra) => extra.in === 'header')
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  return {
    // A custom header replaces a generated one with the same name.
    request: {
      ...request,
      headers: [...request.headers.filter(({ name }) => !names.has(name.toLowerCase())), ...toSafeHeaders(headers)],
    },
    missing,
    filled,
  }
}

function isFilled(parameter: DescribedParameter, value: unknown): boolean {
  return parameter.in === 'path' ? value !== undefined && toPathText(parameter, value) !== '' : value !== undefined
}

/** RFC 6570 treats some values, such as empty lists, as undefined. They are sent only for required parameters. */
function isSent({ required, contentType }: DescribedParameter, value: unknown): boolean {
  return required || contentType !== undefined || !isUndefinedValue(value)
}

/**
 * Returns whether a header parameter repeats what a request has anyway: OpenAPI says to ignore those called `Accept`, `Content-Type` and
 * `Authorization`. Some documents have the media type of their version in `Accept`, so a value of it is sent.
 */
function toReplacedHeaders({ accepts }: DescribedOperation, credentials: readonly RequestCredential[], body: unknown) {
  return ({ in: location, name }: DescribedParameter, isGiven: boolean): boolean => {
    if (location !== 'header') return false
    const key = name.toLowerCase()
    if (key === 'accept') return !isGiven && accepts.length > 0
    if (key === 'content-type') return body !== undefined
    return key === 'authorization' && credentials.some((one) => one.name === 'Authorization')
  }
}

function toBody(
  { isBodyRequired, resolve }: DescribedOperation,
  body: FilledBody,
  { purpose, others }: FillOptions,
): RequestBody | undefined {
  const { mediaType } = body.description
  if ('text' in body) return body.text === '' ? undefined : toRawBody(body.text, mediaType)
  const { description, value } = body
  if (value === undefined) return undefined
  // An empty optional form is not sent: browsers reject `GET` with a body.
  if (!isBodyRequired && isFormType(mediaType) && isObject(value) && Object.keys(value).length === 0) return undefined
  return others?.writeBody(value, description, resolve, purpose) ?? { kind: 'json', mediaType, value }
}

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
