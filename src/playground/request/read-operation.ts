import {
  isBinaryType,
  isFormData,
  isFormType,
  isJsonType,
  isXmlType,
  readSerialization,
  type Serialization,
} from '../../model/written-values.ts'
import { allowsText, type FollowReference, withoutMarked } from '../../openapi/references/follow-reference.ts'
import {
  entriesOf,
  isContainer,
  isObject,
  type JsonObject,
  listOf,
  parseJson,
  parseWrittenJson,
  readOwn,
  setOwn,
  stringOf,
  toWritten,
} from '../../text/json/json-values.ts'
import { followSlice, type ReadSchema, readSchema, toPlace } from './read-schema.ts'

/**
 * An operation, read from its slice: the part of an OpenAPI document that describes this operation.
 *
 * Schemas are unchanged; `follow` follows their references.
 */
export interface DescribedOperation {
  /** Upper case, as sent. */
  readonly method: string
  /** The path template. */
  readonly path: string
  /** The summary, else the method and path. */
  readonly title: string
  /** The servers of the operation, else of the path item, else of the document. Never empty. */
  readonly servers: readonly DescribedServer[]
  /** Alternatives, each a combination of schemes; empty if no credentials are required. */
  readonly security: readonly (readonly DescribedScheme[])[]
  /** In document order within each location, in the order path, query, querystring, header, cookie. */
  readonly parameters: readonly DescribedParameter[]
  /** In document order; empty if there is no body. */
  readonly bodies: readonly DescribedBody[]
  readonly isBodyRequired: boolean
  /** Media types of the responses, for `Accept`. */
  readonly accepts: readonly string[]
  /** The dialect of JSON Schema: that of OpenAPI 3.0, or 2020-12. */
  readonly dialect: '3.0' | '3.1'
  readonly follow: FollowReference
}

/** Follows the references of a value. Anything but a mapping becomes `{}`. */
type Resolve = (value: unknown) => JsonObject

export interface DescribedServer {
  /** Unchanged, with `{variables}`. A relative URL is resolved against the URL of the document, else of the page. */
  readonly url: string
  readonly description: string | undefined
  readonly variables: readonly {
    readonly name: string
    readonly default: string
    /** Empty if any string is allowed. */
    readonly enum: readonly string[]
    readonly description: string | undefined
  }[]
}

export interface DescribedScheme {
  /** Its key under `components.securitySchemes`. */
  readonly name: string
  /** The resolved Security Scheme Object; `{}` if the document does not define it. */
  readonly scheme: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
}

export interface DescribedParameter extends Serialization {
  readonly name: string
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  readonly required: boolean
  readonly deprecated: boolean
  /** Markdown. */
  readonly description: string | undefined
  readonly schema: unknown
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Encoding Objects by property, if `content` is a form. */
  readonly encoding?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The first example of the parameter itself, not of its schema; absent if there is none. */
  readonly example: unknown
  /** The value that the page generated for its code samples, if the document has no example. */
  readonly generated?: unknown
}

