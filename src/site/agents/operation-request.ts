import {
  buildRequest,
  type FilledParameter,
  type HttpRequest,
  placeSecret,
  type RequestBody,
  toContent,
} from '../../playground/request/http-request.ts'
import {
  type DescribedOperation,
  type DescribedParameter,
  type DescribedServer,
  readOperation,
} from '../../playground/request/read-operation.ts'
import { writeBody, writeForm } from '../../playground/request/request-body.ts'
import { allSamples } from '../../playground/samples/all-samples.ts'
import { ToolError } from '../../text/errors.ts'

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
 * @param slice An OpenAPI document with this operation only.
 * @throws {ToolError} for values that the operation does not have.
 */
export function describeRequest(slice: unknown, given: GivenValues): string {
  const operation = readOperation(slice)
  if (operation === undefined) throw new ToolError('This operation is a webhook: the API sends its request')
  const { method, path, parameters, servers, security, accepts } = operation
  const { filled, missing } = fillParameters(parameters, given.parameters ?? {})
  const body = toBody(operation, given)
  if (!body && operation.isBodyRequired) missing.push('the body')
  const server = given.server ?? servers.map(toServerUrl)[0] ?? ''
  // Relative URLs are relative to the document, which agents may not have.
  if (!/^https?:\/\//i.test(server)) missing.push('the URL of the API (`server`)')
  const request = buildRequest({
    method,
    server,
    path,
    parameters: filled,
    // Placeholders for the credentials of the first requirement.
    credentials: (security[0] ?? []).flatMap(({ scheme }) => placeSecret(scheme, undefined) ?? []),
    accept: accepts[0],
    body,
  })
  const lines = [`\`\`\`json\n${formatRequest(request)}\n\`\`\``, `\`\`\`sh\n${allSamples.bash(request)}\n\`\`\``]
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

/** The URL of a server with the defaults of its variables. */
function toServerUrl({ url, variables }: DescribedServer): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables.find((one) => one.name === name)?.default || whole)
}

function fillParameters(
  parameters: readonly DescribedParameter[],
  given: Readonly<Record<string, unknown>>,
): { readonly filled: readonly FilledParameter[]; readonly missing: string[] } {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name))
  if (unknown !== undefined) {
    const names = parameters.map(({ name }) => `\`${name}\``).join(', ')
    const known = names === '' ? 'The operation has no parameters' : `Parameters: ${names}`
    throw new ToolError(`Unexpected parameter \`${unknown.slice(0, 100)}\`. ${known}`)
  }
  const has = ({ name }: DescribedParameter) => Object.hasOwn(given, name) && given[name] !== null
  return {
    filled: parameters.filter(has).map((parameter) => ({
      ...parameter,
      writeForm: (form) => writeForm(form, parameter.encoding ?? {}),
      value: given[parameter.name],
    })),
    missing: parameters
      .filter((parameter) => parameter.required && !has(parameter))
      .map(({ name, in: location }) => `\`${name}\` (${location})`),
  }
}

function toBody({ bodies, resolve }: DescribedOperation, { body, mediaType }: GivenValues): RequestBody | undefined {
  const chosen = mediaType === undefined ? bodies[0] : bodies.find((one) => one.mediaType === mediaType)
  if (mediaType !== undefined && !chosen) {
    const names = bodies.map((one) => `\`${one.mediaType}\``).join(', ')
    const known = names === '' ? 'The operation has no body' : `Media types: ${names}`
    throw new ToolError(`Unexpected media type \`${mediaType}\`. ${known}`)
  }
  if (body === undefined) return undefined
  if (!chosen) throw new ToolError('Unexpected body. The operation has none')
  return writeBody(body, chosen, resolve)
}
