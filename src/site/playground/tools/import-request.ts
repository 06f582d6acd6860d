import { setOwn } from '../../../source/is-object.ts'
import { decodePercent } from '../../../source/relative-path.ts'
import type { NamedText } from '../../request/http-request.ts'
import { isFormType, isJsonType } from '../../request/media-type.ts'
import { type DescribedOperation, type DescribedParameter, keyOf } from '../../request/read-operation.ts'
import { toFormSchema } from '../form-schema.ts'
import { hasForm, readText, toBody } from '../form-values.ts'
import { fromJsonText } from '../from-json-text.ts'
import { say } from '../playground-messages.ts'
import { customServer, toServerUrl } from '../reachable-servers.ts'
import type { BodyValues, Credential, CredentialValues, ExtraParameter, FieldValue, PlaygroundValues } from '../types.ts'
import type { CurlRequest } from './parse-curl.ts'

interface Imported {
  readonly values: PlaygroundValues
  /** The credentials that were found, for the security requirement that they fit; absent if there were none. */
  readonly credentials: CredentialValues | undefined
  /** What could not be imported. One sentence each, with names in backticks. */
  readonly notes: readonly string[]
}

interface ImportOptions {
  /** The URL of the page. */
  readonly base: string
  /** Whether requests to servers that the document does not name are allowed. */
  readonly isOpen: boolean
}

/** Fills in the values of a request, or explains why the request is for another operation. */
export function importRequest(
  operation: DescribedOperation,
  initial: PlaygroundValues,
  request: CurlRequest,
  { base, isOpen }: ImportOptions,
): Imported | { readonly problem: string } {
  const { method, path } = operation
  const url = toUrl(request.url)
  const wanted = `${method} ${path}`
  if (!url) return { problem: say('Expected an http or https URL, got `{url}`', request.url.slice(0, 200)) }
  if (request.method !== method)
    return { problem: say('The command is a `{method}` request, expected `{expected}`', request.method, wanted) }
  const server = findServer(operation, initial, url, base, isOpen)
  if (!server)
    return {
      problem: say(
        'The URL `{url}` does not match `{operation}` on any server of this operation',
        url.origin + url.pathname,
        wanted,
      ),
    }
  const notes = request.ignored.map((option) => say('`{option}` was ignored.', option))
  const parameters: Record<string, FieldValue> = {}
  const extras: ExtraParameter[] = []
  const read = (parameter: DescribedParameter, texts: readonly string[]) => {
    setOwn(parameters, keyOf(parameter), readValue(parameter, texts, operation))
  }
  for (const [name, text] of server.pathValues) {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    if (parameter) read(parameter, [text])
  }
  const secrets = new Set<string>()
  const found = findCredentials(operation, request, url, secrets)
  for (const [name, texts] of groupByName([...url.searchParams].map(([name, value]) => ({ name, value })))) {
    if (secrets.has(`query ${name}`)) continue
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name)
    if (parameter) read(parameter, texts)
    else extras.push(...texts.map((value) => ({ in: 'query', name, value, isOn: true }) as const))
  }
  for (const { name, value } of request.headers) {
    const key = name.toLowerCase()
    if (secrets.has(`header ${key}`) || /^(?:accept|content-type|content-length|host)$/.test(key)) continue
    const parameter = operation.parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === key)
    if (parameter) read(parameter, [value])
    else if (key === 'cookie') notes.push(say('Cookies were ignored, because browsers do not let pages set them.'))
    else extras.push({ in: 'header', name, value, isOn: true })
  }
  const body = readBody(operation, initial.body, request, notes)
  return {
    values: { ...initial, server: server.value, parameters, extras, body },
    credentials: found,
    notes,
  }
}

function toUrl(text: string): URL | undefined {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

interface FoundServer {
  readonly value: PlaygroundValues['server']
  readonly pathValues: readonly (readonly [string, string])[]
}

/** The server and path parameters of a URL: the selected server first, then the others, then a custom one. */
function findServer(
  { servers, path }: DescribedOperation,
  { server: { index: selected, variables } }: PlaygroundValues,
  url: URL,
  base: string,
  isOpen: boolean,
): FoundServer | undefined {
  const indexes = [...servers.keys()].sort((a, b) => Number(b === selected) - Number(a === selected))
  for (const index of indexes) {
    const server = servers[index]
    const address = server && toServerUrl(server, variables, base)
    if (address === undefined || !(url.origin + url.pathname).startsWith(address)) continue
    const pathValues = matchPath(path, (url.origin + url.pathname).slice(address.length))
    if (pathValues) return { value: { index, variables }, pathValues }
  }
  if (!isOpen) return undefined
  // Try each number of leading segments as the path of the server.
  const segments = url.pathname.split('/')
  for (let count = 1; count <= Math.min(segments.length, 20); count++) {
    const pathValues = matchPath(path, `/${segments.slice(count).join('/')}`)
    const address = url.origin + segments.slice(0, count).join('/')
    if (pathValues) return { value: { index: servers.length, variables: { ...variables, [customServer]: address } }, pathValues }
  }
  return undefined
}

/** The values of the parameters of a path, segment by segment; `undefined` if the path does not match its template. */
function matchPath(template: string, path: string): [string, string][] | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const values: [string, string][] = []
  for (const [index, segment] of wanted.entries()) {
    const text = decodePercent(given[index] ?? '')
    const parts = segment.split(/\{([^{}]*)\}/)
    const [before = '', name, after = ''] = parts
    if (name === undefined) {
      if (decodePercent(segment) !== text) return undefined
    } else if (parts.length > 3) return undefined
    else {
      if (!text.startsWith(before) || !text.endsWith(after) || text.length <= before.length + after.length) return undefined
      values.push([name, text.slice(before.length, text.length - after.length)])
    }
  }
  return values
}

