import { type Server as DeclaredServer, findServerList, listServers, type ServerVariable } from '../../model/servers.ts'
import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import { childPlace } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { matchWildcards } from '../../text/plain/paths.ts'
import { toPathShape } from '../change.ts'

/** A Server Object, and the URLs that it stands for. */
export interface Server extends DeclaredServer {
  /**
   * Its URLs in one spelling, without a trailing slash: one for each combination of the listed values of its variables. `{}` is a placeholder
   * for any value.
   */
  readonly urls: readonly string[]
  /** The URL with the default of each variable. */
  readonly defaultUrl: string
}

/** The servers of a list in document order. Empty if nothing is declared: the URL is then unknown. */
export type ReadServers = (list: Place) => readonly Server[]

/** Creates a function that reads each list once, because hundreds of operations have the same one. */
export function toReadServers(): ReadServers {
  const known = new Map<unknown, readonly Server[]>()
  return (list) => getOrMake(known, list.value, () => readServers(list))
}

/** Further servers of a list are not compared: each operation can have another list. */
const maxServers = 200

function readServers(list: Place): readonly Server[] {
  return listServers(list, maxServers).map((server) => {
    const [defaultUrl = ''] = listUrls(server, (variable) => [variable.default ?? anyValue])
    return { ...server, urls: listUrls(server, listValues), defaultUrl }
  })
}

/** With more combinations of values than this, those of the further variables are not listed. */
const maxUrls = 64

function listUrls({ url, variables }: DeclaredServer, toValues: typeof listValues): readonly string[] {
  let urls = ['']
  for (const [index, part] of url.split(/\{([^{}]*)\}/).entries()) {
    const variable = variables.find(({ name }) => name === part)
    const values = index % 2 === 0 ? [part] : variable ? toValues(variable) : [anyValue]
    const isListed = urls.length * values.length <= maxUrls
    urls = urls.flatMap((start) => (isListed ? values : [anyValue]).map((value) => `${start}${value}`))
  }
  return urls.map(normalizeUrl)
}

const anyValue = '{}'

/** The values of a variable, or a placeholder for any. */
function listValues(variable: ServerVariable): readonly string[] {
  return variable.enum.length === 0 ? [anyValue] : [...new Set(variable.enum)]
}

/** Scheme and host in lower case, without the default port and without a trailing slash. */
function normalizeUrl(url: string): string {
  const [authority = ''] = /^(?:[^/]*:)?\/\/[^/]*/.exec(url) ?? []
  const shownAuthority = authority.toLowerCase().replace(/^(?:(https:.*):443|(http:.*):80)$/, '$1$2')
  return `${shownAuthority}${url.slice(authority.length).replace(/\/$/, '')}`
}

/** The list of servers that applies to an operation: its own, that of its path, or that of the document. */
export function findServers(operation: Pick<CollectedOperation, 'operation' | 'pathItem'>, root: Place): Place {
  return findOwnServers(operation) ?? childPlace(root, 'servers')
}

/** The list of servers of an operation or its path. */
export function findOwnServers({ operation, pathItem }: Pick<CollectedOperation, 'operation' | 'pathItem'>): Place | undefined {
  return findServerList([operation, pathItem])
}

/** The paths of the URLs of servers. With default values first. */
export function listBasePaths(servers: readonly Server[]): readonly string[] {
  if (servers.length === 0) return ['']
  const urls = [...servers.map(({ defaultUrl }) => defaultUrl), ...servers.flatMap((server) => server.urls)]
  return [...new Set(urls.map(toUrlPath))].slice(0, maxBasePaths)
}

/** Operations are matched by this number of URLs at most. */
const maxBasePaths = 64

function toUrlPath(url: string): string {
  return url.replace(/^(?:[^/]*:)?\/\/[^/]*/, '')
}

/** A URL of an operation. Its path `/` is the URL of the server. */
export function joinUrl(url: string, pathShape: string): string {
  return pathShape === '/' ? url : `${url}${pathShape}`
}

/** The part at the beginning of a path that another path, which is its end, does not have. `''` if it is not its end. */
export function findBasePath(path: string, end: string): string {
  if (end === '/') return path === '/' ? '' : path
  const [segments, endSegments] = [path.split('/'), end.split('/').slice(1)]
  const basePath = segments.slice(0, Math.max(0, segments.length - endSegments.length)).join('/')
  const rest = path.slice(basePath.length)
  return toPathShape(rest) === toPathShape(end) ? basePath : ''
}

/** Whether a URL with placeholders includes another one. */
export function coversUrl(pattern: string, url: string): boolean {
  return matchWildcards(url, pattern, anyValue)
}
