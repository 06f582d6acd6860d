import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, readText, stringOf } from '../../text/json/json-values.ts'
import { countShared } from '../../text/plain/lists.ts'
import { baseName, isAround, isUrl, parentPath } from '../../text/plain/paths.ts'
import type { OffsetRange } from '../../text/plain/source-file.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { parseYaml } from '../../text/yaml/parse-yaml.ts'
import { formatTarget, type PageBinding } from '../navigation/docs-config.ts'
import { parseBinding, parseSchemaBinding } from '../navigation/read-divisions.ts'
import { findNamed } from './binding-files.ts'
import { slug, withoutPageExtension } from './generated-page.ts'
import type { DescriptionIndex, PageSubject } from './subjects.ts'

/** A document that pages can bind to. */
export interface BindableDocument {
  /** A URL, or a path relative to the docs directory. */
  readonly source: string
  /** Absent if the document has errors and pages are generated from it. */
  readonly index: DescriptionIndex | undefined
  /** The readable parts of a document with errors. Never used to write pages. */
  readonly looseIndex?: DescriptionIndex | undefined
  /** The document has errors, so its index may be incomplete. */
  readonly isPartial?: boolean
  /** Operations and webhooks of the document that are not published. */
  readonly leftOut?: ReadonlySet<string> | undefined
  /** Whether `docs.json`, the lock file or the caller names the document, not just a page. */
  readonly isNamed: boolean
}

/** What the binding of a page or an entry means. */
export type ResolvedBinding =
  | { readonly kind: 'operation'; readonly source: string; readonly subject: PageSubject }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }
  /** The searched documents do not contain the target. */
  | { readonly kind: 'missing'; readonly sources: readonly string[] }
  /** No document matches the file of the binding. */
  | { readonly kind: 'no-document' }
  /** Cannot be resolved until these documents have no errors. */
  | { readonly kind: 'unknown'; readonly sources: readonly string[] }
  /** Several documents contain the target, and the binding names none. */
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] }

/** Resolves the binding of a page, which has a path relative to the docs directory. */
export type ResolvePageBinding = (binding: PageBinding, page: string) => ResolvedBinding

/**
 * Resolves a binding.
 *
 * The file may omit its extension, and leading directories if the result is unambiguous. A trailing slash in the path is ignored
 * unless the exact path exists. A binding without a file is looked up in the documents that `docs.json` names for the language, version and
 * product of the page, then in all named documents, then in the others except copies. In the first set with the operation, one document must
 * have it, or one whose directory is the nearest around the page.
 *
 * @param page The page with the binding, relative to the docs directory.
 * @param ofBranch The documents that `docs.json` names for its language, version and product.
 */
export function resolveBinding(
  binding: PageBinding,
  documents: readonly BindableDocument[],
  page = '',
  ofBranch: readonly string[] = [],
): ResolvedBinding {
  if (binding.file !== undefined) {
    const [only, ...others] = findNamed(binding.file, new Set(documents.map(({ source }) => source)))
    return resolveAmong(binding, others.length > 0 ? [] : documents.filter(({ source }) => source === only), page)
  }
  const named = documents.filter(({ isNamed }) => isNamed)
  const others = named.length < documents.length ? documents.filter((one) => !isCopy(one, documents, page)) : []
  let resolved: ResolvedBinding = { kind: 'no-document' }
  for (const set of [documents.filter(({ source }) => ofBranch.includes(source)), named, others]) {
    if (set.length > 0) resolved = resolveAmong(binding, set, page)
    if (resolved.kind !== 'missing' && resolved.kind !== 'no-document') break
  }
  return resolved
}

/** Whether a document that nothing names has the title and file name of another one in a directory above it, as in `archive`. A page below it means the copy. */
function isCopy(document: BindableDocument, documents: readonly BindableDocument[], page: string): boolean {
  const { source, isNamed } = document
  const titleOf = ({ index, looseIndex }: BindableDocument) => (index ?? looseIndex)?.title
  if (isNamed || titleOf(document) === undefined || isUrl(source) || isAround(source, page)) return false
  return documents.some((other) => {
    const isAbove = parentPath(other.source) !== parentPath(source) && isAround(other.source, source)
    return isAbove && titleOf(other) === titleOf(document) && baseName(other.source) === baseName(source)
  })
}

