import phrases from '../../../texts/reason-phrases.json' with { type: 'json' }
import type { SecurityScheme } from '../../model/security.ts'
import { isFormType, isJsonType, type Serialization } from '../../model/written-values.ts'
import { isContainer, isObject, parseJson, parseWrittenJson, readOwn } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { encodeUrlPart } from '../../text/plain/paths.ts'
import { toJsonText } from './read-operation.ts'
/**
 * A request with values filled in, ready to be sent or to be shown in any language.
 *
 * Code samples and the playground create it, and sample generators and `fetch` use it, so that both show and send the same
 * request.
 */
export interface HttpRequest {
  readonly method: string
  /** Absolute and encoded, with the query. */
  readonly url: string
  /**
   * Names are HTTP tokens; values have no control characters and no surrounding whitespace. Includes `Content-Type` if there is a body, except for
   * `multipart`, whose boundary is chosen by the writer of the body.
   */
  readonly headers: readonly NamedText[]
  readonly body: RequestBody | undefined
  /** Whether the client answers a challenge of HTTP digest authentication. */
  readonly isDigest?: boolean
}

/** A name and a value, neither encoded. */
export interface NamedText {
  readonly name: string
  readonly value: string
}

/** The body of a request, in terms that most languages have functions for. */
export type RequestBody = {
  /** Never a range. */
  readonly mediaType: string
} & (
  | {
      readonly kind: 'json'
      readonly value: unknown
      /** The same value as typed, for writers that send text. */
      readonly text?: string
    }
  | { readonly kind: 'text'; readonly text: string }
  /** Fields that are encoded as in the URL standard. A form with another encoding is `text`. */
  | { readonly kind: 'form'; readonly fields: readonly NamedText[] }
  | {
      readonly kind: 'multipart'
      readonly parts: readonly RequestPart[]
      /** Does not occur in the text of the parts. */
      readonly boundary: string
      /** The whole body with that boundary, in order, for writers without support for parts. */
      readonly pieces: readonly (string | RequestFile)[]
    }
  | { readonly kind: 'file'; readonly file: RequestFile }
)

/** A part of a `multipart` body. */
export interface RequestPart extends NamedText {
  /** If the part is a file, `value` is not used. */
  readonly file: RequestFile | undefined
  /** Absent for plain text and for files of an unknown type. */
  readonly contentType: string | undefined
  /** Besides `Content-Disposition` and `Content-Type`; with the same guarantees as those of the request. */
  readonly headers: readonly NamedText[]
}

/** A file. In a browser the selected `File`, otherwise the name of a sample file. */
export interface RequestFile {
  readonly name: string
  /** Its media type, `''` if unknown. */
  readonly type: string
}

/**
 * The content of a request for languages that cannot send forms exactly like this. The headers include the `Content-Type` of a multipart body with its
 * boundary. The body is a sequence of texts and files, as `ofText` and `ofFile` write them; absent without a body.
 */
export function toContent<Piece>(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  ofText: (text: string) => Piece,
  ofFile: (file: RequestFile) => Piece,
): { readonly headers: readonly NamedText[]; readonly pieces: readonly Piece[] | undefined } {
  if (!body) return { headers, pieces: undefined }
  switch (body.kind) {
    case 'json':
      return { headers, pieces: [ofText(toJsonLines(body))] }
    case 'text':
      return { headers, pieces: [ofText(body.text)] }
    case 'form':
      return { headers, pieces: [ofText(new URLSearchParams(body.fields.map(({ name, value }) => [name, value])).toString())] }
    case 'multipart': {
      const type = { name: 'Content-Type', value: `${body.mediaType}; boundary=${body.boundary}` }
      const pieces = body.pieces.map((piece) => (typeof piece === 'string' ? ofText(piece) : ofFile(piece)))
      return { headers: [...headers, type], pieces }
    }
    default:
      return { headers, pieces: [ofFile(body.file)] }
  }
}

/** Formats JSON for reading: as typed, or else indented. */
export function toJsonLines({ value, text }: { readonly value: unknown; readonly text?: string }): string {
  return text ?? JSON.stringify(value, null, 2) ?? ''
}

interface RequestSource {
  readonly method: string
  /** The URL of the server, with its variables filled in. */
  readonly server: string
  readonly path: string
  /** The parameters to send, in order. */
  readonly parameters: readonly FilledParameter[]
  /** Keys and tokens in their place. */
  readonly credentials: readonly RequestCredential[]
  /** The requested media type. */
  readonly accept: string | undefined
  readonly body: RequestBody | undefined
}

/** A parameter with its value. */
export interface FilledParameter extends ParameterStyle {
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Encodes a form in `content` for a query. */
  readonly writeForm: (value: Readonly<Record<string, unknown>>) => string
  readonly value: unknown
}