export interface DescribedBody {
  readonly mediaType: string
  readonly schema: unknown
  /** Whether the whole body is a file. */
  readonly isFile?: boolean
  /** The value that the page generated for its code samples, if the document has no example. */
  readonly generated?: unknown
  /** The examples from the document. The name of a single `example` is `''`. */
  readonly examples: readonly { readonly name: string; readonly summary: string | undefined; readonly value: unknown }[]
  /** Encoding Objects by property. */
  readonly encoding: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What a page generated for the samples of an operation: parameters by `keyOf`, bodies by `toBodyKey`. */
export type GeneratedValues = Readonly<Record<string, unknown>>

/**
 * Reads an operation from its slice, the part of an OpenAPI document that describes one operation. `generated` are `GeneratedValues`. The document is untrusted, so values with an unexpected type are ignored. Never throws; returns `undefined` if the slice has no operation. Source:
 * OpenAPI 3.0.4, 3.1.1, 3.2.0.
 */
export function readOperation(slice: unknown, generated?: unknown): DescribedOperation | undefined {
  const follow = followSlice(slice)
  const resolve: Resolve = (value) => {
    const { value: end } = follow.end(toPlace(value))
    return isObject(end) ? end : {}
  }
  const [path, item] = entriesOf(readOwn(slice, 'paths')).find(([name]) => !name.startsWith('x-')) ?? []
  if (path === undefined) return undefined
  const pathItem = resolve(item)
  const [method, operation] = findOperation(pathItem, resolve) ?? []
  if (method === undefined || operation === undefined) return undefined
  const requestBody = resolve(readOwn(operation, 'requestBody'))
  const isBodyRequired = readOwn(requestBody, 'required') === true
  return {
    method,
    path,
    title: stringOf(readOwn(operation, 'summary')) ?? `${method} ${path}`,
    servers: readServers([operation, pathItem, slice]),
    security: readSecurity(readOwn(operation, 'security') ?? readOwn(slice, 'security'), slice, resolve),
    parameters: readParameters([operation, pathItem], path, resolve).map((parameter) => ({
      ...parameter,
      generated: readOwn(generated, keyOf(parameter)),
    })),
    bodies: entriesOf(readOwn(requestBody, 'content'))
      .map(([mediaType, one]) => ({
        ...readBody(mediaType, resolve(one), resolve, follow),
        generated: readOwn(generated, toBodyKey(mediaType)),
      }))
      .filter(({ schema }) => isBodyRequired || !allowsNothing(resolve(schema))),
    isBodyRequired,
    accepts: readAccepts(operation, resolve),
    dialect: stringOf(readOwn(slice, 'openapi'))?.startsWith('3.0') ? '3.0' : '3.1',
    follow,
  }
}

/** Whether requests of an operation may need `other-bodies.ts`. */
export function needsOtherBodies({ bodies, parameters }: DescribedOperation): boolean {
  return (
    bodies.some(({ mediaType }) => !isJsonType(mediaType)) || parameters.some(({ contentType = '' }) => isFormType(contentType))
  )
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

function findOperation(pathItem: JsonObject, resolve: Resolve): [string, JsonObject] | undefined {
  const method = methods.find((name) => isObject(readOwn(pathItem, name)))
  if (method !== undefined) return [method.toUpperCase(), resolve(readOwn(pathItem, method))]
  const [first] = entriesOf(readOwn(pathItem, 'additionalOperations'))
  return first && [first[0], resolve(first[1])]
}

function readServers(owners: readonly unknown[]): DescribedServer[] {
  const all = owners.map((owner) => listOf(readOwn(owner, 'servers')).flatMap(readServer))
  return all.find((servers) => servers.length > 0) ?? [{ url: '/', description: undefined, variables: [] }]
}

/** A Server Object; none if it has no URL. Numbers in variables are common, although invalid. */
export function readServer(server: unknown): DescribedServer[] {
  const url = stringOf(readOwn(server, 'url'))
  if (url === undefined) return []
  const variables = entriesOf(readOwn(server, 'variables')).map(([name, variable]) => ({
    name,
    default: asText(readOwn(variable, 'default')),
    enum: listOf(readOwn(variable, 'enum')).map(asText),
    description: stringOf(readOwn(variable, 'description')),
  }))
  return [{ url, description: stringOf(readOwn(server, 'name')) ?? stringOf(readOwn(server, 'description')), variables }]
}

function readSecurity(requirements: unknown, slice: unknown, resolve: Resolve): DescribedScheme[][] {
  const declared = readOwn(readOwn(slice, 'components'), 'securitySchemes')
  return listOf(requirements)
    .filter(isObject)
    .map((requirement) =>
      Object.entries(requirement).map(([name, scopes]) => ({
        name,
        scheme: resolve(readOwn(declared, name)),
        scopes: listOf(scopes).filter((scope) => typeof scope === 'string'),
      })),
    )
}

/** Where a parameter can be, in the order in which they are listed. */
export const locations = ['path', 'query', 'querystring', 'header', 'cookie'] as const

/** Parameters of the operation override those of the path item. Undeclared path parameters are strings. */
function readParameters(owners: readonly unknown[], path: string, resolve: Resolve): DescribedParameter[] {
  const found = new Map<string, DescribedParameter>()
  const undeclared = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => ({ name, in: 'path', schema: { type: 'string' } }))
  for (const one of [...owners.flatMap((owner) => listOf(readOwn(owner, 'parameters'))), ...undeclared]) {
    const parameter = readParameter(resolve(one), resolve)
    if (!parameter) continue
    // Header names are case-insensitive.
    const key = parameter.in === 'header' ? keyOf(parameter).toLowerCase() : keyOf(parameter)
    if (!found.has(key)) found.set(key, parameter)
  }
  return locations.flatMap((location) => [...found.values()].filter((parameter) => parameter.in === location))
}

/** A Parameter Object; absent without a name or a known location. */
export function readParameter(parameter: JsonObject, resolve: Resolve): DescribedParameter | undefined {
  const name = stringOf(readOwn(parameter, 'name'))
  const location = locations.find((one) => one === readOwn(parameter, 'in'))
  if (name === undefined || location === undefined) return undefined
  const [content] = entriesOf(readOwn(parameter, 'content'))
  const mediaType = content && resolve(content[1])
  const holder = mediaType ?? parameter
  const schema = readOwn(holder, 'schema')
  return {
    name,
    in: location,
    required: readOwn(parameter, 'required') === true || location === 'path',
    deprecated: readOwn(parameter, 'deprecated') === true,
    description: stringOf(readOwn(parameter, 'description')),
    ...readSerialization(parameter, location),
    schema,
    contentType: content?.[0],
    encoding: readEncoding(mediaType, resolve),
    example: [...readExamples(holder, resolve), ...readExamples(parameter, resolve)][0]?.value,
  }
}

function readBody(mediaType: string, holder: JsonObject, resolve: Resolve, follow: FollowReference): DescribedBody {
  const schema = readOwn(holder, 'schema')
  const encoding = readEncoding(holder, resolve)
  return {
    mediaType,
    schema: isFormData(mediaType) ? markFiles(schema, mediaType, encoding, follow) : schema,
    isFile: isBinaryType(mediaType) || (!isFormData(mediaType) && !isJsonType(mediaType) && isFileSchema(schema, follow)),
    examples: readExamples(holder, resolve, schemaExample(schema, resolve)),
    encoding,
  }
}

export function toBodyKey(mediaType: string): string {
  return `body ${mediaType}`
}

/** Whether a schema allows only an empty object. Some generators declare this for operations without a body. */
function allowsNothing(schema: JsonObject): boolean {
  const { type: _, properties, additionalProperties, ...others } = schema
  return additionalProperties === false && entriesOf(properties).length === 0 && entriesOf(others).length === 0
}

function readEncoding(mediaType: JsonObject | undefined, resolve: Resolve): DescribedBody['encoding'] {
  return Object.fromEntries(entriesOf(readOwn(mediaType, 'encoding')).map(([name, encoding]) => [name, resolve(encoding)]))
}

/** Reads `examples`, else `example`, else an example of the schema, in the same order as the page. In OpenAPI 3.2, the value is in `dataValue` or `serializedValue`. */
function readExamples(holder: JsonObject, resolve: Resolve, ofSchema?: unknown): DescribedBody['examples'][number][] {
  const { example = ofSchema } = holder
  const named = entriesOf(readOwn(holder, 'examples')).flatMap(([name, one]) => {
    const fields = resolve(one)
    const value = readOwn(fields, 'dataValue') ?? readOwn(fields, 'value') ?? readOwn(fields, 'serializedValue')
    return value === undefined ? [] : [{ name, summary: stringOf(readOwn(fields, 'summary')), value }]
  })
  return named.length > 0 || example === undefined ? named : [{ name: '', summary: undefined, value: example }]
}

function schemaExample(schema: unknown, resolve: Resolve): unknown {
  const fields = resolve(schema)
  return readOwn(fields, 'example') ?? listOf(readOwn(fields, 'examples'))[0]
}

/** Media types of the responses, starting with those of 2xx responses. */
function readAccepts(operation: JsonObject, resolve: Resolve): string[] {
  const responses = entriesOf(readOwn(operation, 'responses')).filter(([code]) => !code.startsWith('x-'))
  const sorted = [true, false].flatMap((isFirst) => responses.filter(([code]) => code.startsWith('2') === isFirst))
  return [...new Set(sorted.flatMap(([, response]) => entriesOf(readOwn(resolve(response), 'content')).map(([name]) => name)))]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

/** The key of a parameter's value. Parameter names are unique only within their location. */
export function keyOf({ in: location, name }: Pick<DescribedParameter, 'in' | 'name'>): string {
  return `${location} ${name}`
}

/**
 * The schema of a form in which each file has `format: binary`: also a property whose Encoding Object has the media type of a file, and a part that
 * can be anything. Source: OpenAPI 3.1.1, "Considerations for File Uploads", "Encoding Object".
 */
function markFiles(schema: unknown, mediaType: string, encoding: DescribedBody['encoding'], follow: FollowReference): unknown {
  const file = { type: 'string', format: 'binary' }
  let hasFiles = false
  const marked = [...readSchema(schema, follow).properties].map(([name, property]) => {
    const contentType = stringOf(readOwn(readOwn(encoding, name), 'contentType'))
    const isMarked = (read: ReadSchema) =>
      contentType === undefined ? !isFormType(mediaType) && isAnything(read) : isFile(read, contentType)
    if (!isFileSchema(property, follow, isMarked)) return [name, property]
    hasFiles = true
    return [name, readSchema(property, follow).types.includes('array') ? { type: 'array', items: file } : file]
  })
  return hasFiles ? { allOf: [schema], properties: Object.fromEntries(marked) } : schema
}

/** Whether a value, its items or the first of its choices is a file. */
export function isFileSchema(
  schema: unknown,
  follow: FollowReference,
  is: (read: ReadSchema) => boolean = isFile,
  depth = 0,
): boolean {
  const read = readSchema(schema, follow)
  const inner = read.types.includes('array') ? read.keywords['items'] : read.choices[0]
  return is(read) || (inner !== undefined && depth < 5 && isFileSchema(inner, follow, is, depth + 1))
}

/** Whether a schema says nothing about its values. */
function isAnything({ keywords }: ReadSchema): boolean {
  return Object.keys(keywords).every((key) => /^(?:title|description|deprecated|readOnly|writeOnly|nullable|x-.*)$/.test(key))
}

/** Whether a value itself is a file. */
export function isFile({ keywords, types }: Pick<ReadSchema, 'keywords' | 'types'>, contentType?: string): boolean {
  const { contentEncoding, contentMediaType, format } = keywords
  const [encoding, mediaType] = [stringOf(contentEncoding), stringOf(contentMediaType)]
  if (types.length > 0 && !types.some((type) => type === 'string' || type === 'file')) return false
  if (/^(?:binary|file)$/i.test(String(format)) || /^binary$/i.test(encoding ?? '') || types.includes('file')) return true
  // Other encodings write bytes as text.
  if (encoding !== undefined && !/^[78]bit$/i.test(encoding)) return false
  return (mediaType ?? contentType)?.split(',').some((one) => !isTextType(one.trim())) === true
}

function isTextType(mediaType: string): boolean {
  return /^text\/|^(?:application|\*)\/\*|[/+](?:json|xml|yaml|javascript|graphql|x-www-form-urlencoded)\b/i.test(mediaType)
}

/** Converts a value to text: strings unchanged, everything else as JSON on one line. */
export function toJsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(toWritten(value)) ?? '')
}

