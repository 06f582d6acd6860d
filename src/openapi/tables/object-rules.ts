import { findOwn, type JsonObject, readText } from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { hasMistyped, nameObject, reportField } from '../hints/report-problem.ts'
import { isUri, isUriReference } from '../schema/json-schema.ts'
import { type CheckedObject, type ObjectRule, type ObjectTable, type TextRule, toCollectedObject } from '../walk.ts'

/** Fields that exclude others of their object. Source: OpenAPI 3.0.4, 3.1.1 and 3.2.0, the objects with these fields. */
const conflicts: readonly (readonly [field: string, others: readonly string[], rule?: TextRule['rule']])[] = [
  ['identifier', ['url']],
  ['value', ['externalValue', 'dataValue', 'serializedValue'], 'example-fields'],
  ['serializedValue', ['externalValue']],
  ['example', ['examples']],
  ['encoding', ['prefixEncoding', 'itemEncoding']],
  ['nodeType', ['attribute', 'wrapped']],
  ['operationRef', ['operationId']],
]

/** Those between the fields of a table. */
const conflictsOf = onceFor(({ fields }: ObjectTable) =>
  conflicts.flatMap(([field, others, rule]) => {
    const known = others.filter((other) => fields.has(other))
    return fields.has(field) && known.length > 0 ? [{ field, others: known, rule }] : []
  }),
)

/** Reports fields that exclude each other. */
export const checkConflicts: ObjectRule = (object) => {
  let reported: string | undefined
  for (const { field, others, rule } of conflictsOf(object.table)) {
    const other = has(object.value, field) ? findOwn(object.value, others) : undefined
    // Two fields in a row can exclude the same one.
    if (other === undefined || other === reported) continue
    reported = other
    reportConflict(object, other, field, rule)
  }
}

/** Collects what is checked with the whole description: the properties in `encoding` may be defined in any file. */
export const collectEncoding: ObjectRule = ({ value, walk }) => {
  if (has(value, 'encoding')) walk.collected.encodings.push(toCollectedObject(walk, value))
}

/** Source: OpenAPI 3.0.4, "Link Object". Its operation may be anywhere in the description. */
export const checkLink: ObjectRule = (object) => {
  const { value, walk } = object
  walk.collected.links.push(toCollectedObject(walk, value))
  if (has(value, 'operationRef') || has(value, 'operationId')) return
  const hint = 'Add the `operationId` of the operation that the link leads to'
  reportMissing(object, '`operationId` or `operationRef`', { hint, heldAs: 'link-operation' })
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
  reportMissing(object, '`paths`, `components` or `webhooks`', { hint: 'Add `paths: {}`' })
}

/** Source: OpenAPI 3.1.1, "Responses Object". In 3.0, its official schema also accepts extensions. Unknown names are reported separately. */
export const checkResponses: ObjectRule = (object) => {
  const { value, walk } = object
  // Only the text of a YAML document tells whether its response codes have quotes.
  if (walk.syntax === 'yaml' && walk.collected.wantsDescribed) walk.collected.responses.push(toCollectedObject(walk, value))
  // Avoids a list of keys for each operation.
  for (const key in value) if (walk.release === '3.0' || !key.startsWith('x-')) return
  reportMissing(object, 'a response', { hint: 'Add a response such as `default` with a `description`' })
}

/** Source: OpenAPI 3.1.1, "Responses Object", patterned fields. */
export const statusCodePattern = /^[1-5](?:[0-9]{2}|XX)$/

/** Source: OpenAPI 3.1.1, "Security Scheme Object": `bearerFormat` belongs to the scheme `bearer`. */
export const checkHttpScheme: ObjectRule = (object) => {
  const scheme = readText(object.value, 'scheme')
  if (!has(object.value, 'bearerFormat') || scheme === undefined || /^bearer$/i.test(scheme)) return
  const where = `a security scheme with \`scheme: ${scheme}\``
  reportForbidden(object, 'bearerFormat', where, { hint: 'Remove it, or use `scheme: bearer`' })
}

/** What a report may say besides its message. */
type Details = Pick<Parameters<typeof reportField>[1], 'hint' | 'severity' | 'heldAs'>

/** Reports a `field` that is not allowed together with `other`. */
export function reportConflict(object: CheckedObject, field: string, other: string, rule?: TextRule['rule']): void {
  const message = `Unexpected \`${field}\` together with \`${other}\` in ${nameObject(object)}, expected only one of them`
  reportField(object, { code: 'field-conflict', key: field, on: 'key', message, ...(rule && { heldAs: rule }) })
}

/** Reports a `field` that is not allowed. `where` completes "in …". */
export function reportForbidden(object: CheckedObject, field: string, where: string, details: Details): void {
  reportField(object, {
    ...details,
    code: 'field-conflict',
    key: field,
    on: 'key',
    message: `Unexpected \`${field}\` in ${where}`,
  })
}

/** Reports that something is missing, unless one of the fields is misspelled. `wanted` names it, with fields in backticks. */
export function reportMissing(object: CheckedObject, wanted: string, details: Details): void {
  const fields = [...wanted.matchAll(/`(\w+)/g)].map((match) => match[1] ?? '')
  if (hasMistyped(object, fields)) return
  reportField(object, { ...details, code: 'missing-field', on: 'key', message: `Missing ${wanted} in ${nameObject(object)}` })
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
