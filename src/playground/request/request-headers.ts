import { type JsonObject, readOwn, stringOf } from '../../text/json/json-values.ts'
import type { NamedText } from './http-request.ts'

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

/** The fields of a Security Scheme Object that determine the place of its credential. */
interface CredentialScheme {
  readonly type: string | undefined
  /** For `apiKey`. */
  readonly in?: string | undefined
  readonly parameterName?: string | undefined
  /** For `http`. */
  readonly scheme?: string | undefined
}

/** A credential with its place in a request. */
export interface RequestCredential extends NamedText {
  readonly in: 'query' | 'header' | 'cookie'
}

/**
 * The place of a secret in a request: a key, a token, or `name:password` for `basic`. Without a secret a placeholder such as `<token>` is used.
 * Absent for schemes that add nothing to a request (`mutualTLS`) and for undeclared ones.
 */
export function toCredential(
  { type, in: location, parameterName, scheme = '' }: CredentialScheme,
  secret: string | undefined,
): RequestCredential | undefined {
  const authorize = (value: string) => ({ in: 'header', name: 'Authorization', value }) as const
  if (type === 'oauth2' || type === 'openIdConnect') return authorize(`Bearer ${secret ?? '<token>'}`)
  if (type === 'http' && /^basic$/i.test(scheme)) {
    return authorize(`Basic ${secret === undefined ? '<credentials>' : toBase64(secret)}`)
  }
  if (type === 'http' && scheme !== '') return authorize(`${/^bearer$/i.test(scheme) ? 'Bearer' : scheme} ${secret ?? '<token>'}`)
  if (type !== 'apiKey' || parameterName === undefined) return undefined
  const name = parameterName
  const value = secret ?? '<api-key>'
  return location === 'header' || location === 'query' || location === 'cookie' ? { in: location, name, value } : undefined
}

/** The place of a secret for an unchecked Security Scheme Object, see `toCredential`. */
export function placeSecret(scheme: JsonObject, secret: string | undefined): RequestCredential | undefined {
  const text = (key: string) => stringOf(readOwn(scheme, key))
  return toCredential({ type: text('type'), in: text('in'), parameterName: text('name'), scheme: text('scheme') }, secret)
}

/** Encodes the UTF-8 bytes. Source: RFC 7617. */
function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
