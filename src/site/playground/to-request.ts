import { isObject } from '../../source/is-object.ts'
import { buildRequest, type FilledParameter, toRawBody } from '../request/build-request.ts'
import type { HttpRequest, RequestBody } from '../request/http-request.ts'
import { isFormType } from '../request/media-type.ts'
import { isToken, type RequestCredential, toCredential } from '../request/request-headers.ts'
import { isUndefinedValue, toHeaderText, toPathText } from '../request/serialize-parameter.ts'
import { mergeSchema, readOwn } from './form-schema.ts'
import type { OtherBodies } from './other-bodies.ts'
import { chooseServer, toServerUrl } from './reachable-servers.ts'
import { keyOf } from './read-operation.ts'
import type { Credential, FieldValue, PlaygroundOperation, PlaygroundParameter, PlaygroundValues } from './types.ts'

interface RequestOptions {
  /** The URL of the page, which relative servers are resolved against. */
  readonly base: string
  /** `show`: missing required values appear as `<name>` and credentials as `<token>`. `send`: they are left out. */
  readonly purpose: 'send' | 'show'
  /** Not needed unless `needsOtherBodies` is true. */
  readonly others: OtherBodies | undefined
}

/** A problem of a request: it is not as intended, or cannot be sent from a page. */
interface RequestProblem {
  /**
   * `missing`: a required value is left out; in the path or server this makes the URL wrong. `changed`: the browser omits or changes a value that the
   * samples include. `impossible`: the browser would not send the request, or send it to another URL.
   */
  readonly kind: 'missing' | 'changed' | 'impossible'
  /** The field: `keyOf(parameter)`, `body`, `server`, `method`, or `security` with the name of the scheme. */
  readonly at: string
  /** One sentence, names in backticks. */
  readonly message: string
}

/**
 * The request for the values of a form, with the selected files, and its problems in the order of the form.
 *
 * Never throws: any values produce a request.
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

/**
 * The problems that prevent sending: the URL would be wrong, so the request would ask for something else. Everything else is left to the server and
 * the browser.
 */
export function listHolds(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return problems.filter(({ kind, at }) => kind !== 'changed' && /^(?:server|path )/.test(at))
}

type Path = readonly (string | number)[]

/** The paths of required values that are missing, in the order of the form. Read-only values are not required. */
export function findMissing(
  value: FieldValue,
  schema: unknown,
  resolve: PlaygroundOperation['resolve'],
  path: Path = [],
): readonly Path[] {
  const { properties, required, keywords } = mergeSchema(schema, resolve)
  if (Array.isArray(value)) return value.flatMap((item, index) => findMissing(item, keywords['items'], resolve, [...path, index]))
  if (!isObject(value) || value instanceof File) return []
  return [...properties].flatMap(([key, property]): readonly Path[] => {
    const own = readOwn(value, key)
    const at = [...path, key]
    // Members of a FieldValue are FieldValues.
    if (own !== undefined) return findMissing(own as FieldValue, property, resolve, at)
    return required.has(key) && readOwn(resolve(property), 'readOnly') !== true ? [at] : []
  })
}

/** Empty for a parameter that is not sent. */
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
  // Values that RFC 6570 calls undefined are sent only for required parameters.
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

/** Absent if nothing is filled in. */
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
  // An empty optional form is not sent: it would prevent `GET`.
  if (!isBodyRequired && isFormType(mediaType) && isObject(body.value) && Object.keys(body.value).length === 0) return undefined
  return others?.writeBody(body.value, description, resolve) ?? { kind: 'json', mediaType, value: body.value }
}

/** Problems of a header or cookie. */
function findHeaderProblems(at: string, location: 'header' | 'cookie', name: string, text: string): RequestProblem[] {
  const changed = (message: string): RequestProblem[] => [{ kind: 'changed', at, message }]
  if (location === 'cookie') {
    return changed(`Browsers let no page set a cookie for a request: \`${name}\` is in the samples, but not sent from here`)
  }
  if (!isToken(name)) return changed(`HTTP has no header with the name \`${name}\`, so it is left out`)
  if (isForbidden(name)) return changed(`Browsers let no page set \`${name}\`: it is in the samples, but not sent from here`)
  return /[\x00-\x1f\x7f]/.test(text) ? changed(`Line breaks and control characters in \`${name}\` are sent as blanks`) : []
}

/** Problems that make browsers refuse a request or send it to another URL. */
function findRequestProblems({ method, url, body }: HttpRequest): RequestProblem[] {
  const problems: RequestProblem[] = []
  const impossible = (at: string, message: string) => problems.push({ kind: 'impossible', at, message })
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) impossible('method', `Browsers do not send \`${method}\``)
  else if (body && /^(?:GET|HEAD)$/.test(method)) impossible('body', `Browsers send no body with \`${method}\``)
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) {
    impossible('server', `Cannot send to \`${url}\`: expected an address that begins with \`https://\` or \`http://\``)
  } else if (address.username !== '' || address.password !== '') {
    impossible('server', 'Browsers send to no address that has a name or password in it')
  } else if (/\/(?:\.|%2e){1,2}(?=[/?#]|$)/i.test(url.replace(/^[^/]*\/\/[^/?#]*|[?#].*$/gs, ''))) {
    impossible('server', 'Browsers take `.` and `..` in a path for steps, so the request would go to another address')
  }
  return problems
}

/** Headers that `fetch` ignores. Source: Fetch standard, "forbidden request-header". */
function isForbidden(name: string): boolean {
  return /^(?:accept-(?:charset|encoding)|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(?:proxy|sec)-.*)$/i.test(
    name,
  )
}
