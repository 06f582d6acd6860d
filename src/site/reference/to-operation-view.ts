import { locations, readParameters } from '../../model/parameters.ts'
import { isBinaryType } from '../../model/written-values.ts'
import {
  type CollectedOperation,
  collectOperations,
  collectPathItems,
  countRepeated,
} from '../../openapi/read/collect-operations.ts'
import { joinDescription, readLabels, splitSummary } from '../../openapi/read/titles.ts'
import {
  childPlace,
  listPlaces,
  mapPlaces,
  mergeSchema,
  splitReference,
  toPlaceKey,
} from '../../openapi/references/follow-reference.ts'
import { toJsonText } from '../../playground/request/read-operation.ts'
import { isObject, type Place, parsePointer, readFlag, readOwn, readText } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { memoizeByReference, perDescription, type ReferenceContext, rootOf } from './context.ts'
import { readCodeSamples } from './read-code-samples.ts'
import { toExternalDocs } from './read-fields.ts'
import { sampleSchema } from './sample-schema.ts'
import { toExamples } from './schema-examples.ts'
import { maxShared, startOf, toOwnServers, toSecurity, toServer, toServers } from './servers-security.ts'
import { type TopSchema, toTopSchemaView } from './to-schema-view.ts'
import type {
  CallbackView,
  EncodingView,
  HeaderView,
  LinkView,
  MediaTypeView,
  OperationView,
  ParameterView,
  RequestBodyView,
  ResponseView,
  SchemaSide,
} from './types.ts'

/** Deepest nesting of callbacks in callbacks. */
const maxDepth = 3

/** How many callbacks are around an operation, and what may still be shown inside of callbacks. */
interface CallbackLevel {
  readonly depth: number
  readonly budget: NodeBudget
}

/** The view of an operation, a method of a webhook or a callback. For a webhook, request and response swap sides: readers receive the request. */
export function toOperationView(
  { fields, entry, pathItem, operation }: CollectedOperation,
  kind: OperationView['kind'],
  context: ReferenceContext,
  { depth, budget }: CallbackLevel = { depth: 0, budget: startBudget('callbacks') },
): OperationView {
  const { value } = operation
  const { summary } = fields
  const servers = kind === 'operation' ? toServers([operation, pathItem, rootOf(context)]) : toOwnServers([operation, pathItem])
  const security = kind === 'operation' || Array.isArray(readOwn(value, 'security')) ? toSecurity(operation, context) : []
  return {
    kind,
    method: /^[a-z]+$/.test(fields.method) ? fields.method.toUpperCase() : fields.method,
    path: entry.name,
    operationId: fields.operationId,
    summary: summary === undefined ? undefined : splitSummary(summary).title,
    description: joinDescription(summary, fields.description ?? readText(pathItem.value, 'description')),
    deprecated: fields.deprecated === true,
    labels: fields.labels,
    tags: fields.tags,
    externalDocs: toExternalDocs(readOwn(value, 'externalDocs')),
    pathTexts: ['summary', 'description'].flatMap((key) => readText(pathItem.value, key) ?? []),
    servers: startOf(servers),
    hasOwnServers: toOwnServers([operation, pathItem]).length > 0,
    security: startOf(security, ({ schemes }) => schemes.length === 0),
    left: { servers: Math.max(0, servers.length - maxShared), security: Math.max(0, security.length - maxShared) },
    parameters: toParameters(operation, pathItem, context),
    requestBody: toRequestBody(operation, kind, context),
    responses: mapPlaces(operation, 'responses', 'left-out').map(({ name, place }) =>
      memoizeResponse(place, `${name}\n${kind}`, context, () => toResponse(name, context.follow.end(place), kind, context)),
    ),
    callbacks: depth < maxDepth ? toCallbacks(operation, context, { depth: depth + 1, budget }) : [],
    codeSamples: readCodeSamples(operation, context.follow),
  }
}

function toRequestBody(operation: Place, kind: OperationView['kind'], context: ReferenceContext): RequestBodyView | undefined {
  const body = context.follow.end(childPlace(operation, 'requestBody'))
  if (!isObject(body.value)) return undefined
  return {
    description: readText(body.value, 'description'),
    required: readFlag(body.value, 'required'),
    content: toMediaTypes(body, { side: kind === 'operation' ? 'request' : 'response' }, context),
  }
}

const memoizeResponse = memoizeByReference<ResponseView>()

function toResponse(statusCode: string, response: Place, kind: OperationView['kind'], context: ReferenceContext): ResponseView {
  const links = mapPlaces(response, 'links')
  return {
    statusCode,
    summary: readText(response.value, 'summary'),
    description: readText(response.value, 'description'),
    headers: toHeaders(response, context),
    content: toMediaTypes(
      response,
      { side: kind === 'operation' ? 'response' : 'request', isError: !/^[123]/.test(statusCode) },
      context,
    ),
    links: startOf(links).map(({ name, place }) => toLink(name, context.follow.end(place))),
    linksLeft: Math.max(0, links.length - maxShared),
  }
}

