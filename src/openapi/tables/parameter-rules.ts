import { isObject, type JsonObject, readOwn } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { nameObject, reportField } from '../hints/report-problem.ts'
import type { ObjectRule, ObjectTable, Walk } from '../walk.ts'
import { checkMediaType, has, reportConflict, reportForbidden, reportMissing, textRules } from './object-rules.ts'

/** Source: OpenAPI 3.0.4, "Header Object" and "Parameter Object", Common Fixed Fields. */
export const checkHeader: ObjectRule = (value, walk, table) => {
  checkSchemaOrContent(value, walk, table, ['style', 'explode', 'allowReserved', 'example', 'examples'])
}

/** Source: OpenAPI 3.2.0, "Header Object": examples are also allowed with `content`. */
export const checkHeader32: ObjectRule = (value, walk, table) => {
  checkSchemaOrContent(value, walk, table, ['style', 'explode'])
}

function checkSchemaOrContent(value: JsonObject, walk: Walk, table: ObjectTable, onlyWithSchema: readonly string[]): void {
  checkMediaType(value, walk, table)
  if (has(value, 'schema')) {
    if (has(value, 'content')) reportConflict(walk, table, value, 'content', 'schema')
  } else if (!has(value, 'content')) {
    reportMissing(walk, table, value, '`schema` or `content`', 'Add a `schema`, for example with `type: string`')
    return
  } else {
    const field = onlyWithSchema.find((name) => has(value, name))
    if (field !== undefined) {
      reportForbidden(
        walk,
        table,
        field,
        `${nameObject(walk, table, value)} with \`content\``,
        'Remove it, or use `schema` instead of `content`',
      )
    }
  }
  checkSingleContent(value, walk, table)
}

const styles30: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}
const styles32: Readonly<Record<string, readonly string[]>> = { ...styles30, cookie: ['form', 'cookie'] }

/** Source: OpenAPI 3.0.4, "Parameter Object". */
export const checkParameter30: ObjectRule = (value, walk, table) => {
  const location = value['in']
  if (typeof location !== 'string' || !Object.hasOwn(styles30, location)) return
  checkHeader(value, walk, table)
  checkRequired(value, walk, table)
  checkStyle(value, walk, table, styles30[location] ?? [])
}

/** Source: OpenAPI 3.1.1, "Parameter Object". */
export const checkParameter31: ObjectRule = (value, walk, table) => {
  const location = value['in']
  if (typeof location !== 'string' || !Object.hasOwn(styles30, location)) return
  checkHeader(value, walk, table)
  checkRequired(value, walk, table)
  if (has(value, 'schema')) {
    checkStyle(value, walk, table, styles30[location] ?? [])
    if (location !== 'query')
      forbidInLocation(value, walk, table, 'allowReserved', location, 'Remove it: only query parameters support it')
    if (location === 'path') checkPathName(value, walk, table)
  }
  if (location !== 'query')
    forbidInLocation(value, walk, table, 'allowEmptyValue', location, 'Remove it: only query parameters support it')
}

/** Source: OpenAPI 3.2.0, "Parameter Object". */
export const checkParameter32: ObjectRule = (value, walk, table) => {
  const location = value['in']
  if (location === 'querystring') checkQuerystring(value, walk, table)
  if (typeof location !== 'string' || !Object.hasOwn(styles32, location)) return
  checkSchemaOrContent(value, walk, table, ['style', 'explode', 'allowReserved'])
  checkRequired(value, walk, table)
  if (has(value, 'schema')) {
    checkStyle(value, walk, table, styles32[location] ?? [])
    const style = value['style']
    const reservable =
      location === 'path' || location === 'query' || (location === 'cookie' && (style === undefined || style === 'form'))
    if (!reservable)
      forbidInLocation(
        value,
        walk,
        table,
        'allowReserved',
        location,
        'Remove it: only path, query and form-style cookie parameters support it',
      )
  }
  if (location !== 'query')
    forbidInLocation(value, walk, table, 'allowEmptyValue', location, 'Remove it: only query parameters support it')
  if (location === 'path') checkPathName(value, walk, table)
  const name = value['name']
  if (location === 'header' && typeof name === 'string' && !textRules.token.allows(name)) {
    const message = `Unexpected \`${name}\` for \`name\` of a header parameter, expected a valid HTTP header name`
    reportField(walk, table, { code: 'wrong-value', key: 'name', on: 'value', message })
  }
}

/** A parameter for the whole query string has `content` and no styles. */
function checkQuerystring(value: JsonObject, walk: Walk, table: ObjectTable): void {
  checkMediaType(value, walk, table)
  if (!has(value, 'content')) {
    reportMissing(walk, table, value, '`content`', 'Add `content`: a parameter with `in: querystring` cannot have a `schema`')
    return
  }
  for (const field of ['schema', 'style', 'explode', 'allowReserved', 'allowEmptyValue']) {
    if (has(value, field))
      forbidInLocation(value, walk, table, field, 'querystring', 'Remove it: `content` describes the whole query string')
  }
  checkSingleContent(value, walk, table)
}

