import { type Api, findOperation, readSlice, toPlace } from '../../model/api.ts'
import { type Response, readBody, readResponses } from '../../model/bodies.ts'
import {
  type Encoding,
  type Example,
  type MediaType,
  readContent,
  readExamples,
  readNamedEncodings,
  readSchemaExamples,
  readValueExamples,
} from '../../model/content.ts'
import { locations, type Parameter, readParameters } from '../../model/parameters.ts'
import { withoutMarked } from '../../model/schema.ts'
import { readSecurity, type SecurityRequirement } from '../../model/security.ts'
import { findServers, type Server } from '../../model/servers.ts'
import { isBinaryType, isFormData, isFormType, isJsonType, isXmlType, type Serialization } from '../../model/written-values.ts'
import type { FollowReference } from '../../openapi/references/follow-reference.ts'
import {
  isContainer,
  isObject,
  listOf,
  parseJson,
  parseWrittenJson,
  readOwn,
  setOwn,
  stringOf,
  toWritten,
} from '../../text/json/json-values.ts'
import { anything, memberSchema, type ReadSchema, readSchema, type Schema } from './read-schema.ts'

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
  /** Never empty. A relative URL is resolved against the URL of the document, else of the page. */
  readonly servers: readonly DescribedServer[]
  /** Alternatives, each a combination of schemes; empty if no credentials are required. */
  readonly security: readonly SecurityRequirement[]
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

export type DescribedServer = Omit<Server, 'place'>

export interface DescribedParameter
  extends Serialization,
    Pick<Parameter, 'name' | 'in' | 'required' | 'deprecated' | 'description' | 'schema'> {
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Of the properties, if `content` is a form. */
  readonly encodings?: readonly Encoding[]
  /** The first example of the parameter itself, not of its schema; absent if there is none. */
  readonly example: unknown
  /** The value that the page generated for its code samples, if the document has no example. */
  readonly generated?: unknown
}

export interface DescribedBody {
  readonly mediaType: string
  readonly schema: Schema
  /** Whether the whole body is a file. */
  readonly isFile?: boolean
  /** The value that the page generated for its code samples, if the document has no example. */
  readonly generated?: unknown
  /** The examples from the document, else that of the schema. */
  readonly examples: readonly Example[]
  /** Of the properties of a form. */
  readonly encodings: readonly Encoding[]
}

/** What a page generated for the samples of an operation: parameters by `keyOf`, bodies by `toBodyKey`. */
export type GeneratedValues = Readonly<Record<string, unknown>>

/**
 * Reads an operation from its slice, the part of an OpenAPI document that describes one operation. `generated` are `GeneratedValues`. The document is
 * untrusted, so values with an unexpected type are ignored. Never throws; returns `undefined` if the slice has no operation.
 */
export function readOperation(slice: unknown, generated?: unknown): DescribedOperation | undefined {
  const api = readSlice(slice)
  const { root, release: dialect, follow } = api
  const found = findOperation(api)
  if (!found) return undefined
  const { method, path, summary, operation, pathItem } = found
  const body = readBody(operation, api)
  const isBodyRequired = body?.required === true
  const servers = findServers([operation, pathItem, root])
  const declared = readParameters({ operation, pathItem }, api).known
  const parameters = [...declared, ...listUndeclared(path, declared, api)].map((one) => toDescribed(one, generated, api))
  return {
    method,
    path,
    title: summary ?? `${method} ${path}`,
    servers: servers.length > 0 ? servers : [unnamedServer('/')],
    security: readSecurity(operation, api),
    parameters: locations.flatMap((location) => parameters.filter((one) => one.in === location)),
    bodies: (body ? readContent(body.place, api) : [])
      .filter(({ schema }) => isBodyRequired || !schema || !allowsNothing(readSchema(schema, follow)))
      .map((mediaType) => ({ ...describeBody(mediaType, api), generated: readOwn(generated, toBodyKey(mediaType.name)) })),
    isBodyRequired,
    accepts: listAccepts(readResponses(operation, api), api),
    dialect,
    follow,
  }
}

