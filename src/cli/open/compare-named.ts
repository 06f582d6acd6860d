import type { ChangeThresholds, ComparedDocument, Comparison, DocumentComparison, LocatedPlace } from '../../changes/change.ts'
import { toComparable } from '../../changes/compare/compare.ts'
import { type Finding, renameFiles, severityOf } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { checkEntryDocument } from '../../docs/check/run-check.ts'
import { listDocsDirectories } from '../../docs/read/find-docs.ts'
import { type AcceptedFile, findAcceptedFile, readAcceptedFile } from '../../docs/read/read-docs-directory.ts'
import {
  compareDocumentVersions,
  type DirectoryVersion,
  type DocumentVersion,
  nameDocument,
  readClientsOf,
  readDocumentVersions,
  type Versions,
} from '../../docs/versions/compare-documents.ts'
import { overlayFiles } from '../../files/files.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { CliContext } from '../base/cli-context.ts'
import { reportUnreadable } from '../base/command-errors.ts'
import { type CommonOptions, rejectOverlays } from '../base/command-options.ts'
import type { ComparisonOptions } from '../base/comparison-options.ts'
import { type Progress, printDiagnostics } from '../print/terminal.ts'
import { type NamedVersion, openNamedVersions } from './named-version.ts'

/** A document in both versions, with the file names that are shown. */
export interface NamedComparison extends DocumentComparison {
  /** The sources of both versions by the names that are shown. */
  readonly sources: Versions<ReadonlyMap<string, SourceFile>>
  /** The setting `changes.failOn`. */
  readonly failOn: ChangeThresholds
  /** The file with accepted changes. Its path is relative to the boundary of the revision. */
  readonly accepted: AcceptedFile
  /** The document as entries of the file name it. */
  readonly acceptedDocument: string
  /** What was compared, with the file names in it. */
  readonly compared: DocumentComparison & Versions<DocumentVersion | undefined>
}

/** The documents that the arguments of a command name, with their changes. */
export interface ComparedVersions {
  /** Sorted by path. One if the arguments name documents. */
  readonly documents: readonly NamedComparison[]
  readonly named: Versions<NamedVersion>
  /** Whether the arguments name directories, which can have several documents. */
  readonly isDirectory: boolean
  /** The docs directories in them, relative to the boundaries. */
  readonly roots: readonly Versions<string>[]
}

interface CompareNamedOptions extends Omit<CommonOptions, 'format'>, Partial<ComparisonOptions> {
  /** The directory to which shown paths are relative. */
  readonly shownFrom: string
  /** Whether everything that was removed gets a place in the revision. */
  readonly placesRemoved?: boolean
  /** Which file with accepted changes counts. `disk`: the one that can be edited, if the revision is in git. Default: `revision`. */
  readonly acceptedIn?: 'revision' | 'disk'
}

/**
 * Compares the versions that the arguments of a command name: two documents, or all documents of two directories.
 *
 * Prints errors of documents that cannot be read; their `comparison` is absent. Resolves with `undefined` after printing errors of the
 * configuration file, of `docs.json` or of the file with accepted changes, because the result would be wrong.
 *
 * @throws {ConfigError} if an argument does not exist, is outside the boundary, or has no documents.
 * @throws {GitError} if a git revision does not exist.
 */
export async function compareNamed(
  names: Versions<string>,
  options: CompareNamedOptions,
  context: CliContext,
  progress: Progress,
): Promise<ComparedVersions | undefined> {
  const opened = await openNamedVersions(names, options, context, progress)
  const named = { base: await takeOverlays(opened.base), revision: await takeOverlays(opened.revision) }
  if (named.base.kind !== named.revision.kind) throw rejectMixture(named)
  const isDirectory = named.revision.kind === 'directory'
  if (isDirectory && options.overlay && options.overlay.length > 0) rejectOverlays(named.revision.argument)
  const found = isDirectory ? await readDirectories(named) : [await readDocuments(named, progress)]
  const read = options.acceptedIn === 'disk' ? await useAcceptedOnDisk(found, named.revision) : found
  const print = createPrint(options, context, progress)
  if (await printSettingErrors(read, named, print)) return undefined
  progress.step('comparing')
  // Several docs directories can name the same document.
  const documents = new Map<string, NamedComparison>()
  for (const versions of read) {
    for (const one of await compareVersions(versions, named, options, print)) {
      if (!documents.has(one.document)) documents.set(one.document, one)
    }
  }
  progress.clear()
  if (documents.size === 0) {
    const places = [...new Set([named.base.argument, named.revision.argument])].join(' and ')
    throw new ConfigError(`cannot find an OpenAPI document in ${places}`, {
      hint: 'Name the documents in a docs.json, or as arguments. Documents at URLs in a docs.json are not compared.',
    })
  }
  const sorted = [...documents.values()].sort((a, b) => (a.document < b.document ? -1 : 1))
  const roots = read.map(({ base, revision }) => ({ base: base.root, revision: revision.root }))
  return { documents: sorted, named, isDirectory, roots: isDirectory ? roots : [] }
}