function checkSingleContent(value: JsonObject, walk: Walk, table: ObjectTable): void {
  const content = value['content']
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return
  const count = Object.keys(content).length
  if (count === 1) return
  const message = `Unexpected ${count === 0 ? 'empty mapping' : `${count} media types`} for \`content\`, expected exactly one`
  reportField(walk, table, { code: 'wrong-value', key: 'content', on: 'key', message })
}

/**
 * Source: OpenAPI 3.1.1, "Parameter Object": a path parameter always has `required: true`.
 *
 * From 3.1 on it is a warning for parameters with `content`, because the official schemas allow its absence there.
 */
function checkRequired(value: JsonObject, walk: Walk, table: ObjectTable): void {
  if (value['in'] !== 'path' || value['required'] === true) return
  if (!has(value, 'required')) {
    const severity = walk.release === '3.0' || has(value, 'schema') ? 'error' : 'warning'
    reportMissing(walk, table, value, '`required: true`', 'Add `required: true`: path parameters are always required', severity)
  } else if (value['required'] === false) {
    const message = 'Unexpected `false` for `required` of a path parameter, expected `true`'
    const severity = walk.release === '3.0' || has(value, 'schema') ? 'error' : 'warning'
    reportField(walk, table, { code: 'wrong-value', key: 'required', on: 'value', message, severity })
  }
}

function checkStyle(value: JsonObject, walk: Walk, table: ObjectTable, allowed: readonly string[]): void {
  const style = value['style']
  if (typeof style !== 'string' || allowed.includes(style)) return
  const list = allowed.map((name) => `\`${name}\``).join(', ')
  const message = `Unexpected \`${style}\` for \`style\` of a ${String(value['in'])} parameter, expected ${allowed.length === 1 ? '' : 'one of '}${list}`
  reportField(walk, table, { code: 'wrong-value', key: 'style', on: 'value', message })
}

function checkPathName(value: JsonObject, walk: Walk, table: ObjectTable): void {
  const name = value['name']
  if (typeof name !== 'string' || /^[^{}]+$/.test(name)) return
  const message = `Unexpected \`${name}\` for \`name\` of a path parameter, expected the name without braces`
  reportField(walk, table, { code: 'wrong-value', key: 'name', on: 'value', message })
}

function forbidInLocation(
  value: JsonObject,
  walk: Walk,
  table: ObjectTable,
  field: string,
  location: string,
  hint: string,
): void {
  if (has(value, field)) reportForbidden(walk, table, field, `a ${location} parameter`, hint)
}

/** Source: OpenAPI 3.2.0, "Parameter Locations": at most one `querystring`, and not together with `query`. */
export const checkParameterList: ObjectRule = (value, walk, table) => {
  const parameters = value['parameters']
  if (!Array.isArray(parameters)) return
  const locations = parameters.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'in' in item ? item.in : undefined,
  )
  const first = locations.indexOf('querystring')
  if (first === -1) return
  const second = locations.indexOf('querystring', first + 1)
  if (second !== -1) {
    const message = 'Unexpected second parameter with `in: querystring`, expected at most one'
    reportField(walk, table, { code: 'field-conflict', key: 'parameters', index: second, on: 'value', message })
  }
  if (locations.includes('query')) {
    const message = 'Unexpected parameter with `in: querystring` together with `in: query`, expected only one of them'
    reportField(walk, table, { code: 'field-conflict', key: 'parameters', index: first, on: 'value', message })
  }
}

/** Hints by lower-case header name. */
const parameterPlaces: Readonly<Record<string, string>> = {
  accept: 'Remove it: `content` of the responses declares the media types',
  'content-type': 'Remove it: `content` of the request body declares the media types',
  authorization: 'Describe it as a security scheme',
}

/**
 * Reports headers that tools must ignore. Source: OpenAPI 3.1.1, "Parameter Object", `name`; "Response Object" and "Encoding Object",
 * `headers`.
 */
export const headerIgnored: ObjectRule = (value, walk, table) => {
  const { name } = value
  if (table.key === 'Parameter') {
    if (value['in'] !== 'header' || typeof name !== 'string') return
    const hint = readOwn(parameterPlaces, name.toLowerCase())
    if (hint === undefined) return
    const message = `Unexpected header parameter \`${shorten(name)}\`: OpenAPI tools ignore it`
    reportField(walk, table, { code: 'header-ignored', key: 'name', on: 'value', message, hint })
    return
  }
  const { headers } = value
  if (!isObject(headers)) return
  for (const header of Object.keys(headers)) {
    if (header.length !== 12 || header.toLowerCase() !== 'content-type') continue
    walk.path.push('headers')
    const message = `Unexpected header \`${header}\`: OpenAPI tools ignore it`
    const hint = table.key === 'Encoding' ? 'Use `contentType` instead' : 'Remove it: `content` declares the media type'
    reportField(walk, table, { code: 'header-ignored', key: header, on: 'key', message, hint })
    walk.path.pop()
  }
}
