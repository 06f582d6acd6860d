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
  ['url', isWebUrl],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['regex', isExpression],
  ['uuid', (value) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)],
  ['json-pointer', (value) => value === '' || (value.startsWith('/') && !/~(?![01])/.test(value))],
  ['json-pointer-uri-fragment', isPointerFragment],
  ['relative-json-pointer', (value) => /^(?:0|[1-9]\d*)(?:#|\/.*)?$/s.test(value) && !/~(?![01])/.test(value)],
  ['byte', isBase64],
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

/** Characters of a path, query or fragment. Source: RFC 3986, section 3. */
const pathCharacters = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/]|%[0-9a-f]{2})*$/i
const queryCharacters = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*$/i
const userCharacters = /^(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*$/i
const hostCharacters = /^(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*$/i

function isUri(value: string): boolean {
  return /^[a-z][a-z0-9+\-.]*:/i.test(value) && /[/:]/.test(value) && isUriReference(value)
}

/** Source: RFC 3986, section 4.1. */
function isUriReference(value: string): boolean {
  const [, , rest = '', query, fragment] = /^([a-z][a-z0-9+\-.]*:)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(value) ?? []
  if (![query, fragment].every((part) => part === undefined || queryCharacters.test(part))) return false
  if (!rest.startsWith('//')) return pathCharacters.test(rest)
  const end = rest.indexOf('/', 2)
  const authority = rest.slice(2, end === -1 ? undefined : end)
  return isAuthority(authority) && (end === -1 || pathCharacters.test(rest.slice(end)))
}

function isAuthority(authority: string): boolean {
  const at = authority.indexOf('@')
  if (at !== -1 && !userCharacters.test(authority.slice(0, at))) return false
  const [, address, host = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? [
    '',
    undefined,
    '[',
  ]
  if (!/^\d*$/.test(port)) return false
  return address === undefined
    ? hostCharacters.test(host)
    : isIpv6(address) || /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i.test(address)
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

/** An `http`, `https` or `ftp` URL with a public hostname. */
function isWebUrl(value: string): boolean {
  if (!/^(?:https?|ftp):\/\/\S+$/i.test(value) || !URL.canParse(value)) return false
  const { hostname, host } = new URL(value)
  if (/:\d$/.test(host)) return false
  if (isIpv4(hostname)) {
    const [first = 0, second = 0, , last = 0] = hostname.split('.').map(Number)
    const isPrivate =
      first === 10 ||
      first === 127 ||
      (first === 169 && second === 254) ||
      (first === 192 && second === 168) ||
      (first === 172 && second >= 16 && second <= 31)
    return !isPrivate && first >= 1 && first <= 223 && last >= 1 && last <= 254
  }
  return (
    hostname.includes('.') &&
    !hostname.endsWith('.') &&
    hostname.split('.').every((label) => label !== '' && !/^-|-$|_/.test(label))
  )
}

/** Source: RFC 5321, section 4.1.2, without quoted strings. */
function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  if (at < 1) return false
  const domain = value.slice(at + 1)
  return (
    value
      .slice(0, at)
      .split('.')
      .every((part) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i.test(part)) &&
    domain.includes('.') &&
    domain.split('.').every((label) => /^[a-z0-9-]+$/i.test(label) && !/^-|-$/.test(label))
  )
}

/** Source: RFC 1123, section 2.1. */
function isHostname(value: string): boolean {
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9-]{1,63}$/i.test(label) && !/^-|-$/.test(label))
}

/** Source: RFC 2673, section 3.2. Leading zeros are allowed, as in Spectral. */
function isIpv4(value: string): boolean {
  const parts = value.split('.')
  return (
    parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255 && !/^00\d|^0[1-9]\d/.test(part))
  )
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

function isExpression(value: string): boolean {
  // `\Z` belongs to other dialects.
  if (/[^\\]\\Z/.test(value)) return false
  try {
    new RegExp(value)
    return true
  } catch {
    return false
  }
}

function isPointerFragment(value: string): boolean {
  return /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~[01])*)*$/i.test(value)
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(value)
}
