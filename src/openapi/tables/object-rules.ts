import { type JsonObject, readText } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { hasMistyped, nameObject, reportField } from '../hints/report-problem.ts'
import { isUri, isUriReference } from '../schema/json-schema.ts'
import { type CheckedObject, type ObjectRule, severityOf, type TextRule, toCollectedObject } from '../walk.ts'

/** Reports the first of some fields that is there, if another one is. */
export function excludeOthers(first: string, others: readonly string[], rule?: TextRule['rule']): ObjectRule {
  return (object) => {
    const other = has(object.value, first) ? others.find((field) => has(object.value, field)) : undefined
    if (other !== undefined) reportConflict(object, other, first, severityOf(rule, object.walk.release))
  }
}

/** Source: OpenAPI 3.1.1, "License Object". */
export const checkLicense = excludeOthers('identifier', ['url'])

/** Source: OpenAPI 3.0.4, "Example Object". */
export const checkExample = excludeOthers('value', ['externalValue'], 'example-fields')

const checkValue32 = excludeOthers('value', ['externalValue', 'dataValue', 'serializedValue'])
const checkSerialized32 = excludeOthers('serializedValue', ['externalValue'])

/** Source: OpenAPI 3.2.0, "Example Object". */
export const checkExample32: ObjectRule = (object) => (has(object.value, 'value') ? checkValue32 : checkSerialized32)(object)

const checkMediaTypeExamples = excludeOthers('example', ['examples'])

/** Source: OpenAPI 3.1.1, "Media Type Object". The properties in `encoding` may be defined in any file of the description. */
export const checkMediaType: ObjectRule = (object) => {
  checkMediaTypeExamples(object)
  if (has(object.value, 'encoding')) object.walk.collected.encodings.push(toCollectedObject(object.walk, object.value))
}

/** Source: OpenAPI 3.2.0, "Encoding Object". */
export const checkEncoding32 = excludeOthers('encoding', ['prefixEncoding', 'itemEncoding'])

/** Source: OpenAPI 3.2.0, "XML Object": `nodeType` replaces `attribute` and `wrapped`. */
export const checkXml32 = excludeOthers('nodeType', ['attribute', 'wrapped'])

/** Source: OpenAPI 3.2.0, "Media Type Object". */
export const checkMediaType32: ObjectRule = (object) => {
  checkMediaType(object)
  checkEncoding32(object)
}

const checkOperationFields = excludeOthers('operationRef', ['operationId'])

/** Source: OpenAPI 3.0.4, "Link Object". */
export const checkLink: ObjectRule = (object) => {
  checkOperationFields(object)
  if (has(object.value, 'operationRef') || has(object.value, 'operationId')) return
  const hint = 'Add the `operationId` of the operation that the link leads to'
  reportMissing(object, '`operationId` or `operationRef`', hint, severityOf('link-operation', object.walk.release))
}

/** Source: RFC 9110, section 5.1; RFC 6265, section 4.1.1: a header, a cookie and a query parameter have a name. */
export const checkName: ObjectRule = (object) => {
  if (object.value['name'] !== '') return
  const message = `Unexpected empty string for \`name\` of a ${object.table.title}, expected a name`
  reportField(object, { code: 'wrong-value', key: 'name', on: 'value', message, severity: 'warning' })
}

/** The host of a URL without a scheme. */
const bareHost =
  /^(?:localhost|\d+(?:\.\d+){3}|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|io|dev|app|cloud|ai|co))(?::\d+)?(?:\/|$)/i

/** Reports a server without a scheme, which is a path. Source: OpenAPI 3.0.4, "Server Object", `url`; RFC 3986, section 4.2. */
export const checkServer: ObjectRule = (object) => {
  const url = readText(object.value, 'url') ?? ''
  if (!bareHost.test(url)) return
  const message = `Unexpected server URL \`${shorten(url)}\` without a scheme: it is a path relative to the document`
  const hint = `Write \`http${/^(?:localhost|\d)/i.test(url) ? '' : 's'}://${shorten(url)}\``
  reportField(object, { code: 'wrong-format', key: 'url', on: 'value', message, hint, severity: 'warning' })
}

/** Source: OpenAPI 3.1.1, "OpenAPI Object". */
export const checkOpenApi: ObjectRule = (object) => {
  if (['paths', 'components', 'webhooks'].some((field) => has(object.value, field))) return
  reportMissing(object, '`paths`, `components` or `webhooks`', 'Add `paths: {}`')
}

/** Source: OpenAPI 3.0.4, "Responses Object". Its official schema also accepts extensions. */
export const checkResponses30: ObjectRule = (object) => {
  collectResponses(object)
  // Avoids a list of keys for each operation.
  for (const _status in object.value) return
  reportMissing(object, 'a response', 'Add a response such as `default` with a `description`')
}

/** Source: OpenAPI 3.1.1, "Responses Object". */
export const checkResponses: ObjectRule = (object) => {
  collectResponses(object)
  for (const key in object.value) if (!key.startsWith('x-')) return // Unknown names are reported separately.
  reportMissing(object, 'a response', 'Add a response such as `default` with a `description`')
}