function groupByName(all: readonly NamedText[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { name, value } of all) groups.set(name, [...(groups.get(name) ?? []), value])
  return groups
}

/** The value of a parameter: a list if its schema is one, JSON for objects, else text or a number. */
function readValue({ schema }: DescribedParameter, texts: readonly string[], { resolve }: DescribedOperation): FieldValue {
  const { types, keywords } = toFormSchema(schema, resolve)
  if (types[0] === 'array') {
    const items = toFormSchema(keywords['items'], resolve).types
    const all = texts.length === 1 ? (texts[0] ?? '').split(',') : texts
    return all.map((text) => readText(text, items.length > 0 ? items : ['string']) ?? '')
  }
  const [text = ''] = texts
  if (types.length === 1 && types[0] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (types[0] === 'object') {
    const found = fromJsonText(text)
    return 'value' in found && found.value !== undefined ? found.value : text
  }
  return readText(text, types.length > 0 ? types : ['string']) ?? ''
}

/** The first security requirement for which the request has all credentials. Adds the places of the credentials to `places`. */
function findCredentials(
  { security }: DescribedOperation,
  { headers, user }: CurlRequest,
  url: URL,
  places: Set<string>,
): CredentialValues | undefined {
  const headerOf = (name: string) => headers.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value
  const read = (scheme: Readonly<Record<string, unknown>>): readonly [Credential, string] | undefined => {
    const authorization = headerOf('authorization') ?? ''
    const [kind = '', ...rest] = authorization.split(/\s+/)
    const token = rest.join(' ')
    const type = scheme['type']
    if (type === 'oauth2' || type === 'openIdConnect')
      return /^bearer$/i.test(kind) && token !== ''
        ? [{ kind: 'token', accessToken: token, expiresAt: undefined }, 'header authorization']
        : undefined
    if (type === 'http' && /^basic$/i.test(String(scheme['scheme']))) {
      const pair = user ?? (/^basic$/i.test(kind) ? fromBase64(token) : undefined)
      if (pair === undefined) return undefined
      const [username = '', ...password] = pair.split(':')
      return [{ kind: 'basic', username, password: password.join(':') }, 'header authorization']
    }
    if (type === 'http')
      return kind.toLowerCase() === String(scheme['scheme']).toLowerCase() && token !== ''
        ? [{ kind: 'text', value: token }, 'header authorization']
        : undefined
    const name = String(scheme['name'] ?? '')
    const value = scheme['in'] === 'header' ? headerOf(name) : scheme['in'] === 'query' ? url.searchParams.get(name) : undefined
    return type === 'apiKey' && value
      ? [{ kind: 'text', value }, `${String(scheme['in'])} ${scheme['in'] === 'header' ? name.toLowerCase() : name}`]
      : undefined
  }
  for (const [alternative, schemes] of security.entries()) {
    const found = schemes.map(({ name, scheme }) => ({ name, read: read(scheme) }))
    if (found.length === 0 || found.some(({ read }) => !read)) continue
    for (const { read } of found) if (read) places.add(read[1])
    return { alternative, byScheme: Object.fromEntries(found.flatMap(({ name, read }) => (read ? [[name, read[0]]] : []))) }
  }
  return undefined
}

function fromBase64(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** The body, in the media type of the command, else in the first one that fits. */
function readBody(
  { bodies, resolve }: DescribedOperation,
  initial: BodyValues,
  { headers, body, fields }: CurlRequest,
  notes: string[],
): BodyValues {
  if (body === undefined && fields.length === 0) return { ...initial, value: undefined, text: '' }
  const declared = headers
    .find(({ name }) => name.toLowerCase() === 'content-type')
    ?.value.split(';', 1)[0]
    ?.trim()
    .toLowerCase()
  const type = fields.length > 0 ? 'multipart/form-data' : (declared ?? guessType(body ?? ''))
  const known = bodies.findIndex(({ mediaType }) => mediaType.toLowerCase() === type)
  const index = known >= 0 ? known : bodies.findIndex(({ mediaType }) => isJsonType(mediaType) === isJsonType(type))
  const description = bodies[index]
  if (!description) {
    notes.push(say('The body was ignored: this operation has no body of type `{type}`.', type))
    return initial
  }
  if (fields.length > 0 || isFormType(description.mediaType)) {
    const given = fields.length > 0 ? fields : [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }))
    const files = fields.filter(({ value }) => /^[@<]/.test(value))
    for (const { name } of files) notes.push(say('Choose the file for `{name}`.', name))
    const { properties } = toFormSchema(description.schema, resolve)
    const value = Object.fromEntries(
      [...groupByName(given.filter((field) => !files.includes(field as NamedText)))].map(([name, texts]) => [
        name,
        readValue({ schema: properties.get(name) } as DescribedParameter, texts, { resolve } as DescribedOperation),
      ]),
    )
    return toBody(description, index, value)
  }
  const text = body ?? ''
  const found = isJsonType(description.mediaType) && hasForm(description) ? fromJsonText(text) : undefined
  if (found && 'value' in found && found.value !== undefined) return toBody(description, index, found.value)
  return { index, mode: 'raw', value: undefined, text }
}

function guessType(body: string): string {
  return /^\s*[[{"]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'
}
