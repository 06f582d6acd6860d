import { type CollectedOperation, childPlace, collectOperations } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { splitReference } from '../openapi/split-reference.ts'
import { toJsonText } from '../request/to-json-text.ts'
import { isObject } from '../text/is-object.ts'
import { parsePointer } from '../text/json-pointer.ts'
import type { ReferenceContext } from './context.ts'
import { keepReferred } from './keep-referred.ts'
import { listPlaces, mapPlaces, readField, readFlag, readText } from './read-fields.ts'
import { toExternalDocs } from './to-external-docs.ts'
import { toHeaders } from './to-headers.ts'
import { toMediaTypes } from './to-media-types.ts'
import { toParameters } from './to-parameters.ts'
import { toSecurity } from './to-security.ts'
import { toServers } from './to-servers.ts'
import type { CallbackView, CodeSample, LinkView, OperationView, RequestBodyView, ResponseView } from './types.ts'

/** Deepest nesting of callbacks in callbacks. */
const maxDepth = 3

/** What is shown of an operation, of one method of a webhook, or of a callback. A webhook is sent to the reader: its sides are turned. */
export function toOperationView(
  { fields, entry, pathItem, operation }: CollectedOperation,
  kind: OperationView['kind'],
  context: ReferenceContext,
  depth = 0,
): OperationView {
  const { value } = operation
  return {
    kind,
    method: /^[a-z]+$/.test(fields.method) ? fields.method.toUpperCase() : fields.method,
    path: entry.name,
    operationId: fields.operationId,
    summary: fields.summary ?? readText(pathItem.value, 'summary'),
    description: fields.description ?? readText(pathItem.value, 'description'),
    deprecated: fields.deprecated === true,
    tags: fields.tags,
    externalDocs: toExternalDocs(readField(value, 'externalDocs')),
    servers: kind === 'operation' ? toServers([operation, pathItem, context.root]) : [],
    security: kind === 'operation' ? toSecurity(operation, context) : [],
    parameters: toParameters(operation, pathItem, context),
    requestBody: toRequestBody(operation, kind, context),
    responses: mapPlaces(operation, 'responses', 'left-out').map(({ name, place }) =>
      keepResponse(place, `${name}\n${kind}`, context, () => toResponse(name, context.follow.end(place), kind, context)),
    ),
    callbacks: depth < maxDepth ? toCallbacks(operation, context, depth) : [],
    codeSamples: toCodeSamples(operation),
    file: operation.file,
    pointer: operation.pointer,
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

const keepResponse = keepReferred<ResponseView>()

function toResponse(statusCode: string, response: Place, kind: OperationView['kind'], context: ReferenceContext): ResponseView {
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
    links: mapPlaces(response, 'links').map(({ name, place }) => toLink(name, context.follow.end(place))),
  }
}

function toLink(name: string, { value }: Place): LinkView {
  const parameters = readField(value, 'parameters')
  return {
    name,
    description: readText(value, 'description'),
    target: readText(value, 'operationId') ?? toTargetOfPointer(readText(value, 'operationRef') ?? ''),
    parameters: isObject(parameters)
      ? Object.entries(parameters).map(([key, one]) => ({ name: key, value: toJsonText(one) }))
      : [],
  }
}

/** `#/paths/~1pets/get` is `GET /pets`; all else stays as it is written. */
function toTargetOfPointer(operationRef: string): string {
  const target = splitReference(operationRef, '')
  const [paths, path, method, ...rest] = target.kind === 'file' && target.path === '' ? parsePointer(target.fragment) : []
  if (paths !== 'paths' || path === undefined || method === undefined || rest.length > 0) return operationRef
  return `${method.toUpperCase()} ${path}`
}

function toCallbacks(operation: Place, context: ReferenceContext, depth: number): CallbackView[] {
  return mapPlaces(operation, 'callbacks').map(({ name, place }) => {
    const callback = context.follow.end(place)
    const expressions = isObject(callback.value) ? Object.keys(callback.value).filter((key) => !key.startsWith('x-')) : []
    const operations = expressions.flatMap((expression) => {
      const places = context.follow.chain(childPlace(callback, expression))
      return collectOperations({ name: expression, places }, context.follow).map((one) =>
        toOperationView(one, 'callback', context, depth + 1),
      )
    })
    return { name, operations }
  })
}

/** Samples that the document brings; the extension has two spellings. */
function toCodeSamples(operation: Place): CodeSample[] {
  const places = [...listPlaces(operation, 'x-codeSamples'), ...listPlaces(operation, 'x-code-samples')]
  return places.flatMap(({ value }) => {
    const source = readText(value, 'source')
    const language = readText(value, 'lang')
    if (source === undefined || language === undefined) return []
    return [{ language: language.toLowerCase(), label: readText(value, 'label') ?? language, source }]
  })
}
