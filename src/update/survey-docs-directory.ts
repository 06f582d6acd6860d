import type { Finding } from '../diagnostics/diagnostic.ts'
import { contentHash, lockFileName } from '../docs-config/lock-file.ts'
import { type PageBindingReading, readPageBinding } from '../docs-config/page-frontmatter.ts'
import { findSnippets } from '../docs-config/page-links.ts'
import type { LockedPage, LockFile } from '../docs-config/types.ts'
import { resolveBinding } from '../pages/page-bindings.ts'
import { toSchemaTarget } from '../pages/subjects.ts'
import type { BoundOperation, DeclaredDivision, LockedPageState } from '../pages/types.ts'
import { pointerChild } from '../source/json-pointer.ts'
import { joinPath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { suggest } from '../source/suggest.ts'
import { type CheckedDocument, createDocumentChecks } from './check-documents.ts'
import { checkBoundDocuments, discoverDocuments, matchesDocument, resolveBindingFile } from './discover-documents.ts'
import type { DocsDirectory } from './read-docs-directory.ts'
import { type DocsFiles, readPages } from './read-pages.ts'
import type { PagesFor, UpdateEnvironment } from './types.ts'

/** All that is known of a docs directory before anything is decided. */
export interface Survey extends DocsDirectory {
  /** Pages by path relative to the docs directory, and what may be a document. */
  readonly docsFiles: DocsFiles
  /** Every document that something names or that a page is bound to. */
  readonly documents: readonly CheckedDocument[]
  /** These, and every other document that was looked at for a binding without a file. */
  readonly bindableDocuments: readonly CheckedDocument[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** The bindings of all pages but those of ours that nobody has touched. */
  readonly readings: ReadonlyMap<string, PageBindingReading>
  /** Which of these that are not ours are bound to an operation. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
  /** Files among the pages that are parts of others, or that the host is told to leave out; none of ours. */
  readonly notPages: ReadonlySet<string>
  /** Texts of the pages that are not ours, by path. */
  readonly otherPages: ReadonlyMap<string, string>
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/**
 * Reads what a docs directory is about: the documents named there (and `extra` ones, relative to the docs directory), its pages and what they are
 * bound to.
 */
export async function surveyDocsDirectory(
  docsDirectory: DocsDirectory,
  divisions: readonly DeclaredDivision[],
  extra: readonly string[],
  environment: UpdateEnvironment,
  pagesFor: PagesFor = 'repository',
): Promise<Survey> {
  const { root } = docsDirectory
  const checks = createDocumentChecks(root, environment, docsDirectory.config, pagesFor)
  const names = listDocumentNames(docsDirectory, divisions, extra)
  for (const { source } of names) await checks.check(source, 'named')
  environment.onProgress?.('reading pages')
  const docsFiles = await readPages(
    root,
    (docsDirectory.lock?.pages ?? []).map(({ path }) => path),
    environment.files,
    docsDirectory.config.limits,
  )
  const stateOf = createStateOf(docsFiles)
  const ours = listGeneratedPaths(docsDirectory.lock)
  const leftOut = [...findSnippets(docsFiles.pages), ...docsFiles.ignored]
  const notPages = new Set(leftOut.filter((path) => !ours.has(path)))
  const readings = readBindings(docsDirectory.lock, docsFiles, stateOf, notPages)
  await checkBoundDocuments(docsDirectory, readings, docsFiles, checks, environment)
  await discoverDocuments(root, readings, docsFiles, checks, environment)
  const { documents, boundPages } = resolveBindings(readings, [...checks.documents.values()], docsDirectory.lock)
  const placed = documents.filter(({ isLoaded }) => !isLoaded).map((document) => reportFailureAtName(document, names, docsFiles))
  const ownFindings = documents
    .filter((document) => document.isLoaded || !isNamedInFile(document, names))
    .flatMap(({ findings }) => findings)
  const sources = new Map([...docsDirectory.sources.map((source) => [source.path, source] as const), ...checks.sources])
  return {
    ...docsDirectory,
    findings: [...docsDirectory.findings, ...docsFiles.unreadConfigs, ...docsFiles.faults, ...ownFindings, ...placed.flat()],
    docsFiles,
    documents,
    bindableDocuments: [...checks.documents.values()],
    stateOf,
    readings,
    boundPages,
    notPages,
    otherPages: new Map([...docsFiles.pages].filter(([path]) => !ours.has(path))),
    sourceOf: (file) => sources.get(file) ?? toPageSource(root, file, docsFiles),
  }
}

/** A document that is named, and where. */
interface DocumentName {
  readonly source: string
  readonly location: { readonly file: string; readonly pointer: string; readonly hint?: string } | undefined
}

function listDocumentNames(
  { root, docsConfig }: DocsDirectory,
  divisions: readonly DeclaredDivision[],
  extra: readonly string[],
): DocumentName[] {
  const file = docsConfig?.source.path ?? ''
  const inConfig = [...(docsConfig?.divisions ?? []).flatMap(({ sources }) => sources), ...(docsConfig?.apiSources ?? [])]
  const fromConfig = inConfig.map(({ source, pointer }) => ({ source, location: { file, pointer } }))
  const fromExtra = extra.map((source) => ({ source, location: undefined }))
  const known = new Set([...fromConfig, ...fromExtra].map(({ source }) => source))
  const hint = 'put `openapi` with its new place on the division, or remove the division'
  const fromLock = divisions.flatMap(({ id, lockedId, sources }) => {
    const location = { file: joinPath(root, lockFileName), pointer: pointerChild('/divisions', lockedId ?? id), hint }
    return sources.filter(({ source }) => !known.has(source)).map(({ source }) => ({ source, location }))
  })
  return [...fromConfig, ...fromExtra, ...fromLock]
}

function createStateOf({ pages }: DocsFiles): (page: LockedPage) => LockedPageState {
  const states = new Map<string, LockedPageState>()
  return ({ path, hash }) => {
    let state = states.get(path)
    if (state === undefined) {
      const text = pages.get(path)
      if (hash === undefined) state = 'deleted'
      else if (text === undefined) state = 'missing'
      else state = contentHash(text) === hash ? 'untouched' : 'edited'
      states.set(path, state)
    }
    return state
  }
}

function readBindings(
  lock: LockFile | undefined,
  { pages, documents }: DocsFiles,
  stateOf: Survey['stateOf'],
  notPages: ReadonlySet<string>,
): Map<string, PageBindingReading> {
  // An adopted page that stays without its operation is to be heard of, untouched or not.
  const settled = (lock?.pages ?? []).filter((page) => page.keep !== true && stateOf(page) === 'untouched')
  const untouched = new Set(settled.map(({ path }) => path))
  const known = new Set(documents)
  const readings = new Map<string, PageBindingReading>()
  for (const [path, text] of pages) {
    const reading = untouched.has(path) || notPages.has(path) ? undefined : readPageBinding(text)
    if (reading && reading.kind !== 'none') readings.set(path, resolveBindingFile(reading, path, known))
  }
  return readings
}

/** Of the documents that nobody names only those that a page is bound to are of interest. A page of ours stands for nothing but itself, edited or not. */
function resolveBindings(
  readings: ReadonlyMap<string, PageBindingReading>,
  all: readonly CheckedDocument[],
  lock: LockFile | undefined,
): { documents: CheckedDocument[]; boundPages: Map<string, BoundOperation> } {
  const boundPages = new Map<string, BoundOperation>()
  const used = new Set<string>()
  const ours = listGeneratedPaths(lock)
  // A document that nobody names and that has faults may be the one all the same; then its faults are of interest.
  const bindable = all.map((document) =>
    document.isNamed ? document : { ...document, index: document.index ?? document.looseIndex },
  )
  for (const [path, reading] of readings) {
    if (reading.kind !== 'bound') continue
    const { file } = reading.binding
    if (file !== undefined) for (const { source } of all) if (matchesDocument(file, source, 'in-any-folder')) used.add(source)
    const resolved = resolveBinding(reading.binding, file === undefined ? bindable : all)
    if (resolved.kind === 'operation' || resolved.kind === 'schema') used.add(resolved.source)
    if (resolved.kind === 'ambiguous') for (const source of resolved.sources) used.add(source)
    if (resolved.kind === 'missing' || resolved.kind === 'unknown')
      for (const { source, isValid } of all) if (!isValid && file === undefined) used.add(source)
    // Of a document that has faults nothing is known for sure.
    if (ours.has(path) || !('source' in resolved) || !all.some(({ source, index }) => source === resolved.source && index))
      continue
    if (resolved.kind === 'operation') boundPages.set(path, { source: resolved.source, target: resolved.subject.target })
    if (resolved.kind === 'schema') boundPages.set(path, { source: resolved.source, target: toSchemaTarget(resolved.name) })
  }
  return { documents: all.filter(({ isNamed, source }) => isNamed || used.has(source)), boundPages }
}

/** A page that was deleted by hand and is back is somebody else's. */
function listGeneratedPaths(lock: LockFile | undefined): Set<string> {
  return new Set((lock?.pages ?? []).filter(({ hash }) => hash !== undefined).map(({ path }) => path))
}

function isNamedInFile({ source }: CheckedDocument, names: readonly DocumentName[]): boolean {
  return names.some((name) => name.source === source && name.location !== undefined)
}

/** A document that cannot be read is reported where it is named. */
function reportFailureAtName(
  { source, findings }: CheckedDocument,
  names: readonly DocumentName[],
  { documents }: DocsFiles,
): Finding[] {
  const failure = findings[0]
  if (!failure) return []
  const name = source.slice(source.lastIndexOf('/') + 1)
  const near = documents.find((path) => path.endsWith(`/${name}`) || path === name) ?? suggest(source, documents)
  const hint = failure.hint ?? (failure.code === 'file-missing' && near !== undefined ? `did you mean \`${near}\`?` : undefined)
  return names.flatMap(({ source: named, location }) => {
    if (named !== source || !location) return []
    const { hint: otherHint, ...at } = location
    const hints = [hint, otherHint].filter((each) => each !== undefined).join(' ')
    return { code: failure.code, message: failure.message, ...at, ...(hints === '' ? {} : { hint: hints }) }
  })
}

function toPageSource(root: string, file: string, { pages }: DocsFiles): SourceFile | undefined {
  const prefix = root === '' ? '' : `${root}/`
  const text = file.startsWith(prefix) ? pages.get(file.slice(prefix.length)) : undefined
  return text === undefined ? undefined : { path: file, text }
}
