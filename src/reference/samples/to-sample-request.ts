import type { HttpRequest, NamedText } from '../../request/http-request.ts'
import { encode, toHeaderText, toPathText, toQueryPairs, toQueryText } from '../../request/serialize-parameter.ts'
import type { OperationView, ParameterView, SecurityUse, ServerView } from '../types.ts'
import { toSampleBody } from './to-sample-body.ts'

/**
 * The request that samples show: required parameters with their examples, credentials as `<token>`, the first body with its first example.
 *
 * Optional parameters are left out unless `defaults` is `all` and they have an example.
 */
export function toSampleRequest(operation: OperationView, defaults: 'required' | 'all'): HttpRequest {
  const { parameters, servers, method, path } = operation
  const headers: NamedText[] = []
  const cookies: string[] = []
  const query: string[] = []
  let filled = path
  for (const parameter of parameters) {
    const { name, in: location, required, examples } = parameter
    if (!required && !(defaults === 'all' && examples.length > 0)) continue
    const value = toValue(parameter)
    if (location === 'path')
      filled = filled.split(`{${name}}`).join(value === undefined ? `{${name}}` : toPathText(parameter, value))
    else if (location === 'query' || location === 'querystring') query.push(toQuery(parameter, value ?? `<${name}>`))
    else if (location === 'header') headers.push({ name, value: toHeaderText(parameter, value ?? `<${name}>`) })
    else cookies.push(`${name}=${toHeaderText(parameter, value ?? `<${name}>`)}`)
  }
  for (const use of operation.security[0]?.schemes ?? []) addCredentials(use, headers, query, cookies)
  const [content] = operation.requestBody?.content ?? []
  const body = content && toSampleBody(content)
  // Of a form in parts the tools write the boundary themselves.
  if (body && body.kind !== 'multipart') headers.push({ name: 'Content-Type', value: body.mediaType })
  const accepted = operation.responses.find(({ statusCode }) => statusCode.startsWith('2'))?.content[0]?.mediaType
  if (accepted !== undefined && !accepted.includes('*')) headers.unshift({ name: 'Accept', value: accepted })
  if (cookies.length > 0) headers.push({ name: 'Cookie', value: cookies.join('; ') })
  const [server] = servers
  const address = `${server ? toServerAddress(server).replace(/\/+$/, '') : ''}${filled}`
  const found = query.filter((one) => one !== '')
  const url = found.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${found.join('&')}`
  return {
    method: /^[\w!#$%&'*+.^`|~-]+$/.test(method) ? method : 'GET',
    url: encodeRest(url),
    headers: headers.flatMap(toSafeHeader),
    body,
  }
}

/** The address of a server, its variables replaced by their defaults. */
function toServerAddress({ url, variables }: ServerView): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables.find((one) => one.name === name)?.default || whole)
}

/** What documents have in paths and server addresses that no address has: blanks, quotes, controls and letters beyond ASCII. */
function encodeRest(url: string): string {
  return url.replace(/[^\x21-\x7e]+|["<>\\^`|]/g, (text) => encode(text))
}

/** Headers that HTTP cannot have are left out; line breaks would begin another one. Source: RFC 9110, section 5. */
function toSafeHeader({ name, value }: NamedText): NamedText[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return []
  return [{ name, value: value.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() }]
}

/** The example of a parameter, else its first choice, example, default or constant; absent where there is none. */
function toValue({ examples, schema }: ParameterView): unknown {
  const [example] = examples
  if (example?.value !== undefined) return example.value
  const [choice] = schema.enum
  if (choice) return choice.value
  const fact = schema.facts.find((one) => one.kind === 'value' && ['Example', 'Default', 'Always'].includes(one.label))
  return fact?.kind === 'value' ? fact.value : undefined
}

function toQuery(parameter: ParameterView, value: unknown): string {
  const { name, in: location, contentType, allowReserved } = parameter
  if (location === 'querystring') {
    return typeof value === 'string'
      ? encodeRest(value)
      : toQueryText(toQueryPairs({ name, style: 'form', explode: true }, value))
  }
  const isText = contentType !== undefined && typeof value === 'object'
  return toQueryText(isText ? [{ name, value: JSON.stringify(value) }] : toQueryPairs(parameter, value), allowReserved)
}

function addCredentials({ scheme }: SecurityUse, headers: NamedText[], query: string[], cookies: string[]): void {
  switch (scheme.type) {
    case 'apiKey':
      if (scheme.in === 'header') headers.push({ name: scheme.parameterName, value: '<api-key>' })
      else if (scheme.in === 'query') query.push(toQueryText([{ name: scheme.parameterName, value: '<api-key>' }]))
      else cookies.push(`${scheme.parameterName}=<api-key>`)
      break
    case 'http': {
      const kind = scheme.scheme === 'bearer' ? 'Bearer' : scheme.scheme
      headers.push({ name: 'Authorization', value: scheme.scheme === 'basic' ? 'Basic <credentials>' : `${kind} <token>` })
      break
    }
    case 'oauth2':
    case 'openIdConnect':
      headers.push({ name: 'Authorization', value: 'Bearer <token>' })
      break
    default:
  }
}