function toLink(name: string, link: Place): LinkView {
  const { value } = link
  const requestBody = readOwn(value, 'requestBody')
  const parameters = readOwn(value, 'parameters')
  return {
    name,
    description: readText(value, 'description'),
    target: readText(value, 'operationId') ?? toTargetOfPointer(readText(value, 'operationRef') ?? ''),
    parameters: isObject(parameters)
      ? Object.entries(parameters).map(([key, one]) => ({ name: key, value: toJsonText(one) }))
      : [],
    requestBody: requestBody === undefined ? undefined : toJsonText(requestBody),
    server: toServer(childPlace(link, 'server'))[0],
  }
}

/** `#/paths/~1pets/get` is `GET /pets`; everything else stays as written. */
function toTargetOfPointer(operationRef: string): string {
  const target = splitReference(operationRef, '')
  const [paths, path, method, ...rest] = target.kind === 'file' && target.path === '' ? parsePointer(target.fragment) : []
  if (paths !== 'paths' || path === undefined || method === undefined || rest.length > 0) return operationRef
  return `${method.toUpperCase()} ${path}`
}

/** The callbacks, by `toPlaceKey`, that are left out, because too many operations refer to the same ones. */
const repeatedCallbacks = perDescription((context): ReadonlySet<string> => {
  const { follow } = context
  const budget = startBudget('repeated')
  const seen = new Set<unknown>()
  const found = new Set<string>()
  for (const field of ['paths', 'webhooks', 'x-webhooks'] as const) {
    const operations = collectPathItems(rootOf(context), field, follow).flatMap((entry) => collectOperations(entry, follow))
    for (const { place } of operations.flatMap(({ operation }) => mapPlaces(operation, 'callbacks'))) {
      const { value } = follow.end(place)
      if (seen.has(value) && !spendNodes(budget, countRepeated(value))) found.add(toPlaceKey(place))
      seen.add(value)
    }
  }
  return found
})

function toCallbacks(operation: Place, context: ReferenceContext, level: CallbackLevel): CallbackView[] {
  return mapPlaces(operation, 'callbacks').map(({ name, place }) => {
    if (repeatedCallbacks(context).has(toPlaceKey(place))) return { name, operations: [], isShortened: true }
    const callback = context.follow.end(place)
    const expressions = isObject(callback.value) ? Object.keys(callback.value).filter((key) => !key.startsWith('x-')) : []
    const operations = expressions.flatMap((expression) => {
      const places = context.follow.chain(childPlace(callback, expression))
      return collectOperations({ name: expression, places }, context.follow).flatMap((one) => {
        const isShown = level.depth === 1 || spendNodes(level.budget)
        return isShown ? [toOperationView(one, 'callback', context, level)] : []
      })
    })
    return { name, operations, isShortened: level.depth > 1 && level.budget.isShortened }
  })
}

