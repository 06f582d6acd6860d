/** An `operationId` in words: `list_auto_moderation_rules` is "List auto moderation rules". `undefined` if it has no letters. */
export function toWordsOfId(operationId: string): string | undefined {
  const spaced = operationId.replace(/(\p{Lu}{2})(\p{Lu}\p{Ll})/gu, '$1 $2').replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  const words = spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  return /\p{L}/u.test(operationId) ? toSentence(words) : undefined
}

/** Converts an identifier such as `code-scanning` to "Code scanning". Names with capital letters or spaces only get a capital first letter. */
export function toReadableName(name: string): string {
  const isIdentifier = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name)
  return isIdentifier ? toSentence(name.split(/[-_]/)) : name.charAt(0).toUpperCase() + name.slice(1)
}

/** Words as a sentence. Abbreviations such as `API` keep their capital letters, versions such as `v1` have none. */
function toSentence(words: readonly string[]): string {
  const text = words.map(toSentenceWord).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function toSentenceWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^v\d+$/.test(lower)) return lower
  return acronyms.get(lower) ?? (word.length > 1 && word === word.toUpperCase() ? word : lower)
}

const acronyms: ReadonlyMap<string, string> = new Map(
  'API APIs CDN CI CLI CSV DNS HTTP ID IDs IP JSON JWT OAuth OAuth2 OIDC OpenID PDF SAML SCIM SDK SKU SKUs SMS SQL SSH SSL SSO TLS UI URL URLs VM VPC VPN XML'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)