/** Builds a request from its parts, encoded. Anything that HTTP does not allow is omitted or replaced. */
export function buildRequest({ method, server, path, parameters, credentials, accept, body }: RequestSource): HttpRequest {
  const of = (location: FilledParameter['in'] | 'query') => parameters.filter((parameter) => parameter.in === location)
  const added = (location: 'query' | 'header' | 'cookie') => credentials.filter((credential) => credential.in === location)
  const query = [
    ...of('query').map((parameter) =>
      parameter.contentType === undefined
        ? toQueryText(parameter, parameter.value)
        : `${encode(parameter.name)}=${encode(toContentText(parameter))}`,
    ),
    ...of('querystring').map(toQuerystring),
    ...added('query').map(({ name, value }) => `${encode(name)}=${encode(value)}`),
  ].filter((text) => text !== '')
  const cookies = [
    ...of('cookie').map((parameter) =>
      parameter.contentType === undefined
        ? toCookieText(parameter, parameter.value)
        : `${parameter.name}=${encode(toContentText(parameter))}`,
    ),
    ...added('cookie').map(({ name, value }) => `${name}=${value}`),
  ]
  const headers = [
    ...(accept === undefined || accept.includes('*') ? [] : [{ name: 'Accept', value: accept }]),
    ...of('header').map((parameter) => ({
      name: parameter.name,
      value: parameter.contentType === undefined ? toHeaderText(parameter, parameter.value) : toContentText(parameter),
    })),
    ...added('header'),
    // Tools choose the boundary of a multipart body themselves.
    ...(body && body.kind !== 'multipart' ? [{ name: 'Content-Type', value: body.mediaType }] : []),
    ...(cookies.length > 0 ? [{ name: 'Cookie', value: cookies.join('; ') }] : []),
  ]
  // Some documents tell operations with the same path apart by a fragment, which is not sent.
  const address = `${server.replace(/(?<!\/)\/+$/, '')}${fillPath(path.replace(/#.*$/s, ''), of('path'))}`
  const url = query.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`
  const isDigest = credentials.some((credential) => credential.in === 'challenge')
  return { method: isToken(method) ? method : 'GET', url: encodeRest(url), headers: toSafeHeaders(headers), body, isDigest }
}

/** Fills in the path parameters. `{name}` remains if there is no value. */
function fillPath(path: string, parameters: readonly FilledParameter[]): string {
  return path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.name === name)
    if (!parameter) return whole
    return parameter.contentType === undefined ? toPathText(parameter, parameter.value) : encode(toContentText(parameter))
  })
}

/** Encodes a parameter with `content` in its media type: JSON, a form, or unchanged text. */
function toContentText({ contentType = '', writeForm, value }: FilledParameter): string {
  if (isFormType(contentType) && isObject(value)) return writeForm(value)
  if (!isJsonType(contentType)) return toJsonText(value)
  return toJsonContent(value)
}

/** A value as JSON in a parameter or a part. Examples of them are often JSON text, which stays as it is. */
export function toJsonContent(value: unknown): string {
  const isJson = typeof value === 'string' && /^\s*["[{]/.test(value) && parseJson(value) !== undefined
  return isJson ? value : (JSON.stringify(value) ?? '')
}

/**
 * Encodes the whole query. A form is already encoded, and text of other media types is encoded here. Source: OpenAPI 3.2.0,
 * "Parameter Object Examples".
 */
function toQuerystring(parameter: FilledParameter): string {
  const text = toContentText(parameter)
  return isFormType(parameter.contentType ?? '') ? encodeRest(text).replaceAll('#', '%23') : encode(text)
}

/** Creates a body from typed text: sent as typed, and shown as a literal of the language if parsing it as JSON is lossless. */
export function toRawBody(text: string, mediaType: string): RequestBody {
  // Samples send values of any type as JSON.
  const known = toConcreteType(mediaType) ?? (/^\s*[[{]/.test(text) ? 'application/json' : 'text/plain')
  if (!isJsonType(known)) return { kind: 'text', mediaType: known, text }
  try {
    const value = parseWrittenJson(text)
    // Large numbers, duplicate keys and escapes would be lost.
    const packed = text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, '$1')
    if (JSON.stringify(value) === packed) return { kind: 'json', mediaType: known, value, text }
  } catch {
    // Not JSON. Users may want to see how the server responds to that.
  }
  return { kind: 'text', mediaType: known, text }
}

/**
 * The media type to send for a list of types and ranges: the first that is not a range. `known` is preferred if it is in the list or if there are only
 * ranges. Else, a range such as `application/*+json` is sent as what its suffix names. Absent if there is none.
 */
export function toConcreteType(mediaTypes = '', known = ''): string | undefined {
  const all = mediaTypes.split(',').map((one) => one.trim())
  const [first] = all.filter((one) => one !== '' && !one.includes('*'))
  if (known !== '' && (first === undefined || all.includes(known))) return known
  const [, suffix] = all[0]?.split('*+') ?? []
  return first ?? (suffix ? `application/${suffix}` : all[0] === 'text/*' ? 'text/plain' : undefined)
}

/** How a value is serialized. */
export interface ParameterStyle extends Serialization {
  readonly name: string
}

/**
 * Whether a value is undefined in terms of RFC 6570: `null`, and lists and objects with only such members. An empty string is a value.
 *
 * Source: RFC 6570, section 2.3, which OpenAPI 3.2.0 follows ("Undefined Values and Manual URI Template Construction").
 */
export function isUndefinedValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => one === null || one === undefined)
  return isObject(value) ? isUndefinedValue(Object.values(value)) : value === null || value === undefined
}

