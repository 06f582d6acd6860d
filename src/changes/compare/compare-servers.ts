import type { ServerVariable } from '../../model/servers.ts'
import { childPlace, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { countBy, groupBy, listFirst } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { toPathShape } from '../change.ts'
import { type ComparisonState, type Difference, report, type Scope } from '../differences/comparison.ts'
import type { PlacePair } from '../differences/name-place.ts'
import {
  coversUrl,
  findOwnServers,
  findServers,
  joinUrl,
  type ReadServers,
  type Server,
  toReadServers,
} from '../match/effective-urls.ts'
import type { BasePath, MatchedOperation, OperationPair } from '../match/match-operations.ts'

/** An operation of both descriptions, with its scope. */
interface ServedOperation {
  readonly matched: MatchedOperation
  readonly scope: Scope
}

/** Operations with the same lists of servers in both descriptions, whose paths differ in the same way. */
interface ServedGroup {
  readonly from: Place
  readonly to: Place
  readonly basePath: BasePath | undefined
  readonly operations: readonly ServedOperation[]
}

/**
 * Compares the URLs of operations: their servers, and the beginning of a path that moved between the servers and the paths.
 *
 * What concerns all operations with the servers of the document is a change of the document. Otherwise, the change lists its operations.
 */
export function compareServers(document: Scope, operations: readonly ServedOperation[], roots: PlacePair): void {
  const readServers = toReadServers()
  const groups = groupOperations(operations, roots)
  const [from, to] = [childPlace(roots.base, 'servers'), childPlace(roots.revision, 'servers')]
  const isOfDocument = (group: ServedGroup) =>
    toPlaceKey(group.from) === toPlaceKey(from) && toPlaceKey(group.to) === toPlaceKey(to)
  const isServed = toIsServed(operations, roots, readServers)
  const found = groups.map((group) => ({ group, differences: compareGroup(group, readServers, isServed) }))
  const shared = found.filter(({ group }) => isOfDocument(group))
  const counts = countBy(
    shared.flatMap(({ differences }) => differences),
    toKey,
  )
  const isWhole = (one: Difference) => counts.get(toKey(one)) === shared.length
  const unused = groups.length === 0 ? compareLists({ from, to, basePath: undefined }, readServers) : []
  const whole = shared[0]?.differences.filter(isWhole) ?? unused
  for (const difference of whole) report(document, { ...difference, subject: 'document' })
  for (const { group, differences } of found) {
    reportBasePath(document, group)
    for (const difference of isOfDocument(group) ? differences.filter((one) => !isWhole(one)) : differences) {
      for (const { scope } of group.operations) report(scope, { ...difference, subject: 'operation' })
    }
  }
}

/** Compares the servers of two operations that have no URL in the descriptions, such as those of callbacks. */
export function compareOwnServers(state: ComparisonState, scope: Scope, { base, revision }: OperationPair): void {
  if (!findOwnServers(base) && !findOwnServers(revision)) return
  const [from, to] = [findServers(base, state.base.root), findServers(revision, state.revision.root)]
  const differences = compareLists({ from, to, basePath: undefined }, toReadServers())
  for (const difference of differences) report(scope, { ...difference, subject: 'operation' })
}

function groupOperations(operations: readonly ServedOperation[], roots: PlacePair): readonly ServedGroup[] {
  const served = operations.flatMap((operation) => {
    const { base, revision, isWebhook, basePath } = operation.matched
    if (!base || !revision || isWebhook) return []
    return [{ operation, from: findServers(base, roots.base), to: findServers(revision, roots.revision), basePath }]
  })
  const groups = groupBy(served, ({ from, to, basePath }) => {
    return JSON.stringify([toPlaceKey(from), toPlaceKey(to), basePath?.side, basePath && toPathShape(basePath.text)])
  })
  return [...groups.values()].flatMap((members) => {
    const [first] = members
    return first ? [{ ...first, operations: members.map(({ operation }) => operation) }] : []
  })
}

function toKey({ code, detail }: Difference): string {
  return `${code} ${detail}`
}

function reportBasePath(scope: Scope, { from, to, basePath }: ServedGroup): void {
  if (!basePath) return
  const [source, target] = basePath.side === 'revision' ? ['the servers', 'the paths'] : ['the paths', 'the servers']
  report(scope, {
    code: 'base-path-moved',
    base: from,
    revision: to,
    subject: 'document',
    detail: `${basePath.side} ${toPathShape(basePath.text)}`,
    message: () => `Base path \`${shorten(basePath.text)}\` was moved from ${source} into ${target}, and the URLs are the same`,
  })
}

/** Whether an operation of the revision has a URL, for operations whose values of a server variable became paths. */
type IsServed = (method: string, url: string) => boolean

function toIsServed(operations: readonly ServedOperation[], { revision }: PlacePair, readServers: ReadServers): IsServed {
  let urls: Set<string> | undefined
  return (method, url) => {
    urls ??= new Set(
      operations.flatMap(({ matched }) => {
        const other = matched.revision
        if (!other) return []
        const servers = readServers(findServers(other, revision)).flatMap((server) => server.urls)
        const shape = toPathShape(other.entry.name)
        return servers.map((server) => `${other.fields.method} ${joinUrl(server, shape)}`)
      }),
    )
    return urls.has(`${method} ${url}`)
  }
}

function compareGroup(group: ServedGroup, readServers: ReadServers, isServed: IsServed): readonly Difference[] {
  const isLost = (url: string) =>
    group.operations.some(({ matched: { base } }) => {
      return !group.basePath || (base && !isServed(base.fields.method, joinUrl(url, toPathShape(base.entry.name))))
    })
  return compareLists(group, readServers, isLost)
}

/** With more lost URLs than this, a server counts as removed as a whole. */
const maxListed = 5

/**
 * Compares two lists of servers. Servers that are written differently are compared by their URLs.
 *
 * Without a list, nothing is known about the URLs before or after.
 *
 * @param isLost Whether clients miss a URL that is in no server of the revision.
 */
function compareLists(
  { from, to, basePath }: Pick<ServedGroup, 'from' | 'to' | 'basePath'>,
  readServers: ReadServers,
  isLost: (url: string) => boolean = () => true,
): readonly Difference[] {
  const [before, after] = [readServers(from), readServers(to)]
  // Without a list, the only server is `/`. Source: OpenAPI 3.1.1, "OpenAPI Object".
  if ([...before, ...after].every(({ urls }) => urls.every((url) => url === ''))) return []
  const pathOf = (side: BasePath['side']) => (basePath?.side === side ? toPathShape(basePath.text) : '')
  const wasServed = toIsCovered(before, pathOf('base'))
  const isServed = toIsCovered(after, pathOf('revision'))
  const byUrl = new Map(after.map((server) => [normalizeSlash(server.url), server]))
  const found: Difference[] = []
  const matched = new Set<Server>()
  const add = (server: Server, verb: 'added' | 'removed', shown: string) => {
    const isAdded = verb === 'added'
    found.push({
      code: `server-${verb}`,
      base: isAdded ? from : server.place,
      revision: isAdded ? server.place : to,
      detail: shown,
      message: () => `Server \`${shorten(shown)}\` was ${verb}`,
    })
  }
  for (const server of before) {
    const same = basePath ? undefined : byUrl.get(normalizeSlash(server.url))
    if (same) {
      matched.add(same)
      found.push(...compareVariables(server, same))
      continue
    }
    const own = server.urls.map((url) => ({ url, whole: `${url}${pathOf('base')}` }))
    const lost = own.filter(({ whole }) => !isServed(whole) && isLost(whole))
    const isWhole = lost.length === own.length || lost.length > maxListed
    if (lost.length === 0) continue
    for (const shown of isWhole ? [server.url] : lost.map(({ url }) => url)) add(server, 'removed', shown)
  }
  for (const server of after) {
    const isKnown = server.urls.every((url) => wasServed(`${url}${pathOf('revision')}`))
    if (!matched.has(server) && !isKnown) add(server, 'added', server.url)
  }
  return found
}

/** With more URLs with placeholders than this, the further ones stand for no others. */
const maxPatterns = 50

function toIsCovered(servers: readonly Server[], path: string): (url: string) => boolean {
  const urls = new Set(servers.flatMap((server) => server.urls.map((url) => `${url}${path}`)))
  const patterns = [...urls].filter((url) => url.includes('{}')).slice(0, maxPatterns)
  return (url) => urls.has(url) || patterns.some((pattern) => coversUrl(pattern, url))
}

function normalizeSlash(url: string): string {
  return url.replace(/\/$/, '')
}

function compareVariables(base: Server, revision: Server): readonly Difference[] {
  const { url } = base
  const [from, to] = [base, revision].map(({ variables }) => new Map(variables.map((one) => [one.name, one])))
  const names = new Set([...base.variables, ...revision.variables].map(({ name }) => name))
  return [...names].flatMap((name): Difference[] => {
    const [before, after] = [from?.get(name), to?.get(name)]
    const [values, newValues] = [listValues(before), listValues(after)]
    if (before?.default === after?.default && equalJson(values, newValues)) return []
    const pointTo = ({ place }: Server) => childPlace(childPlace(place, 'variables'), name)
    const places = { base: before ? pointTo(base) : base.place, revision: after ? pointTo(revision) : revision.place }
    const shown = `variable \`${shorten(name)}\` of server \`${shorten(url)}\``
    const lost = newValues && values?.filter((value) => !newValues.includes(value))
    const detail = `${url} ${name}`
    if (before && newValues && !values) {
      const message = () => `Values of ${shown} are now limited to ${nameValues(newValues)}`
      return [{ code: 'server-values-removed', ...places, detail, message }]
    }
    if (lost && lost.length > 0) {
      const message = () =>
        `${lost.length === 1 ? 'Value' : 'Values'} ${nameValues(lost)} of ${shown} ${lost.length === 1 ? 'was' : 'were'} removed`
      return [{ code: 'server-values-removed', ...places, detail, message }]
    }
    const verb = !before ? 'was added to' : !after ? 'was removed from' : 'changed in'
    const message = () => `Variable \`${shorten(name)}\` ${verb} server \`${shorten(url)}\``
    return [{ code: 'server-changed', ...places, detail, message }]
  })
}

function nameValues(values: readonly string[]): string {
  return listFirst(values, maxListed, (value) => `\`${shorten(value)}\``)
}

/** Absent if any value is allowed. */
function listValues(variable: ServerVariable | undefined): readonly string[] | undefined {
  return variable && variable.enum.length > 0 ? [...new Set(variable.enum)].sort() : undefined
}
