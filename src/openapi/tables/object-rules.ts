import type { JsonObject } from '../../text/json/json-values.ts'
import { type FieldFinding, hasMistyped, nameObject, reportField } from '../hints/report-problem.ts'
import { isUri, isUriReference } from '../schema/json-schema.ts'
import { type ObjectRule, type ObjectTable, type TextRule, toCollectedObject, type Walk } from '../walk.ts'

function excludeEachOther(first: string, second: string): ObjectRule {
  return (value, walk, table) => {
    if (has(value, first) && has(value, second)) reportConflict(walk, table, value, second, first)
  }
}

/** Source: OpenAPI 3.1.1, "License Object". */
export const checkLicense = excludeEachOther('identifier', 'url')

/** Source: OpenAPI 3.1.1, "Example Object". */
export const checkExample = excludeEachOther('value', 'externalValue')

/** Source: OpenAPI 3.2.0, "Example Object". */
export const checkExample32: ObjectRule = (value, walk, table) => {
  if (has(value, 'value')) {
    const other = ['externalValue', 'dataValue', 'serializedValue'].find((field) => has(value, field))
    if (other !== undefined) reportConflict(walk, table, value, other, 'value')
  } else if (has(value, 'serializedValue') && has(value, 'externalValue')) {
    reportConflict(walk, table, value, 'externalValue', 'serializedValue')
  }
}

const checkMediaTypeExamples = excludeEachOther('example', 'examples')

/** Source: OpenAPI 3.1.1, "Media Type Object". The properties in `encoding` may be defined in any file of the description. */
export const checkMediaType: ObjectRule = (value, walk, table) => {
  checkMediaTypeExamples(value, walk, table)
  if (has(value, 'encoding')) walk.collected.encodings.push(toCollectedObject(walk, value))
}

/** Source: OpenAPI 3.2.0, "Encoding Object". */
export const checkEncoding32: ObjectRule = (value, walk, table) => {
  if (!has(value, 'encoding')) return
  const other = ['prefixEncoding', 'itemEncoding'].find((field) => has(value, field))
  if (other !== undefined) reportConflict(walk, table, value, other, 'encoding')
}

/** Source: OpenAPI 3.2.0, "XML Object": `nodeType` replaces `attribute` and `wrapped`. */
export const checkXml32: ObjectRule = (value, walk, table) => {
  if (!has(value, 'nodeType')) return
  const other = ['attribute', 'wrapped'].find((field) => has(value, field))
  if (other !== undefined) reportConflict(walk, table, value, other, 'nodeType')
}

/** Source: OpenAPI 3.2.0, "Media Type Object". */
export const checkMediaType32: ObjectRule = (value, walk, table) => {
  checkMediaType(value, walk, table)
  checkEncoding32(value, walk, table)
}

/** Source: OpenAPI 3.0.4, "Link Object". */
export const checkLink30 = excludeEachOther('operationRef', 'operationId')

/** Source: OpenAPI 3.1.1, "Link Object". */
export const checkLink: ObjectRule = (value, walk, table) => {
  checkLink30(value, walk, table)
  if (!has(value, 'operationRef') && !has(value, 'operationId')) {
    reportMissing(walk, table, value, '`operationId` or `operationRef`')
  }
}

/** Source: OpenAPI 3.1.1, "OpenAPI Object". */
export const checkOpenApi: ObjectRule = (value, walk, table) => {
  if (!has(value, 'paths') && !has(value, 'components') && !has(value, 'webhooks')) {
    reportMissing(walk, table, value, '`paths`, `components` or `webhooks`', 'Add `paths: {}`')
  }
}

/** Source: OpenAPI 3.0.4, "Responses Object". Its official schema also accepts extensions. */
export const checkResponses30: ObjectRule = (value, walk, table) => {
  collectResponses(value, walk)
  // Avoids a list of keys for each operation.
  for (const _status in value) return
  reportMissing(walk, table, value, 'a response', 'Add a response such as `default` with a `description`')
}