/**
 * Serializes a value for the path, encoded, always including `/`, `?` and `#`.
 *
 * Source of this and the functions below: OpenAPI 3.2.0, "Style Examples"; RFC 6570, section 3.2, for empty values.
 */
export function toPathText({ name, style, explode, allowReserved }: ParameterStyle, value: unknown): string {
  const write = allowReserved ? (text: string) => encodeReserved(text, '/?#[]') : encode
  const key = write(name)
  const { pairs, list } = toMembers(value)
  // A matrix parameter has `=` only before a value.
  const assign = (before: string, text: string) => (text === '' && style === 'matrix' ? before : `${before}=${text}`)
  const exploded = pairs?.map(([one, text]) => assign(write(one), write(text)))
  const joined = (pairs?.flat() ?? list).map(write).join(',')
  switch (style) {
    case 'label':
      return `.${explode ? (exploded ?? list.map(write)).join('.') : joined}`
    case 'matrix':
      if (!explode) return `;${assign(key, joined)}`
      return (exploded ?? (list.length > 0 ? list : ['']).map((text) => assign(key, write(text))))
        .map((one) => `;${one}`)
        .join('')
    default:
      return explode && exploded ? exploded.join(',') : joined
  }
}

/** Serializes a value for a query or an encoded form: pairs joined by `&`. */
export function toQueryText(parameter: ParameterStyle, value: unknown): string {
  const write = parameter.allowReserved ? (text: string) => encodeReserved(text, '[]#&=+') : encode
  return toFields(parameter, value)
    .map(
      ({ name, values, separator }) => `${encode(name)}=${values.map(write).join(separator === ',' ? ',' : encode(separator))}`,
    )
    .join('&')
}

/** The same as unencoded fields, for a multipart form. Source: OpenAPI 3.2.0, "Appendix C". */
export function toFieldPairs(parameter: Omit<ParameterStyle, 'allowReserved'>, value: unknown): NamedText[] {
  return toFields(parameter, value).map(({ name, values, separator }) => ({ name, value: values.join(separator) }))
}

/** Serializes a value for a header, without encoding as OpenAPI requires. */
export function toHeaderText({ explode }: Pick<ParameterStyle, 'explode'>, value: unknown): string {
  const { pairs, list } = toMembers(value)
  if (!pairs) return list.join(',')
  return pairs.map(([key, text]) => `${key}${explode ? '=' : ','}${text}`).join(',')
}

/**
 * Serializes a value for the `Cookie` header: pairs joined by `; `. Style `form` encodes, `cookie` does not.
 *
 * The table of styles joins the pairs of an exploded `form` with `&`. OpenAPI 3.2.0, "Appendix D", calls that wrong: servers would read one cookie.
 */
export function toCookieText(parameter: ParameterStyle, value: unknown): string {
  const isRaw = parameter.style === 'cookie'
  const write = (text: string) => (isRaw ? text : parameter.allowReserved ? encodeReserved(text, ',;') : encode(text))
  return toFields({ ...parameter, style: 'form' }, value)
    .map(({ name, values }) => `${isRaw ? name : encode(name)}=${values.map(write).join(',')}`)
    .join('; ')
}

interface Field {
  readonly name: string
  readonly values: readonly string[]
  readonly separator: string
}

