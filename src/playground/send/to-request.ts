import { isObject, readOwn } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import type { Credential, ExtraParameter, FieldValue, PlaygroundValues } from '../controls/types.ts'
import { toFormSchema } from '../form/form-schema.ts'
import { chooseServer, toServerUrl } from '../form/reachable-servers.ts'
import {
  buildRequest,
  type FilledParameter,
  type HttpRequest,
  isForbiddenHeader,
  isToken,
  isUndefinedValue,
  placeSecret,
  type RequestBody,
  type RequestCredential,
  toHeaderText,
  toPathText,
  toRawBody,
  toSafeHeaders,
} from '../request/http-request.ts'
import { type DescribedOperation, type DescribedParameter, isFormType, keyOf } from '../request/read-operation.ts'
import type { OtherBodies } from '../request/request-body.ts'

interface RequestOptions {
  /** The URL of the page, used to resolve relative server URLs. */
  readonly base: string
  /** `show`: missing required values become `<name>` and credentials `<token>`. `send`: they are omitted. */
  readonly purpose: 'send' | 'show'
  /** Not needed unless `needsOtherBodies` is true. */
  readonly others: OtherBodies | undefined
}

/** Why a request differs from the form, or cannot be sent from a page. */
interface RequestProblem {
  /**
   * `missing`: a required value is missing; in the path or server, this makes the URL wrong. `changed`: the browser omits or changes a value that the
   * code samples include. `impossible`: the browser would not send the request, or would send it to a different URL.
   */
  readonly kind: 'missing' | 'changed' | 'impossible'
  /** The field: `keyOf(parameter)`, `body`, `server`, `method`, or `security` with the name of the scheme. */
  readonly at: string
  /** One sentence with names in backticks. */
  readonly message: string
}

/**
 * Builds the request for the values of a form, and lists its problems in the order of the form.
 *
 * Never throws: any values produce a request.
 */
export function toRequest(
  operation: DescribedOperation,
  values: PlaygroundValues,
  { base, purpose, others }: RequestOptions,
): { readonly request: HttpRequest; readonly problems: readonly RequestProblem[] } {
  const problems: RequestProblem[] = []
  const server = chooseServer(operation.servers, values.server)
  const serverUrl = toServerUrl(server, values.server.variables, base) ?? server.url
  for (const [, name = ''] of serverUrl.matchAll(/\{([^{}]+)\}/g)) {
    problems.push({ kind: 'missing', at: 'server', message: say('Missing `{name}` in the server URL', name) })
  }
  const parameters = operation.parameters.flatMap((parameter) =>
    fillParameter(parameter, readOwn(values.parameters, keyOf(parameter)), { purpose, others }, problems),
  )
  const credentials = toCredentials(operation, values, purpose, problems)
  const body = toBody(operation, values, others)
  if (!body && operation.isBodyRequired) problems.push({ kind: 'missing', at: 'body', message: say('Missing request body') })
  const [accept] = operation.accepts
  const { method, path } = operation
  const extras = values.extras.filter(({ isOn, name }) => isOn && name !== '')
  const built = buildRequest({
    method,
    server: serverUrl,
    path,
    parameters: [...parameters, ...extras.flatMap(toQueryParameter)],
    credentials,
    accept,
    body,
  })
  const headers = extras.filter((extra) => extra.in === 'header')
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  for (const { name, value } of headers) problems.push(...findHeaderProblems(`header ${name}`, 'header', name, value))
  const request = {
    ...built,
    // A custom header replaces a generated one with the same name.
    headers: [...built.headers.filter(({ name }) => !names.has(name.toLowerCase())), ...toSafeHeaders(headers)],
  }
  return { request, problems: [...problems, ...findRequestProblems(request)] }
}

function toQueryParameter({ in: location, name, value }: ExtraParameter): FilledParameter[] {
  const shared = { style: 'form', explode: true, allowReserved: false, contentType: undefined, writeForm: () => '' }
  return location === 'query' ? [{ ...shared, in: location, name, value }] : []
}

/**
 * The problems that prevent sending because the URL would be wrong. The server and the browser report all other problems.
 */
export function listBlockingProblems(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return problems.filter(({ kind, at }) => kind !== 'changed' && /^(?:server|path )/.test(at))
}

type Path = readonly (string | number)[]

