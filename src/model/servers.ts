import { childPlace, mapPlaces } from '../openapi/references/follow-reference.ts'
import { isContainer, isObject, listOf, type Place, readOwn, readText } from '../text/json/json-values.ts'

/** A Server Object. */
export interface Server {
  readonly place: Place
  /** As written, with `{variables}`. */
  readonly url: string
  /** 3.2. */
  readonly name: string | undefined
  readonly description: string | undefined
  readonly variables: readonly ServerVariable[]
}

/** A Server Variable Object. Numbers are common in it, although invalid: they count as their texts. */
export interface ServerVariable {
  readonly name: string
  readonly default: string | undefined
  /** Empty if any text is allowed. */
  readonly enum: readonly string[]
  readonly description: string | undefined
}

/**
 * The servers of the nearest owner with any: the operation, its path item, or the document. Empty if none has one: OpenAPI then defaults to `/`, the
 * host of the document. Source: OpenAPI 3.2.0, "Server Object".
 */
export function findServers(owners: readonly Place[]): Server[] {
  const list = findServerList(owners)
  return list ? listServers(list) : []
}

/** The list with these servers. */
export function findServerList(owners: readonly Place[]): Place | undefined {
  const lists = owners.map((owner) => childPlace(owner, 'servers'))
  return lists.find(({ value }) => listOf(value).some((server) => readText(server, 'url') !== undefined))
}

/** Reads the first servers of a list. */
export function listServers(list: Place, most?: number): Server[] {
  return readServers([...listOf(list.value).slice(0, most).keys()].map((index) => childPlace(list, index)))
}

/** Reads Server Objects. Those without a URL are left out. */
export function readServers(places: readonly Place[]): Server[] {
  return places.flatMap((place): Server[] => {
    const url = readText(place.value, 'url')
    if (url === undefined) return []
    const declared = mapPlaces(place, 'variables').filter((variable) => isObject(variable.place.value))
    const variables = declared.map(({ name, place: variable }) => ({
      name,
      default: toText(readOwn(variable.value, 'default')),
      enum: listOf(readOwn(variable.value, 'enum')).map((value) => toText(value) ?? ''),
      description: readText(variable.value, 'description'),
    }))
    const [name, description] = [readText(place.value, 'name'), readText(place.value, 'description')]
    return [{ place, url, name, description, variables }]
  })
}

/**
 * Resolves the URL of a server against the document that has it, if that came from a URL: without a host, it is that of the document. Variables are kept.
 */
export function resolveServerUrl(url: string, file: string): string {
  if (!/^https?:/.test(file) || /^[a-z{][^/]*:/i.test(url) || !URL.canParse(url, file)) return url
  return new URL(url, file).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return isContainer(value) ? JSON.stringify(value) : String(value)
}
