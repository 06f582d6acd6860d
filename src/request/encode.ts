/**
 * Percent-encodes all but letters, digits and `-._~`; halves of characters, which no encoding has, are replaced.
 *
 * Source: RFC 6570, section 3.2.1; OpenAPI 3.2.0, "URL Percent-Encoding".
 */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, toTriple)
}

/** Leaves what RFC 3986 reserves, and what is percent-encoded already, as it is; but not the characters of `not`. */
export function encodeReserved(text: string, not: string): string {
  return text.replace(/%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/gi, (part) =>
    (part.length === 1 && reserved.includes(part) && !not.includes(part)) || /^%../.test(part) ? part : encode(part),
  )
}

const reserved = ":/?#[]@!$&'()*+,;="

/** Encodes what documents and people have in addresses and no address has: blanks, quotes, controls and letters beyond ASCII. */
export function encodeRest(url: string): string {
  return url.replace(/[^\x21-\x7e]+|["<>\\^`|]/g, encode)
}

function toTriple(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
