import type { DescriptionCheck } from '../../checks/check-description.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { cacheFileLists, type Files, listBelow, overlayFiles, readEach, withoutFiles } from '../../files/files.ts'
import { findRestricted } from '../../openapi/public/filter-description.ts'
import {
  type GroupMark,
  isNotPublic,
  isRestricted,
  listGroups,
  type Readers,
  readAnyCase,
} from '../../openapi/public/restriction-marks.ts'
import { isObject, isWithin, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { groupBy } from '../../text/plain/lists.ts'
import {
  baseName,
  isDataFile,
  isPageFile,
  isUrl,
  joinPath,
  normalizePath,
  relativePath,
  withoutDocumentExtension,
} from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { findOverlays } from '../check/discover-documents.ts'
import { toReaders } from '../config/audience-settings.ts'
import { type DocsConfig, formatTarget, listSources, type PageBinding, toPageEntry } from '../navigation/docs-config.ts'
import { blankJson } from '../navigation/edit-json.ts'
import { parseBinding, parseSchemaBinding, readSources } from '../navigation/read-divisions.ts'
import { canMean } from '../pages/binding-files.ts'
import { toRoute } from '../pages/generated-page.ts'
import { parsePageFrontmatter, readPageBinding, toTargetShape } from '../pages/page-bindings.ts'
import { type DocsDirectory, listDeclaredDivisions, readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckedDocument, CheckTerms, DocsAccess, RestrictedVersion } from '../types.ts'
import { checkGroups } from './check-groups.ts'

/** The files of a docs directory as every reader of its site may see them. */
interface PublicDocs {
  /** The files of documents are complete, because overlays apply to them. */
  readonly access: DocsAccess
  /** Documents that are checked on these terms lack their restricted parts. */
  readonly terms: CheckTerms
  /** Reports what was left out, with the names of all pages and parts. Empty with `site.restricted: publish`. */
  readonly report: (documents: readonly CheckedDocument[]) => readonly Finding[]
  /** Who reads. */
  readonly readers: Readers
  /** What another version of the files restricts. `undefined` if that is not known. */
  readonly restrictedIn: (version: Files) => Promise<RestrictedVersion | undefined>
}

/**
 * Hides what `groups`, `public: false`, `x-mint.groups` and `x-mint-enum` restrict, unless the configuration publishes it or the audience of `terms` may
 * read it: pages with the operations that they show, divisions and entries of `docs.json`, and parts of OpenAPI documents. Whatever reads a site with the
 * result cannot publish it.
 *
 * @param root The docs directory, relative to the boundary.
 * @throws {ConfigError} if the configuration has no such audience.
 */
export async function hideRestricted(root: string, given: DocsAccess, terms: CheckTerms = {}): Promise<PublicDocs> {
  const access = { ...given, files: cacheFileLists(given.files) }
  const { files } = access
  const docsDirectory = await readDocsDirectory(root, access)
  const { config, docsConfig, configPath } = docsDirectory
  const { audiences = config.site.audiences } = terms
  const readers = toReaders(config.site, terms)
  const everything = { hides: () => false, hidesSome: false, withRestricted: true }
  const all = { documents: new Set<string>(), publicOnly: everything, overlaysOf: () => [] }
  const nothing = { access, terms, readers, report: () => [], restrictedIn: async () => all }
  if (!docsConfig) return nothing
  if (config.site.restricted === 'publish' && !audiences) return { ...nothing, terms: { ...terms, publicOnly: everything } }
  const found = await findRestrictedPages(docsDirectory, root, files, config.limits, readers)
  const { pages, documents: hidden, publicOnly } = found
  const others = withoutFiles(files, (path) => pages.has(path) || hidden.has(path))
  const shown: Files = {
    ...others,
    read: async (path, limitBytes) => {
      const result = await others.read(path, limitBytes)
      if (result.kind !== 'file' || !isPageFile(path)) return result
      const { restriction } = readPageRestriction(toSourceFile(path, result.bytes).text, readers)
      return restriction === 'restricted' ? { kind: 'missing' } : result
    },
  }
  const checkedDescriptions = given.checkedDescriptions ?? new Map<string, Promise<DescriptionCheck>>()
  const checking = { ...access, files: shown, checkedDescriptions }
  const names = new Set([...pages].map((path) => toPageEntry(relativePath(root, path))))
  const isEntryHidden = (entry: string) => names.has(toPageEntry(entry)) || names.has(`${toPageEntry(entry)}/index`)
  const publicFiles = await hideInConfigs(docsDirectory, checking, { isEntryHidden, hidden, readers })
  return {
    access: { ...checking, files: publicFiles },
    terms: { ...terms, publicOnly },
    readers,
    report: (documents) => {
      const marks = [...found.groupMarks, ...documents.flatMap(({ check }) => check.groupMarks ?? [])]
      return [
        ...checkPublic(docsConfig, readers),
        ...reportHidden(docsConfig.source.path, [...pages, ...hidden], documents, publicOnly),
        ...(audiences ? checkGroups(marks, audiences, configPath) : []),
      ]
    },
    async restrictedIn(version) {
      const olderDirectory = await readDocsDirectory(root, { ...access, files: version })
      const { docsConfig: older } = olderDirectory
      const isUnreadable = !older && (await version.read(joinPath(root, 'docs.json'))).kind !== 'missing'
      // The docs directory can have moved.
      const place = older ? root : ''
      const found = await findRestrictedPages(olderDirectory, place, version, config.limits, readers)
      const candidates = (await listBelow(place, version)).filter(isDataFile)
      const overlays = await findOverlays(place, older, candidates, version, terms.overlays)
      const overlaysOf = (path: string) => overlays.of(relativePath(place, path))
      return isUnreadable || found.isIncomplete ? undefined : { ...found, overlaysOf }
    },
  }
}

/** What the pages and the navigation restrict to others than these readers, and whether a page could not be read. All paths are relative to the boundary. */
async function findRestrictedPages(docsDirectory: DocsDirectory, root: string, files: Files, limits: Limits, readers: Readers) {
  const { docsConfig } = docsDirectory
  const navigation = findRestrictedNavigation(docsConfig?.value ?? {}, () => false, readers)
  // An update moves the documents of a division to the lock file.
  for (const { pointer = '', sources } of listDeclaredDivisions(docsDirectory, [])) {
    const isHidden = navigation.parts.some((part) => isWithin(pointer, part))
    for (const { source } of sources) (isHidden ? navigation.hidden : navigation.shown).add(source)
  }
  const inDivisions = new Set(navigation.pages.filter(({ isHidden }) => isHidden).map(({ entry }) => toPageEntry(entry)))
  const documents = [...navigation.hidden]
    .filter((path) => !isUrl(path) && !navigation.shown.has(path))
    .map((path) => joinPath(root, normalizePath(path.replace(/^\/+/, ''))))
  const pages = new Set<string>()
  const groupMarks: GroupMark[] = []
  let isIncomplete = false
  const bindings: { readonly binding: PageBinding; readonly isHidden: boolean }[] = listHiddenBindings(navigation)
  const paths = (await files.list(root)).filter(isPageFile)
  for await (const [path, result] of readEach(paths, (one) => files.read(one, limits.values['page-size']))) {
    if (result.kind === 'unreadable' || result.kind === 'too-large') isIncomplete = true
    const text = result.kind === 'file' ? toSourceFile(path, result.bytes).text : ''
    const { restriction, groups } = readPageRestriction(text, readers)
    if (groups) groupMarks.push({ file: path, pointer: '', groups })
    const name = toPageEntry(relativePath(root, path))
    const isHidden =
      restriction === 'restricted' || (restriction !== 'public' && (inDivisions.has(name) || inDivisions.has(toRoute(name))))
    if (isHidden) pages.add(path)
    const reading = readPageBinding(text)
    const binding = reading.kind === 'bound' ? reading.binding : isHidden ? findWrittenBinding(text) : undefined
    if (binding) bindings.push({ binding, isHidden })
  }
  const known = [...(await files.list(root)).filter(isDataFile), ...listSources(docsConfig).map(({ source }) => source)]
  const publicOnly = { ...toPublicOnly(bindings, known), readers }
  return { pages, documents: new Set(documents), publicOnly, groupMarks, isIncomplete }
}

/** The entries such as `GET /pets` of restricted divisions that no other division has. */
function listHiddenBindings({ pages }: RestrictedNavigation) {
  const all = pages.flatMap(({ entry, source, isHidden }) => {
    const binding = parseBinding(entry)
    return binding ? [{ binding: { ...binding, file: binding.file ?? source }, isHidden }] : []
  })
  const toShape = ({ binding }: (typeof all)[number]) => `${binding.file} ${toTargetShape(formatTarget(binding))}`
  const shown = new Set(all.filter(({ isHidden }) => !isHidden).map(toShape))
  return all.filter((one) => !shown.has(toShape(one)))
}

/** The binding of a restricted page whose frontmatter has errors. */
function findWrittenBinding(text: string): PageBinding | undefined {
  const [, key, value = ''] = /^[ \t]*["']?(openapi(?:-schema)?)["']?[ \t]*:[ \t]*["']?([^"'\r\n]*)/m.exec(text) ?? []
  return key === 'openapi' ? parseBinding(value) : key === undefined ? undefined : parseSchemaBinding(value)
}

/** A part of a document is restricted if a restricted page is bound to it, and no other page is. */
function toPublicOnly(
  bindings: readonly { readonly binding: PageBinding; readonly isHidden: boolean }[],
  documents: readonly string[],
) {
  const toName = (path: string) => withoutDocumentExtension(baseName(path))
  const known = new Set(documents.map(toName))
  const byShape = groupBy(bindings, ({ binding }) => toTargetShape(formatTarget(binding)))
  return {
    hidesSome: bindings.some(({ isHidden }) => isHidden),
    hides(source: string, target: string) {
      const found = byShape.get(toTargetShape(target)) ?? []
      const isFor = ({ file }: PageBinding) => file === undefined || canMean(file, source)
      // The path of the document may be relative to the page. A document that nothing knows may have been renamed.
      const mayBeFor = ({ file }: PageBinding) =>
        file === undefined || toName(file) === toName(source) || !known.has(toName(file))
      if (found.some(({ binding, isHidden }) => !isHidden && isFor(binding))) return false
      return found.some(({ binding, isHidden }) => isHidden && mayBeFor(binding))
    },
  }
}

/**
 * Hides the restricted parts of the navigation in `docs.json` and in the files that it includes, and the files that only these parts include. Whatever is
 * read afterwards has none: a hidden part can override one of an included file, so it looks again.
 */
async function hideInConfigs(
  { root, docsConfig, sources }: DocsDirectory,
  access: Pick<DocsAccess, 'files' | 'limitCeilings'>,
  hide: {
    readonly isEntryHidden: (entry: string) => boolean
    /** The documents of restricted divisions. */
    readonly hidden: ReadonlySet<string>
    readonly readers: Readers
  },
): Promise<Files> {
  const { files } = access
  if (!docsConfig) return files
  const named = listSources(docsConfig).filter(({ source }) => !isUrl(source) && hide.hidden.has(joinPath(root, source)))
  const restricted = findRestrictedNavigation(docsConfig.value, hide.isEntryHidden, hide.readers).parts
  const parts = [
    ...restricted,
    ...named.map(({ pointer }) => pointer.replace(/\/source$/, '')).filter((at) => !restricted.some((one) => isWithin(at, one))),
  ]
  if (parts.length === 0) return files
  const { sourceMap } = docsConfig
  const places = groupBy(
    parts.map((pointer) => sourceMap.locate(pointer, 'key')),
    ({ file }) => file,
  )
  // Problems are shown where they are written.
  const texts = new Map(
    sourceMap.sources.map(({ path, text }) => {
      const pointers = (places.get(path) ?? []).map(({ pointer }) => pointer)
      return [path, new TextEncoder().encode(blankJson(text, pointers))] as const
    }),
  )
  const edited = overlayFiles(files, texts)
  const after = await readDocsDirectory(root, { ...access, files: edited })
  const used = new Set(after.sources.map(({ path }) => path))
  const unused = new Set(sources.map(({ path }) => path).filter((path) => !used.has(path)))
  const shown = withoutFiles(edited, (path) => unused.has(path))
  return await hideInConfigs(after, { ...access, files: shown }, hide)
}

/** With `public: false`, readers of the original sign in. The build does not know who can open the site. */
function checkPublic({ value, source }: DocsConfig, { hasAudiences }: Readers): readonly Finding[] {
  if (!isNotPublic(value)) return []
  const hint =
    'Publish the site only where access is restricted, and set `site: { restricted: publish }` in the configuration file. If everyone may read it, remove `public`'
  return [
    {
      code: 'content-restricted',
      severity: 'error',
      message:
        'Cannot restrict the site to readers that sign in, as `public` requires: everyone who can open a site can read all of it',
      file: source.path,
      pointer: '/public',
      hint: hasAudiences ? 'Write `public: false` in the parts of the navigation that are for audiences' : hint,
    },
  ]
}

/** Reports what is not published, with all names, and what prevents that. */
function reportHidden(
  file: string,
  pages: readonly string[],
  documents: readonly CheckedDocument[],
  publicOnly: NonNullable<CheckTerms['publicOnly']>,
): readonly Finding[] {
  const found = documents.map(({ source, path, check }) => {
    const { restricted } = check
    if (restricted) return { parts: restricted === 'unknown' ? [path] : restricted, findings: [] }
    return findRestricted(check, { ...publicOnly, hides: (target) => publicOnly.hides(source, target) })
  })
  const findings = found.flatMap((one) => one.findings)
  const named = [...pages, ...new Set(found.flatMap(({ parts }) => parts))].map((one) => `\`${one}\``)
  if (named.length === 0) return findings
  if (publicOnly.readers?.hasAudiences) {
    const message = `Not in the site of these readers, because only others may see it: ${named.join(', ')}`
    const hint = 'To build the site of an audience of the configuration file, use `--audience`'
    return [...findings, { code: 'content-restricted', severity: 'info', message, file, pointer: '', hint }]
  }
  const message = `Not published, because only some readers may see it: ${named.join(', ')}`
  const hint = 'To publish it for everyone, set `site: { restricted: publish }` in the configuration file'
  return [...findings, { code: 'content-restricted', message, file, pointer: '', hint }]
}

/**
 * Whether the frontmatter of a page restricts it to others than these readers, or makes a page of a restricted division public. Frontmatter with errors
 * restricts the page if it has one of the keys. `groups`: those that it names.
 */
function readPageRestriction(text: string, readers: Readers): PageRestriction {
  const page = text.trimStart().replace(/\r\n?/g, '\n')
  const block = /^---[ \t]*\n/.test(page) ? page.slice(3) : ''
  const end = /^---[ \t]*$/m.exec(block)
  // Without an end, the block ends before the first heading at the latest.
  const yaml = block.slice(0, end?.index ?? (/^#{1,6}[ \t]/m.exec(block)?.index || undefined))
  if (!/groups|public|\\/i.test(yaml)) return { restriction: 'none' }
  const frontmatter = parsePageFrontmatter(page)
  const { values = {}, fault } = frontmatter ?? {}
  if (!frontmatter || fault || Object.keys(values).length === 0) {
    const mayRestrict = /(?:^|[\s{,"'])groups["']?\s*:|(?:^|[\s{,"'])public["']?\s*:(?!\s*true\s*$)/im.test(yaml)
    return { restriction: mayRestrict ? 'restricted' : 'none' }
  }
  const written = readAnyCase(values, 'groups')
  const groups = written.length === 0 ? undefined : written.flatMap(listGroups)
  if (isRestricted(values, readers)) return { restriction: 'restricted', groups }
  // A page for some groups is as restricted as its division.
  const isPublic = !groups && !isNotPublic(values) && readAnyCase(values, 'public').length > 0
  return { restriction: isPublic ? 'public' : 'none', groups }
}

interface PageRestriction {
  readonly restriction: 'restricted' | 'public' | 'none'
  readonly groups?: readonly string[] | undefined
}

/** The restricted parts of the navigation in a `docs.json`. */
interface RestrictedNavigation {
  /** Pointers of the divisions and entries. None is inside another. */
  readonly parts: readonly string[]
  /** All entries, as written, with the only document of their division or the nearest one around it. */
  readonly pages: readonly { readonly entry: string; readonly source: string | undefined; readonly isHidden: boolean }[]
  /** The paths or URLs of OpenAPI documents that restricted divisions name, and those that others name. */
  readonly hidden: Set<string>
  readonly shown: Set<string>
}

/**
 * Finds divisions with groups of readers, which only pages can have, with `public: false` or another value than `true` for readers without a group, and
 * entries for which `isHiddenEntry` holds.
 *
 * @param value The content of a `docs.json`, with the files that it includes.
 * @param isHiddenEntry Called with each entry of `pages`, as written.
 */
function findRestrictedNavigation(
  value: JsonObject,
  isHiddenEntry: (entry: string) => boolean,
  readers: Readers,
): RestrictedNavigation {
  const parts: string[] = []
  const pages: RestrictedNavigation['pages'][number][] = []
  const hidden = new Set<string>()
  const shown = new Set<string>()
  // `key` is that of the object around a string or a list.
  const visit = (part: unknown, pointer: string, key: string, isHidden: boolean, source?: string): void => {
    const isEntry = key === 'pages' || key === 'root'
    if (Array.isArray(part)) {
      for (const [index, element] of part.entries()) visit(element, pointerChild(pointer, index), key, isHidden, source)
    } else if (typeof part === 'string') {
      if (key === 'openapi' || key === 'source') (isHidden ? hidden : shown).add(part)
      if (isEntry) pages.push({ entry: part, source, isHidden })
      if (isEntry && !isHidden && isHiddenEntry(part)) parts.push(pointer)
    } else if (isObject(part)) {
      // Without a division, strings in `groups` are groups of readers. Beside one, they are pages.
      const listed = readAnyCase(part, 'groups').flat()
      const isForGroups = listed.length > 0 && listed.every((group) => typeof group === 'string')
      const isFirst = !isHidden && (isForGroups || (isNotPublic(part) && readers.groups.length === 0))
      if (isFirst) parts.push(pointer)
      const sources = readSources(part['openapi'], '', () => {})
      const only = sources.length === 0 ? source : sources.length === 1 ? sources[0]?.source : undefined
      for (const [name, child] of Object.entries(part)) visit(child, pointerChild(pointer, name), name, isHidden || isFirst, only)
    }
  }
  visit(value['navigation'], '/navigation', '', false)
  return { parts, pages, hidden, shown }
}
