/**
 * Whether a whole text matches a pattern in which a wildcard matches any characters.
 *
 * Compares without regular expressions, whose time could be exponential in the number of wildcards.
 */
export function matchWildcards(text: string, pattern: string, wildcard: string): boolean {
  const [first = '', ...rest] = pattern.split(wildcard)
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
