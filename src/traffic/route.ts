import type { Api } from '../model/api.ts'
import { type Parameter, readParameters } from '../model/parameters.ts'
import { findServers, resolveServerUrl } from '../model/servers.ts'
import { type CollectedOperation, collectOperations, collectPathItems } from '../openapi/read/collect-operations.ts'
import { getOrMake, lazy } from '../text/plain/lists.ts'
import { decodePercent, matchWildcards } from '../text/plain/paths.ts'
import type { Exchange } from './exchange.ts'
import { hasMask, type RecordedUrl, readRecordedUrl, replaceMasks } from './recorded-url.ts'

export { readRecordedUrl }

/** An operation that recorded requests can be for. */
export interface RoutedOperation {
  readonly api: Api
  /** The path template. */
  readonly path: string
  /** In upper case. */
  readonly method: string
  readonly collected: CollectedOperation
  /** The parameters of the operation and its path item. */
  readonly parameters: readonly Parameter[]
}

/** An exchange, and what it is for. */
export type Routed =
  | RoutedExchange
  /** Inside of the base path of a document, and in none of them. `path`: a template with other methods. `within`: the part of a template that fits. */
  | {
      readonly kind: 'undocumented'
      readonly exchange: Exchange
      readonly api: Api
      readonly path: string | undefined
      readonly within: string
      readonly host: RecordedUrl['host']
    }
  /** Another API: outside of every base path. */
  | { readonly kind: 'outside'; readonly exchange: Exchange }
  /** A preflight request. */
  | { readonly kind: 'ignored'; readonly exchange: Exchange }
  /** A mask is in place of a part of the path that is not a parameter, or the URL cannot be read. */
  | { readonly kind: 'unreadable'; readonly exchange: Exchange; readonly reason: string }