/** The parameters of an operation and its path item. Those of the operation override others with the same name and location. */
function toParameters(operation: Place, pathItem: Place, context: ReferenceContext): ParameterView[] {
  const byKey = new Map<string, ParameterView>()
  for (const place of [...listPlaces(pathItem, 'parameters'), ...listPlaces(operation, 'parameters')]) {
    const parameter = memoizeParameter(place, '', context, () => toParameter(context.follow.end(place), context))
    if (parameter) byKey.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  const all = [...byKey.values()]
  return locations.flatMap((location) => all.filter((parameter) => parameter.in === location))
}

const memoizeParameter = memoizeByReference<ParameterView | undefined>()

function toParameter(place: Place, context: ReferenceContext): ParameterView | undefined {
  const { value } = place
  const api = { root: rootOf(context), release: context.description.release, follow: context.follow }
  const owners = { operation: { ...place, value: { parameters: [value] } }, pathItem: { ...place, value: {} } }
  const [one] = isObject(value) ? readParameters(owners, api).known : []
  const read = one && { ...one, contentType: one.content?.name, encodings: one.content?.encodings }
  if (!isObject(value) || !read) return undefined
  const [content] = mapPlaces(place, 'content')
  const schema = findValueSchema(place)
  const examples = [
    ...(content ? toExamples(context.follow.end(content.place), undefined, context) : []),
    ...toExamples(place, undefined, context),
  ]
  const isSampled = examples.length === 0 && (read.required || (read.in === 'header' && /^accept$/i.test(read.name)))
  return {
    ...read,
    labels: readLabels(
      value,
      context.labelFields.filter((field) => field.startsWith('x-')),
    ),
    allowEmptyValue: readFlag(value, 'allowEmptyValue'),
    schema: toTopSchemaView(schema, context, { side: 'request' }),
    examples,
    sample: isSampled && (content || saysMore(schema, context)) ? sampleSchema(schema, 'request', context, read.name) : undefined,
  }
}

/** Whether a schema says which values a parameter has. For a plain type, a placeholder with its name says more. */
function saysMore(schema: Place, { follow }: ReferenceContext): boolean {
  const { parts } = mergeSchema([schema], follow, {
    alsoIn: (part) => ['oneOf', 'anyOf'].flatMap((key) => listPlaces(part, key)),
  })
  return parts.some(({ value }) => valueKeywords.some((key) => readOwn(value, key) !== undefined))
}

const valueKeywords = ['example', 'examples', 'default', 'const', 'enum', 'items', 'properties', 'additionalProperties']

/** The `headers` of a response or a part of a body. `Content-Type` is ignored there (OpenAPI, "Response Object"). */
function toHeaders(owner: Place, context: ReferenceContext): HeaderView[] {
  return mapPlaces(owner, 'headers')
    .filter(({ name }) => name.toLowerCase() !== 'content-type')
    .map(({ name, place }) => memoizeHeader(place, name, context, () => toHeader(name, context.follow.end(place), context)))
}

/** In an API with fewer responses, a header of all of them says something about each. */
const minSharing = 6

/** The names, in lower case, of the headers that all responses of an API have, such as those of a rate limit. */
export function listSharedHeaders(operations: Iterable<CollectedOperation>, { follow }: ReferenceContext): ReadonlySet<string> {
  let shared: string[] | undefined
  let count = 0
  for (const { operation } of operations) {
    for (const { place } of mapPlaces(operation, 'responses', 'left-out')) {
      const names = mapPlaces(follow.end(place), 'headers').map(({ name }) => name.toLowerCase())
      shared = shared ? shared.filter((name) => names.includes(name)) : names
      if (shared.length === 0) return new Set()
      count++
    }
  }
  return new Set(count < minSharing ? [] : shared)
}

const memoizeHeader = memoizeByReference<HeaderView>()

function toHeader(name: string, header: Place, context: ReferenceContext): HeaderView {
  return {
    name,
    required: readFlag(header.value, 'required'),
    deprecated: readFlag(header.value, 'deprecated'),
    description: readText(header.value, 'description'),
    schema: toTopSchemaView(findValueSchema(header), context, { side: 'response' }),
    examples: toExamples(header, undefined, context),
  }
}

/** The schema of a header or parameter: its own, or that of the one media type of its `content`. */
function findValueSchema(owner: Place): Place {
  const schema = childPlace(owner, 'schema')
  if (schema.value !== undefined) return schema
  const [content] = mapPlaces(owner, 'content')
  return content ? childPlace(content.place, 'schema') : schema
}

/** The media types of a `content`, in document order. */
function toMediaTypes(owner: Place, top: TopSchema, context: ReferenceContext): MediaTypeView[] {
  return mapPlaces(owner, 'content').map(({ name, place }) => {
    const mediaType = context.follow.end(place)
    const schema = findField(mediaType, 'schema')
    const itemSchema = findField(mediaType, 'itemSchema')
    return {
      mediaType: name,
      schema: schema && toTopSchemaView(schema, context, top),
      itemSchema: itemSchema && toTopSchemaView(itemSchema, context, top),
      examples: toExamples(
        mediaType,
        { schema: schema ?? itemSchema, side: top.side, mediaType: name, isGenerated: isSampled(name, top.side) },
        context,
      ),
      encoding: mapPlaces(mediaType, 'encoding').map(({ name: property, place: encoding }) =>
        toEncoding(property, encoding, context),
      ),
    }
  })
}

function findField(parent: Place, key: string): Place | undefined {
  const place = childPlace(parent, key)
  return place.value === undefined ? undefined : place
}

/**
 * Whether an example is generated for a media type: not for bytes, and for other text only in requests, whose samples need a body.
 */
function isSampled(mediaType: string, side: SchemaSide): boolean {
  return side === 'request' ? !isBinaryType(mediaType) : sampledTypes.test(mediaType)
}

const sampledTypes =
  /[/+](?:json|xml|yaml)\b|^application\/x-www-form-urlencoded|^multipart\/|^\*\/\*|^application\/(?:x-ndjson|jsonl|json-seq)|^text\/event-stream/i

function toEncoding(property: string, place: Place, context: ReferenceContext): EncodingView {
  const { value } = place
  const explode = readOwn(value, 'explode')
  return {
    property,
    contentType: readText(value, 'contentType'),
    style: readText(value, 'style'),
    explode: typeof explode === 'boolean' ? explode : undefined,
    allowReserved: readFlag(value, 'allowReserved'),
    headers: toHeaders(place, context),
  }
}
