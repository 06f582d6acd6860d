import { buildRequest, type FilledParameter, toRawBody } from '../request/build-request.ts'
import type { HttpRequest, RequestBody } from '../request/http-request.ts'
import { isFormType } from '../request/media-type.ts'
import { type RequestCredential, toCredential } from '../request/request-headers.ts'
import { isUndefinedValue, toHeaderText, toPathText } from '../request/serialize-parameter.ts'
import { isObject } from '../text/is-object.ts'
import { findHeaderProblems, findRequestProblems, type RequestProblem } from './find-request-problems.ts'
import { keyOf } from './key-of.ts'
import type { OtherBodies } from './other-bodies.ts'
import { chooseServer, toServerUrl } from './servers/to-server-url.ts'
import type { Credential, FieldValue, PlaygroundOperation, PlaygroundParameter, PlaygroundValues } from './types.ts'

export interface RequestOptions {
  /** The address of the page: relative servers begin there. */
  readonly base: string
  /** `show`: what is needed and not filled in stands in samples as `<name>`, credentials as `<token>`. `send`: it is left out. */
  readonly purpose: 'send' | 'show'
  /** Not needed where `needsOtherBodies` says so. */
  readonly others: OtherBodies | undefined
}

/**
 * The request that the filled-in values of an operation are, with the chosen files in it, and what is wrong with it in the order of the form.
 *
 * Never throws: of whatever is filled in a request is made.
 */
export function toRequest(
  operation: PlaygroundOperation,
  values: PlaygroundValues,
  { base, purpose, others }: RequestOptions,
): { readonly request: HttpRequest; readonly problems: readonly RequestProblem[] } {
  const problems: RequestProblem[] = []
  const server = chooseServer(operation.servers, values.server)
  const address = toServerUrl(server, values.server.variables, base) ?? server.url
  for (const [, name] of address.matchAll(/\{([^{}]+)\}/g)) {
    problems.push({ kind: 'missing', at: 'server', message: `Missing \`${name}\` in the address of the server` })
  }
  const parameters = operation.parameters.flatMap((parameter) =>
    fillParameter(parameter, values.parameters[keyOf(parameter)], { purpose, others }, problems),
  )
  const credentials = toCredentials(operation, values, purpose, problems)
  const body = toBody(operation, values, others)
  if (!body && operation.isBodyRequired) problems.push({ kind: 'missing', at: 'body', message: 'Missing body' })
  const [accept] = operation.accepts
  const { method, path } = operation
  const request = buildRequest({ method, server: address, path, parameters, credentials, accept, body })
  return { request, problems: [...problems, ...findRequestProblems(request)] }
}

/** Empty for what is not sent. */
function fillParameter(
  parameter: PlaygroundParameter,
  value: FieldValue | undefined,
  { purpose, others }: Pick<RequestOptions, 'purpose' | 'others'>,
  problems: RequestProblem[],
): FilledParameter[] {
  const { name, in: location, required, encoding = {} } = parameter
  const at = keyOf(parameter)
  const filled: FilledParameter = { ...parameter, writeForm: (form) => others?.writeForm(form, encoding) ?? '', value }
  const isEmpty = location === 'path' ? value === undefined || toPathText(parameter, value) === '' : value === undefined
  if (isEmpty) {
    if (required) problems.push({ kind: 'missing', at, message: `Missing \`${name}\` in the ${locationNames[location]}` })
    return required && location !== 'path' && purpose === 'show' ? [{ ...filled, value: `<${name}>` }] : []
  }
  // What RFC 6570 calls undefined is sent only where something has to be.
  if (!required && parameter.contentType === undefined && isUndefinedValue(value)) return []
  if (location === 'header' || location === 'cookie') {
    problems.push(...findHeaderProblems(at, location, name, toHeaderText(parameter, value)))
  }
  return [filled]
}

const locationNames = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const

function toCredentials(
  { security }: PlaygroundOperation,
  { credentials }: PlaygroundValues,
  purpose: RequestOptions['purpose'],
  problems: RequestProblem[],
): RequestCredential[] {
  return (security[credentials.alternative] ?? []).flatMap(({ name, scheme }) => {
    const text = (key: string) => (typeof scheme[key] === 'string' ? scheme[key] : undefined)
    const own = Object.hasOwn(credentials.byScheme, name) ? credentials.byScheme[name] : undefined
    const secret = own && toSecret(own)
    const placed = toCredential(
      { type: text('type'), in: text('in'), parameterName: text('name'), scheme: text('scheme') },
      secret,
    )
    if (!placed || (secret === undefined && purpose === 'send')) return []
    if (secret !== undefined && placed.in !== 'query') {
      problems.push(...findHeaderProblems(`security ${name}`, placed.in, placed.name, placed.value))
    }
    return [placed]
  })
}

/** Absent where nothing is filled in. */
function toSecret(credential: Credential): string | undefined {
  if (credential.kind === 'text') return credential.value || undefined
  if (credential.kind === 'token') return credential.accessToken || undefined
  const { username, password } = credential
  return username === '' && password === '' ? undefined : `${username}:${password}`
}

function toBody(
  { bodies, isBodyRequired, resolve }: PlaygroundOperation,
  { body }: PlaygroundValues,
  others: OtherBodies | undefined,
): RequestBody | undefined {
  const description = bodies[body.index]
  if (!description) return undefined
  const { mediaType } = description
  if (body.mode === 'raw') return body.text === '' ? undefined : toRawBody(body.text, mediaType)
  if (body.value === undefined) return undefined
  // A form without fields has nothing to say, and is in the way of `GET`.
  if (!isBodyRequired && isFormType(mediaType) && isObject(body.value) && Object.keys(body.value).length === 0) return undefined
  return others?.writeBody(body.value, description, resolve) ?? { kind: 'json', mediaType, value: body.value }
}