function toFields({ name, style, explode }: Omit<ParameterStyle, 'allowReserved'>, value: unknown): Field[] {
  const single = (one: string, text: string): Field => ({ name: one, values: [text], separator: ',' })
  if (style === 'deepObject' && isContainer(value) && !isUndefinedValue(value)) return toDeepFields(name, value, 0)
  const { pairs, list } = toMembers(value)
  if (explode && pairs) return pairs.map(([key, text]) => single(key, text))
  if (explode && list.length > 0) return list.map((text) => single(name, text))
  return [{ name, values: pairs?.flat() ?? list, separator: readOwn(separators, style) ?? ',' }]
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** `a[b]=1`. OpenAPI does not define deeper levels; servers read `a[b][c]=1` and `a[0]=1`. */
function toDeepFields(name: string, value: unknown, depth: number): Field[] {
  if (value === null || value === undefined) return []
  if (depth < 5 && isContainer(value))
    return Object.entries(value).flatMap(([key, one]) => toDeepFields(`${name}[${key}]`, one, depth + 1))
  return [{ name, values: [toJsonText(value)], separator: ',' }]
}

/** The defined members of a value as text. A scalar has one member, an undefined value none. */
function toMembers(value: unknown): { readonly pairs: [string, string][] | undefined; readonly list: readonly string[] } {
  const isThere = (one: unknown) => one !== null && one !== undefined
  if (!isThere(value) || isUndefinedValue(value)) return { pairs: undefined, list: [] }
  if (Array.isArray(value)) return { pairs: undefined, list: value.filter(isThere).map(toJsonText) }
  if (!isObject(value)) return { pairs: undefined, list: [toJsonText(value)] }
  const entries = Object.entries(value).filter(([, one]) => isThere(one))
  return { pairs: entries.map(([key, one]) => [key, toJsonText(one)]), list: [] }
}

/**
 * Percent-encodes everything but letters, digits and `-._~`. Lone surrogates are replaced.
 *
 * Source: RFC 6570, section 3.2.1; OpenAPI 3.2.0, "URL Percent-Encoding".
 */
export function encode(text: string): string {
  return encodeUrlPart(text).replace(/[!'()*]/g, toTriple)
}

/** Keeps the reserved characters of RFC 3986 and existing percent-encodings, except for the characters in `not`. */
function encodeReserved(text: string, not: string): string {
  return text.replace(/%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/gi, (part) =>
    (part.length === 1 && reserved.includes(part) && !not.includes(part)) || /^%../.test(part) ? part : encode(part),
  )
}

const reserved = ":/?#[]@!$&'()*+,;="

/** Encodes characters that people write in URLs although URLs do not allow them: spaces, quotes, control and non-ASCII characters. */
function encodeRest(url: string): string {
  return url.replace(/[^\x21-\x7e]+|["<>\\^`|]/g, encode)
}

function toTriple(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Drops headers with invalid names and replaces control characters in values, because a line break would begin another header. Source: RFC 9110, section 5. */
export function toSafeHeaders(headers: readonly NamedText[]): NamedText[] {
  return headers
    .filter(({ name }) => isToken(name))
    .map(({ name, value }) => ({ name, value: value.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() }))
}

/** Whether a string is a valid method or header name. Source: RFC 9110, section 5.6.2. */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text)
}

/** Headers that `fetch` ignores. Source: Fetch standard, "forbidden request-header". */
export function isForbiddenHeader(name: string): boolean {
  return /^(?:accept-(?:charset|encoding)|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(?:proxy|sec)-.*)$/i.test(
    name,
  )
}

/** A credential with its place in a request. */
export interface RequestCredential extends NamedText {
  /** `challenge`: the client computes the header for HTTP digest authentication from a challenge of the server. */
  readonly in: 'query' | 'header' | 'cookie' | 'challenge'
}

/**
 * The place of a secret for a scheme: a key, a token, or `name:password` for `basic`. Without a secret a placeholder such as `<token>` is used. Absent for
 * schemes that add nothing to a request (`mutualTLS`) and for undeclared ones.
 */
export function placeSecret(scheme: SecurityScheme, secret: string | undefined): RequestCredential | undefined {
  const authorize = (value: string) => ({ in: 'header', name: 'Authorization', value }) as const
  switch (scheme.type) {
    case 'oauth2':
    case 'openIdConnect':
      return authorize(`Bearer ${secret ?? '<token>'}`)
    case 'apiKey':
      return { in: scheme.in, name: scheme.parameterName, value: secret ?? '<api-key>' }
    case 'http': {
      const { scheme: name } = scheme
      if (name === 'basic') return authorize(`Basic ${secret === undefined ? '<credentials>' : toBase64(secret)}`)
      if (name === 'digest' && secret === undefined) return { ...authorize(''), in: 'challenge' }
      const shown = name.replace(/^(?:bearer|digest)$/, capitalize)
      return name === '' ? undefined : authorize(`${shown} ${secret ?? '<token>'}`)
    }
    default:
      return undefined
  }
}

/** Encodes the UTF-8 bytes. Source: RFC 7617. */
function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** Reason phrases of common status codes, which HTTP/2 does not send. Source: RFC 9110, "Status Codes". */
export const reasonPhrases: Readonly<Record<string, string>> = phrases