function resolveAmong(binding: PageBinding, candidates: readonly BindableDocument[], page: string): ResolvedBinding {
  if (candidates.length === 0) return { kind: 'no-document' }
  const found = candidates.flatMap(({ source, index, looseIndex, isNamed }) => {
    // A document that nothing names can have the operation, although it has errors. Then they are reported.
    const readable = index ?? (isNamed || binding.file !== undefined ? undefined : looseIndex)
    const target = readable && findTarget(binding, readable)
    return target ? [{ source, target }] : []
  })
  const first = found.length > 1 ? findNearestAround(found, page) : found[0]
  if (found.length === 0) {
    const sources = ({ source }: BindableDocument) => source
    const uncertain = candidates.filter(({ index, isPartial }) => index === undefined || isPartial === true)
    return uncertain.length === 0
      ? { kind: 'missing', sources: candidates.map(sources) }
      : { kind: 'unknown', sources: uncertain.map(sources) }
  }
  if (!first) return { kind: 'ambiguous', sources: found.map(({ source }) => source) }
  if (first.target === 'schema')
    return { kind: 'schema', source: first.source, name: binding.kind === 'schema' ? binding.name : '' }
  return { kind: 'operation', source: first.source, subject: first.target }
}

/** The document whose directory is the nearest one around the page; `undefined` for none or several, and without a page. */
function findNearestAround<Document extends { readonly source: string }>(documents: readonly Document[], page: string) {
  const around = page === '' ? [] : documents.filter(({ source }) => isAround(source, page))
  const depths = around.map(({ source }) => parentPath(source).length)
  const nearest = around.filter((_, index) => depths[index] === Math.max(...depths))
  return nearest.length === 1 ? nearest[0] : undefined
}

function findTarget(binding: PageBinding, { byTarget, schemaNames }: DescriptionIndex): PageSubject | 'schema' | undefined {
  if (binding.kind === 'schema') return schemaNames.has(binding.name) ? 'schema' : undefined
  const target = formatTarget(binding)
  const exact = byTarget.get(target)
  if (exact || binding.kind === 'webhook') return exact
  return byTarget.get(target.endsWith('/') ? target.slice(0, -1) : `${target}/`)
}

/** A page with parsed frontmatter. */
interface BoundPage {
  /** Relative to the boundary. */
  readonly file: string
  /** Relative to the docs directory. */
  readonly path: string
  readonly text: string
  readonly reading: PageBindingReading
  /** Absent unless the binding can be read. */
  readonly resolved: ResolvedBinding | undefined
  /** The `operationId` that the page was generated for, from the lock file. */
  readonly operationId: string | undefined
}

/**
 * Reports a page with a missing or ambiguous target.
 *
 * `severity` applies to missing operations: the page is empty, but other pages can still be updated.
 */
export function checkPageBinding(
  { file, path, text, reading, resolved, operationId }: BoundPage,
  documents: readonly BindableDocument[],
  severity: Severity,
): Finding | undefined {
  if (reading.kind === 'none') return undefined
  if (reading.kind === 'fault') {
    return { code: 'page-frontmatter', message: reading.message, file, pointer: '', offsets: reading.offsets }
  }
  const at = () => {
    const offsets = locateFrontmatterValue(text, reading.key)
    return { file, pointer: `/${reading.key}`, ...(offsets ? { offsets } : {}) }
  }
  if (reading.kind === 'unreadable') {
    const found = typeof reading.written === 'string' ? `\`${reading.written}\`` : 'value'
    const expected = reading.key === 'openapi' ? 'a method and a path' : 'a schema name'
    const hint =
      reading.key === 'openapi'
        ? 'Use a value such as `openapi: openapi.yaml GET /pets`'
        : 'Use a value such as `openapi-schema: Pet`'
    return { code: 'binding-syntax', message: `Unexpected ${found} for \`${reading.key}\`, expected ${expected}`, hint, ...at() }
  }
  if (!resolved) return undefined
  const title = resolved.kind === 'missing' ? readText(parsePageFrontmatter(text)?.values, 'title')?.trim() : undefined
  const page = { path, operationId, title }
  const fault = checkBinding(reading.binding, resolved, documents, page)
  if (!fault) return undefined
  return { ...fault, ...at(), ...(fault.code === 'binding-unresolved' ? { severity } : {}) }
}

/** A problem with a binding, without its location. */
export type BindingProblem = Pick<Finding, 'code' | 'message' | 'hint'>

/** What is known about the operation of a page apart from its binding. */
interface BindingPage {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  readonly title: string | undefined
  /** The `operationId` that the page was generated for, from the lock file. */
  readonly operationId: string | undefined
}

/**
 * Checks the binding of a page or navigation entry. Returns `undefined` if it is valid.
 *
 * `page` is the page with the binding. Its metadata helps to suggest the new operation after a move.
 */
