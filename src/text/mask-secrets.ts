/**
 * Replaces probable secrets with `***`: GitHub tokens, API tokens of this app, `Authorization` values, JSON Web Tokens, user names and
 * passwords in URLs, and PEM private keys (also with escaped newlines, in base64, or truncated). Linear in the length of the text.
 *
 * Logs, records, error messages and the output of Git all pass through this function. It is a second line of defense: callers keep
 * secrets out of messages in the first place.
 */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement)
  return masked.includes('eyJ') ? masked.replace(/[\w.-]+/g, maskJsonWebToken) : masked
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '*** (private key)'],
  // The same in base64, as `PRIVATE_KEY` may be given.
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]+/g, '*** (private key)'],
  [/\b(gh[opsur]_)[A-Za-z0-9_.-]{8,}/g, '$1***'],
  [/\b(github_pat_)[A-Za-z0-9_]{8,}/g, '$1***'],
  [/\b(opk_)[A-Za-z0-9_-]{8,}/g, '$1***'],
  [/\b((?:bearer|basic|token)\s+)(?!\*\*\*)[A-Za-z0-9._~+/-]{16,}=*/gi, '$1***'],
  [/\b(authorization: *\w+ +)(?!\*\*\*)[^\s"',]+/gi, '$1***'],
  // A token may be the user name. The scheme is not part of the pattern: it may be missing, and the search stays linear.
  [/(\/\/)[^\s/?#"]*@/g, '$1***@'],
]

/** Masks everything from a possible JSON Web Token header to its signature. */
function maskJsonWebToken(word: string): string {
  const parts = word.split('.')
  const first = parts.findIndex((part, index) => {
    const start = part.indexOf('eyJ')
    return start !== -1 && part.length - start >= 11 && (parts[index + 1]?.length ?? 0) >= 8 && index + 2 < parts.length
  })
  if (first === -1) return word
  const header = parts[first] ?? ''
  const before = [...parts.slice(0, first), header.slice(0, header.indexOf('eyJ'))].join('.')
  return [`${before}*** (JWT)`, ...parts.slice(first + 3)].join('.')
}
