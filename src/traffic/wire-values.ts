import type { Api } from '../model/api.ts'
import { readBody, readResponses } from '../model/bodies.ts'
import { type DescribedValue, type Header, type MediaType, readContent, readHeaders } from '../model/content.ts'
import type { Parameter } from '../model/parameters.ts'
import { listSchemes } from '../model/security.ts'
import { allowsType, hasProperty, type TextValue, toTyped } from '../model/typed-texts.ts'
import { findMediaType, howWritten, isFormType, isJsonType, normalizeMediaType } from '../model/written-values.ts'
import { type Place, parseJson, setOwn } from '../text/json/json-values.ts'
import { addTo, getOrMake, onceFor } from '../text/plain/lists.ts'
import type { RecordedMessage } from './exchange.ts'
import type { RoutedExchange, RoutedOperation } from './route.ts'

/** A value that was sent or received, with the schema that describes it. */
export interface WireValue {
  /** Texts such as those of a query have the type that the schema asks for, if they can be read as it. */
  readonly value: unknown
  readonly schema: Place | undefined
}

/** The parameters of a request. */
export interface SentParameters {
  readonly sent: readonly (WireValue & { readonly parameter: Parameter })[]
  /** Documented parameters that the request does not have. */
  readonly omitted: readonly Parameter[]
  /** Names of query fields that no parameter and no security scheme describes. */
  readonly undocumented: readonly string[]
}

/** Reads the parameters of a request by their styles. Undocumented headers and cookies are left out: clients and proxies add many. */
export function readSentParameters({ exchange, operation, pathValues, query }: RoutedExchange): SentParameters {
  const { api, parameters } = operation
  const fields = new Map<string, string[]>()
  for (const [name, value] of query) addTo(fields, name, value)
  const read = new Set(credentialNames(api))
  const headers = exchange.request.headers
  const readTexts = (parameter: Parameter): TextValue | undefined => {
    if (parameter.in === 'path') return split(pathValues.get(parameter.name), parameter, api)
    if (parameter.in === 'header') return split(headers.get(parameter.name.toLowerCase())?.join(','), parameter, api)
    if (parameter.in === 'query') return readQuery(parameter, fields, read, api)
    if (parameter.in === 'cookie') return split(readCookie(headers.get('cookie'), parameter.name), parameter, api)
    for (const name of fields.keys()) read.add(name)
    return undefined
  }
  const sent: (WireValue & { readonly parameter: Parameter })[] = []
  const omitted: Parameter[] = []
  for (const parameter of parameters) {
    const texts = readTexts(parameter)
    if (texts === undefined) omitted.push(parameter)
    else sent.push({ parameter, ...toWireValue(parameter, texts, api) })
  }
  return { sent, omitted, undocumented: [...fields.keys()].filter((name) => !read.has(name)) }
}

function toWireValue({ schema, content }: DescribedValue, texts: TextValue, api: Api): WireValue {
  return { schema, value: content ? parseJson(String(texts)) : toTyped(texts, schema, api) }
}

/** Reads the headers that a response describes. Others are left out, and so are missing ones: servers and proxies add many, and recorders remove some. */
export function readReceivedHeaders(
  { headers }: RecordedMessage,
  described: readonly Header[],
  api: Api,
): readonly (WireValue & { readonly header: Header })[] {
  return described.flatMap((header) => {
    const texts = split(headers.get(header.key)?.join(','), header, api)
    return texts === undefined ? [] : { header, ...toWireValue(header, texts, api) }
  })
}

/** The names of query fields with credentials. */
const credentialNames = onceFor((api: Api): readonly string[] =>
  listSchemes(api).flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.parameterName] : [])),
)

