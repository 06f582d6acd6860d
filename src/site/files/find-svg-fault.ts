/** What a drawing has that could run or load something when it is opened by itself, in words; absent for one that is only drawn. */
export function findSvgFault(bytes: Uint8Array): string | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'it is not UTF-8 text'
  }
  const plain = decodeReferences(text)
  return faults.find(([pattern]) => pattern.test(plain))?.[1]
}

const faults: readonly (readonly [RegExp, string])[] = [
  [/<(?:[\w.-]+:)?script\b/i, 'it has a `script` element'],
  [/[\s"'/]on[a-z]+\s*=/i, 'it has an attribute that runs script'],
  [/attributeName\s*=\s*(?:["']\s*)?on/i, 'it sets an attribute that runs script'],
  [/(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i, 'it has an address that runs script'],
  [/data:\s*(?:text\/(?:html|xml)|image\/svg|application\/(?:xml|xhtml))/i, 'it has a document inside an address'],
  [/<(?:[\w.-]+:)?(?:iframe|object|embed|form|meta|base|link)\b/i, 'it has an element of HTML that loads something'],
  [/<\?xml-stylesheet/i, 'it has a stylesheet of XML'],
  // Adobe's programs name their namespaces so; anything else could put together what is looked for above.
  [/<!ENTITY\s+(?![\w.-]+\s+(?:"https?:[^"&%]*"|'https?:[^'&%]*')\s*>)/i, 'it defines entities'],
]

function decodeReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (found, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
}
