import { load } from 'js-yaml'
import { initialValues } from '../../src/playground/form/form-values.ts'
import type { HttpRequest } from '../../src/playground/request/http-request.ts'
import { readOperation } from '../../src/playground/request/read-operation.ts'
import * as others from '../../src/playground/request/request-body.ts'
import { toCurl } from '../../src/playground/samples/to-curl.ts'
import { toRequest } from '../../src/playground/send/to-request.ts'
import { escapePointerSegment } from '../../src/text/json/json-values.ts'
import { type Json, toJson } from './list-facts.ts'
import { createProof, type Proof } from './prove-pages.ts'
import { decodeEntities } from './read-shown-page.ts'
import { compileFor, locate, type Validate, valueAt } from './validate-examples.ts'

/**
 * The first request of the playground, and the sample that the page shows beside it. Only the page and the file that its button names decide
 * about both. Absent for an operation whose page has no playground.
 */
function readRequests(
  html: string,
  slice: string,
): { request: HttpRequest; curl: string; shown: string | undefined } | undefined {
  const button = /<button(?: [\w-]+(?:="[^"]*")?)* data-slice=(?:"[^"]*"|[^">])*>/.exec(html)?.[0]
  const generated = /data-generated="([^"]*)"/.exec(button ?? '')?.[1]
  const operation = readOperation(JSON.parse(slice), generated === undefined ? undefined : JSON.parse(decodeEntities(generated)))
  if (button === undefined || !operation) return undefined
  const defaults = /data-defaults="required"/.test(button) ? 'required' : 'all'
  const settings = { slice: '', withCookies: false, prefill: 'all', defaults, languages: undefined } as const
  const options = { base: 'https://api.example.com', purpose: 'show', others } as const
  const { request } = toRequest(operation, initialValues(operation, settings), options)
  const shown = /aria-label="Sample: curl"><code>(.*?)<\/code><\/pre>/s.exec(html)?.[1]
  // The author's own sample takes the place of the generated one.
  const isWritten = /data-written="(?:curl|cURL|Shell|shell|bash|sh)"/.test(html)
  return {
    request,
    curl: toCurl(request),
    shown: shown === undefined || isWritten ? undefined : decodeEntities(shown.replace(/<[^>]*>/g, '')),
  }
}

/** What is wrong with the body of a request: it is not text of its media type, or not valid. */
function findBodyFaults({ body }: HttpRequest, content: Json, validate: Validate | undefined): string[] {
  if (!body) return []
  const written = Object.keys(content).find((one) => baseOf(one) === baseOf(body.mediaType))
  try {
    const value = parseBody(body)
    const isForm = body.kind === 'form' || body.kind === 'multipart'
    if (written === undefined || value === undefined || !validate || !/json/.test(body.mediaType)) return []
    const problem = isForm ? undefined : validate(written, value)
    return problem === undefined ? [] : [`body ${body.mediaType}: ${problem}`]
  } catch (error) {
    return [`body ${body.mediaType}: ${String(error)}`]
  }
}

function parseBody(body: NonNullable<HttpRequest['body']>): unknown {
  if (body.kind === 'json') return JSON.parse(JSON.stringify(body.value))
  if (body.kind === 'multipart') {
    for (const { value, file, contentType } of body.parts) if (!file && /json/.test(contentType ?? '')) JSON.parse(value)
    return undefined
  }
  if (body.kind !== 'text') return undefined
  const { mediaType, text } = body
  if (/[/+]json\b(?!-)/.test(mediaType)) return JSON.parse(text)
  if (/ndjson|jsonl|json-seq/.test(mediaType)) for (const line of text.split('\n')) line.trim() === '' || JSON.parse(line)
  if (/yaml/.test(mediaType)) load(text)
  if (/[/+]xml/.test(mediaType)) checkXml(text)
  return undefined
}

/** Throws if a text is not well-formed: elements are closed in order, and there is one root. */
function checkXml(text: string): void {
  const open: string[] = []
  let roots = 0
  const tokens =
    /<\?.*?\?>|<!--.*?-->|<!\[CDATA\[.*?\]\]>|<!DOCTYPE[^>]*>|<(\/?)([\w:.-]+)(?:\s+[\w:.-]+="[^"<]*")*\s*(\/?)>|[^<&]+|&(?:\w+|#\w+);/gsy
  for (let end = 0; end < text.length; end = tokens.lastIndex) {
    const [, isEnd, name = '', isEmpty] = tokens.exec(text) ?? fail(`no XML: ${text.slice(end, end + 60)}`)
    if (name === '') continue
    if (isEnd) open.pop() === name || fail(`</${name}> closes nothing`)
    else {
      if (open.length === 0) roots++
      if (!isEmpty) open.push(name)
    }
  }
  if (open.length > 0 || roots !== 1) fail(`${roots} roots, ${open.length} elements are open`)
}

function fail(message: string): never {
  throw new Error(message)
}

/** Finds parameters whose text in the request is not their value in their style. */
function findParameterFaults(
  { url, headers }: HttpRequest,
  path: string,
  parameters: readonly Json[],
  { schemaOf, exampleOf, validate }: ParameterReader,
): string[] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(decodeQuery))
  const cookies = headers.filter(({ name }) => name === 'Cookie').flatMap(({ value }) => value.split('; '))
  const inPath = readPath(url, path)
  return parameters.flatMap((parameter) => {
    const name = String(parameter['name'])
    const place = String(parameter['in'])
    const isIgnored = place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)
    if (isIgnored || place === 'querystring') return []
    const { schema, mediaType } = schemaOf(parameter)
    const style = String(parameter['style'] ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple'))
    const explode = parameter['explode'] === undefined ? style === 'form' : parameter['explode'] === true
    const own = place === 'cookie' ? cookies.map((one) => one.split(/=(.*)/s).slice(0, 2)) : pairs
    const header = headers.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value
    // Without a value in the document, a placeholder has its place.
    if (inPath?.get(name) === `{${name}}` || own.some(([key, value]) => key === name && value === `<${name}>`)) return []
    const text = place === 'path' ? inPath?.get(name) : place === 'header' ? header : undefined
    const form = { name, style, explode, type: typeOf(schema), names: Object.keys(toJson(schema['properties'])) }
    const read =
      text === undefined ? (place === 'query' || place === 'cookie' ? readPairs(own, form) : undefined) : readText(text, form)
    if (read === undefined)
      return parameter['required'] === true && place !== 'header' ? [`${place} ${name}: is missing in ${url}`] : []
    const value = mediaType === undefined ? read : JSON.parse(String(read))
    const example = exampleOf(parameter)
    if (example === undefined) {
      const problem = validate(parameter, value)
      return problem === undefined ? [] : [`${place} ${name}: ${problem}`]
    }
    // Some authors write a list as its text.
    const isSame = toTexts(value) === toTexts(example) || (Array.isArray(value) && value.join(',') === example)
    return isSame ? [] : [`${place} ${name}: ${toTexts(value)} is not the example ${toTexts(example)}`]
  })
}

