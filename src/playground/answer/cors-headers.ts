import { type HttpRequest, isForbiddenHeader, type NamedText } from '../request/http-request.ts'

/**
 * The response headers that let a page of another origin send this request and read its response.
 *
 * Source: Fetch standard, "CORS protocol" and "CORS-safelisted request-header".
 */
export function listCorsHeaders(
  { method, headers, body }: HttpRequest,
  origin: string,
  withCookies: boolean,
): { readonly always: readonly string[]; readonly preflight: readonly string[] } {
  const own = body?.kind === 'multipart' ? [...headers, { name: 'Content-Type', value: body.mediaType }] : headers
  const named = own.filter((header) => !isForbiddenHeader(header.name) && !isSafelisted(header))
  const names = [...new Set(named.map(({ name }) => name.toLowerCase()))].sort()
  const isSimple = /^(?:GET|HEAD|POST)$/.test(method)
  return {
    always: [`access-control-allow-origin: ${origin}`, ...(withCookies ? ['access-control-allow-credentials: true'] : [])],
    preflight: [
      ...(isSimple ? [] : [`access-control-allow-methods: ${method}`]),
      ...(names.length > 0 ? [`access-control-allow-headers: ${names.join(', ')}`] : []),
    ],
  }
}

/** Whether a header can be sent without permission. */
function isSafelisted({ name, value }: NamedText): boolean {
  if (value.length > 128) return false
  switch (name.toLowerCase()) {
    case 'accept':
      return !/["():<>?@[\\\]{}]/.test(value)
    case 'accept-language':
    case 'content-language':
      return /^[\w *,\-.;=]*$/.test(value)
    case 'content-type':
      return /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;[^"():<>?@[\\\]{}]*)?$/i.test(value)
    default:
      return false
  }
}
