import type { Severity } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import { formatTarget } from '../docs-config/binding-text.ts'
import { locateFrontmatterValue, type PageBindingReading, parsePageFrontmatter } from '../docs-config/page-frontmatter.ts'
import type { PageBinding } from '../docs-config/types.ts'
import { suggest } from '../source/suggest.ts'
import { slug } from './page-path.ts'
import type { DescriptionIndex, PageSubject } from './types.ts'

/** A document that pages may bind to. */
export interface BindableDocument {
  /** Relative to the docs root, or a URL. */
  readonly source: string
  /** Absent for a document that has faults, where pages are written by it. */
  readonly index: DescriptionIndex | undefined
  /** It has faults: what is not in its index may be in the document all the same. */
  readonly isPartial?: boolean
  /** Named by `docs.json`, the lock file or the caller, and not only by a page or by nobody. */
  readonly isNamed: boolean
}

type ResolvedBinding =
  | { readonly kind: 'operation'; readonly source: string; readonly subject: PageSubject }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }
  /** The documents that were looked at do not have it. */
  | { readonly kind: 'missing'; readonly sources: readonly string[] }
  /** No document fits the file of the binding. */
  | { readonly kind: 'no-document' }
  /** Cannot be told before these documents have no faults. */
  | { readonly kind: 'unknown'; readonly sources: readonly string[] }
  /** Several documents have it, and the binding names none. */
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] }

/**
 * Finds what a binding is bound to.
 *
 * Its file may lack the extension, and the folders in front where one document only fits. A trailing slash of the path makes no difference
 * where the exact path is not there. A binding without a file is looked up in the named documents, then in the others, and has to be in exactly one.
 */
export function resolveBinding(binding: PageBinding, documents: readonly BindableDocument[]): ResolvedBinding {
  if (binding.file !== undefined) return resolveAmong(binding, findDocument(binding.file, documents))
  const named = documents.filter(({ isNamed }) => isNamed)
  const resolved = resolveAmong(binding, named)
  return (resolved.kind === 'missing' || resolved.kind === 'no-document') && named.length < documents.length
    ? resolveAmong(binding, documents)
    : resolved
}

function resolveAmong(binding: PageBinding, candidates: readonly BindableDocument[]): ResolvedBinding {
  if (candidates.length === 0) return { kind: 'no-document' }
  const found = candidates.flatMap(({ source, index }) => {
    const target = index && findTarget(binding, index)
    return target ? [{ source, target }] : []
  })
  const first = found[0]
  if (!first) {
    const sources = ({ source }: BindableDocument) => source
    const uncertain = candidates.filter(({ index, isPartial }) => index === undefined || isPartial === true)
    return uncertain.length === 0
      ? { kind: 'missing', sources: candidates.map(sources) }
      : { kind: 'unknown', sources: uncertain.map(sources) }
  }
  if (found.length > 1) return { kind: 'ambiguous', sources: found.map(({ source }) => source) }
  if (first.target === 'schema')
    return { kind: 'schema', source: first.source, name: binding.kind === 'schema' ? binding.name : '' }
  return { kind: 'operation', source: first.source, subject: first.target }
}

function findDocument(file: string, documents: readonly BindableDocument[]): readonly BindableDocument[] {
  const withoutExtension = (path: string) => path.replace(/\.(json|ya?ml)$/i, '')
  const rules: ((source: string) => boolean)[] = [
    (source) => source === file,
    (source) => withoutExtension(source) === file,
    (source) => source.endsWith(`/${file}`),
    (source) => withoutExtension(source).endsWith(`/${file}`),
  ]
  for (const rule of rules) {
    const found = documents.filter(({ source }) => rule(source))
    if (found.length === 1) return found
  }
  return []
}

function findTarget(binding: PageBinding, { byTarget, schemaNames }: DescriptionIndex): PageSubject | 'schema' | undefined {
  if (binding.kind === 'schema') return schemaNames.has(binding.name) ? 'schema' : undefined
  const target = formatTarget(binding)
  const exact = byTarget.get(target)
  if (exact || binding.kind === 'webhook') return exact
  return byTarget.get(target.endsWith('/') ? target.slice(0, -1) : `${target}/`)
}

/** A page whose frontmatter was read. */
interface BoundPage {
  /** Relative to the boundary. */
  readonly file: string
  /** Relative to the docs root. */
  readonly path: string
  readonly text: string
  readonly reading: PageBindingReading
  /** Of the operation that the page was made for, where the lock file tells. */
  readonly operationId: string | undefined
}

/**
 * Reports pages bound to what does not exist, or not for sure.
 *
 * `severity` is that of a binding to a missing operation: such a page is empty, but keeps nobody from updating the others.
 */
export function checkPageBindings(
  pages: readonly BoundPage[],
  documents: readonly BindableDocument[],
  severity: Severity,
): Finding[] {
  return pages.flatMap((page) => checkPage(page, documents, severity) ?? [])
}

function checkPage(
  { file, path, text, reading, operationId }: BoundPage,
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
    const expected = reading.key === 'openapi' ? 'a method and a path' : 'the name of a schema'
    const hint =
      reading.key === 'openapi'
        ? 'write for example `openapi: openapi.yaml GET /pets`'
        : 'write for example `openapi-schema: Pet`'
    return { code: 'binding-syntax', message: `Unexpected ${found} for \`${reading.key}\`, expected ${expected}`, hint, ...at() }
  }
  const resolved = resolveBinding(reading.binding, documents)
  const title = resolved.kind === 'missing' ? parsePageFrontmatter(text)?.values['title'] : undefined
  const page = { path, operationId, title: typeof title === 'string' ? title.trim() : undefined }
  const fault = checkBinding(reading.binding, resolved, documents, page)
  if (!fault) return undefined
  return { ...fault, ...at(), ...(fault.code === 'binding-unresolved' ? { severity } : {}) }
}