export function checkBinding(
  binding: PageBinding,
  resolved: ResolvedBinding,
  documents: readonly BindableDocument[],
  page?: BindingPage,
): BindingProblem | undefined {
  const target = formatTarget(binding)
  switch (resolved.kind) {
    case 'schema':
    case 'unknown':
      return undefined
    case 'operation':
      if (!resolved.subject.excluded) return page && checkSlash(target, resolved.subject.target)
      return {
        code: 'binding-unresolved',
        message: `Unexpected binding to \`${target}\`: \`${resolved.source}\` excludes it with \`x-excluded\``,
        hint: 'To remove it only from the navigation, use `x-hidden` instead',
      }
    case 'ambiguous': {
      const sources = resolved.sources.map((source) => `\`${source}\``).join(' and ')
      const nearest = nearestSource(resolved.sources, page)
      const isNamed = documents.some((document) => document.isNamed && resolved.sources.includes(document.source))
      // Documents named in `docs.json` take precedence, so naming one there resolves the bindings of many pages.
      const forAll = isNamed ? '' : `, or set the default document in \`docs.json\`: \`"api": {"openapi": "${nearest}"}\``
      const hint = `Add the document: \`${nearest} ${target}\`${forAll}`
      return {
        code: 'binding-ambiguous',
        message: `Ambiguous binding to \`${target}\`: found in ${sources}`,
        hint,
      }
    }
    case 'no-document': {
      const sources = documents.map(({ source }) => source)
      const near = binding.file === undefined ? undefined : suggest(binding.file, sources)
      const what =
        binding.file === undefined
          ? `a document with \`${target}\``
          : `document \`${binding.file}\`, which the binding to \`${target}\` names`
      return { code: 'binding-unresolved', message: `Cannot find ${what}`, hint: didYouMean(near) }
    }
    case 'missing': {
      const within = documents.filter(({ source }) => resolved.sources.includes(source))
      const hiding = within.find(({ leftOut }) => leftOut?.has(target))
      if (hiding) {
        const message = `Unexpected binding to \`${target}\`: \`${hiding.source}\` excludes or restricts it`
        return {
          code: 'binding-unresolved',
          message,
          hint: 'Remove the binding, or `x-excluded` or `x-mint.groups` from the document',
        }
      }
      const where =
        resolved.sources.length === 1 ? `in \`${resolved.sources[0]}\`` : `in any of ${resolved.sources.length} documents`
      const message = `Cannot find \`${target}\` ${where}`
      const moved = page && suggestMovedOperation(within, page)
      if (moved !== undefined) return { code: 'binding-unresolved', message, hint: moved }
      const near = findNearest(binding, target, within) ?? (page && suggestByName(within, page))
      return { code: 'binding-unresolved', message, hint: didYouMean(near) }
    }
  }
}

/** Reports that a page lacks the trailing slash of the document. Other sites show nothing on it. */
function checkSlash(target: string, written: string): BindingProblem | undefined {
  if (written !== `${target}/`) return undefined
  return {
    code: 'binding-syntax',
    message: `Unexpected binding to \`${target}\`: the document has \`${written}\``,
    hint: `Use \`${written}\``,
  }
}

/** Finds the current operation of a page by `operationId`, or else by its title. */
function suggestMovedOperation(documents: readonly BindableDocument[], { operationId, title }: BindingPage): string | undefined {
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const byId = operationId === undefined ? [] : subjects.filter((subject) => subject.operationId === operationId)
  if (byId.length === 1) return `Use \`${byId[0]?.target}\`, which now has the \`operationId\` \`${operationId}\``
  const bySummary = subjects.filter(({ summary }) => title !== undefined && summary?.trim() === title)
  return bySummary.length === 1 ? `Use \`${bySummary[0]?.target}\`, which has the title of this page` : undefined
}

/** Finds the operation with a page name equal to this one. */
function suggestByName(documents: readonly BindableDocument[], { path }: BindingPage): string | undefined {
  const name = withoutPageExtension(baseName(path))
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const found = subjects.filter(({ summary }) => summary !== undefined && slug(summary) === name)
  return found.length === 1 ? found[0]?.target : undefined
}

/** Returns the document that shares the most directories with the page. */
function nearestSource(sources: readonly string[], page: BindingPage | undefined): string | undefined {
  const steps = page?.path.split('/') ?? []
  const rate = (source: string) => countShared(steps, source.split('/'))
  return sources.toSorted((a, b) => rate(b) - rate(a))[0]
}

/**
 * Finds the nearest target. Path parameter names are ignored, so `GET /pets/{id}` matches `GET /pets/{petId}`. The same method
 * comes first, since it has the larger part in the comparison.
 */