interface ParameterReader {
  readonly schemaOf: (parameter: Json) => { readonly schema: Json; readonly mediaType: string | undefined }
  /** The author's example of a parameter. */
  readonly exampleOf: (parameter: Json) => unknown
  readonly validate: (parameter: Json, value: unknown) => string | undefined
}

interface Form {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly type: string
  readonly names: readonly string[]
}

/** The values of the placeholders of a path, as they are written. */
function readPath(url: string, path: string): Map<string, string> | undefined {
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  const pattern = path
    .replace(/#.*$/s, '')
    .split(/\{[^{}]+\}/)
    .map((text) => encodeURI(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.*?)')
  const found = new RegExp(`${pattern}$`).exec(url.replace(/[?#].*$/s, ''))
  return found ? new Map(names.map((name, index) => [name, found[index + 1] ?? ''])) : undefined
}

/** A value of the query or a cookie, by its pairs. */
function readPairs(pairs: readonly (readonly string[])[], { name, style, explode, type, names }: Form): unknown {
  const values = pairs.filter(([key]) => key === name).map(([, value = '']) => value)
  if (style === 'deepObject') {
    const fields = pairs.flatMap(([key = '', value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, key.indexOf(']')), value]] : [],
    )
    return fields.length > 0 ? Object.fromEntries(fields) : values[0]
  }
  if (type === 'object' && explode) {
    const fields = pairs.filter(([key = '']) => names.includes(key))
    return values.length === 0 && fields.length > 0 ? Object.fromEntries(fields) : values[0]
  }
  if (values.length === 0) return undefined
  if (type === 'array' && explode) return values
  const separator = { spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ','
  return readList(values[0] ?? '', separator, type)
}

/** A value of the path or a header. */
function readText(text: string, { style, explode, type, name }: Form): unknown {
  const written = decodeURIComponent(text)
  const separator = explode ? ({ label: '.', matrix: ';' }[style] ?? ',') : ','
  const start = style === 'label' ? '.' : style === 'matrix' ? (explode && type === 'object' ? ';' : `;${name}=`) : ''
  const own = written.slice(start.length).replaceAll(style === 'matrix' && explode && type === 'array' ? `;${name}=` : '\0', ';')
  if (type === 'object' && explode)
    return Object.fromEntries(own.split(separator).map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
  return readList(own, separator, type)
}

function readList(text: string, separator: string, type: string): unknown {
  if (type === 'array') return text.split(separator)
  if (type !== 'object') return text
  const all = text.split(separator)
  return Object.fromEntries(all.flatMap((key, index) => (index % 2 === 0 ? [[key, all[index + 1]]] : [])))
}

/** Items that are objects have no style. Their text is JSON. */
function parseText(text: string): unknown {
  try {
    return /^\{/.test(text) ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** A value with all scalars as text, as styles have them. */
function toTexts(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'object' && one !== null ? one : parseText(String(one))))
}

function typeOf(schema: Json): string {
  const types = [schema['type']].flat()
  return String(types.find((type) => type !== 'null') ?? (schema['properties'] ? 'object' : schema['items'] ? 'array' : 'any'))
}

const baseOf = (mediaType: string) => mediaType.split(';')[0]?.trim().toLowerCase()
const decodeQuery = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** Compares the samples of all operations with the playground, and both with the document. */
export function proveRequests(
  document: Json,
  files: ReadonlyMap<string, string>,
  routeOf: (page: string) => string | undefined,
): { readonly samples: Proof; readonly bodies: Proof; readonly parameters: Proof } {
  const [samples, bodies, parameters] = [createProof(), createProof(), createProof()]
  const validateBody = compileFor(document, 'request')
  const validateText = compileFor(document, 'request', { coerceTypes: 'array' })
  const authored = listAuthored(document)
  const resolve = (value: unknown) => toJson(valueAt(document, locate(document, String(value))))
  for (const path of Object.keys(toJson(document['paths']))) {
    const pathPointer = `/paths/${escapePointerSegment(path)}`
    for (const method of Object.keys(resolve(pathPointer))) {
      const target = `${method.toUpperCase()} ${path}`
      const route = routeOf(`operation ${target}`)
      const read = readRequests(files.get(`${route}/index.html`) ?? '', files.get(`${route}.openapi.json`) ?? '{}')
      if (!read) continue
      if (read.shown !== undefined) {
        samples.count++
        if (read.shown !== read.curl) samples.faults.push(`${target}: ${firstDifference(read.shown, read.curl)}`)
      }
      const at = `${locate(document, pathPointer)}/${method}`
      const bodyAt = `${locate(document, `${at}/requestBody`)}/content`
      const content = toJson(valueAt(document, bodyAt))
      bodies.count += read.request.body ? 1 : 0
      bodies.faults.push(
        ...findBodyFaults(read.request, content, (mediaType, value) =>
          withoutAuthored(validateBody(`${bodyAt}/${escapePointerSegment(mediaType)}/schema`, value), value, authored),
        ).map((fault) => `${target}: ${fault}`),
      )
      const places = [`${at}/parameters`, `${locate(document, pathPointer)}/parameters`].flatMap((list) =>
        Object.keys(Object(valueAt(document, list))).map((index) => locate(document, `${list}/${index}`)),
      )
      const byKey = new Map(places.toReversed().map((place) => [nameOf(toJson(valueAt(document, place))), place]))
      const reader: ParameterReader = {
        schemaOf: (parameter) => {
          const [mediaType] = Object.keys(toJson(parameter['content']))
          const place = byKey.get(nameOf(parameter)) ?? ''
          return {
            schema: merge(
              document,
              mediaType === undefined ? `${place}/schema` : `${place}/content/${escapePointerSegment(mediaType)}/schema`,
            ),
            mediaType,
          }
        },
        exampleOf: (parameter) => findExample(document, parameter),
        validate: (parameter, value) =>
          parameter['content'] === undefined
            ? withoutAuthored(validateText(`${byKey.get(nameOf(parameter))}/schema`, value), value, authored)
            : undefined,
      }
      const listed = [...byKey.values()].map((place) => toJson(valueAt(document, place)))
      parameters.count += listed.length
      parameters.faults.push(...findParameterFaults(read.request, path, listed, reader).map((fault) => `${target}: ${fault}`))
    }
  }
  return { samples, bodies, parameters }
}

const nameOf = (parameter: Json) => `${String(parameter['in'])} ${String(parameter['name'])}`

/** The keywords of a schema with those behind `$ref` and in `allOf`. */
function merge(document: Json, pointer: string, depth = 0): Json {
  const place = locate(document, pointer)
  const schema = toJson(valueAt(document, place))
  if (depth > 9) return schema
  const members = Object.keys(Object(schema['allOf'] ?? [])).map((index) => merge(document, `${place}/allOf/${index}`, depth + 1))
  const [option] = ['oneOf', 'anyOf'].flatMap((key) =>
    Object.keys(Object(schema[key] ?? [])).map((index) => merge(document, `${place}/${key}/${index}`, depth + 1)),
  )
  return Object.assign({}, option, ...members, schema) as Json // Of mappings.
}

/** The author's example of a parameter. */
function findExample(document: Json, parameter: Json): unknown {
  if (parameter['example'] !== undefined) return parameter['example']
  const [first] = Object.values(toJson(parameter['examples']))
  const reference = toJson(first)['$ref']
  const named = typeof reference === 'string' ? toJson(valueAt(document, decodeURIComponent(reference.slice(1)))) : toJson(first)
  if (named['value'] !== undefined) return named['value']
  const schema = toJson(parameter['schema'])
  return schema['example'] ?? Object.values(Object(schema['examples'] ?? {}))[0]
}

/** Everything that authors wrote as a value, which may contradict their schemas. */
function listAuthored(document: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown, isWritten: boolean): void => {
    if (isWritten) found.add(toTexts(value))
    if (typeof value !== 'object' || value === null) return
    for (const [key, one] of Object.entries(value))
      if (typeof one === 'object' || isWritten || writtenKeys.has(key)) visit(one, isWritten || writtenKeys.has(key))
  }
  visit(document, false)
  return found
}

const writtenKeys = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example', 'x-examples'])

/** A problem of a value, unless the author wrote the value that has it. */
function withoutAuthored(problem: string | undefined, value: unknown, authored: ReadonlySet<string>): string | undefined {
  if (problem === undefined || problem === 'skipped' || problem === 'ambiguous') return undefined
  const [place = ''] = problem.split(' ')
  const steps = place.split('/').slice(1)
  const around = [value, ...steps.map((_, index) => valueAt(Object(value), `/${steps.slice(0, index + 1).join('/')}`))]
  return around.some((one) => authored.has(toTexts(one))) ? undefined : problem
}

function firstDifference(left: string, right: string): string {
  const index = [...left].findIndex((character, at) => character !== right[at])
  const start = Math.max(0, (index < 0 ? left.length : index) - 30)
  return `${JSON.stringify(left.slice(start, start + 90))} is not ${JSON.stringify(right.slice(start, start + 90))}`
}
