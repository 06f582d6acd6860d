import { entriesOf, isObject, listOf, readOwn, readText } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { nameObject, reportField } from '../hints/report-problem.ts'
import { type CheckedObject, type ObjectRule, severityOf, toCollectedObject } from '../walk.ts'
import { checkMediaType, excludeOthers, has, reportForbidden, reportMissing, textRules } from './object-rules.ts'

/** Source: OpenAPI 3.0.4, "Header Object" and "Parameter Object", Common Fixed Fields. */
export const checkHeader: ObjectRule = (object) => {
  checkSchemaOrContent(object, ['style', 'explode', 'allowReserved', 'example', 'examples'])
}

/** Source: OpenAPI 3.2.0, "Header Object": examples are also allowed with `content`. */
export const checkHeader32: ObjectRule = (object) => {
  checkSchemaOrContent(object, ['style', 'explode'])
}

function checkSchemaOrContent(object: CheckedObject, onlyWithSchema: readonly string[]): void {
  checkMediaType(object)
  if (has(object.value, 'schema')) checkSchemaAlone(object)
  else if (has(object.value, 'content')) {
    const field = onlyWithSchema.find((name) => has(object.value, name))
    const where = `${nameObject(object)} with \`content\``
    if (field !== undefined) reportForbidden(object, field, where, 'Remove it, or use `schema` instead of `content`')
  } else reportMissing(object, '`schema` or `content`', 'Add a `schema`, for example with `type: string`')
  checkSingleContent(object)
}

const checkSchemaAlone = excludeOthers('schema', ['content'])

const styles30: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}
const styles32: Readonly<Record<string, readonly string[]>> = { ...styles30, cookie: ['form', 'cookie'] }

/** Source: OpenAPI 3.0.4, "Parameter Object". */
export const checkParameter: ObjectRule = (object) => {
  const location = locationOf(object, styles30)
  if (location === undefined) return
  checkHeader(object)
  checkRequired(object)
  if (has(object.value, 'schema') || object.walk.release === '3.0') {
    checkStyle(object, readOwn(styles30, location))
    if (location !== 'query') forbidIn(location, object, 'allowReserved', 'only query parameters support it')
    if (location === 'path' && object.walk.release !== '3.0') checkPathName(object)
  }
  if (location !== 'query') forbidIn(location, object, 'allowEmptyValue', 'only query parameters support it')
  if (location === 'header') checkHeaderName(object)
}

/** Source: OpenAPI 3.2.0, "Parameter Object". */
export const checkParameter32: ObjectRule = (object) => {
  const { value } = object
  if (value['in'] === 'querystring') checkQuerystring(object)
  const location = locationOf(object, styles32)
  if (location === undefined) return
  checkSchemaOrContent(object, ['style', 'explode', 'allowReserved'])
  checkRequired(object)
  const { style = 'form' } = value
  if (has(value, 'schema')) {
    checkStyle(object, readOwn(styles32, location))
    if (location === 'header' || (location === 'cookie' && style !== 'form'))
      forbidIn(location, object, 'allowReserved', 'only path, query and form-style cookie parameters support it')
  }
  if (location !== 'query') forbidIn(location, object, 'allowEmptyValue', 'only query parameters support it')
  if (location === 'path') checkPathName(object)
  if (location === 'header') checkHeaderName(object)
}

/** An empty name is reported on its own. */
function checkHeaderName(object: CheckedObject): void {
  const { name } = object.value
  if (typeof name !== 'string' || name === '' || textRules.token.allows(name)) return
  const message = `Unexpected \`${shorten(name)}\` for \`name\` of a header parameter, expected a valid HTTP header name`
  reportField(object, {
    code: 'wrong-value',
    key: 'name',
    on: 'value',
    message,
    severity: severityOf('header-name', object.walk.release),
  })
}

/** The value of `in`, if parameters there have styles. */
function locationOf({ value }: CheckedObject, styles: typeof styles30): string | undefined {
  const location = readText(value, 'in')
  return location !== undefined && Object.hasOwn(styles, location) ? location : undefined
}

/** A parameter for the whole query string has `content` and no styles. */
function checkQuerystring(object: CheckedObject): void {
  checkMediaType(object)
  if (!has(object.value, 'content')) {
    reportMissing(object, '`content`', 'Add `content`: a parameter with `in: querystring` cannot have a `schema`')
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
    reportMissing(object, '`required: true`', 'Add `required: true`: path parameters are always required', severity)
  } else if (value['required'] === false) {
    const message = 'Unexpected `false` for `required` of a path parameter, expected `true`'
    reportField(object, { code: 'wrong-value', key: 'required', on: 'value', message, severity })
  }
}

function checkStyle(object: CheckedObject, allowed: readonly string[] = []): void {
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
  reportForbidden(
    object,
    field,
    `a ${location} parameter`,
    `Remove it: ${reason}`,
    severityOf('parameter-fields', object.walk.release),
  )
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
 * Reports headers that tools must ignore. Source: OpenAPI 3.1.1, "Parameter Object", `name`; "Response Object" and "Encoding Object",
 * `headers`.
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
  for (const [header] of entriesOf(value['headers'])) {
    if (header.length !== 12 || header.toLowerCase() !== 'content-type') continue
    walk.path.push('headers')
    const message = `Unexpected header \`${header}\`: OpenAPI tools ignore it`
    const hint = table.key === 'Encoding' ? 'Use `contentType` instead' : 'Remove it: `content` declares the media type'
    reportField(object, { code: 'header-ignored', key: header, on: 'key', message, hint })
    walk.path.pop()
  }
}