/** Only the text of a YAML document tells whether its response codes have quotes. */
function collectResponses({ value, walk }: CheckedObject): void {
  if (walk.syntax === 'yaml' && walk.collected.wantsDescribed) walk.collected.responses.push(toCollectedObject(walk, value))
}

/** Source: OpenAPI 3.1.1, "Responses Object", patterned fields. */
export const statusCodePattern = /^[1-5](?:[0-9]{2}|XX)$/

/** Source: OpenAPI 3.1.1, "Security Scheme Object": `bearerFormat` belongs to the scheme `bearer`. */
export const checkHttpScheme: ObjectRule = (object) => {
  const scheme = readText(object.value, 'scheme')
  if (!has(object.value, 'bearerFormat') || scheme === undefined || /^bearer$/i.test(scheme)) return
  const where = `a security scheme with \`scheme: ${scheme}\``
  reportForbidden(object, 'bearerFormat', where, 'Remove it, or use `scheme: bearer`')
}

/** Collects a Link Object. Its operation may be anywhere in the description. */
export const collectLink: ObjectRule = ({ value, walk }) => {
  walk.collected.links.push(toCollectedObject(walk, value))
}

/** Reports a `field` that is not allowed together with `other`. */
function reportConflict(object: CheckedObject, field: string, other: string, severity: 'error' | 'warning'): void {
  const message = `Unexpected \`${field}\` together with \`${other}\` in ${nameObject(object)}, expected only one of them`
  reportField(object, { code: 'field-conflict', key: field, on: 'key', message, severity })
}

/** Reports a `field` that is not allowed. `where` completes "in …". */
export function reportForbidden(
  object: CheckedObject,
  field: string,
  where: string,
  hint: string,
  severity: 'error' | 'warning' = 'error',
): void {
  reportField(object, {
    code: 'field-conflict',
    key: field,
    on: 'key',
    message: `Unexpected \`${field}\` in ${where}`,
    hint,
    severity,
  })
}

/** Reports that something is missing, unless one of the fields is misspelled. `wanted` names it, with fields in backticks. */
export function reportMissing(
  object: CheckedObject,
  wanted: string,
  hint?: string,
  severity: 'error' | 'warning' = 'error',
): void {
  const fields = [...wanted.matchAll(/`(\w+)/g)].map((match) => match[1] ?? '')
  if (hasMistyped(object, fields)) return
  const message = `Missing ${wanted} in ${nameObject(object)}`
  reportField(object, { code: 'missing-field', on: 'key', message, hint, severity })
}

/** Whether the object has a field, whatever its value. */
export function has(value: JsonObject, field: string): boolean {
  return Object.hasOwn(value, field)
}

const token = /^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/
const mediaRange = /^(?:\*\/\*|[0-9A-Za-z!#$%&'*+.^_`|~-]+\/[0-9A-Za-z!#$%&'*+.^_`|~-]+)[ \t]*(?:;.*)?$/s
const methodFields = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'])

/** Rules for keys and strings that the tables refer to. */
export const textRules = {
  /** Source: OpenAPI 3.1.1, "Components Object". */
  component: {
    allows: (text) => /^[a-zA-Z0-9._-]+$/.test(text),
    expected: 'only letters, digits, `.`, `-` and `_`',
    hint: (text) => (/\w/.test(text) ? `Write \`${shorten(text.trim().replace(/[^\w.-]+/g, '_'))}\`` : undefined),
    rule: 'component-name',
  },
  /** Source: RFC 9110, section 5.6.2. */
  token: { allows: (text) => token.test(text), expected: 'a valid HTTP header name', rule: 'header-name' },
  /** Source: OpenAPI 3.1.1, "Media Type Object"; RFC 9110, sections 8.3.1 and 12.5.1. */
  'media-type': {
    // Parameters after `;` are not checked, because many forms are in use.
    allows: (text) => mediaRange.test(text),
    expected: 'a media type such as `application/json`',
    code: 'media-type-name',
  },
  /** Source: OpenAPI 3.2.0, "Path Item Object". */
  method: {
    allows: (text) => token.test(text) && !methodFields.has(text),
    expected: 'an HTTP method without a field in the Path Item Object',
    // Not `wrong-name`, which rules may lower: no page can be bound to such an operation.
    code: 'wrong-value',
    hint: (text) => (methodFields.has(text) ? `Use the \`${text.toLowerCase()}\` field of the path item` : undefined),
  },
  /** Source: JSON Schema 2020-12, core, section 8.2.2. */
  anchor: {
    allows: (text) => /^[A-Za-z_][-A-Za-z0-9._]*$/.test(text),
    expected: 'a letter or `_` followed by letters, digits, `-`, `.` or `_`',
  },
  /** Source: JSON Schema 2020-12, core, section 8.2.1. */
  id: { allows: (text) => /^[^#]*#?$/.test(text), expected: 'a URL without a fragment' },
  /** Source: OpenAPI 3.2.0, "OpenAPI Object". */
  self: { allows: (text) => !text.includes('#') && isUriReference(text), expected: 'a URL without a fragment' },
  /** Source: JSON Schema 2020-12, core, section 8.1.2. */
  uri: { allows: isUri, expected: 'an absolute URL' },
} as const satisfies { readonly [name: string]: TextRule }
