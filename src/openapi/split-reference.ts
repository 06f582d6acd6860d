import { isUrl, joinPath, parentPath } from '../text/relative-path.ts'

/** Where a reference leads, before anything is looked up. */
export type ReferenceTarget =
  /** An address; not read. */
  | { readonly kind: 'remote' }
  /** A file (the referring one itself where `path` is equal), or its `file:` address, and a decoded fragment, `''` for the whole file. */
  | { readonly kind: 'file'; readonly path: string; readonly fragment: string }

/** Splits a reference as it stands in the file at `from`. Source: RFC 3986, section 4.1; RFC 6901, section 6. */
export function splitReference(reference: string, from: string): ReferenceTarget {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decode(reference.slice(hash + 1))
  if (address === '') return { kind: 'file', path: from, fragment }
  if (/^file:/i.test(address) && !isUrl(from)) return { kind: 'file', path: address, fragment }
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(address) || isUrl(from)) return { kind: 'remote' }
  const path = decode(address)
  return { kind: 'file', path: path.startsWith('/') ? joinPath('', path) : joinPath(parentPath(from), path), fragment }
}

/** Percent-decodes; text with a stray `%` is left as it is. */
function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
