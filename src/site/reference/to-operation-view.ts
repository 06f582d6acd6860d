import { readWords } from '../../model/api.ts'
import { type Response, readBody, readCallbacks, readLinks, readResponses } from '../../model/bodies.ts'
import {
  type DescribedValue,
  type Encoding,
  type Header,
  readContent,
  readEncodings,
  readExamples,
  readHeaders,
  readValueExamples,
} from '../../model/content.ts'
import { locations, type Parameter, readParameters } from '../../model/parameters.ts'
import { keywordIn, mergeSchema } from '../../model/schema.ts'
import { hasRequirements, readSecurity } from '../../model/security.ts'
import { findServers } from '../../model/servers.ts'
import {
  type CollectedOperation,
  collectOperations,
  collectPathItems,
  countRepeated,
} from '../../openapi/read/collect-operations.ts'
import { joinDescription, readExternalDocs, readLabels, splitSummary } from '../../openapi/read/titles.ts'
import { mapPlaces, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { memoizeByReference, type ReferenceContext } from './context.ts'
import { readCodeSamples } from './read-code-samples.ts'
import { sampleSchema } from './sample-schema.ts'
import { listContentExamples, toExampleView } from './schema-examples.ts'
import { maxShared, startOf, toServer, toServers } from './server-urls.ts'
import { type TopSchema, toTopSchemaView } from './to-schema-view.ts'
import type {
  CallbackView,
  EncodingView,
  HeaderView,
  MediaTypeView,
  OperationView,
  ParameterView,
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
  const { summary } = fields
  const around = readWords(pathItem)
  const own = findServers([operation, pathItem])
  const servers = kind === 'operation' && own.length === 0 ? toServers([context.root]) : own.map(toServer)
  const security = kind === 'operation' || hasRequirements(operation) ? readSecurity(operation, context) : []
  const body = readBody(operation, context)
  return {
    kind,
    method: /^[a-z]+$/.test(fields.method) ? fields.method.toUpperCase() : fields.method,
    path: entry.name,
    operationId: fields.operationId,
    summary: summary === undefined ? undefined : splitSummary(summary).title,
    description: joinDescription(summary, fields.description ?? around.description),
    deprecated: fields.deprecated === true,
    labels: fields.labels,
    tags: fields.tags,
    externalDocs: readExternalDocs(operation.value),
    pathTexts: [around.summary, around.description].filter((text) => text !== undefined),
    servers: startOf(servers),
    hasOwnServers: own.length > 0,
    security: startOf(security, (schemes) => schemes.length === 0),
    left: { servers: Math.max(0, servers.length - maxShared), security: Math.max(0, security.length - maxShared) },
    parameters: toParameters(operation, pathItem, context),
    requestBody: body && {
      description: body.description,
      required: body.required,
      content: toMediaTypes(body.place, { side: kind === 'operation' ? 'request' : 'response' }, context),
    },
    responses: readResponses(operation, context).map((response) =>
      memoizeResponse(response.entry, `${response.statusCode}\n${kind}`, context, () => toResponse(response, kind, context)),
    ),
    callbacks: depth < maxDepth ? toCallbacks(operation, context, { depth: depth + 1, budget }) : [],
    codeSamples: readCodeSamples(operation, context.follow),
  }
}

const memoizeResponse = memoizeByReference<ResponseView>()

function toResponse(response: Response, kind: OperationView['kind'], context: ReferenceContext): ResponseView {
  const { statusCode, summary, description, place } = response
  const links = readLinks(place, context)
  return {
    statusCode,
    summary,
    description,
    headers: toHeaders(readHeaders(place, context), context),
    content: toMediaTypes(
      place,
      { side: kind === 'operation' ? 'response' : 'request', isError: !/^[123]/.test(statusCode) },
      context,
    ),
    links: startOf(links),
    linksLeft: Math.max(0, links.length - maxShared),
  }
}

/** The callbacks, by `toPlaceKey`, that are left out, because too many operations refer to the same ones. */
const repeatedCallbacks = onceFor((context: ReferenceContext): ReadonlySet<string> => {
  const { follow } = context
  const budget = startBudget('repeated')
  const seen = new Set<unknown>()
  const found = new Set<string>()
  for (const field of ['paths', 'webhooks', 'x-webhooks'] as const) {
    const operations = collectPathItems(context.root, field, follow).flatMap((entry) => collectOperations(entry, follow))
    for (const { place } of operations.flatMap(({ operation }) => mapPlaces(operation, 'callbacks'))) {
      const { value } = follow.end(place)
      if (seen.has(value) && !spendNodes(budget, countRepeated(value))) found.add(toPlaceKey(place))
      seen.add(value)
    }
  }
  return found
})

function toCallbacks(operation: Place, context: ReferenceContext, level: CallbackLevel): CallbackView[] {
  return readCallbacks(operation, context).map(({ name, entry, pathItems }) => {
    if (repeatedCallbacks(context).has(toPlaceKey(entry))) return { name, operations: [], isShortened: true }
    const operations = pathItems.flatMap((item) =>
      collectOperations(item, context.follow).flatMap((one) => {
        const isShown = level.depth === 1 || spendNodes(level.budget)
        return isShown ? [toOperationView(one, 'callback', context, level)] : []
      }),
    )
    return { name, operations, isShortened: level.depth > 1 && level.budget.isShortened }
  })
}

function toParameters(operation: Place, pathItem: Place, context: ReferenceContext): ParameterView[] {
  const all = readParameters({ operation, pathItem }, context).known
  return locations.flatMap((location) =>
    all
      .filter((parameter) => parameter.in === location)
      .map((parameter) => memoizeParameter(parameter.entry, '', context, () => toParameter(parameter, context))),
  )
}

const memoizeParameter = memoizeByReference<ParameterView>()

function toParameter(parameter: Parameter, context: ReferenceContext): ParameterView {
  const { place, content, schema, ...fields } = parameter
  const { name, required } = fields
  const view = toValueView(parameter, 'request', context)
  const isWanted = required || (parameter.in === 'header' && /^accept$/i.test(name))
  const isSampled = !context.isApart && view.examples.length === 0 && isWanted
  return {
    ...fields,
    ...view,
    labels: readLabels(
      place.value,
      context.labelFields.filter((field) => field.startsWith('x-')),
    ),
    contentType: content?.name,
    sample:
      isSampled && schema && (content || saysMore(schema, context)) ? sampleSchema(schema, 'request', context, name) : undefined,
  }
}

/** What readers see of the value of a parameter or header. */
function toValueView(value: DescribedValue, side: SchemaSide, context: ReferenceContext) {
  const examples = readValueExamples(value, context).map(toExampleView)
  return { schema: toTopSchemaView(value.schema ?? anything, context, { side }), examples }
}

const anything: Place = { file: '', pointer: '', value: undefined }

/** Whether a schema says which values a parameter has. For a plain type, a placeholder with its name says more. */
function saysMore(schema: Place, { follow }: ReferenceContext): boolean {
  const { parts } = mergeSchema([schema], follow, { alsoIn: ({ choices }) => choices.flatMap(({ options }) => options) })
  return parts.some(({ keywords }) => valueKeywords.some((key) => keywordIn(keywords, key) !== undefined))
}

const valueKeywords = ['example', 'examples', 'default', 'const', 'enum', 'items', 'properties', 'additionalProperties']

function toHeaders(headers: readonly Header[], context: ReferenceContext): HeaderView[] {
  return headers.map((header) =>
    memoizeHeader(header.entry, header.name, context, () => {
      const { name, required, deprecated, description } = header
      return { name, required, deprecated, description, ...toValueView(header, 'response', context) }
    }),
  )
}

const memoizeHeader = memoizeByReference<HeaderView>()

/** In an API with fewer responses, a header of all of them says something about each. */
const minSharing = 6

/** The names, in lower case, of the headers that all responses of an API have, such as those of a rate limit. */
export function listSharedHeaders(operations: Iterable<CollectedOperation>, context: ReferenceContext): ReadonlySet<string> {
  let shared: string[] | undefined
  let count = 0
  for (const { operation } of operations) {
    for (const { place } of readResponses(operation, context)) {
      const names = readHeaders(place, context).map(({ key }) => key)
      shared = shared ? shared.filter((name) => names.includes(name)) : names
      if (shared.length === 0) return new Set()
      count++
    }
  }
  return new Set(count < minSharing ? [] : shared)
}

function toMediaTypes(owner: Place, top: TopSchema, context: ReferenceContext): MediaTypeView[] {
  return readContent(owner, context).map((mediaType) => {
    const { name, place, schema, itemSchema } = mediaType
    return {
      mediaType: name,
      schema: schema && toTopSchemaView(schema, context, top),
      itemSchema: itemSchema && toTopSchemaView(itemSchema, context, top),
      examples: listContentExamples({ ...mediaType, examples: readExamples(place, context) }, top.side, context),
      encoding: readEncodings(place, context).named.map((encoding) => toEncoding(encoding, context)),
    }
  })
}

function toEncoding({ property, contentType, serialization, headers }: Encoding, context: ReferenceContext): EncodingView {
  return { property, contentType, serialization, headers: toHeaders(headers, context) }
}
