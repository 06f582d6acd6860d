import { entriesOf, isObject, listOf, readOwn, readText } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { nameObject, reportField } from '../hints/report-problem.ts'
import { type CheckedObject, type ObjectRule, toCollectedObject } from '../walk.ts'
import { has, reportConflict, reportForbidden, reportMissing, textRules } from './object-rules.ts'

/** Fields that only belong beside a `schema`. In 3.2, examples are also allowed with `content`. */
const besideSchema = ['style', 'explode', 'allowReserved']
const besideSchemaBefore = [...besideSchema, 'example', 'examples']

/** Source: OpenAPI 3.0.4 and 3.2.0, "Header Object" and "Parameter Object", Common Fixed Fields. */
export const checkSchemaOrContent: ObjectRule = (object) => {
  const { value, walk, table } = object
  if (has(value, 'schema')) {
    if (has(value, 'content')) reportConflict(object, 'content', 'schema')
  } else if (has(value, 'content')) {
    const names = walk.release === '3.2' ? besideSchema : besideSchemaBefore
    const field = names.find((name) => has(value, name) && table.fields.has(name))
    const hint = 'Remove it, or use `schema` instead of `content`'
    if (field !== undefined) reportForbidden(object, field, `${nameObject(object)} with \`content\``, { hint })
  } else reportMissing(object, '`schema` or `content`', { hint: 'Add a `schema`, for example with `type: string`' })
  checkSingleContent(object)
}

const stylesOf: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

/** Source: OpenAPI 3.0.4, 3.1.1 and 3.2.0, "Parameter Object". */
export const checkParameter: ObjectRule = (object) => {
  const { value, walk } = object
  const isNew = walk.release === '3.2'
  const location = readText(value, 'in') ?? ''
  if (isNew && location === 'querystring') checkQuerystring(object)
  const styles = isNew && location === 'cookie' ? ['form', 'cookie'] : readOwn(stylesOf, location)
  if (!styles) return
  checkSchemaOrContent(object)
  checkRequired(object)
  const hasSchema = has(value, 'schema')
  if (hasSchema || walk.release === '3.0') {
    checkStyle(object, styles)
    const isForm = location === 'cookie' && (value['style'] ?? 'form') === 'form'
    if (!isNew && location !== 'query') forbidIn(location, object, 'allowReserved', 'only query parameters support it')
    else if (isNew && !isForm && location !== 'path' && location !== 'query')
      forbidIn(location, object, 'allowReserved', 'only path, query and form-style cookie parameters support it')
  }
  if (location !== 'query') forbidIn(location, object, 'allowEmptyValue', 'only query parameters support it')
  if (location === 'path' && (isNew || (hasSchema && walk.release === '3.1'))) checkPathName(object)
  if (location === 'header') checkHeaderName(object)
}

/** An empty name is reported on its own. */
function checkHeaderName(object: CheckedObject): void {
  const { name } = object.value
  if (typeof name !== 'string' || name === '' || textRules.token.allows(name)) return
  const message = `Unexpected \`${shorten(name)}\` for \`name\` of a header parameter, expected a valid HTTP header name`
  reportField(object, { code: 'wrong-value', key: 'name', on: 'value', message, heldAs: textRules.token.rule })
}

/** A parameter for the whole query string has `content` and no styles. */
function checkQuerystring(object: CheckedObject): void {
  if (!has(object.value, 'content')) {
    const hint = 'Add `content`: a parameter with `in: querystring` cannot have a `schema`'
    reportMissing(object, '`content`', { hint })
    return
  }
  for (const field of ['schema', 'style', 'explode', 'allowReserved', 'allowEmptyValue'])
    forbidIn('querystring', object, field, '`content` describes the whole query string')
  checkSingleContent(object)
}

function checkSingleContent(object: CheckedObject): void {
  const { content } = object.value
  const count = isObject(content) ? Object.keys(content).length : 1
  if (count === 1) return
  const message = `Unexpected ${count === 0 ? 'empty mapping' : `${count} media types`} for \`content\`, expected exactly one`
  reportField(object, { code: 'wrong-value', key: 'content', on: 'key', message })
}

/**
 * Source: OpenAPI 3.1.1, "Parameter Object": a path parameter always has `required: true`.
 *
 * From 3.1 on it is a warning for parameters with `content`, because the official schemas allow its absence there.
 */