function findNearest(binding: PageBinding, target: string, documents: readonly BindableDocument[]): string | undefined {
  const indexes = documents.flatMap(({ index }) => index ?? [])
  if (binding.kind === 'schema')
    return suggest(
      target,
      indexes.flatMap(({ schemaNames }) => [...schemaNames]),
    )
  const byShape = new Map<string, string>()
  for (const { subjects } of indexes) {
    for (const subject of subjects) {
      const shape = toTargetShape(subject.target)
      if (!byShape.has(shape)) byShape.set(shape, subject.target)
    }
  }
  const shape = toTargetShape(target)
  const same = byShape.get(shape)
  if (same !== undefined) return same
  const shapes = [...byShape.keys()]
  const method = target.slice(0, target.indexOf(' ') + 1)
  const ofMethod = shapes.filter((candidate) => candidate.startsWith(method))
  const near = suggest(shape, ofMethod) ?? suggest(shape, shapes)
  return near === undefined ? undefined : byShape.get(near)
}

/** Returns a target without path parameter names and without a trailing slash. */
export function toTargetShape(target: string): string {
  return target.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')
}

/** The YAML between the `---` lines at the top of a page. */
export interface PageFrontmatter {
  /** Empty if the YAML is not a mapping. */
  readonly values: JsonObject
  /** Range of the YAML in the page. */
  readonly offsets: OffsetRange
  /** The first YAML error, if any. */
  readonly fault: { readonly message: string; readonly offsets: OffsetRange } | undefined
}

/** Parses the frontmatter of a page. Returns `undefined` if there is none. Never throws. */
export function parsePageFrontmatter(text: string): PageFrontmatter | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  if (yaml.trim() === '') return { values: {}, offsets, fault: undefined }
  const { value, faults } = parseYaml(yaml)
  const fault = faults.find(({ code }) => code !== 'empty-document')
  return {
    values: isObject(value) ? value : {},
    offsets,
    fault: fault && { message: fault.message, offsets: shift(fault.offsets, offsets.start) },
  }
}

/** Finds the YAML between the `---` lines without parsing it. */
export function findFrontmatter(text: string): OffsetRange | undefined {
  const open = /^---[ \t]*\r?\n/.exec(text)
  if (!open) return undefined
  const start = open[0].length
  const close = /^---[ \t]*$/m.exec(text.slice(start).replaceAll('\r', ' '))
  return close ? { start, end: start + close.index } : undefined
}

function shift({ start, end }: OffsetRange, by: number): OffsetRange {
  return { start: start + by, end: end + by }
}

/** The result of reading a page's binding. */
export type PageBindingReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'bound'; readonly key: BindingKey; readonly binding: PageBinding }
  /** The key exists, but its value `written` is not a binding. */
  | { readonly kind: 'unreadable'; readonly key: BindingKey; readonly written: unknown }
  /** The frontmatter is not valid YAML. */
  | { readonly kind: 'fault'; readonly message: string; readonly offsets: OffsetRange }

type BindingKey = 'openapi' | 'openapi-schema'

/**
 * Reads the binding of a page. `openapi-schema` takes precedence over `openapi`. Frontmatter without the word `openapi` is not
 * parsed.
 *
 * @param known the frontmatter, if it was already parsed.
 */
export function readPageBinding(text: string, known?: PageFrontmatter): PageBindingReading {
  const offsets = findFrontmatter(text)
  if (!offsets && lacksClosingFence(text)) return { kind: 'fault', ...missingFence }
  if (!offsets || !text.slice(offsets.start, offsets.end).includes('openapi')) return { kind: 'none' }
  const frontmatter = known ?? parsePageFrontmatter(text)
  if (!frontmatter) return { kind: 'none' }
  if (frontmatter.fault) return { kind: 'fault', ...frontmatter.fault }
  for (const key of ['openapi-schema', 'openapi'] as const) {
    const written = frontmatter.values[key]
    if (written === undefined || written === null) continue
    const binding = (key === 'openapi' ? parseBinding : parseSchemaBinding)(stringOf(written) ?? '')
    return binding ? { kind: 'bound', key, binding } : { kind: 'unreadable', key, written }
  }
  return { kind: 'none' }
}

const missingFence = { message: 'Missing `---` at the end of the frontmatter', offsets: { start: 0, end: 3 } }

/**
 * Finds the first error in a page's frontmatter.
 *
 * @param known the frontmatter, if it was already parsed.
 */