/** The paths of missing required values, in the order of the form. Read-only values are not required. */
export function findMissing(
  value: FieldValue,
  schema: unknown,
  resolve: DescribedOperation['resolve'],
  path: Path = [],
): readonly Path[] {
  const { properties, required, keywords } = toFormSchema(schema, resolve)
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

/** Returns an empty list for a parameter that is not sent. */
function fillParameter(
  parameter: DescribedParameter,
  value: FieldValue | undefined,
  { purpose, others }: Pick<RequestOptions, 'purpose' | 'others'>,
  problems: RequestProblem[],
): FilledParameter[] {
  const { name, in: location, required, encoding = {} } = parameter
  const at = keyOf(parameter)
  const filled: FilledParameter = { ...parameter, writeForm: (form) => others?.writeForm(form, encoding) ?? '', value }
  const isEmpty = location === 'path' ? value === undefined || toPathText(parameter, value) === '' : value === undefined
  if (isEmpty) {
    if (required)
      problems.push({ kind: 'missing', at, message: say(`Missing \`{name}\` in the ${locationNames[location]}`, name) })
    return required && location !== 'path' && purpose === 'show' ? [{ ...filled, value: `<${name}>` }] : []
  }
  // RFC 6570 treats some values, such as empty lists, as undefined. Send them only for required parameters.
  if (!required && parameter.contentType === undefined && isUndefinedValue(value)) return []
  if (location === 'header' || location === 'cookie') {
    problems.push(...findHeaderProblems(at, location, name, toHeaderText(parameter, value)))
  }
  return [filled]
}

const locationNames = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const

function toCredentials(
  { security }: DescribedOperation,
  { credentials }: PlaygroundValues,
  purpose: RequestOptions['purpose'],
  problems: RequestProblem[],
): RequestCredential[] {
  return (security[credentials.alternative] ?? []).flatMap(({ name, scheme }) => {
    const own = Object.hasOwn(credentials.byScheme, name) ? credentials.byScheme[name] : undefined
    const secret = own && toSecret(own)
    const placed = placeSecret(scheme, secret)
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
  { bodies, isBodyRequired, resolve }: DescribedOperation,
  { body }: PlaygroundValues,
  others: OtherBodies | undefined,
): RequestBody | undefined {
  const description = bodies[body.index]
  if (!description) return undefined
  const { mediaType } = description
  if (body.mode === 'raw') return body.text === '' ? undefined : toRawBody(body.text, mediaType)
  if (body.value === undefined) return undefined
  // Do not send an empty optional form: browsers reject `GET` with a body.
  if (!isBodyRequired && isFormType(mediaType) && isObject(body.value) && Object.keys(body.value).length === 0) return undefined
  return others?.writeBody(body.value, description, resolve) ?? { kind: 'json', mediaType, value: body.value }
}

/** Problems of a header or cookie. */
function findHeaderProblems(at: string, location: 'header' | 'cookie', name: string, text: string): RequestProblem[] {
  const changed = (message: string): RequestProblem[] => [{ kind: 'changed', at, message }]
  if (location === 'cookie') {
    return changed(
      say('Cookie `{name}` is only in the code samples, because browsers do not let pages set cookies for a request', name),
    )
  }
  if (!isToken(name)) return changed(say('Header `{name}` is not sent, because its name is not valid in HTTP', name))
  if (isForbiddenHeader(name))
    return changed(say('Header `{name}` is only in the code samples, because browsers do not let pages set it', name))
  return /[\x00-\x1f\x7f]/.test(text)
    ? changed(say('Line breaks and control characters in `{name}` are replaced with spaces', name))
    : []
}

/** Problems that make browsers block a request or send it to a different URL. */
function findRequestProblems({ method, url, body }: HttpRequest): RequestProblem[] {
  const problems: RequestProblem[] = []
  const impossible = (at: string, message: string) => problems.push({ kind: 'impossible', at, message })
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) impossible('method', say('Browsers cannot send `{method}` requests', method))
  else if (body && /^(?:GET|HEAD)$/.test(method)) impossible('body', say('Browsers cannot send a body with `{method}`', method))
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    impossible('server', say('Cannot send to `{url}`: expected a URL that starts with `https://` or `http://`', url))
  } else if (parsed.username !== '' || parsed.password !== '') {
    impossible('server', say('Browsers cannot send requests to a URL that contains a username or password'))
  } else if (/\/(?:\.|%2e){1,2}(?=[/?#]|$)/i.test(url.replace(/^[^/]*\/\/[^/?#]*|[?#].*$/gs, ''))) {
    impossible('server', say('Browsers resolve `.` and `..` in a path, so the request would go to a different URL'))
  }
  return problems
}