/** What a finding about a binding says, without its place. */
type BindingFault = Pick<Finding, 'code' | 'message' | 'hint'>

/** What a page says of the operation that it is about, beside its binding. */
interface BindingPage {
  /** Relative to the docs root, with extension. */
  readonly path: string
  readonly title: string | undefined
  /** Of the operation that the page was made for, where the lock file tells. */
  readonly operationId: string | undefined
}

/**
 * Says what is wrong with a binding of a page or of a navigation entry; `undefined` where nothing is.
 *
 * `page` is the page that has the binding: by what it says of its operation, one that has moved is named.
 */
export function checkBinding(
  binding: PageBinding,
  resolved: ResolvedBinding,
  documents: readonly BindableDocument[],
  page?: BindingPage,
): BindingFault | undefined {
  const target = formatTarget(binding)
  switch (resolved.kind) {
    case 'schema':
    case 'unknown':
      return undefined
    case 'operation':
      if (!resolved.subject.excluded) return undefined
      return {
        code: 'binding-unresolved',
        message: `Unexpected binding to \`${target}\`: \`${resolved.source}\` excludes it by \`x-excluded\``,
        hint: 'write `x-hidden` instead to keep it out of the navigation only',
      }
    case 'ambiguous': {
      const sources = resolved.sources.map((source) => `\`${source}\``).join(' and ')
      const nearest = nearestSource(resolved.sources, page)
      const isNamed = documents.some((document) => document.isNamed && resolved.sources.includes(document.source))
      // Those that `docs.json` names go before all others, so that one line there settles the bindings of many pages.
      const forAll = isNamed
        ? ''
        : `, or the document of all such pages once in \`docs.json\`: \`"api": {"openapi": "${nearest}"}\``
      const hint = `name the document: \`${nearest} ${target}\`${forAll}`
      return {
        code: 'binding-ambiguous',
        message: `Unexpected binding to \`${target}\` without a document: ${sources} have it`,
        hint,
      }
    }
    case 'no-document': {
      const near =
        binding.file === undefined
          ? undefined
          : suggest(
              binding.file,
              documents.map(({ source }) => source),
            )
      const what =
        binding.file === undefined ? `a document that has \`${target}\`` : `the document \`${binding.file}\` of \`${target}\``
      return { code: 'binding-unresolved', message: `Cannot find ${what}`, ...toHint(near) }
    }
    case 'missing': {
      const within = documents.filter(({ source }) => resolved.sources.includes(source))
      const where =
        resolved.sources.length === 1 ? `in \`${resolved.sources[0]}\`` : `in any of ${resolved.sources.length} documents`
      const message = `Cannot find \`${target}\` ${where}`
      const moved = page && findMoved(within, page)
      if (moved !== undefined) return { code: 'binding-unresolved', message, hint: moved }
      const near = findNearest(binding, target, within) ?? (page && findNamesake(within, page))
      return { code: 'binding-unresolved', message, ...toHint(near) }
    }
  }
}

function toHint(near: string | undefined): { hint?: string } {
  return near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
}

/** Says which operation a page is about now: by its `operationId`, else by the summary that is its title. */
function findMoved(documents: readonly BindableDocument[], { operationId, title }: BindingPage): string | undefined {
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const byId = operationId === undefined ? [] : subjects.filter((subject) => subject.operationId === operationId)
  if (byId.length === 1) return `\`${operationId}\` is \`${byId[0]?.target}\` now`
  const bySummary = subjects.filter(({ summary }) => title !== undefined && summary?.trim() === title)
  return bySummary.length === 1 ? `\`${bySummary[0]?.target}\` has the title of this page` : undefined
}

/** The operation whose page would have the name of this one. */
function findNamesake(documents: readonly BindableDocument[], { path }: BindingPage): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.mdx?$/i, '')
  const subjects = documents.flatMap(({ index }) => index?.subjects ?? [])
  const found = subjects.filter(({ summary }) => summary !== undefined && slug(summary) === name)
  return found.length === 1 ? found[0]?.target : undefined
}

/** Of several documents the one that shares most folders with a page. */
function nearestSource(sources: readonly string[], page: BindingPage | undefined): string | undefined {
  const steps = page?.path.split('/') ?? []
  const countShared = (source: string) => {
    const others = source.split('/')
    const end = steps.findIndex((step, index) => step !== others[index])
    return end === -1 ? steps.length : end
  }
  return sources.toSorted((a, b) => countShared(b) - countShared(a))[0]
}

/**
 * The nearest name. Names of path parameters make no difference: `GET /pets/{id}` is nearest to `GET /pets/{petId}`, whatever these are
 * called. Operations of the same method come first, as the method is the longer part of what is compared.
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
      const shape = toShape(subject.target)
      if (!byShape.has(shape)) byShape.set(shape, subject.target)
    }
  }
  const shape = toShape(target)
  const same = byShape.get(shape)
  if (same !== undefined) return same
  const shapes = [...byShape.keys()]
  const method = target.slice(0, target.indexOf(' ') + 1)
  const ofMethod = shapes.filter((candidate) => candidate.startsWith(method))
  const near = suggest(shape, ofMethod) ?? suggest(shape, shapes)
  return near === undefined ? undefined : byShape.get(near)
}

/** A binding without the names of its path parameters, and without a slash at the end. */
function toShape(target: string): string {
  return target.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')
}