/** Overlays are on the disk, also those for a git revision. */
async function takeOverlays(version: NamedVersion): Promise<NamedVersion> {
  const { access, revision, workspace } = version
  if (revision === undefined) return version
  const overlays = new Map<string, Uint8Array>()
  for (const path of workspace.terms.overlays ?? []) {
    if (isUrl(path)) continue
    const overlay = await workspace.access.files.read(path)
    if (overlay.kind === 'file') overlays.set(path, overlay.bytes)
  }
  return { ...version, access: { ...access, files: overlayFiles(access.files, overlays) } }
}

function rejectMixture({ base, revision }: Versions<NamedVersion>): ConfigError {
  const directory = base.kind === 'directory' ? base : revision
  const document = base.kind === 'directory' ? revision : base
  return new ConfigError(`cannot compare the directory ${directory.argument} with the document ${document.argument}`, {
    hint: 'Name two documents or two directories',
  })
}

type DirectoryVersions = Versions<DirectoryVersion>

/** Reads a document in both versions, with the nearest configuration file and file of accepted changes of the revision. */
async function readDocuments({ base, revision }: Versions<NamedVersion>, progress: Progress): Promise<DirectoryVersions> {
  const read = async ({ argument, path, access, workspace: { terms } }: NamedVersion) => {
    progress.step(`reading ${argument}`)
    return await checkEntryDocument(path, access, { errorsOnly: true, overlays: terms.overlays })
  }
  const [before, after] = [await read(base), await read(revision)]
  const acceptedPath = await findAcceptedFile(revision.path, revision.access.files)
  const accepted = await readAcceptedFile(acceptedPath, revision.access.files)
  const toDocument = ({ path }: NamedVersion, check: typeof after): DocumentVersion => {
    const findings = check.findings.filter((finding) => !check.configFindings.includes(finding))
    return { path, description: check.description, check, findings }
  }
  const none = { docsConfig: 'missing', findings: [], sources: [] } as const
  // With another overlay than the user means, every change can be wrong.
  const ofOverlays = after.findings.filter((finding) => {
    return revision.workspace.terms.overlays?.includes(finding.file) && severityOf(finding) === 'error'
  })
  const settingFindings = [...after.configFindings, ...ofOverlays]
  const settingSources = [...new Set(settingFindings.map(({ file }) => file))].flatMap((file) => after.sources.get(file) ?? [])
  return {
    base: {
      ...none,
      root: isUrl(base.path) ? '' : parentPath(base.path),
      documents: [toDocument(base, before)],
      settings: before.config.changes,
      accepted: await readAcceptedFile(acceptedPath, base.access.files),
      clients: await readClientsOf(base.path, before.config, base.access),
    },
    revision: {
      ...none,
      root: parentPath(acceptedPath),
      documents: [toDocument(revision, after)],
      settings: after.config.changes,
      accepted,
      clients: await readClientsOf(revision.path, after.config, revision.access),
      // Without a valid configuration, the levels can be wrong.
      findings: [...settingFindings, ...accepted.findings],
      sources: accepted.source ? [...settingSources, accepted.source] : settingSources,
    },
  }
}

/** Reads the docs directories of both versions. If one is left on each side, it was moved. */
async function readDirectories({ base, revision }: Versions<NamedVersion>): Promise<readonly DirectoryVersions[]> {
  const list = async ({ path, access }: NamedVersion) => {
    const roots = await listDocsDirectories(path, access.files)
    return roots.map((root) => relativePath(path, root))
  }
  const names = { base: await list(base), revision: await list(revision) }
  const only = {
    base: names.base.filter((name) => !names.revision.includes(name)),
    revision: names.revision.filter((name) => !names.base.includes(name)),
  }
  const [moved, ...others] = only.base
  const target = only.revision.length === 1 && others.length === 0 ? only.revision[0] : undefined
  const pairs =
    moved !== undefined && target !== undefined
      ? [
          ...names.base.filter((name) => name !== moved).map((name) => ({ base: name, revision: name })),
          { base: moved, revision: target },
        ]
      : [...new Set([...names.base, ...names.revision])].map((name) => ({ base: name, revision: name }))
  const access = { base: base.access, revision: revision.access }
  const { onProgress } = revision.workspace.reporting
  const found: DirectoryVersions[] = []
  for (const pair of pairs) {
    const roots = { base: joinPath(base.path, pair.base), revision: joinPath(revision.path, pair.revision) }
    found.push(await readDocumentVersions({ roots }, access, onProgress))
  }
  return found
}

/** Replaces the accepted changes of a git revision by those on the disk, which can be edited. */
async function useAcceptedOnDisk(read: readonly DirectoryVersions[], { workspace }: NamedVersion) {
  const replace = async ({ base, revision }: DirectoryVersions): Promise<DirectoryVersions> => {
    const { path } = revision.accepted
    const accepted = await readAcceptedFile(path, workspace.access.files)
    const findings = [...revision.findings.filter(({ file }) => file !== path), ...accepted.findings]
    const sources = [...revision.sources.filter((source) => source.path !== path), ...(accepted.source ? [accepted.source] : [])]
    return { base, revision: { ...revision, accepted, findings, sources } }
  }
  return await Promise.all(read.map(replace))
}

