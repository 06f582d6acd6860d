/** Longer strings are not tested. */
const maxLength = 10_000

/**
 * The formats of strings that are checked. Others are ignored, as JSON Schema requires.
 *
 * Source: JSON Schema, validation, "Defined Formats"; OpenAPI 3.0.4, "Data Types". A date-time needs no time zone, as in Spectral.
 */
const textFormats: ReadonlyMap<string, (value: string) => boolean> = new Map<string, (value: string) => boolean>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', (value) => /^P(?:\d+W|(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(value)],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['uri-template', isUriTemplate],
  ['url', (value) => /^(?:https?|ftp):\/\/\S+$/i.test(value) && URL.canParse(value)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['regex', isRegularExpression],
  ['uuid', (value) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)],
  ['json-pointer', (value) => value === '' || (value.startsWith('/') && !/~(?![01])/.test(value))],
  ['relative-json-pointer', (value) => /^(?:0|[1-9]\d*)(?:#|\/.*)?$/s.test(value) && !/~(?![01])/.test(value)],
  ['byte', (value) => value.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(value)],
])

const numberFormats: ReadonlyMap<string, (value: number) => boolean> = new Map<string, (value: number) => boolean>([
  ['int32', (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31],
  ['int64', Number.isInteger],
])

/** Whether a string or a number has a format. A format of the other type, and an unknown one, fits. */
export function hasFormat(format: string, value: string | number): boolean {
  if (typeof value === 'number') return numberFormats.get(format)?.(value) ?? true
  return value.length > maxLength || (textFormats.get(format)?.(value) ?? true)
}

/** Source: RFC 3339, section 5.6. */
function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []
  const days = [31, isLeapYear(Number(year)) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1]
  return days !== undefined && Number(day) >= 1 && Number(day) <= days
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function isTime(value: string): boolean {
  const [, hour, minute, second] = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i.exec(value) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return false
  return Number(second) <= 59 || (Number(second) === 60 && hour === '23' && minute === '59')
}

function isDateTime(value: string): boolean {
  const [date, time, ...others] = value.split(/t|\s/i)
  return date !== undefined && time !== undefined && others.length === 0 && isDate(date) && isTime(time)
}

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

/** Source: RFC 6570, section 2. */
function isUriTemplate(value: string): boolean {
  return value.split('{').every((part, index) => {
    const [expression, literal, ...others] = index === 0 ? ['', part] : part.split('}')
    if (literal === undefined || others.length > 0 || !/^(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})*$/i.test(literal)) return false
    if (index === 0) return true
    return (expression ?? '')
      .replace(/^[+#./;?&=,!@|]/, '')
      .split(',')
      .every(isVariable)
  })
}

function isVariable(text: string): boolean {
  return /^(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?$/i.test(text)
}

/** Source: RFC 1123, section 2.1. */
function isHostname(value: string): boolean {
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9-]{1,63}$/i.test(label) && !/^-|-$/.test(label))
}

/** Source: RFC 2673, section 3.2. */
function isIpv4(value: string): boolean {
  const parts = value.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** Source: RFC 4291, section 2.2. */
function isIpv6(value: string): boolean {
  const [before = '', after, ...others] = value.split('::')
  if (others.length > 0) return false
  const groups = [...splitGroups(before), ...splitGroups(after ?? '')]
  const isShort = after !== undefined
  const last = groups.at(-1) ?? ''
  const hasAddress = last.includes('.')
  if (hasAddress && (!isIpv4(last) || (isShort && after === ''))) return false
  const count = groups.length + (hasAddress ? 1 : 0)
  const plain = hasAddress ? groups.slice(0, -1) : groups
  return plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (isShort ? count <= 7 : count === 8)
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

/** Whether text is a regular expression of JavaScript. */
export function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
