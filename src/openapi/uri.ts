import { decodePercent, isUrl, joinPath, parentPath } from '../source/relative-path.ts'

/** The parts of a reference. Source: RFC 3986, appendix B. */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/** What nearly all addresses look like; tested first, without taking them apart. */
const commonUrl = /^https?:\/\/[\w.-]+(?:\/[\w.~/-]*)?(?:#[\w.~/-]*)?$/

const scheme = /^[a-z][a-z0-9+.-]*$/i
const authority =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i

const path = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i
const queryOrFragment = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/**
 * Tells text that has the form of an address or of a part of one, as RFC 3986 has it ("URI-reference").
 *
 * Characters beyond ASCII are taken as letters, as in RFC 3987: browsers encode them by themselves.
 */
export function isUriReference(text: string): boolean {
  if (commonUrl.test(text)) return true
  const match = parts.exec(text.replace(/[^\0-\x7f]+/g, 'a'))
  if (!match) return false
  const [, schemePart, authorityPart, pathPart = '', query, fragment] = match
  if (schemePart !== undefined && !scheme.test(schemePart)) return false
  if (authorityPart !== undefined && !authority.test(authorityPart)) return false
  if (authorityPart === undefined && pathPart.startsWith('//')) return false
  // A first step with a colon would read as a scheme.
  if (schemePart === undefined && authorityPart === undefined && /^[^/]*:/.test(pathPart)) return false
  if (!path.test(pathPart)) return false
  return (query === undefined || queryOrFragment.test(query)) && (fragment === undefined || queryOrFragment.test(fragment))
}

/** Tells an absolute address: a reference with a scheme. Source: RFC 3986, section 3. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text)
}

/** Tells an address for mail in the usual form; quoted local parts are left to mail programs. Source: RFC 5321, section 4.1.2. */
export function isEmail(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(
    text,
  )
}

/** Where a reference leads, before anything is looked up. */
type ReferenceTarget =
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

/** An `$id` as seen from the one around it; left as it is where neither is an address. */
export function resolveId(base: string | undefined, id: string): string {
  return URL.parse(id, base)?.href ?? id
}