/**
 * The values of the parameters in samples, by `keyOf`: the author's examples, else generated ones. Optional parameters have one only if
 * `defaults` is `all` and the author gave an example. A generated `Accept` is sent, because it selects the version of some APIs.
 */
export function sampleParameters(
  { parameters }: Pick<DescribedOperation, 'parameters'>,
  defaults: 'required' | 'all',
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const { required, example, in: location, name } = parameter
    const isWanted =
      required || (defaults === 'all' && example !== undefined) || (location === 'header' && /^accept$/i.test(name))
    const value = isWanted ? sampleParameter(parameter) : undefined
    if (value !== undefined) setOwn(values, keyOf(parameter), value)
  }
  return values
}

function sampleParameter({ example, generated }: DescribedParameter): unknown {
  return example === undefined ? generated : example
}

/**
 * The body of a sample: an example of the author, else the generated one, without read-only values, which are not sent. A required body
 * has at least its type.
 */
export function sampleBody(
  { follow, isBodyRequired }: Pick<DescribedOperation, 'follow' | 'isBodyRequired'>,
  description: DescribedBody,
  example: DescribedBody['examples'][number] | undefined = description.examples[0],
): FilledBody | undefined {
  const { mediaType, schema, isFile, generated } = description
  if (!example) {
    const value = isFile ? '' : fillGenerated(description, isBodyRequired, follow)
    return value === undefined || (value === '' && !isFile) ? undefined : { description, value }
  }
  if (typeof example.value === 'object' && typeof generated === 'string' && example === description.examples[0])
    return { description, value: generated }
  // The author wrote JSON as text, such as to keep its layout.
  const written = stringOf(example.value)
  const text = written === undefined || allowsText(toPlace(schema), follow) ? undefined : written
  const isJsonText = text !== undefined && isContainer(parseJson(text))
  if (isJsonText && isJsonType(mediaType)) return { description, text }
  const value = isJsonText && isFormData(mediaType) ? parseWrittenJson(text) : example.value
  return { description, value: withoutMarked(value, [toPlace(schema)], 'readOnly', follow) }
}

