import { defaultDirectory } from '../../docs/config/config-files.ts'
import type { SiteSetting } from '../../docs/config/project-config.ts'
import {
  type DocsConfig,
  formatBinding,
  listEntries,
  type PageBinding,
  readRedirects,
} from '../../docs/navigation/docs-config.ts'
import {
  createPathClaims,
  pageTitle,
  reservedPaths,
  slug,
  toPageFolder,
  toRoute,
  toSafeName,
  withoutPageExtension,
} from '../../docs/pages/generated-page.ts'
import {
  type BindableDocument,
  findFrontmatter,
  findFrontmatterFault,
  type PageFrontmatter,
  parsePageFrontmatter,
  type ResolvedBinding,
  type ResolvePageBinding,
  readPageBinding,
} from '../../docs/pages/page-bindings.ts'
import type { PageSubject } from '../../docs/pages/subjects.ts'
import { joinDescription, splitSummary } from '../../openapi/read/titles.ts'
import { type JsonObject, readOwn, readText, stringOf } from '../../text/json/json-values.ts'
import { capitalize, groupBy, onceFor } from '../../text/plain/lists.ts'
import { isAllowedUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { findDefaultLanguage, isDivision, mapDivisions } from './divisions.ts'
import { toLanguageTag } from './page-language.ts'
import { listChangelog } from './plan-changelogs.ts'
import { planNavigationTree } from './plan-navigation-tree.ts'
import { planSchemaPages, type SchemaPagesInput } from './plan-schema-pages.ts'
import { readSettings } from './read-settings.ts'
import { listGeneratedSources, replaceTagGroups, toOverviewLabel, toTagLabel } from './tag-groups.ts'
import { translateGroups, translateTitles } from './translate-plan.ts'
import { Fields } from './typed-fields.ts'
import type { DivisionNode, NavigationNode, PageSubjectRef, SitePage, SitePlan, SiteSettings } from './types.ts'

export interface SiteInput {
  readonly docsConfig: DocsConfig
  /** The text of each page by its path relative to the docs directory, including pages that are not written yet. */
  readonly pages: ReadonlyMap<string, string>
  readonly documents: readonly BindableDocument[]
  /** See `Survey.resolve`. */
  readonly resolve: ResolvePageBinding
  /** Paths of snippets and ignored files. They are pages only if the navigation lists them. */
  readonly ignoredPages?: ReadonlySet<string>
  /** Paths of pages for operations with `x-hidden`, see `listSitePages`. */
  readonly unlistedPages?: ReadonlySet<string>
  /** The IDs of the divisions in `docs.json` as written. By default, all. */
  readonly writtenDivisions?: ReadonlySet<string>
  /** The start page of the API, in a site for a single document. Such a site also has a page for each tag. */
  readonly introduction?: string | undefined
  /** Overview pages of APIs and tags in a site with `docs.json`. By default, there are none. */
  readonly overviews?: OverviewInput
  /** The schemas that get pages. By default, none. */
  readonly schemaPages?: SchemaPagesInput
  /** The titles of APIs with a changelog, by source. */
  readonly changelogs?: ReadonlyMap<string, string>
  /** `site` of the configuration file. By default, all have their defaults. */
  readonly site?: SiteSetting
}

/** What the steps of a plan share. */
interface Planning {
  readonly input: SiteInput
  /** The planned pages, to which steps add. */
  readonly pageByRoute: Map<string, Draft>
  /** Returns a free route. */
  readonly claim: (path: string) => string
  /** Whether `docs.json` contains a division. */
  readonly isWritten: (division: DivisionNode) => boolean
}

interface OverviewInput {
  /** Whether a division with generated groups has overview pages. */
  readonly isWanted: (division: DivisionNode) => boolean
  /** Returns the directory for the pages of a document in a division. */
  readonly directoryOf: (division: DivisionNode, source: string) => string
  /** Returns the title and the summary of a readable document. */
  readonly infoOf: (source: string) => { readonly title: string; readonly summary: string | undefined } | undefined
}

/**
 * Plans a site: a page for each page file, with its route, title, subject and position. Skips snippets. Never
 * throws; other checks report problems with `docs.json` and bindings.
 */
export function planSite(input: SiteInput): SitePlan {
  const { docsConfig, pages, documents, ignoredPages, unlistedPages, introduction } = input
  const listedPaths = new Set(listEntries(docsConfig).map(({ path }) => path))
  const isPage = (path: string) =>
    (!isSnippet(path) && ignoredPages?.has(path) !== true) || listedPaths.has(withoutPageExtension(path))
  const read = [...pages]
    .filter(([path]) => isPage(path))
    .map(([path, text]) => {
      const page = readPage(path, text, input)
      if (unlistedPages?.has(path)) return { ...page, hidden: true, noindex: true, isUnlisted: true }
      return path === introduction ? { ...page, subject: findDescription(documents) ?? page.subject } : page
    })
  const files = markCopies(read, pages)
  const claim = createPathClaims([...reservedPaths, ...files.map(({ route }) => route)])
  const unreadable = planUnreadable(docsConfig, documents, claim)
  const byRoute = new Map<string, Draft>()
  // If two files have the same route (`a.md`, `a.mdx`), the first wins. A check of `docs.json` reports this.
  for (const page of [...files, ...unreadable.values()]) if (!byRoute.has(page.route)) byRoute.set(page.route, page)
  const routeByPath = new Map(files.map(({ path, route }) => [withoutPageExtension(path ?? ''), route]))
  const planned = planNavigationTree(docsConfig, {
    ofPath: (path) => routeByPath.get(path) ?? routeByPath.get(path === '' ? 'index' : `${path}/index`),
    ofDivision: (pointer) => unreadable.get(pointer)?.route,
  })
  const isWritten = ({ id }: DivisionNode) => input.writtenDivisions?.has(id) !== false
  const planning = { input, pageByRoute: byRoute, claim, isWritten }
  const withChangelogs = addChangelogs(addStartPages(nameTagGroups(planned, planning), planning), planning)
  const schemaTarget = { byRoute, isSingleDocument: introduction !== undefined, claim, toPage: toGeneratedPage }
  const complete = input.schemaPages ? planSchemaPages(withChangelogs, input.schemaPages, schemaTarget) : withChangelogs
  const written = readSettings(docsConfig.value, input.site)
  const language = written.site.language ?? toLanguageTag(findDefaultLanguage(complete)?.label ?? '') ?? written.language
  const navigation = translateGroups(complete, { ...planning, language })
  const trails = findTrails(navigation)
  const listed = [...trails.keys()].flatMap((route) => byRoute.get(route) ?? [])
  const others = [...byRoute.values()].filter(({ route }) => !trails.has(route)).sort((a, b) => (a.route < b.route ? -1 : 1))
  const settings: SiteSettings = { ...written, language, redirects: readRedirects(docsConfig) }
  const placed = [...listed, ...others].map((page): SitePage => {
    const trail = trails.get(page.route) ?? findPlace(page, listed, trails)
    return translateTitles({ ...page, trail }, { settings, changelogs: input.changelogs ?? new Map() })
  })
  const pageByRoute = new Map(placed.map((page) => [page.route, page]))
  return { settings, navigation, pages: placed, pageByRoute, operationRoutes: listOperationRoutes(placed, documents) }
}

/** Finds the pages in the folder of a language or version, see `separateBranches`, with the content of the page that has the plain address. */
function markCopies(drafts: readonly Draft[], pages: SiteInput['pages']): Draft[] {
  const bySubject = groupBy(drafts, ({ subject }) => ('source' in subject ? JSON.stringify(subject) : undefined))
  const contentOf = ({ path = '' }: Draft) => pages.get(path)?.replace(/^version: .*\n/m, '')
  return drafts.map((draft) => {
    const same = 'source' in draft.subject ? (bySubject.get(JSON.stringify(draft.subject)) ?? []) : []
    const plain = same.find(({ route }) => draft.route.endsWith(`/${route}`))
    return plain && contentOf(plain) === contentOf(draft) ? { ...draft, copyOf: plain.route } : draft
  })
}

/** Of operations with the same `operationId`, the first counts. */
function listOperationRoutes(pages: readonly SitePage[], documents: readonly BindableDocument[]): Map<string, string> {
  const idsOf = onceFor(({ index }: BindableDocument) => {
    const subjects = index?.subjects ?? []
    return new Map(subjects.map(({ target, operationId }) => [target, operationId]))
  })
  const routes = new Map<string, string>()
  for (const { route, subject } of pages) {
    const document = subject.kind === 'operation' && documents.find(({ source }) => source === subject.source)
    const id = document && subject.kind === 'operation' ? idsOf(document).get(subject.target) : undefined
    if (id !== undefined && !routes.has(id)) routes.set(id, route)
  }
  return routes
}

/** The divisions around the page of a schema or hidden operation that no navigation lists: those of the API that it is a part of. */
function findPlace(
  { subject, isUnlisted }: Draft,
  listed: readonly Draft[],
  trails: ReadonlyMap<string, readonly NavigationNode[]>,
): readonly NavigationNode[] {
  if (!('source' in subject) || (subject.kind !== 'schema' && !isUnlisted)) return []
  const first = listed.find((page) => 'source' in page.subject && page.subject.source === subject.source)
  return (trails.get(first?.route ?? '') ?? []).filter(({ kind }) => kind !== 'group')
}

/** Labels the groups that the build added for tags. Each starts with a page that lists its operations. */
function nameTagGroups(navigation: DivisionNode, planning: Planning): DivisionNode {
  const { pageByRoute, claim } = planning
  const { documents, introduction, overviews } = planning.input
  return replaceTagGroups(navigation, { ...planning, documents }, ({ group, parent, source, tag, described, isPart }) => {
    const label = toTagLabel({ tag, described })
    const named = { ...group, label, ...(label !== tag && !isPart && { tagName: tag }) }
    const [first] = group.children
    const hasOverview = first?.kind === 'page' && pageByRoute.get(first.route)?.subject.kind === 'guide'
    const isWanted = introduction !== undefined || (parent !== undefined && overviews?.isWanted(parent) === true)
    const folder = first?.kind === 'page' ? parentPath(first.route) : toInnerFolder(group, tag, described?.description)
    // A part of a large group is on the page of that group.
    if (!isWanted || folder === undefined || hasOverview || isPart) return named
    const route = claim(joinPath(folder, 'overview'))
    const page = toGeneratedPage({ kind: 'tag', source, name: tag }, route, { title: label })
    pageByRoute.set(page.route, { ...page, sidebarTitle: toOverviewLabel(label) })
    return { ...named, children: [{ kind: 'page', route: page.route }, ...group.children] }
  })
}

/** The directory for the overview of a tag whose group has only inner groups. It needs a page only for a description. */
function toInnerFolder({ children }: DivisionNode, tag: string, description: string | undefined): string | undefined {
  const [inner] = children
  const [first] = inner?.kind === 'group' ? inner.children : []
  if (!description || first?.kind !== 'page') return undefined
  return joinPath(parentPath(parentPath(first.route)), toSafeName(slug(tag)))
}

/**
 * Adds the start page of an API to each division with generated groups. A division with a page of the author keeps that page as its start, and a site for a
 * single document has a start page already.
 */
function addStartPages(node: DivisionNode, planning: Planning): DivisionNode {
  const { pageByRoute, claim, isWritten } = planning
  const { introduction, overviews } = planning.input
  if (introduction !== undefined || !overviews) return node
  const children = mapDivisions(node, (child) => (isWritten(child) ? addStartPages(child, planning) : child))
  const sources = listGeneratedSources(node, planning)
  if (sources.length === 0 || !overviews.isWanted(node) || hasGuide(node, planning)) return { ...node, children }
  const added = sources.flatMap((source) => {
    const info = overviews.infoOf(source)
    if (!info) return []
    const route = claim(joinPath(toPageFolder(overviews.directoryOf(node, source)), 'overview'))
    const page = toGeneratedPage({ kind: 'description', source }, route, { title: info.title, description: info.summary })
    pageByRoute.set(route, { ...page, sidebarTitle: sources.length > 1 ? info.title : toOverviewLabel(node.label) })
    return [{ kind: 'page', route } as const]
  })
  return { ...node, children: [...added, ...children] }
}

/** Adds a page for each changelog whose API has pages. */
function addChangelogs(navigation: DivisionNode, { pageByRoute, claim, input }: Planning): DivisionNode {
  const { changelogs = new Map() } = input
  let result = navigation
  for (const [source, name] of changelogs) {
    const partKinds: readonly string[] = ['operation', 'webhook']
    const subjectOf = (route: string) => {
      const subject = pageByRoute.get(route)?.subject
      return subject && 'source' in subject && subject.source === source ? subject.kind : undefined
    }
    const isStart = (route: string) => subjectOf(route) === 'description'
    const isPart = (route: string) => partKinds.includes(subjectOf(route) ?? '')
    const first = [...pageByRoute.keys()].find(isStart) ?? [...pageByRoute.keys()].find(isPart)
    if (first === undefined) continue
    const folder = isStart(first) || parentPath(first) === '' ? parentPath(first) : parentPath(parentPath(first))
    const route = claim(joinPath(folder, 'changelog'))
    const title = changelogs.size === 1 ? 'Changelog' : `${name} changelog`
    pageByRoute.set(route, toGeneratedPage({ kind: 'changelog', source }, route, { title }))
    result = listChangelog(result, route, { isPart, isStart })
  }
  return result
}

/** Whether the author put a page without a binding into a division, outside of generated groups. */
function hasGuide({ root, children }: DivisionNode, planning: Planning): boolean {
  const isGuide = (route: string) => planning.pageByRoute.get(route)?.subject.kind === 'guide'
  if (root !== undefined && isGuide(root)) return true
  return children.some((child) => {
    if (child.kind === 'page') return isGuide(child.route)
    return isDivision(child) && planning.isWritten(child) && hasGuide(child, planning)
  })
}

function findDescription(documents: readonly BindableDocument[]): PageSubjectRef | undefined {
  const found = documents.find(({ index, isNamed }) => index && isNamed)
  return found && { kind: 'description', source: found.source }
}

type Draft = Omit<SitePage, 'trail'>

/** Whether a file is a snippet. By convention, snippets are in directories with this name. */
function isSnippet(path: string): boolean {
  return /(?:^|\/)_?snippets\//i.test(path)
}

function readPage(path: string, text: string, input: Pick<SiteInput, 'documents' | 'resolve'>): Draft {
  const parsed = parsePageFrontmatter(text)
  const frontmatter = parsed?.values ?? {}
  const route = toRoute(path)
  const { subject, page } = findSubject(text, parsed, path, input)
  const texts = textsOf(frontmatter)
  const written = { title: texts('title'), description: texts('description') ?? page?.description }
  // A generated title is the whole summary, which can be long.
  const isGenerated = page !== undefined && (written.title === undefined || written.title === pageTitle(page))
  const { title = readFirstHeading(text) ?? titleOf(route), description } = isGenerated
    ? toTexts(page, written.description)
    : written
  const url = texts('url')
  return {
    route,
    path,
    title,
    sidebarTitle: texts('sidebarTitle') ?? title,
    description,
    icon: new Fields(frontmatter).icon(),
    tag: texts('tag'),
    deprecated: frontmatter['deprecated'] === true || page?.deprecated === true,
    labels: page?.labels ?? [],
    mode: modes.find((mode) => mode === texts('mode')) ?? 'default',
    externalUrl: url !== undefined && isAllowedUrl(url, 'link') ? url : undefined,
    hidden: frontmatter['hidden'] === true,
    noindex: frontmatter['noindex'] === true || frontmatter['hidden'] === true,
    frontmatter,
    frontmatterError: findFrontmatterFault(text, parsed),
    subject,
  }
}

const modes = ['default', 'wide', 'custom', 'center', 'frame'] as const

function textsOf(frontmatter: JsonObject) {
  return (key: string): string | undefined => {
    const found = readOwn(frontmatter, key)
    return (typeof found === 'number' ? String(found) : stringOf(found))?.trim() || undefined
  }
}

/** Converts a route to a title: `get-started/first_steps` becomes "First steps". */
function titleOf(route: string): string {
  const name = route.split('/').at(-1) || 'Home'
  return capitalize(name.replace(/[-_]+/g, ' ').trim())
}

function findSubject(
  text: string,
  frontmatter: PageFrontmatter | undefined,
  path: string,
  { documents, resolve }: Pick<SiteInput, 'documents' | 'resolve'>,
): { subject: PageSubjectRef; page: PageSubject | undefined } {
  const reading = readPageBinding(text, frontmatter)
  if (reading.kind === 'bound') return toSubject(reading.binding, resolve(reading.binding, path), documents)
  if (reading.kind === 'unreadable') return { subject: { kind: 'unbound', binding: String(reading.written) }, page: undefined }
  const api = readText(frontmatter?.values, 'api')
  const endpoint = /^\s*([A-Za-z]+)\s+(\S+)\s*$/.exec(api ?? '')
  if (!endpoint) return { subject: { kind: 'guide' }, page: undefined }
  return { subject: { kind: 'endpoint', method: (endpoint[1] ?? '').toUpperCase(), url: endpoint[2] ?? '' }, page: undefined }
}

function toSubject(
  binding: PageBinding,
  resolved: ResolvedBinding,
  documents: readonly BindableDocument[],
): { subject: PageSubjectRef; page: PageSubject | undefined } {
  if (resolved.kind === 'schema' && binding.kind === 'schema') {
    return { subject: { kind: 'schema', source: resolved.source, name: binding.name }, page: undefined }
  }
  if (resolved.kind === 'unknown') {
    const source = resolved.sources.find((one) => documents.some((document) => document.source === one && !document.index))
    if (source !== undefined) return { subject: { kind: 'unreadable', source }, page: undefined }
  }
  if (resolved.kind !== 'operation') return { subject: { kind: 'unbound', binding: formatBinding(binding) }, page: undefined }
  const { source, subject: page } = resolved
  const subject: PageSubjectRef =
    page.binding.kind === 'webhook'
      ? { kind: 'webhook', source, name: page.binding.name }
      : { kind: 'operation', source, target: page.target }
  return { subject, page }
}

/** Replacement pages for divisions with an unreadable OpenAPI document, by the division's pointer. */
function planUnreadable(
  { divisions }: DocsConfig,
  documents: readonly BindableDocument[],
  claim: (path: string) => string,
): Map<string, Draft> {
  const drafts = new Map<string, Draft>()
  for (const { pointer, sources, label } of divisions) {
    const found = sources.find(({ source }) => documents.some((document) => document.source === source && !document.index))
    if (!found) continue
    const route = claim(toPageFolder(found.directory) || defaultDirectory)
    drafts.set(pointer, toGeneratedPage({ kind: 'unreadable', source: found.source }, route, { title: label || 'API reference' }))
  }
  return drafts
}

/** The title of an operation on sites, at most 80 characters long, and its description with the rest of the summary. */
function toTexts(page: PageSubject, description: string | undefined): Pick<Draft, 'title' | 'description'> {
  const { summary } = page
  const title = summary === undefined ? pageTitle(page) : splitSummary(summary).title
  return { title, description: joinDescription(summary, description) }
}

/** A page without a file. */
export function toGeneratedPage(
  subject: PageSubjectRef,
  route: string,
  {
    title,
    description,
    deprecated = false,
    labels = [],
  }: Pick<Draft, 'title'> & Partial<Pick<Draft, 'description' | 'deprecated' | 'labels'>>,
): Draft {
  return {
    route,
    path: undefined,
    title,
    sidebarTitle: title,
    description,
    icon: undefined,
    tag: undefined,
    deprecated,
    labels,
    mode: 'default',
    externalUrl: undefined,
    hidden: false,
    noindex: false,
    frontmatter: {},
    subject,
  }
}

/** The ancestors of each page by route, in navigation order. If a page is listed twice, the first position wins. */
function findTrails(navigation: DivisionNode): Map<string, readonly NavigationNode[]> {
  const trails = new Map<string, readonly NavigationNode[]>()
  const visit = (node: DivisionNode, trail: readonly NavigationNode[]) => {
    const inside = [...trail, node]
    if (node.root !== undefined && !trails.has(node.root)) trails.set(node.root, inside)
    for (const child of node.children) {
      if (child.kind === 'page') {
        if (!trails.has(child.route)) trails.set(child.route, inside)
      } else if (child.kind !== 'link') visit(child, inside)
    }
  }
  visit(navigation, [])
  return trails
}

/** The text of a heading (`# Title`) at the start of a page; `undefined` if the page starts with something else. */
function readFirstHeading(text: string): string | undefined {
  const frontmatter = findFrontmatter(text)
  const body = frontmatter ? text.slice(frontmatter.end).replace(/^---[ \t]*\r?\n/, '') : text
  const heading = /^(?:[ \t]*\r?\n|(?:import|export)\s[^\n]*\n)*#[ \t]+([^\r\n]+)/.exec(body)?.[1]
  const plain = heading
    ?.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
    .replace(/\[([^[\]]*)\]\([^)[]*\)/g, '$1')
    .replace(/\{#[\w-]+\}\s*$/, '')
    .replace(/[*`]/g, '')
    .trim()
  return plain === '' ? undefined : plain
}