/** The text of a query parameter, and the fields that it was read from in `read`. */
function readQuery(
  parameter: Parameter,
  fields: ReadonlyMap<string, string[]>,
  read: Set<string>,
  api: Api,
): TextValue | undefined {
  const { name, schema, explode } = parameter
  const isOwn = (field: string) => field === name || (field.startsWith(`${name}[`) && field.endsWith(']'))
  const isObject = allowsType('object', schema, api) && !allowsType('array', schema, api)
  const isExploded = isObject && explode && parameter.style === 'form' && !parameter.content
  const isPart = (field: string) => isOwn(field) || (isExploded && hasProperty(field, schema, api))
  const own = [...fields].filter(([field]) => isPart(field))
  if (own.length === 0) return undefined
  for (const [field] of own) read.add(field)
  const [[first, values] = ['', []]] = own
  if (own.length > 1 || first !== name) {
    const nested = nest(own.flatMap(([field, texts]) => texts.map((text) => [field, text] as const)))
    return isExploded ? nested : (Object.entries(nested).find(([key]) => key === name)?.[1] ?? nested)
  }
  if (values.length > 1) return values
  return explode && parameter.style === 'form' ? values[0] : split(values[0], parameter, api)
}

const delimiters: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
])

/** The items or properties of a text with delimiters between them. */
function split(text: string | undefined, { style, explode, schema, content }: DescribedValue, api: Api): TextValue | undefined {
  if (text === undefined || content) return text
  // In headers, spaces may surround the commas.
  const parts = text.split(delimiters.get(style) ?? ',').map((part) => (style === 'simple' ? part.trim() : part))
  if (allowsType('array', schema, api)) return parts
  if (!allowsType('object', schema, api)) return text
  const isPair = style === 'simple' && explode
  const pairs = isPair ? parts.map((part) => part.split('=', 2)) : toPairs(parts)
  return nest(pairs.map(([name = '', value = '']) => [name, value]))
}

function toPairs(parts: readonly string[]): (readonly (string | undefined)[])[] {
  return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : []))
}

