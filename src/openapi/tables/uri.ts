/** Splits a URI reference. Source: RFC 3986, appendix B. */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/** Fast path: the form of most URLs. */
const commonUrl = /^https?:\/\/[\w.-]+(?:\/[\w.~/-]*)?(?:#[\w.~/-]*)?$/

const scheme = /^[a-z][a-z0-9+.-]*$/i

const authority =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i

const path = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i

const queryOrFragment = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/**
 * Whether text is a URI reference by RFC 3986.
 *
 * Non-ASCII characters are accepted as letters, as in RFC 3987, because browsers encode them automatically.
 */
export function isUriReference(text: string): boolean {
  if (commonUrl.test(text)) return true
  const match = parts.exec(text.replace(/[^\0-\x7f]+/g, 'a'))
  if (!match) return false
  const [, schemePart, authorityPart, pathPart = '', query, fragment] = match
  if (schemePart !== undefined && !scheme.test(schemePart)) return false
  if (authorityPart !== undefined && !authority.test(authorityPart)) return false
  if (authorityPart === undefined && pathPart.startsWith('//')) return false
  // A colon in the first segment would make it a scheme.
  if (schemePart === undefined && authorityPart === undefined && /^[^/]*:/.test(pathPart)) return false
  if (!path.test(pathPart)) return false
  return (query === undefined || queryOrFragment.test(query)) && (fragment === undefined || queryOrFragment.test(fragment))
}

/** Whether text is an absolute URL: a reference with a scheme. Source: RFC 3986, section 3. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text)
}

/** Whether text is an email address in the common form, without quoted local parts. Source: RFC 5321, section 4.1.2. */
export function isEmail(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(
    text,
  )
}
