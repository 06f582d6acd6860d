import { fillRequest } from '../../playground/request/fill-request.ts'
import { type HttpRequest, placeSecret, toContent } from '../../playground/request/http-request.ts'
import {
  type DescribedOperation,
  type DescribedServer,
  type FilledBody,
  keyOf,
  readGiven,
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
  const { servers, security } = operation
  const server = given.server ?? servers.map(toServerUrl)[0] ?? ''
  const { request, missing } = fillRequest(
    operation,
    {
      server,
      parameters: toParameters(operation, given.parameters ?? {}),
      extras: [],
      // Placeholders for the credentials of the first requirement.
      credentials: (security[0] ?? []).flatMap(({ scheme }) => placeSecret(scheme, undefined) ?? []),
      body: toBody(operation, given),
    },
    { purpose: 'send', others: { writeBody, writeForm } },
  )
  const names = missing.map(({ name, in: location }) => `\`${name}\` (${location})`)
  if (!request.body && operation.isBodyRequired) names.push('the body')
  // Relative URLs are relative to the document, which agents may not have.
  if (!/^https?:\/\//i.test(server)) names.push('the URL of the API (`server`)')
  const lines = [`\`\`\`json\n${formatRequest(request)}\n\`\`\``, `\`\`\`sh\n${allSamples.bash(request)}\n\`\`\``]
  if (names.length > 0) lines.push(`Missing: ${names.join(', ')}`)
  return `${lines.join('\n\n')}\n`
}

function formatRequest(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => piece,
    ({ name }) => `<content of ${name}>`,
  )
  const text = pieces?.join('')
  const { method, url } = request
  const content = { method, url, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }
  return JSON.stringify(text === undefined ? content : { ...content, body: text }, undefined, 2)
}

/** The URL of a server with the defaults of its variables. */
function toServerUrl({ url, variables }: DescribedServer): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables.find((one) => one.name === name)?.default || whole)
}

/** The given values by `keyOf`. */
function toParameters(
  { parameters, follow }: DescribedOperation,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name))
  if (unknown !== undefined) {
    const names = parameters.map(({ name }) => `\`${name}\``).join(', ')
    const known = names === '' ? 'The operation has no parameters' : `Parameters: ${names}`
    throw new ToolError(`Unexpected parameter \`${unknown.slice(0, 100)}\`. ${known}`)
  }
  const values = new Map(Object.entries(given))
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = values.get(parameter.name)
      return value === undefined || value === null ? [] : [[keyOf(parameter), readGiven(value, parameter.schema, follow)]]
    }),
  )
}

function toBody({ bodies, follow }: DescribedOperation, { body, mediaType }: GivenValues): FilledBody | undefined {
  const chosen = mediaType === undefined ? bodies[0] : bodies.find((one) => one.mediaType === mediaType)
  if (mediaType !== undefined && !chosen) {
    const names = bodies.map((one) => `\`${one.mediaType}\``).join(', ')
    const known = names === '' ? 'The operation has no body' : `Media types: ${names}`
    throw new ToolError(`Unexpected media type \`${mediaType}\`. ${known}`)
  }
  if (body === undefined) return undefined
  if (!chosen) throw new ToolError('Unexpected body. The operation has none')
  return { description: chosen, value: readGiven(body, chosen.schema, follow) }
}