/** A server with only a URL. */
export function unnamedServer(url: string): DescribedServer {
  return { url, name: undefined, description: undefined, variables: [] }
}

/** Whether requests of an operation may need `other-bodies.ts`. */
export function needsOtherBodies({ bodies, parameters }: DescribedOperation): boolean {
  return (
    bodies.some(({ mediaType }) => !isJsonType(mediaType)) || parameters.some(({ contentType = '' }) => isFormType(contentType))
  )
}

function toDescribed(parameter: Parameter, generated: unknown, api: Api): DescribedParameter {
  const { content } = parameter
  return {
    ...parameter,
    contentType: content?.name,
    encodings: content ? readNamedEncodings(content.place, api) : [],
    example: readValueExamples(parameter, api).find(({ value }) => value !== undefined)?.value,
    generated: readOwn(generated, keyOf(parameter)),
  }
}

/** Path parameters that are not declared are strings. */
function listUndeclared(path: string, declared: readonly Parameter[], api: Api): readonly Parameter[] {
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => name)
  const missing = names.filter((name) => !declared.some((one) => one.in === 'path' && one.name === name))
  const parameters = missing.map((name) => ({ name, in: 'path', schema: { type: 'string' } }))
  return readParameters({ operation: toPlace({ parameters }), pathItem: anything }, api).known
}

function describeBody({ name, place, schema }: MediaType, api: Api): DescribedBody {
  const own = readExamples(place, api).filter((one) => one.value !== undefined)
  const encodings = readNamedEncodings(place, api)
  return {
    mediaType: name,
    schema: isFormData(name) ? markFiles(schema, name, encodings, api.follow) : schema,
    isFile: isBinaryType(name) || (!isFormData(name) && !isJsonType(name) && isFileSchema(schema, api.follow)),
    examples: own.length > 0 || !schema ? own : readSchemaExamples(schema, api).slice(0, 1),
    encodings,
  }
}

export function toBodyKey(mediaType: string): string {
  return `body ${mediaType}`
}

/** Whether a schema allows only an empty object. Some generators declare this for operations without a body. */
function allowsNothing({ keywords, properties, required }: ReadSchema): boolean {
  const { type: _, additionalProperties, ...others } = keywords
  return additionalProperties === false && properties.size + required.size + Object.keys(others).length === 0
}

/** Media types of the responses, starting with those of 2xx responses. */
function listAccepts(responses: readonly Response[], api: Api): string[] {
  const sorted = [true, false].flatMap((isFirst) => responses.filter(({ statusCode }) => statusCode.startsWith('2') === isFirst))
  return [...new Set(sorted.flatMap(({ place }) => readContent(place, api).map(({ name }) => name)))]
}

/** The key of a parameter's value. Parameter names are unique only within their location. */
export function keyOf({ in: location, name }: Pick<DescribedParameter, 'in' | 'name'>): string {
  return `${location} ${name}`
}

/**
 * The schema of a form in which each file has `format: binary`: also a property whose Encoding Object has the media type of a file, and a part that
 * can be anything. Source: OpenAPI 3.1.1, "Considerations for File Uploads", "Encoding Object".
 */
function markFiles(schema: Schema, mediaType: string, encodings: readonly Encoding[], follow: FollowReference): Schema {
  const file = { type: 'string', format: 'binary' }
  let hasFiles = false
  const contentTypes = new Map(encodings.map((encoding) => [encoding.property, encoding.contentType]))
  const marked = [...readSchema(schema, follow).properties].map(([name, property]) => {
    const contentType = contentTypes.get(name)
    const isMarked = (read: ReadSchema) =>
      contentType === undefined ? !isFormType(mediaType) && isAnything(read) : isFile(read, contentType)
    if (!isFileSchema(property, follow, isMarked)) return [name, property.value]
    hasFiles = true
    return [name, readSchema(property, follow).types.includes('array') ? { type: 'array', items: file } : file]
  })
  return hasFiles ? toPlace({ allOf: [schema?.value], properties: Object.fromEntries(marked) }) : schema
}

