import { isFormType } from '../../model/written-values.ts'
import { isObject, readOwn } from '../../text/json/json-values.ts'
import {
  buildRequest,
  type FilledParameter,
  type HttpRequest,
  isUndefinedValue,
  type NamedText,
  type RequestBody,
  type RequestCredential,
  toConcreteType,
  toPathText,
  toRawBody,
  toSafeHeaders,
} from './http-request.ts'
import { type DescribedOperation, type DescribedParameter, type FilledBody, keyOf } from './read-operation.ts'
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
    const writeForm: FilledParameter['writeForm'] = (form) =>
      options.others?.writeForm(form, parameter.encodings ?? [], operation.follow) ?? ''
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
  { isBodyRequired, follow }: DescribedOperation,
  body: FilledBody,
  { purpose, others }: FillOptions,
): RequestBody | undefined {
  const { mediaType } = body.description
  if ('text' in body) return body.text === '' ? undefined : toRawBody(body.text, mediaType)
  const { description } = body
  // The reader chooses the file.
  const value = purpose === 'show' && description.isFile ? (body.value ?? '') : body.value
  if (value === undefined) return undefined
  // An empty optional form is not sent: browsers reject `GET` with a body.
  if (!isBodyRequired && isFormType(mediaType) && isObject(value) && Object.keys(value).length === 0) return undefined
  return (
    others?.writeBody(value, description, follow, purpose) ?? {
      kind: 'json',
      mediaType: toConcreteType(mediaType) ?? mediaType,
      value,
    }
  )
}