/** The generated value in terms of its media type. */
function fillGenerated({ mediaType, schema, generated }: DescribedBody, isRequired: boolean, follow: FollowReference): unknown {
  const value = generated ?? (isRequired ? (isFormData(mediaType) || isJsonType(mediaType) ? {} : 'string') : undefined)
  if (typeof value === 'string' && /graphql/i.test(mediaType)) return '{ __typename }'
  if (typeof value === 'string' && isXmlType(mediaType)) return `<root>${value}</root>`
  if (!isObject(value) || !isFormData(mediaType)) return value
  // Where a form needs files, they are added when it is written.
  const { properties } = readSchema(schema, follow)
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isFileSchema(properties.get(name) ?? {}, follow)))
}

/** A value that an agent gave. A string is JSON where the schema allows no strings, such as a number that JavaScript would round. */
export function readGiven(value: unknown, schema: unknown, follow: FollowReference, depth = 0): unknown {
  const { types, keywords, properties } = readSchema(schema, follow)
  if (typeof value === 'string') {
    if (types.length === 0 || types.includes('string') || parseJson(`[${value}]`) === undefined) return value
    const [parsed, ...more] = listOf(parseWrittenJson(`[${value}]`))
    return parsed === undefined || more.length > 0 ? value : parsed
  }
  if (!isContainer(value) || depth > 20) return value
  if (Array.isArray(value)) return value.map((item) => readGiven(item, keywords['items'], follow, depth + 1))
  const inner = (name: string) => properties.get(name) ?? keywords['additionalProperties']
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readGiven(one, inner(name), follow, depth + 1)]))
}

/** A body: a value, or text that is sent as it is. */
export type FilledBody =
  | { readonly description: DescribedBody; readonly value: unknown }
  | { readonly description: DescribedBody; readonly text: string }