export interface RoutedExchange {
  readonly kind: 'operation'
  readonly exchange: Exchange
  readonly operation: RoutedOperation
  readonly host: RecordedUrl['host']
  /** The decoded texts of the path parameters by name. */
  readonly pathValues: ReadonlyMap<string, string>
  /** Name and value of the fields of the query, decoded, in order. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** How requests are matched with operations. */
export interface RouteOptions {
  /** Other paths of operations, such as `/repositories/{id}/*` for `/repos/{owner}/{repo}/*`. They are tried last. */
  readonly aliases?: { readonly [path: string]: string }
  /** The names of parameters that can contain slashes. */
  readonly slashes?: readonly string[]
}

/** Creates a function that finds the operation of an exchange in several descriptions. */
export function createRouter(apis: readonly Api[], options: RouteOptions = {}): (exchange: Exchange) => Routed {
  const areas = apis.flatMap((api) => listAreas(api, new Set([...namesWithSlashes, ...(options.slashes ?? [])])))
  const aliases = Object.entries(options.aliases ?? {}).map(([from, to]) => ({ from: toSteps(from), to: toSteps(to) }))
  return (exchange) => {
    const url = readRecordedUrl(exchange.request.url)
    if (!url) return { kind: 'unreadable', exchange, reason: 'its URL cannot be read' }
    const entrances = areas.flatMap((area) => listEntrances(area, url, isSameSegment))
    const search = { methods: exchange.request.method === 'HEAD' ? ['HEAD', 'GET'] : [exchange.request.method], left: maxVisits }
    let path: string | undefined
    for (const { area, rests, takesSlashes } of listAttempts(entrances, aliases)) {
      for (const rest of rests) {
        const found = findOperation({ ...search, segments: rest, takesSlashes, isSame: isSameSegment }, area.root, 0)
        const { operation } = found ?? {}
        const { host, query } = url
        if (operation) return { kind: 'operation', exchange, operation, host, query, pathValues: new Map(found?.values) }
        path ??= found?.path
      }
    }
    if (exchange.request.method === 'OPTIONS') return { kind: 'ignored', exchange }
    if (hasMask(exchange.request.url) && isMaskedPath(areas, url, search)) {
      return { kind: 'unreadable', exchange, reason: 'a mask is in place of a part of its path' }
    }
    const [nearest] = entrances.toSorted((a, b) => a.rest.length - b.rest.length)
    if (!nearest) return { kind: 'outside', exchange }
    const within = findPrefix(nearest.area.root, nearest.rest)
    return { kind: 'undocumented', exchange, api: nearest.area.api, path, within, host: url.host }
  }
}

/** Parameters with these names usually contain slashes: files and branches. */
const namesWithSlashes = ['path', 'ref']

/** The most comparisons for one exchange. Hostile templates would need more than any machine has time for. */
const maxVisits = 20_000

/** Operations of a description with the same servers. */
interface Area {
  readonly api: Api
  readonly bases: readonly Base[]
  readonly root: Step
}

/** The URL of a server. `*` is any text. */
interface Base {
  /** `undefined`: any host. */
  readonly host: string | undefined
  readonly segments: readonly string[]
}

/** The templates that continue in the same way. */
interface Step {
  /** What they have in common. */
  readonly prefix: string
  readonly literals: Map<string, Step>
  /** Segments with parameters. Those with more text come first. */
  readonly patterns: Pattern[]
  readonly operations: Map<string, RoutedOperation>
  path?: string
}

interface Pattern extends TemplateSegment {
  readonly takesSlashes: boolean
  readonly step: Step
}

/** The texts of a segment, and the names of the parameters between them. */
interface TemplateSegment {
  readonly written: string
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

function listAreas(api: Api, slashes: ReadonlySet<string>): Area[] {
  const areas = new Map<string, Area>()
  for (const entry of collectPathItems(api.root, 'paths', api.follow)) {
    for (const collected of collectOperations(entry, api.follow)) {
      const servers = findServers([collected.operation, collected.pathItem, api.root])
      const key = JSON.stringify(servers.map(({ url }) => url))
      const toArea = (): Area => ({
        api,
        bases: servers.length > 0 ? servers.map((server) => toBase(server, api)) : [anyBase],
        root: toStep(''),
      })
      const method = collected.fields.method.toUpperCase()
      const known = lazy(() => readParameters(collected, api).known)
      const operation = {
        api,
        path: entry.name,
        method,
        collected,
        get parameters() {
          return known()
        },
      }
      addOperation(getOrMake(areas, key, toArea).root, operation, slashes)
    }
  }
  return [...areas.values()]
}

const anyBase: Base = { host: undefined, segments: [] }

function toStep(prefix: string): Step {
  return { prefix, literals: new Map(), patterns: [], operations: new Map() }
}

/** A variable is any text. Only one with slashes in its default is that text. */
function toBase({ url, variables }: ReturnType<typeof findServers>[number], { root }: Api): Base {
  const filled = resolveServerUrl(url, root.file).replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = variables.find((variable) => variable.name === name)?.default
    return value?.includes('/') ? value : '*'
  })
  const [, scheme = 'https', authority = '', path = ''] = /^(?:(?:([^/:]*):)?\/\/([^/]*))?([^?#]*)/.exec(filled) ?? []
  const host = authority.toLowerCase().replace(scheme.toLowerCase() === 'http' ? /:80$/ : /:443$/, '')
  const segments = path.split('/').filter((segment) => segment !== '')
  return { host: host === '' || host === '*' ? undefined : host, segments: segments.map(decodePercent) }
}

function addOperation(root: Step, operation: RoutedOperation, slashes: ReadonlySet<string>): void {
  let step = root
  for (const { written, texts, names } of toSteps(operation.path)) {
    const [text = ''] = texts
    const prefix = `${step.prefix}/${written}`
    if (names.length === 0) {
      step = getOrMake(step.literals, text, () => toStep(prefix))
      continue
    }
    const isReserved = operation.parameters.some((one) => one.in === 'path' && one.allowReserved && names.includes(one.name))
    const takesSlashes = isReserved || names.length > 1 || names.some((name) => slashes.has(name))
    const same = step.patterns.find(
      (one) => one.takesSlashes === takesSlashes && String([one.texts, one.names]) === String([texts, names]),
    )
    const pattern = same ?? { written, texts, names, takesSlashes, step: toStep(prefix) }
    if (!same) step.patterns.push(pattern)
    step.patterns.sort((a, b) => b.texts.join('').length - a.texts.join('').length)
    step = pattern.step
  }
  step.path ??= operation.path
  if (!step.operations.has(operation.method)) step.operations.set(operation.method, operation)
}

function toSteps(path: string): TemplateSegment[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  return segments.map((segment) => {
    const parts = segment.split(/\{([^{}]*)\}/)
    const texts = parts.filter((_, index) => index % 2 === 0).map(decodePercent)
    return { written: segment, texts, names: parts.filter((_, index) => index % 2 === 1) }
  })
}

/** A base path that a URL starts with, and the rest of its path. */
interface Entrance {
  readonly area: Area
  readonly rest: readonly string[]
}

type IsSame = (template: string, recorded: string) => boolean

const isSameSegment: IsSame = (template, recorded) => template === recorded

/** The base paths of an area that a URL starts with, the longest first. */
function listEntrances(area: Area, { host, isPath, segments }: RecordedUrl, isSame: IsSame): Entrance[] {
  const lengths = area.bases.flatMap((base) => {
    if (host !== undefined && base.host !== undefined && !matchWildcards(host, base.host, '*')) return []
    const isWithin = base.segments.every((one, index) => {
      const recorded = segments[index]
      return recorded !== undefined && (isSame(one, recorded) || matchWildcards(recorded, one, '*'))
    })
    return isWithin ? [base.segments.length, ...(isPath ? [0] : [])] : isPath ? [0] : []
  })
  return [...new Set(lengths)].sort((a, b) => b - a).map((length) => ({ area, rest: segments.slice(length) }))
}

/** In place of a parameter whose value is unknown. No literal is the same. */
const unknownValue = '\0'

/** Everything that is tried, in order: the path, slashes in parameters, `.json` at the end, then aliases. */
function* listAttempts(entrances: readonly Entrance[], aliases: readonly { from: TemplateSegment[]; to: TemplateSegment[] }[]) {
  const ofPaths = (takesSlashes: boolean, toRests: (rest: readonly string[]) => readonly (readonly string[])[]) =>
    entrances.map(({ area, rest }) => ({ area, rests: toRests(rest), takesSlashes }))
  yield* ofPaths(false, (rest) => [rest])
  yield* ofPaths(true, (rest) => [rest])
  yield* ofPaths(false, (rest) => {
    const last = rest.at(-1) ?? ''
    return last === '' ? [] : [[...rest.slice(0, -1), last.endsWith('.json') ? last.slice(0, -5) : `${last}.json`]]
  })
  for (const { from, to } of aliases) yield* ofPaths(true, (rest) => replaceAlias(rest, from, to) ?? [])
}

function replaceAlias(rest: readonly string[], from: readonly TemplateSegment[], to: readonly TemplateSegment[]) {
  const isOpen = from.at(-1)?.texts[0] === '*'
  const fixed = isOpen ? from.slice(0, -1) : from
  if (rest.length < fixed.length || (!isOpen && rest.length > fixed.length)) return undefined
  const values = new Map<string, string>()
  for (const [index, segment] of fixed.entries()) {
    const captured = capture(segment, rest[index] ?? '')
    if (!captured) return undefined
    for (const [name, value] of captured) values.set(name, value)
  }
  const others = rest.slice(fixed.length)
  const target = to.flatMap(({ texts, names }) => {
    if (texts[0] === '*' && names.length === 0) return others
    if (names.length === 0) return texts
    return names.length === 1 && texts.join('') === '' ? (values.get(names[0] ?? '') ?? unknownValue) : unknownValue
  })
  return [target]
}

interface Search {
  readonly methods: readonly string[]
  readonly segments: readonly string[]
  readonly takesSlashes: boolean
  readonly isSame: IsSame
  /** Comparisons that are left. */
  left: number
}

interface Found {
  readonly operation?: RoutedOperation
  /** The template of a path without the method. */
  readonly path?: string | undefined
  readonly values: readonly (readonly [string, string])[]
}

/** Goes from segment to segment, literals first, and back where a template does not continue. */
function findOperation(search: Search, step: Step, index: number): Found | undefined {
  const { segments, methods, isSame } = search
  if (search.left-- <= 0) return undefined
  const segment = segments[index]
  if (segment === undefined) {
    const operation = methods.map((method) => step.operations.get(method)).find((one) => one !== undefined)
    return operation ? { operation, values: [] } : step.path === undefined ? undefined : { path: step.path, values: [] }
  }
  let path: string | undefined
  for (const { next, end, values } of listNext(search, step, segment, index, isSame)) {
    const found = findOperation(search, next, end)
    if (found?.operation) return { ...found, values: [...values, ...found.values] }
    path ??= found?.path
  }
  return path === undefined ? undefined : { path, values: [] }
}

function* listNext({ segments, takesSlashes }: Search, step: Step, segment: string, index: number, isSame: IsSame) {
  const literal = step.literals.get(segment)
  if (literal) yield { next: literal, end: index + 1, values: [] }
  if (isSame !== isSameSegment)
    for (const [text, next] of step.literals) if (isSame(text, segment)) yield { next, end: index + 1, values: [] }
  for (const pattern of step.patterns) {
    const last = takesSlashes && pattern.takesSlashes ? segments.length : index + 1
    for (let end = index + 1; end <= last; end++) {
      const values = capture(pattern, segments.slice(index, end).join('/'))
      if (values) yield { next: pattern.step, end, values }
    }
  }
}

/** The values of the parameters of a segment, each as short as possible. Unknown ones are left out. */
function capture(
  { texts, names }: Pick<TemplateSegment, 'texts' | 'names'>,
  segment: string,
): (readonly [string, string])[] | undefined {
  if (names.length === 0) return texts[0] === segment ? [] : undefined
  if (segment === unknownValue) return []
  const [first = '', ...others] = texts
  if (!segment.startsWith(first)) return undefined
  const values: [string, string][] = []
  let from = first.length
  for (const [index, text] of others.entries()) {
    const isLast = index === others.length - 1
    const at = isLast ? segment.length - text.length : segment.indexOf(text, from + 1)
    if (at <= from || !segment.startsWith(text, at)) return undefined
    values.push([names[index] ?? '', segment.slice(from, at)])
    from = at + text.length
  }
  return values
}

/** The longest part of a template that a path starts with. */
function findPrefix(root: Step, rest: readonly string[]): string {
  let step = root
  for (const segment of rest) {
    const next = step.literals.get(segment) ?? step.patterns.find((pattern) => capture(pattern, segment))?.step
    if (!next) break
    step = next
  }
  return step.prefix
}

/** Whether a path is known if a mask can be in place of a literal. */
function isMaskedPath(areas: readonly Area[], url: RecordedUrl, search: Pick<Search, 'methods' | 'left'>): boolean {
  const isSame: IsSame = (template, recorded) =>
    template === recorded || (hasMask(recorded) && matchWildcards(template, replaceMasks(recorded, unknownValue), unknownValue))
  const entrances = areas.flatMap((area) => listEntrances(area, url, isSame))
  return entrances.some(({ area, rest }) => {
    const found = findOperation({ ...search, segments: rest, takesSlashes: false, isSame }, area.root, 0)
    return found?.operation !== undefined
  })
}