function readCookie(headers: readonly string[] | undefined, name: string): string | undefined {
  const cookies = (headers ?? []).flatMap((header) => header.split(/;\s*/))
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Makes lists and mappings of names with brackets, such as `a[b]` and `a[]`. A name that repeats is a list. */
function nest(fields: readonly (readonly [name: string, value: string])[]): { readonly [name: string]: TextValue } {
  const tree: Branch = new Map()
  for (const [name, value] of fields) {
    const steps = [name.replace(/\[.*$/s, ''), ...[...name.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
    const last = steps.pop() ?? ''
    let branch = tree
    for (const step of steps.slice(0, maxSteps)) {
      const next = getOrMake(branch, step, (): Branch => new Map())
      if (!(next instanceof Map)) break
      branch = next
    }
    const there = branch.get(last)
    if (Array.isArray(there)) there.push(value)
    else if (!there) branch.set(last, [value])
  }
  return toMapping(tree)
}

type Branch = Map<string, Branch | string[]>

const maxSteps = 20

function toMapping(branch: Branch): { readonly [name: string]: TextValue } {
  const mapping = {}
  for (const [name, inner] of branch)
    setOwn(mapping, name, inner instanceof Map ? toItems(inner) : inner.length > 1 ? inner : inner[0])
  return mapping
}

/** `a[]` and `a[0]` are items. */
function toItems(branch: Branch): TextValue {
  const isList = [...branch.keys()].every((name) => /^\d*$/.test(name))
  const mapping = toMapping(branch)
  return isList ? Object.values(mapping).flat() : mapping
}

/** The body that an operation describes, and its responses by status. Read once for all exchanges. */
export const describeOperation = onceFor(({ api, collected: { operation } }: RoutedOperation) => {
  const body = readBody(operation, api)
  const responses = readResponses(operation, api).map((response) => {
    const { key, place } = response
    return [key, { ...response, content: readContent(place, api), headers: readHeaders(place, api) }] as const
  })
  return { body: body && { ...body, content: readContent(body.place, api) }, responses: new Map(responses) }
})

/** The values of a body. A stream has one for each event or line. */
export interface BodyValues {
  /** The media type of the document that describes the body. */
  readonly mediaType: MediaType | undefined
  /** Whether the document lists media types, but not that of the body. */
  readonly isUnlisted: boolean
  readonly values: readonly WireValue[]
  /** Why values are missing; `undefined` if nothing is. */
  readonly unreadable: string | undefined
}

/** Reads the values of a body. `content`: what the request body or the response describes. */
export function readBodyValues(message: RecordedMessage, content: readonly MediaType[], api: Api): BodyValues {
  const { body } = message
  const nothing = { mediaType: undefined, isUnlisted: false, values: [], unreadable: undefined }
  if (content.length === 0 || body.kind === 'none') return nothing
  const key = normalizeMediaType(message.mediaType ?? '')
  const mediaType = findListed(content, key)
  if (!mediaType)
    return { ...nothing, isUnlisted: body.kind !== 'lost', unreadable: body.kind === 'lost' ? body.reason : undefined }
  const read = readValues(message, key || mediaType.key, mediaType, api)
  const schema = mediaType.itemSchema ?? mediaType.schema
  if (typeof read === 'string') return { ...nothing, mediaType, unreadable: read }
  return { mediaType, isUnlisted: false, unreadable: undefined, values: read.map((value) => ({ value, schema })) }
}

/** Parameters such as `charset` say nothing about which entry applies. Without a recorded media type, a single entry does. */
function findListed(content: readonly MediaType[], key: string): MediaType | undefined {
  if (key === '') return content.length === 1 ? content[0] : undefined
  const listed = new Map(content.map((one) => [one.key, one]))
  const toBare = (name: string) => name.split(';', 1)[0] ?? ''
  return findMediaType(listed, key) ?? content.find((one) => toBare(one.key) === toBare(key))
}

/** The values, or why they cannot be read. */
function readValues(
  message: RecordedMessage,
  key: string,
  { schema, itemSchema }: MediaType,
  api: Api,
): readonly unknown[] | string {
  const { body } = message
  if (body.kind === 'lost') return body.reason
  if (body.kind === 'value') return [body.value]
  const name = key.split(';', 1)[0] ?? ''
  if (body.kind === 'form') return [toTyped(nest(body.fields), schema, api)]
  if (body.kind === 'bytes') return isJsonType(name) ? 'its body is no text' : []
  if (body.kind === 'none') return []
  const { text } = body
  if (/^text\/event-stream$/.test(name))
    return readAll(itemSchema ? readEvents(text) : readEvents(text).map(({ data }) => data), itemSchema)
  if (isSequence.test(name))
    return readAll(
      text.split(/[\n\x1e]+/).filter((line) => line.trim() !== ''),
      undefined,
    )
  if (isJsonType(name)) return readAll([text], undefined)
  if (isFormType(name)) return [toTyped(nest([...new URLSearchParams(text)]), schema, api)]
  if (howWritten(name) === 'text' || name === 'text/html') return [toTyped(text, schema, api)]
  return 'bodies of its media type are not read'
}

const isSequence = /[/+-](?:ndjson|jsonl|jsonlines|json-lines|json-seq|json-stream)$|stream\+json$/

/** Parses JSON texts. The events of 3.2 are values already. */
function readAll(texts: readonly unknown[], itemSchema: Place | undefined): readonly unknown[] | string {
  if (itemSchema) return texts
  const values = texts.map((text) => parseJson(String(text)))
  return values.includes(undefined) ? 'its body is no valid JSON' : values
}

/** The events of a stream. `[DONE]` ends some of them, and is no value. */
function readEvents(text: string): { readonly data: string; readonly event?: string; readonly id?: string }[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/).map((line) => /^(data|event|id):\s?(.*)$/s.exec(line) ?? [])
    const valuesOf = (field: string) => lines.flatMap(([, name, value = '']) => (name === field ? [value] : []))
    const [data, [event], [id]] = [valuesOf('data').join('\n'), valuesOf('event'), valuesOf('id')]
    if (data === '' || data === '[DONE]') return []
    return [{ data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) }]
  })
}
