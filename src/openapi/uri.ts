/** The parts of a reference. Source: RFC 3986, appendix B. */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/** What nearly all addresses look like; tested first, without taking them apart. */
const usual = /^https?:\/\/[\w.-]+(?:\/[\w.~/-]*)?(?:#[\w.~/-]*)?$/

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
  if (usual.test(text)) return true
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
