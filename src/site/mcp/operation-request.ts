import { isObject, type JsonObject, readOwn, stringOf } from '../../source/is-object.ts'
import { valueAtPointer } from '../../source/json-pointer.ts'
import { decodePercent } from '../../source/relative-path.ts'
import { buildRequest, type FilledParameter } from '../request/build-request.ts'
import { type HttpRequest, type RequestBody, toContent } from '../request/http-request.ts'
import { type RequestCredential, toCredential } from '../request/request-headers.ts'
import { toCurl } from '../request/samples/to-curl.ts'
import { type PropertyEncoding, toFormText, toRequestBody } from '../request/to-request-body.ts'
import { ToolError } from './agent-tool.ts'

/** What an agent fills in. */
interface GivenValues {
  /** By parameter name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly mediaType?: string
  /** The URL of the server. */
  readonly server?: string
}

/**
 * Describes the request of an operation with the given values: as JSON, as a curl command, and what is missing.
 *
 * @param slice An OpenAPI document with this operation only. Values with an unexpected type are ignored, because documents can be invalid.
 * @throws {ToolError} for values that the operation does not have.
 */
export function describeRequest(slice: unknown, given: GivenValues): string {
  const resolve = toResolve(slice)
  const [path = '', item] = Object.entries(objectOf(readOwn(slice, 'paths')))[0] ?? []
  const pathItem = resolve(item)
  const [method, operation] = findOperation(pathItem, resolve)
  if (operation === undefined) throw new ToolError('This operation is a webhook: the API sends its request')
  const owners = [operation, pathItem, slice]
  const parameters = readParameters(owners, path, resolve)
  const { filled, missing } = fillParameters(parameters, given.parameters ?? {})
  const requestBody = resolve(readOwn(operation, 'requestBody'))
  const body = toBody(requestBody, given, resolve)
  if (!body && readOwn(requestBody, 'required') === true) missing.push('the body')
  const server = given.server ?? findServer(owners)
  // Relative URLs are relative to the document, which agents may not have.
  if (!/^https?:\/\//i.test(server)) missing.push('the URL of the API (`server`)')
  const request = buildRequest({
    method,
    server,
    path,
    parameters: filled,
    credentials: toCredentials(readOwn(operation, 'security') ?? readOwn(slice, 'security'), slice, resolve),
    accept: findAccept(operation, resolve),
    body,
  })
  const lines = [`\`\`\`json\n${formatRequest(request)}\n\`\`\``, `\`\`\`sh\n${toCurl(request)}\n\`\`\``]
  if (missing.length > 0) lines.push(`Missing: ${missing.join(', ')}`)
  return `${lines.join('\n\n')}\n`
}

function formatRequest(request: HttpRequest): string {
  const { headers, pieces } = toContent(request)
  const text = pieces?.map((piece) => (typeof piece === 'string' ? piece : `<content of ${piece.name}>`)).join('')
  const { method, url } = request
  const content = { method, url, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }
  return JSON.stringify(text === undefined ? content : { ...content, body: text }, undefined, 2)
}

type Resolve = (value: unknown) => JsonObject

/** The longest chain of references that is followed. Also ends circular references. */
const maxSteps = 20

/** Follows references within a slice. Anything else than an object becomes `{}`. */
function toResolve(slice: unknown): Resolve {
  const follow = (value: unknown, steps: number): JsonObject => {
    const found = objectOf(value)
    const reference = found['$ref']
    if (typeof reference !== 'string' || !reference.startsWith('#') || steps === maxSteps) return found
    return follow(valueAtPointer(slice, decodePercent(reference.slice(1))), steps + 1)
  }
  return (value) => follow(value, 0)
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

function findOperation(pathItem: JsonObject, resolve: Resolve): readonly [method: string, operation: JsonObject | undefined] {
  const method = methods.find((name) => isObject(readOwn(pathItem, name)))
  if (method !== undefined) return [method.toUpperCase(), objectOf(pathItem[method])]
  const [name, operation] = Object.entries(objectOf(readOwn(pathItem, 'additionalOperations')))[0] ?? []
  return name === undefined ? ['GET', undefined] : [name, resolve(operation)]
}

/** The first server of the operation, else of the path item, else of the document, with the defaults of its variables. */
function findServer(owners: readonly unknown[]): string {
  const server = owners.map((owner) => listOf(readOwn(owner, 'servers'))[0]).find((one) => isObject(one))
  const variables = objectOf(readOwn(server, 'variables'))
  const url = stringOf(readOwn(server, 'url')) ?? '/'
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => stringOf(readOwn(readOwn(variables, name), 'default')) ?? whole)
}

const locations = ['path', 'query', 'querystring', 'header', 'cookie'] as const

interface ReadParameter extends Omit<FilledParameter, 'value'> {
  readonly isRequired: boolean
}

/** Parameters of the operation override those of the path item. Undeclared path parameters are strings. */
function readParameters(owners: readonly unknown[], path: string, resolve: Resolve): ReadParameter[] {
  const found = new Map<string, ReadParameter>()
  const add = (parameter: ReadParameter | undefined) => {
    const key = `${parameter?.in} ${parameter?.name}`
    if (parameter && !found.has(key)) found.set(key, parameter)
  }
  for (const owner of owners) for (const one of listOf(readOwn(owner, 'parameters'))) add(readParameter(resolve(one), resolve))
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) add(readParameter({ name, in: 'path' }, resolve))
  return [...found.values()]
}