/** Prints errors that make the result wrong, and returns whether there are any. */
async function printSettingErrors(
  read: readonly DirectoryVersions[],
  named: Versions<NamedVersion>,
  print: Print,
): Promise<boolean> {
  let isRefused = false
  for (const { base, revision } of read) {
    const found = [
      // Without the list of documents, all of them would be reported as added or removed.
      ...(base.docsConfig === 'unreadable' ? [{ version: base, named: named.base }] : []),
      ...(revision.findings.length > 0 ? [{ version: revision, named: named.revision }] : []),
    ]
    for (const one of found) {
      const sources = new Map(one.version.sources.map((source) => [source.path, source]))
      await print(one.named, one.version.findings, sources)
      isRefused = true
    }
  }
  return isRefused
}

/** Prints errors, without warnings. */
type Print = (named: NamedVersion, findings: readonly Finding[], sources: ReadonlyMap<string, SourceFile>) => Promise<void>

function createPrint(options: CompareNamedOptions, context: CliContext, progress: Progress): Print {
  return async ({ toShown, revision }, findings, sources) => {
    progress.clear()
    const finished = await finishDiagnostics(findings, (file) => sources.get(file))
    const errors = finished.filter(({ severity }) => severity === 'error')
    const diagnostics = renameFiles(errors, toShown)
    // The same path can have other content on the disk, or be missing only in the revision.
    if (revision !== undefined && diagnostics.length > 0) context.stderr.write(`Errors at ${escapeText(revision)}:\n`)
    const inDocuments = reportUnreadable(diagnostics, context.stderr)
    const shown = new Map([...sources].map(([file, source]) => [toShown(file), source]))
    await printDiagnostics(context.stderr, { diagnostics: inDocuments, sources: shown }, options, context)
  }
}

async function compareVersions(
  { base, revision }: DirectoryVersions,
  named: Versions<NamedVersion>,
  options: CompareNamedOptions,
  print: Print,
): Promise<readonly NamedComparison[]> {
  const { settings } = revision
  const isSamePlace = named.base.toShown(base.accepted.path) === named.revision.toShown(revision.accepted.path)
  const compared = await compareDocumentVersions(
    { base, revision },
    {
      today: new Date().toISOString().slice(0, 10),
      settings: {
        levels: settings.levels,
        stability: options.stabilityLevel ?? settings.stability,
        deprecationDays: {
          beta: options.deprecationDaysBeta ?? settings.deprecationDays.beta,
          stable: options.deprecationDaysStable ?? settings.deprecationDays.stable,
        },
      },
      ignoredPrefixes: options.stripPrefix ?? [],
      accepted: isSamePlace ? base.accepted.entries : undefined,
      filter: { paths: options.path ?? [], tags: options.tag ?? [], pathPattern: options.matchPath },
      placesRemoved: options.placesRemoved ?? false,
    },
  )
  const found: NamedComparison[] = []
  for (const pair of compared) {
    const { base: before, revision: after, ...one } = pair
    if (!one.comparison) {
      for (const [version, side] of [[before, named.base] as const, [after, named.revision] as const]) {
        if (version && !toComparable(version.check)) await print(side, version.findings, version.check.sources)
      }
    }
    found.push({
      ...one,
      document: (after ? named.revision : named.base).toShown(one.document),
      comparison: one.comparison && toShownComparison(one.comparison, named),
      sources: { base: toShownSources(before, named.base), revision: toShownSources(after, named.revision) },
      failOn: settings.failOn,
      accepted: revision.accepted,
      acceptedDocument: nameDocument({ base: before, revision: after }, base, revision),
      compared: pair,
    })
  }
  return found
}

function toShownSources(version: DocumentVersion | undefined, { toShown }: NamedVersion): ReadonlyMap<string, SourceFile> {
  return new Map([...(version?.check.sources ?? [])].map(([file, source]) => [toShown(file), source]))
}

/** Replaces the file names of a comparison by names relative to the working directory. */
function toShownComparison(comparison: Comparison, named: Versions<NamedVersion>): Comparison {
  const rename = (document: ComparedDocument, { toShown }: NamedVersion) => ({
    ...document,
    document: toShown(document.document),
  })
  const move = (place: LocatedPlace, { toShown }: NamedVersion) => ({ ...place, file: toShown(place.file) })
  return {
    ...comparison,
    base: rename(comparison.base, named.base),
    revision: rename(comparison.revision, named.revision),
    changes: comparison.changes.map((change) => ({
      ...change,
      base: change.base && move(change.base, named.base),
      revision: change.revision && move(change.revision, named.revision),
      ...(change.surrounding ? { surrounding: move(change.surrounding, named.revision) } : {}),
    })),
  }
}
