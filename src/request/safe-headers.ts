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
