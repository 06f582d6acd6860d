import { childPlace, mapPlaces } from '../openapi/references/follow-reference.ts'
import { isObject, type Place, readFlag, readOwn, readText, readWritten, withWritten } from '../text/json/json-values.ts'
import { type Api, type Node, readMap, toNode } from './api.ts'
import { readServers, type Server } from './servers.ts'

/** A Request Body Object. Its content is read from its place. */
export interface Body extends Node {
  readonly description: string | undefined
  readonly required: boolean
}

/** A Response Object. Its headers, content and links are read from its place, because few readers need all of them. */
export interface Response extends Node {
  /** `200`, `4XX`, `default`. */
  readonly statusCode: string
  /** The code or range in upper case, or `default`. */
  readonly key: string
  /** 3.2. */
  readonly summary: string | undefined
  readonly description: string | undefined
}

/** A Link Object. */
export interface Link extends Node {
  readonly name: string
  readonly description: string | undefined
  readonly operationId: string | undefined
  readonly operationRef: string | undefined
  /** Values and runtime expressions by name. */
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
  readonly requestBody: unknown
  readonly server: Server | undefined
}

/** A Callback Object. */
export interface Callback extends Node {
  readonly name: string
  /** By the runtime expressions of their URLs. */
  readonly pathItems: readonly { readonly name: string; readonly places: readonly Place[] }[]
}

/** The body of the requests of an operation; absent if they have none. */
export function readBody(operation: Place, api: Api): Body | undefined {
  const entry = childPlace(operation, 'requestBody')
  if (!isObject(entry.value)) return undefined
  const node = toNode(entry, api)
  const { value } = node.place
  return { ...node, description: readText(value, 'description'), required: readFlag(value, 'required') }
}

/** The responses of an operation by status code, in document order. */
export function readResponses(operation: Place, api: Api): Response[] {
  return readMap(operation, 'responses', api, 'left-out').map(({ name: statusCode, place: entry }) => {
    const node = toNode(entry, api)
    const { value } = node.place
    return {
      ...node,
      statusCode,
      key: /^default$/i.test(statusCode) ? 'default' : statusCode.toUpperCase(),
      summary: readText(value, 'summary'),
      description: readText(value, 'description'),
    }
  })
}

/** The links of a response. */
export function readLinks(response: Place, api: Api): Link[] {
  return readMap(response, 'links', api).map(({ name, place }) => readLink(name, place, api))
}

/** Reads a Link Object. */
export function readLink(name: string, entry: Place, api: Api): Link {
  const node = toNode(entry, api)
  const { value } = node.place
  const parameters = withWritten(readOwn(value, 'parameters'))
  return {
    ...node,
    name,
    description: readText(value, 'description'),
    operationId: readText(value, 'operationId'),
    operationRef: readText(value, 'operationRef'),
    parameters: isObject(parameters) ? Object.entries(parameters).map(([key, one]) => ({ name: key, value: one })) : [],
    requestBody: isObject(value) ? readWritten(value, 'requestBody') : undefined,
    server: readServers([childPlace(node.place, 'server')])[0],
  }
}

/** The callbacks of an operation, in document order. */
export function readCallbacks(operation: Place, api: Api): Callback[] {
  return readMap(operation, 'callbacks', api).map(({ name, place: entry }) => {
    const node = toNode(entry, api)
    const items = node.isUnresolved ? [] : mapPlaces(node.place, undefined, 'left-out')
    return { ...node, name, pathItems: items.map((item) => ({ name: item.name, places: api.follow.chain(item.place) })) }
  })
}