/** Source: OpenAPI 3.1.1, "Responses Object". */
export const checkResponses: ObjectRule = (value, walk, table) => {
  collectResponses(value, walk)
  for (const key in value) if (key === 'default' || isStatusCode(key)) return
  if (Object.keys(value).some((key) => !key.startsWith('x-'))) return // Unknown names are reported separately.
  reportMissing(walk, table, value, 'a response', 'Add a response such as `default` with a `description`')
}

/** Only the text of a YAML document tells whether its response codes have quotes. */
function collectResponses(value: JsonObject, walk: Walk): void {
  if (walk.syntax === 'yaml' && walk.collected.wantsDescribed) walk.collected.responses.push(toCollectedObject(walk, value))
}

/** Source: OpenAPI 3.1.1, "Responses Object", patterned fields. */
export const statusCodePattern = /^[1-5](?:[0-9]{2}|XX)$/

function isStatusCode(key: string): boolean {
  return statusCodePattern.test(key)
}

/** Source: OpenAPI 3.1.1, "Security Scheme Object": `bearerFormat` belongs to the scheme `bearer`. */
export const checkHttpScheme: ObjectRule = (value, walk, table) => {
  const scheme = value['scheme']
  if (!has(value, 'bearerFormat') || typeof scheme !== 'string' || /^bearer$/i.test(scheme)) return
  reportForbidden(
    walk,
    table,
    'bearerFormat',
    `a security scheme with \`scheme: ${scheme}\``,
    'Remove it, or use `scheme: bearer`',
  )
}

/** Collects a Link Object. Its operation may be anywhere in the description. */
export const collectLink: ObjectRule = (value, walk) => {
  walk.collected.links.push(toCollectedObject(walk, value))
}

/** Reports a `field` that is not allowed together with `other`. */
export function reportConflict(walk: Walk, table: ObjectTable, value: JsonObject, field: string, other: string): void {
  const message = `Unexpected \`${field}\` together with \`${other}\` in ${nameObject(walk, table, value)}, expected only one of them`
  reportField(walk, table, { code: 'field-conflict', key: field, on: 'key', message })
}

/** Reports a `field` that is not allowed. `where` completes "in …". */
export function reportForbidden(walk: Walk, table: ObjectTable, field: string, where: string, hint?: string): void {
  const finding: FieldFinding = { code: 'field-conflict', key: field, on: 'key', message: `Unexpected \`${field}\` in ${where}` }
  reportField(walk, table, hint === undefined ? finding : { ...finding, hint })
}

/** Reports that something is missing, unless one of the fields is misspelled. `wanted` names it, with fields in backticks. */
export function reportMissing(
  walk: Walk,
  table: ObjectTable,
  value: JsonObject,
  wanted: string,
  hint?: string,
  severity: 'error' | 'warning' = 'error',
): void {
  const fields = [...wanted.matchAll(/`(\w+)/g)].map((match) => match[1] ?? '')
  if (hasMistyped(walk, table, value, fields)) return
  const message = `Missing ${wanted} in ${nameObject(walk, table, value)}`
  reportField(walk, table, { code: 'missing-field', key: undefined, on: 'key', message, hint, severity })
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
  component: { allows: (text) => /^[a-zA-Z0-9._-]+$/.test(text), expected: 'only letters, digits, `.`, `-` and `_`' },
  /** Source: RFC 9110, section 5.6.2. */
  token: { allows: (text) => token.test(text), expected: 'a valid HTTP header name' },
  /** Source: OpenAPI 3.1.1, "Media Type Object"; RFC 9110, sections 8.3.1 and 12.5.1. */
  'media-type': {
    allows: isMediaRange,
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

/** Whether text is a media type or range. Parameters after `;` are not checked, because many forms are in use. */
function isMediaRange(text: string): boolean {
  return mediaRange.test(text)
}
