import { isObject } from '../../text/json/json-values.ts'
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

/** The parts of a request. */
interface RequestSource {
  readonly method: string
  /** The URL of the server, with its variables filled in. */
  readonly server: string
  /** The path template. */
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
  const address = `${server.replace(/(?<!\/)\/+$/, '')}${fillPath(path, of('path'))}`
  const url = query.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`
  return { method: isToken(method) ? method : 'GET', url: encodeRest(url), headers: toSafeHeaders(headers), body }
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
  return typeof value === 'string' && isJsonText(value) ? value : (JSON.stringify(value) ?? '')
}

/** Examples of such parameters are often written as JSON text. */
function isJsonText(text: string): boolean {
  if (!/^\s*["[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
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
  const known = toConcreteType(mediaType) ?? 'text/plain'
  if (!isJsonType(known)) return { kind: 'text', mediaType: known, text }
  try {
    const value: unknown = JSON.parse(text)
    // Large numbers, duplicate keys and escapes would be lost.
    const packed = text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, '$1')
    if (JSON.stringify(value) === packed) return { kind: 'json', mediaType: known, value, text }
  } catch {
    // Not JSON. Users may want to see how the server responds to that.
  }
  return { kind: 'text', mediaType: known, text }
}