/** Whether a value, its items or the first of its choices is a file. */
export function isFileSchema(
  schema: Schema,
  follow: FollowReference,
  is: (read: ReadSchema) => boolean = isFile,
  depth = 0,
): boolean {
  const read = readSchema(schema, follow)
  const inner = read.types.includes('array') ? read.items : read.choices[0]
  return is(read) || (inner !== undefined && depth < 5 && isFileSchema(inner, follow, is, depth + 1))
}

/** Whether a schema says nothing about its values. */
function isAnything({ keywords }: ReadSchema): boolean {
  return Object.keys(keywords).every((key) => /^(?:title|description|deprecated|readOnly|writeOnly|nullable|x-.*)$/.test(key))
}

/** Whether a value itself is a file. */
export function isFile({ keywords, types }: Pick<ReadSchema, 'keywords' | 'types'>, contentType?: string): boolean {
  const { contentEncoding: encoding, contentMediaType: mediaType, format = '' } = keywords
  if (types.length > 0 && !types.some((type) => type === 'string' || type === 'file')) return false
  if (/^(?:binary|file)$/i.test(format) || /^binary$/i.test(encoding ?? '') || types.includes('file')) return true
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
    const { required, example, generated, in: location, name } = parameter
    const isWanted =
      required || (defaults === 'all' && example !== undefined) || (location === 'header' && /^accept$/i.test(name))
    const value = example === undefined ? generated : example
    if (isWanted && value !== undefined) setOwn(values, keyOf(parameter), value)
  }
  return values
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
  const text = stringOf(example.value) ?? ''
  const isJsonText = isContainer(parseJson(text)) && !readSchema(schema, follow).types.includes('string')
  if (isJsonText && isJsonType(mediaType)) return { description, text }
  const value = isJsonText && isFormData(mediaType) ? parseWrittenJson(text) : example.value
  return { description, value: withoutMarked(value, schema ? [schema] : [], 'readOnly', follow) }
}

/** The generated value in terms of its media type. */
function fillGenerated({ mediaType, schema, generated }: DescribedBody, isRequired: boolean, follow: FollowReference): unknown {
  const least = isRequired ? (isFormData(mediaType) || isJsonType(mediaType) ? {} : 'string') : undefined
  const value = generated === undefined ? least : generated
  if (typeof value === 'string' && /graphql/i.test(mediaType)) return '{ __typename }'
  if (typeof value === 'string' && isXmlType(mediaType)) return `<root>${value}</root>`
  if (!isObject(value) || !isFormData(mediaType)) return value
  // Where a form needs files, they are added when it is written.
  const { properties } = readSchema(schema, follow)
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isFileSchema(properties.get(name), follow)))
}

/** A value that an agent gave. A string is JSON where the schema allows no strings, such as a number that JavaScript would round. */
export function readGiven(value: unknown, schema: Schema, follow: FollowReference, depth = 0): unknown {
  const read = readSchema(schema, follow)
  const { types } = read
  if (typeof value === 'string') {
    if (types.length === 0 || types.includes('string') || parseJson(`[${value}]`) === undefined) return value
    const [parsed, ...more] = listOf(parseWrittenJson(`[${value}]`))
    return parsed === undefined || more.length > 0 ? value : parsed
  }
  if (!isContainer(value) || depth > 20) return value
  const readMember = (one: unknown, step: string | number) => readGiven(one, memberSchema(read, step), follow, depth + 1)
  if (Array.isArray(value)) return value.map(readMember)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readMember(one, name)]))
}

/** A body: a value, or text that is sent as it is. */
export type FilledBody =
  | { readonly description: DescribedBody; readonly value: unknown }
  | { readonly description: DescribedBody; readonly text: string }
