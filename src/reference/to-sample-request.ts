import { toJsonText } from './to-json-text.ts'
import type { MediaTypeView, OperationView, ParameterView, SecurityUse } from './types.ts'

/** A request with values filled in, ready to be written in any language. Nothing is encoded but the address. */
export interface SampleRequest {
  readonly method: string
  /** Whole and encoded, with the query. */
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: { readonly mediaType: string; readonly text: string } | undefined
}

/**
 * The request that samples show: required parameters with their examples, credentials as `<token>`, the first body with its first example.
 *
 * Optional parameters are left out unless `defaults` is `all` and they have an example.
 */
export function toSampleRequest(operation: OperationView, defaults: 'required' | 'all'): SampleRequest {
  const { parameters, servers, method, path } = operation
  const shown = parameters.filter(({ required, examples }) => required || (defaults === 'all' && examples.length > 0))
  const headers: { name: string; value: string }[] = []
  const cookies: string[] = []
  const query: string[] = []
  let filled = path
  for (const parameter of shown) {
    const value = toValueText(parameter)
    if (parameter.in === 'path') filled = filled.replaceAll(`{${parameter.name}}`, encodePath(value, parameter))
    else if (parameter.in === 'query') query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`)
    else if (parameter.in === 'querystring') query.push(value)
    else if (parameter.in === 'header') headers.push({ name: parameter.name, value })
    else cookies.push(`${parameter.name}=${value}`)
  }
  for (const use of operation.security[0]?.schemes ?? []) addCredentials(use, headers, query, cookies)
  const [content] = operation.requestBody?.content ?? []
  const body = content && toBody(content)
  if (body) headers.push({ name: 'Content-Type', value: body.mediaType })
  const accepted = operation.responses.find(({ statusCode }) => statusCode.startsWith('2'))?.content[0]?.mediaType
  if (accepted !== undefined && !accepted.includes('*')) headers.unshift({ name: 'Accept', value: accepted })
  if (cookies.length > 0) headers.push({ name: 'Cookie', value: cookies.join('; ') })
  const [server] = servers
  const base = (server?.url ?? '').replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => server?.variables.find((one) => one.name === name)?.default || whole,
  )
  const url = `${base.replace(/\/+$/, '')}${filled}${query.length === 0 ? '' : `${filled.includes('?') ? '&' : '?'}${query.join('&')}`}`
  return { method, url, headers: headers.map(({ name, value }) => ({ name, value: value.replace(/[\r\n]+/g, ' ') })), body }
}

/** The example of a parameter, else its first choice, default or constant, else its name in braces, as people write placeholders. */
function toValueText({ name, examples, schema, in: location }: ParameterView): string {
  const [example] = examples
  if (example?.value !== undefined) return toJsonText(example.value)
  const [choice] = schema.enum
  if (choice) return choice.value
  const fact = schema.facts.find((one) => one.kind === 'value' && ['Example', 'Default', 'Always'].includes(one.label))
  if (fact?.kind === 'value') return fact.value
  return location === 'path' ? `{${name}}` : `<${name}>`
}

function encodePath(value: string, { name }: ParameterView): string {
  return value === `{${name}}` ? value : encodeURIComponent(value)
}

function addCredentials(
  { scheme }: SecurityUse,
  headers: { name: string; value: string }[],
  query: string[],
  cookies: string[],
): void {
  switch (scheme.type) {
    case 'apiKey':
      if (scheme.in === 'header') headers.push({ name: scheme.parameterName, value: '<api-key>' })
      else if (scheme.in === 'query') query.push(`${encodeURIComponent(scheme.parameterName)}=%3Capi-key%3E`)
      else cookies.push(`${scheme.parameterName}=<api-key>`)
      break
    case 'http':
      headers.push({
        name: 'Authorization',
        value:
          scheme.scheme === 'basic' ? 'Basic <credentials>' : `${scheme.scheme === 'bearer' ? 'Bearer' : scheme.scheme} <token>`,
      })
      break
    case 'oauth2':
    case 'openIdConnect':
      headers.push({ name: 'Authorization', value: 'Bearer <token>' })
      break
    default:
  }
}

function toBody({ mediaType, examples }: MediaTypeView): SampleRequest['body'] {
  const [example] = examples
  if (example?.text === undefined) return undefined
  if (mediaType === 'application/x-www-form-urlencoded' && typeof example.value === 'object' && example.value !== null) {
    const pairs = Object.entries(example.value).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(toJsonText(value))}`,
    )
    return { mediaType, text: pairs.join('&') }
  }
  return { mediaType, text: example.text }
}
