/**
 * Replaces what looks like a secret by `***`, keeping the part that tells its kind: GitHub tokens, our own tokens, bearer and basic
 * credentials, JSON Web Tokens, passwords in addresses, and private keys in PEM (also with escaped newlines, in base64, or cut off).
 *
 * A second net: secrets are kept away from texts in the first place.
 */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement)
  return masked
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '*** (private key)'],
  // The same in base64, as `PRIVATE_KEY` may be given.
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]+/g, '*** (private key)'],
  [/\b(gh[opsur]_)[A-Za-z0-9_.-]{16,}/g, '$1***'],
  [/\b(github_pat_)[A-Za-z0-9_]{16,}/g, '$1***'],
  [/\b(opk_)[A-Za-z0-9_-]{16,}/g, '$1***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '*** (JWT)'],
  [/\b((?:bearer|basic|token)\s+)(?!\*\*\*)[A-Za-z0-9._~+/-]{16,}=*/gi, '$1***'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, '$1***@'],
]
