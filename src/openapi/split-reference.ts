import { decodePercent, isUrl, joinPath, parentPath } from '../text/relative-path.ts'

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
  const fragment = hash === -1 ? '' : decodePercent(reference.slice(hash + 1))
  if (address === '') return { kind: 'file', path: from, fragment }
  if (isUrl(from)) return { kind: 'remote' }
  // Nearly all are paths.
  if (address.includes(':') || address.startsWith('//')) {
    if (/^file:/i.test(address)) return { kind: 'file', path: address, fragment }
    if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(address)) return { kind: 'remote' }
  }
  const path = decodePercent(address)
  return { kind: 'file', path: path.startsWith('/') ? joinPath('', path) : joinPath(parentPath(from), path), fragment }
}
