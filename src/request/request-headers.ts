import type { NamedText } from './http-request.ts'

/** Headers that HTTP cannot have are left out; line breaks would begin another one. Source: RFC 9110, section 5. */
export function toSafeHeaders(headers: readonly NamedText[]): NamedText[] {
  return headers
    .filter(({ name }) => isToken(name))
    .map(({ name, value }) => ({ name, value: value.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() }))
}

/** Whether HTTP takes a text for a method or the name of a header. Source: RFC 9110, section 5.6.2. */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text)
}

/** What of a Security Scheme Object says where its credential stands. */
interface CredentialScheme {
  readonly type: string | undefined
  /** Of `apiKey`. */
  readonly in?: string | undefined
  readonly parameterName?: string | undefined
  /** Of `http`. */
  readonly scheme?: string | undefined
}

/** A credential in its place. */
export interface RequestCredential extends NamedText {
  readonly in: 'query' | 'header' | 'cookie'
}

/**
 * Where a secret stands in a request: a key, a token, or `name:password` of HTTP's `basic`; without one a word in angle brackets stands for it. Absent for
 * schemes that put nothing into a request (`mutualTLS`) and those that are not described.
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

/** Of the UTF-8 bytes, as RFC 7617 has it. */
function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
