import { isObject } from '../text/is-object.ts'
import type { HttpRequest, RequestBody } from './http-request.ts'
import { isFormType, isJsonType, toConcreteType, toJsonText } from './media-type.ts'
import { isToken, type RequestCredential, toSafeHeaders } from './request-headers.ts'
import {
  encode,
  encodeRest,
  type ParameterStyle,
  toCookieText,
  toHeaderText,
  toPathText,
  toQueryText,
} from './serialize-parameter.ts'

/** What a request is made of. */
interface RequestSource {
  readonly method: string
  /** The address of the server, its variables filled in. */
  readonly server: string
  /** The path template. */
  readonly path: string
  /** Those that are sent, in order. */
  readonly parameters: readonly FilledParameter[]
  /** Keys and tokens, as they are written. */
  readonly credentials: readonly RequestCredential[]
  /** The media type that is asked for. */
  readonly accept: string | undefined
  readonly body: RequestBody | undefined
}

/** A parameter with its value. */
export interface FilledParameter extends ParameterStyle {
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Writes a form in `content`, as it stands in a query. */
  readonly writeForm: (value: Readonly<Record<string, unknown>>) => string
  readonly value: unknown
}

/** The request of these parts, everything in its place and encoded. What HTTP cannot have is left out or replaced. */
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
    // Of a form in parts the tools write the boundary themselves.
    ...(body && body.kind !== 'multipart' ? [{ name: 'Content-Type', value: body.mediaType }] : []),
    ...(cookies.length > 0 ? [{ name: 'Cookie', value: cookies.join('; ') }] : []),
  ]
  const address = `${server.replace(/(?<!\/)\/+$/, '')}${fillPath(path, of('path'))}`
  const url = query.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`
  return { method: isToken(method) ? method : 'GET', url: encodeRest(url), headers: toSafeHeaders(headers), body }
}

/** The path with its parameters filled in; `{name}` stays where there is no value. */
function fillPath(path: string, parameters: readonly FilledParameter[]): string {
  return path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.name === name)
    if (!parameter) return whole
    return parameter.contentType === undefined ? toPathText(parameter, parameter.value) : encode(toContentText(parameter))
  })
}

/** Of a parameter with `content`: its media type's text, which is JSON or a form; all else as it is. */
function toContentText({ contentType = '', writeForm, value }: FilledParameter): string {
  if (isFormType(contentType) && isObject(value)) return writeForm(value)
  if (!isJsonType(contentType)) return toJsonText(value)
  return typeof value === 'string' && isJsonText(value) ? value : (JSON.stringify(value) ?? '')
}

/** Examples of such parameters are often written as the text that they are. */
function isJsonText(text: string): boolean {
  if (!/^\s*["[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The whole query. A form is one already, other media types are encoded. Source: OpenAPI 3.2.0, "Parameter Object Examples". */
function toQuerystring(parameter: FilledParameter): string {
  const text = toContentText(parameter)
  return isFormType(parameter.contentType ?? '') ? encodeRest(text).replaceAll('#', '%23') : encode(text)
}

/** Text that somebody typed: sent as typed, and shown as a value of the language where it is JSON that says the same. */
export function toRawBody(text: string, mediaType: string): RequestBody {
  const known = toConcreteType(mediaType) ?? 'text/plain'
  if (!isJsonType(known)) return { kind: 'text', mediaType: known, text }
  try {
    const value: unknown = JSON.parse(text)
    // Numbers beyond what JavaScript holds, keys given twice and escapes would be lost.
    const packed = text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, '$1')
    if (JSON.stringify(value) === packed) return { kind: 'json', mediaType: known, value, text }
  } catch {
    // Not JSON: perhaps sent to see what the server says.
  }
  return { kind: 'text', mediaType: known, text }
}