function readParameter(parameter: JsonObject, resolve: Resolve): ReadParameter | undefined {
  const name = stringOf(parameter['name'])
  const location = locations.find((one) => one === parameter['in'])
  if (name === undefined || location === undefined) return undefined
  const [contentType, holder] = Object.entries(objectOf(parameter['content']))[0] ?? []
  const style = stringOf(parameter['style']) ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple')
  const { explode } = parameter
  const encodingOf = toEncodingOf(holder, resolve)
  return {
    name,
    in: location,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie',
    allowReserved: parameter['allowReserved'] === true,
    contentType,
    writeForm: (form) => toFormText(form, encodingOf),
    isRequired: parameter['required'] === true || location === 'path',
  }
}

function fillParameters(
  parameters: readonly ReadParameter[],
  given: Readonly<Record<string, unknown>>,
): { readonly filled: readonly FilledParameter[]; readonly missing: string[] } {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name))
  if (unknown !== undefined) {
    const names = parameters.map(({ name }) => `\`${name}\``).join(', ')
    const known = names === '' ? 'The operation has no parameters' : `Parameters: ${names}`
    throw new ToolError(`Unexpected parameter \`${unknown.slice(0, 100)}\`. ${known}`)
  }
  const has = ({ name }: ReadParameter) => Object.hasOwn(given, name) && given[name] !== null
  return {
    filled: parameters.filter(has).map((parameter) => ({ ...parameter, value: given[parameter.name] })),
    missing: parameters
      .filter((parameter) => parameter.isRequired && !has(parameter))
      .map(({ name, in: location }) => `\`${name}\` (${location})`),
  }
}

function toEncodingOf(mediaType: unknown, resolve: Resolve): (property: string) => PropertyEncoding | undefined {
  const encodings = objectOf(readOwn(resolve(mediaType), 'encoding'))
  return (property) => {
    if (!Object.hasOwn(encodings, property)) return undefined
    const { style, explode, allowReserved, contentType } = objectOf(encodings[property])
    const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
    return {
      style: stringOf(style),
      explode: flag(explode),
      allowReserved: flag(allowReserved),
      contentType: stringOf(contentType),
      headers: [],
    }
  }
}

function toBody(requestBody: JsonObject, { body, mediaType }: GivenValues, resolve: Resolve): RequestBody | undefined {
  const content = objectOf(readOwn(requestBody, 'content'))
  const names = Object.keys(content)
  if (mediaType !== undefined && !names.includes(mediaType)) {
    const known =
      names.length === 0 ? 'The operation has no body' : `Media types: ${names.map((name) => `\`${name}\``).join(', ')}`
    throw new ToolError(`Unexpected media type \`${mediaType}\`. ${known}`)
  }
  if (body === undefined) return undefined
  const [first] = names
  const chosen = mediaType ?? first
  if (chosen === undefined) throw new ToolError('Unexpected body. The operation has none')
  return toRequestBody(body, {
    mediaType: chosen,
    encodingOf: toEncodingOf(content[chosen], resolve),
    fileOf: () => undefined,
  })
}

/** Placeholders for the credentials of the first requirement. */
function toCredentials(requirements: unknown, slice: unknown, resolve: Resolve): RequestCredential[] {
  const declared = readOwn(readOwn(slice, 'components'), 'securitySchemes')
  return Object.keys(objectOf(listOf(requirements)[0])).flatMap((name) => {
    const scheme = resolve(readOwn(declared, name))
    const text = (key: string) => stringOf(scheme[key])
    return (
      toCredential({ type: text('type'), in: text('in'), parameterName: text('name'), scheme: text('scheme') }, undefined) ?? []
    )
  })
}

/** The media type of the first successful response. */
function findAccept(operation: JsonObject, resolve: Resolve): string | undefined {
  const responses = Object.entries(objectOf(readOwn(operation, 'responses')))
  const [, response] = responses.find(([status]) => status.startsWith('2')) ?? responses[0] ?? []
  return Object.keys(objectOf(readOwn(resolve(response), 'content')))[0]
}