function checkRequired(object: CheckedObject): void {
  const { walk, value } = object
  if (value['in'] !== 'path' || value['required'] === true) return
  const severity = walk.release === '3.0' || has(value, 'schema') ? 'error' : 'warning'
  if (!has(value, 'required')) {
    const hint = 'Add `required: true`: path parameters are always required'
    reportMissing(object, '`required: true`', { hint, severity })
  } else if (value['required'] === false) {
    const message = 'Unexpected `false` for `required` of a path parameter, expected `true`'
    reportField(object, { code: 'wrong-value', key: 'required', on: 'value', message, severity })
  }
}

function checkStyle(object: CheckedObject, allowed: readonly string[]): void {
  const style = readText(object.value, 'style')
  if (style === undefined) return
  if (allowed.includes(style)) {
    const { walk, value } = object
    if (/^deepO|Delimited$/.test(style) && walk.collected.wantsDescribed)
      walk.collected.styled.push(toCollectedObject(walk, value))
    return
  }
  const list = allowed.map((name) => `\`${name}\``).join(', ')
  const message = `Unexpected \`${style}\` for \`style\` of a ${String(object.value['in'])} parameter, expected ${allowed.length === 1 ? '' : 'one of '}${list}`
  reportField(object, { code: 'wrong-value', key: 'style', on: 'value', message })
}

function checkPathName(object: CheckedObject): void {
  const name = readText(object.value, 'name')
  if (name === undefined || /^[^{}]+$/.test(name)) return
  const message = `Unexpected \`${name}\` for \`name\` of a path parameter, expected the name without braces`
  reportField(object, { code: 'wrong-value', key: 'name', on: 'value', message })
}

function forbidIn(location: string, object: CheckedObject, field: string, reason: string): void {
  if (!has(object.value, field)) return
  const details = { hint: `Remove it: ${reason}`, heldAs: 'parameter-fields' } as const
  reportForbidden(object, field, `a ${location} parameter`, details)
}

/** Source: OpenAPI 3.2.0, "Parameter Locations": at most one `querystring`, and not together with `query`. */
export const checkParameterList: ObjectRule = (object) => {
  const locations = listOf(object.value['parameters']).map((item) => readText(item, 'in'))
  const first = locations.indexOf('querystring')
  if (first === -1) return
  const second = locations.indexOf('querystring', first + 1)
  const report = (index: number, message: string) => {
    reportField(object, { code: 'field-conflict', key: 'parameters', index, on: 'value', message })
  }
  if (second !== -1) report(second, 'Unexpected second parameter with `in: querystring`, expected at most one')
  if (locations.includes('query'))
    report(first, 'Unexpected parameter with `in: querystring` together with `in: query`, expected only one of them')
}

/** Hints by lower-case header name. */
const parameterPlaces: Readonly<Record<string, string>> = {
  accept: 'Remove it: `content` of the responses declares the media types',
  'content-type': 'Remove it: `content` of the request body declares the media types',
  authorization: 'Describe it as a security scheme',
}

/**
 * Reports headers that tools must ignore, and headers whose names differ only in case. Source: OpenAPI 3.1.1, "Parameter Object", `name`; "Response
 * Object" and "Encoding Object", `headers`; RFC 9110, section 5.1.
 */
export const headerIgnored: ObjectRule = (object) => {
  const { value, walk, table } = object
  if (table.key === 'Parameter') {
    const name = value['in'] === 'header' ? readText(value, 'name') : undefined
    const hint = name === undefined ? undefined : readOwn(parameterPlaces, name.toLowerCase())
    if (name === undefined || hint === undefined) return
    const message = `Unexpected header parameter \`${shorten(name)}\`: OpenAPI tools ignore it`
    reportField(object, { code: 'header-ignored', key: 'name', on: 'value', message, hint })
    return
  }
  walk.path.push('headers')
  const known = new Set<string>()
  for (const [header] of entriesOf(value['headers'])) {
    const name = header.toLowerCase()
    if (known.has(name)) {
      const message = `Unexpected duplicate header \`${shorten(header)}\`, expected each header once`
      const problem = { code: 'entry-unique', key: header, on: 'key', severity: 'warning' } as const
      reportField(object, { ...problem, message, hint: 'Remove one of the two: the names of headers are the same in any case' })
    } else if (name === 'content-type') {
      const message = `Unexpected header \`${header}\`: OpenAPI tools ignore it`
      const hint = table.key === 'Encoding' ? 'Use `contentType` instead' : 'Remove it: `content` declares the media type'
      reportField(object, { code: 'header-ignored', key: header, on: 'key', message, hint })
    }
    known.add(name)
  }
  walk.path.pop()
}