export function findFrontmatterFault(text: string, known: PageFrontmatter | undefined): PageFrontmatter['fault'] {
  if (known) return known.fault
  return /^---[ \t]*\r?\n[A-Za-z][\w-]*:(?:[ \t]|\r?\n)/.test(text) ? missingFence : undefined
}

/**
 * Hosts render frontmatter without a closing `---` as page text, including the binding. A page may also start with a Markdown
 * rule, which is followed by a blank line.
 */
function lacksClosingFence(text: string): boolean {
  const lines = /^---[ \t]*\r?\n((?:[^\r\n]+\r?\n)+)/.exec(text)?.[1] ?? ''
  return /^openapi(-schema)?:/m.test(lines)
}

/** Finds the value of a top-level frontmatter key, including its quotes or the `|` or `>` of a block scalar. */
export function locateFrontmatterValue(text: string, key: string): OffsetRange | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  const node = parseDocument(yaml).get(key, true)
  if (!isScalar(node) || !node.range) return undefined
  const [start, end] = node.range
  return { start: offsets.start + start, end: offsets.start + start + yaml.slice(start, end).trimEnd().length }
}

/** Finds a top-level frontmatter key, including its quotes. */
export function locateFrontmatterKey(text: string, key: string): OffsetRange | undefined {
  const offsets = findFrontmatter(text)
  const top = offsets && parseDocument(text.slice(offsets.start, offsets.end)).contents
  if (!offsets || !isMap(top)) return undefined
  const found = top.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === key)
  return isScalar(found) && found.range ? shift({ start: found.range[0], end: found.range[1] }, offsets.start) : undefined
}

/**
 * Replaces the value of a top-level frontmatter key, keeping its quote style. The rest of the page, including comments, is
 * preserved byte for byte.
 *
 * Returns `undefined` if the key is missing or has no value.
 */
export function editFrontmatterValue(text: string, key: string, value: string): string | undefined {
  const offsets = locateFrontmatterValue(text, key)
  if (!offsets || offsets.start === offsets.end) return undefined
  const first = text.charAt(offsets.start)
  const written = formatYamlText(value, first === '"' || first === "'" ? first : '')
  const lineEnd = text.startsWith('---\r\n') ? '\r\n' : '\n'
  return text.slice(0, offsets.start) + written.replaceAll('\n', lineEnd) + text.slice(offsets.end)
}

/**
 * Formats a string as a frontmatter value with the given quotes. Quotes are added if YAML would read the plain string as
 * something else.
 */
export function formatYamlText(text: string, quote: FrontmatterEntry['quote']): string {
  if (quote === "'" && !/[\n\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  if (quote !== '') return JSON.stringify(text)
  return stringify(text, { lineWidth: 0, compat: 'yaml-1.1' }).trimEnd()
}

/** The text of a page, split into the parts that many pages share. */
export interface PageParts {
  readonly lineEnd: '\n' | '\r\n'
  /** Top-level frontmatter keys in order, without comments. */
  readonly entries: readonly FrontmatterEntry[]
  /** Everything after the closing `---`, including its line ending. */
  readonly tail: string
}

export interface FrontmatterEntry {
  readonly key: string
  /** As written, with quotes, without surrounding whitespace, and with `\n` line endings. Starts with `\n` if the value begins on the next line. */
  readonly raw: string
  readonly quote: '"' | "'" | ''
}

/** Splits the text of a page. Returns `undefined` if it has no frontmatter. Works on lines only, so the YAML may be invalid. */
export function splitPage(text: string): PageParts | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const entries: { key: string; raw: string }[] = []
  for (const line of text.slice(offsets.start, offsets.end).split(/\r?\n/)) {
    const [, key, value] = /^("[^"]*"\s*|'[^']*'\s*|[^\s#'"-][^:]*):(?:\s(.*))?$/.exec(line) ?? []
    const last = entries.at(-1)
    if (key !== undefined) entries.push({ key: key.trimEnd().replace(/^(["'])(.*)\1$/, '$2'), raw: value ?? '' })
    else if (last && !line.startsWith('#')) last.raw += `\n${line}`
  }
  return {
    lineEnd: text.slice(0, offsets.start).includes('\r') ? '\r\n' : '\n',
    entries: entries.map(({ key, raw }) => ({ key, raw: raw.replace(/^[ \t]+/, '').trimEnd(), quote: toQuote(raw.trim()) })),
    tail: text.slice(offsets.end).replace(/^---[ \t]*/, ''),
  }
}

function toQuote(raw: string): FrontmatterEntry['quote'] {
  const first = raw.charAt(0)
  return first === '"' || first === "'" ? first : ''
}
