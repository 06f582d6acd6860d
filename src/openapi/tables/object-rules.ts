import { toMetObject } from '../met-objects.ts'
import { has, reportConflict, reportForbidden, reportMissing } from './report-rule.ts'
import type { ObjectRule } from './shape.ts'

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

/** Source: OpenAPI 3.1.1, "Media Type Object". The properties that `encoding` names may be in any file of the description. */
export const checkMediaType: ObjectRule = (value, walk, table) => {
  checkMediaTypeExamples(value, walk, table)
  if (has(value, 'encoding')) walk.met.encodings.push(toMetObject(walk, value))
}

/** Source: OpenAPI 3.2.0, "Encoding Object". */
export const checkEncoding32: ObjectRule = (value, walk, table) => {
  if (!has(value, 'encoding')) return
  const other = ['prefixEncoding', 'itemEncoding'].find((field) => has(value, field))
  if (other !== undefined) reportConflict(walk, table, value, other, 'encoding')
}

/** Source: OpenAPI 3.2.0, "XML Object": `nodeType` takes the place of the older two. */
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
    reportMissing(walk, table, value, '`paths`, `components` or `webhooks`', 'add for example `paths: {}`')
  }
}

/** Source: OpenAPI 3.0.4, "Responses Object"; its official schema also counts extensions. */
export const checkResponses30: ObjectRule = (value, walk, table) => {
  // A list of all keys would be made for each operation.
  for (const _status in value) return
  reportMissing(walk, table, value, 'a response', 'add for example `default` with a `description`')
}

/** Source: OpenAPI 3.1.1, "Responses Object". */
export const checkResponses: ObjectRule = (value, walk, table) => {
  for (const key in value) if (key === 'default' || isStatusCode(key)) return
  if (Object.keys(value).some((key) => !key.startsWith('x-'))) return // The unknown names have their own findings.
  reportMissing(walk, table, value, 'a response', 'add for example `default` with a `description`')
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
  reportForbidden(walk, table, 'bearerFormat', `a security scheme with \`scheme: ${scheme}\``, 'only `scheme: bearer` has it')
}
