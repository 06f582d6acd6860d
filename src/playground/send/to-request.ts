import { readOwn } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import type { Credential, PlaygroundValues } from '../controls/types.ts'
import { chooseServer, toServerUrl } from '../form/reachable-servers.ts'
import { fillRequest } from '../request/fill-request.ts'
import {
  type HttpRequest,
  isForbiddenHeader,
  isToken,
  placeSecret,
  type RequestCredential,
  toHeaderText,
} from '../request/http-request.ts'
import { type DescribedOperation, type FilledBody, keyOf } from '../request/read-operation.ts'
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
  const credentials = listCredentials(operation, values, purpose)
  const extras = values.extras.filter(({ isOn, name }) => isOn && name !== '')
  const filledBody = toFilledBody(operation, values)
  const { request, missing, filled } = fillRequest(
    operation,
    {
      server: serverUrl,
      parameters: values.parameters,
      extras,
      credentials: credentials.map(({ placed }) => placed),
      body: filledBody,
    },
    { purpose, others },
  )
  for (const parameter of operation.parameters) {
    const { name, in: location } = parameter
    const at = keyOf(parameter)
    const one = filled.find((other) => other.in === location && other.name === name)
    if (missing.includes(parameter))
      problems.push({ kind: 'missing', at, message: say(`Missing \`{name}\` in the ${locationNames[location]}`, name) })
    else if (one && (location === 'header' || location === 'cookie'))
      problems.push(...findHeaderProblems(at, location, name, toHeaderText(parameter, one.value)))
  }
  for (const { at, placed, isFilled } of credentials) {
    const { in: location, name, value } = placed
    if (isFilled && (location === 'header' || location === 'cookie'))
      problems.push(...findHeaderProblems(at, location, name, value))
  }
  if (!request.body && operation.isBodyRequired)
    problems.push({ kind: 'missing', at: 'body', message: say('Missing request body') })
  for (const { in: location, name, value } of extras) {
    if (location === 'header') problems.push(...findHeaderProblems(`header ${name}`, location, name, value))
  }
  return { request, problems: [...problems, ...findRequestProblems(request)] }
}

/**
 * The problems that prevent sending because the URL would be wrong. The server and the browser report all other problems.
 */
export function listBlockingProblems(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return problems.filter(({ kind, at }) => kind !== 'changed' && /^(?:server|path )/.test(at))
}

const locationNames = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const

/** The credentials of the chosen alternative in their places. */
function listCredentials(
  { security }: DescribedOperation,
  { credentials }: PlaygroundValues,
  purpose: RequestOptions['purpose'],
): { readonly at: string; readonly placed: RequestCredential; readonly isFilled: boolean }[] {
  return (security[credentials.alternative] ?? []).flatMap(({ name, scheme }) => {
    const own = readOwn(credentials.byScheme, name)
    const secret = own && toSecret(own)
    const placed = placeSecret(scheme, secret)
    const isFilled = secret !== undefined
    return placed && (isFilled || purpose === 'show') ? [{ at: `security ${name}`, placed, isFilled }] : []
  })
}

/** Absent if nothing is filled in. */
function toSecret(credential: Credential): string | undefined {
  if (credential.kind === 'text') return credential.value || undefined
  if (credential.kind === 'token') return credential.accessToken || undefined
  const { username, password } = credential
  return username === '' && password === '' ? undefined : `${username}:${password}`
}

function toFilledBody({ bodies }: DescribedOperation, { body }: PlaygroundValues): FilledBody | undefined {
  const description = bodies[body.index]
  return description && { description, ...(body.mode === 'raw' ? { text: body.text } : { value: body.value }) }
}

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
