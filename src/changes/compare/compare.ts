import { checkDescription, type DescriptionCheck } from '../../checks/check-description.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { collectPathItems } from '../../openapi/read/collect-operations.ts'
import { childPlace } from '../../openapi/references/follow-reference.ts'
import { ConfigError } from '../../text/errors.ts'
import { numberOf, stringOf } from '../../text/json/json-values.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import {
  type ComparableDescription,
  type ComparedDocument,
  type CompareOptions,
  type Comparison,
  type DocumentComparison,
  isChangeCode,
  levelSettings,
  type UnlocatedComparison,
} from '../change.ts'
import { type ComparedClients, markClients } from '../clients/client-effects.ts'
import {
  collectChanges,
  type OperationPart,
  report,
  type Scope,
  startComparison,
  toPart,
  toScope,
  use,
} from '../differences/comparison.ts'
import type { PlacePair } from '../differences/name-place.ts'
import { type MatchedOperation, matchAllOperations, matchOperations } from '../match/match-operations.ts'
import { type CheckedVersion, listIncomplete, type OperationFilter, selectChanges } from '../match/select-operations.ts'
import { compareOperation, promisesNothing } from './compare-operations.ts'
import { compareSecuritySchemes } from './compare-security.ts'
import { compareServers } from './compare-servers.ts'
import { locateChanges, placeInRevision } from './locate-changes.ts'

/** Prepares a checked description for `compareDescriptions`. Returns `undefined` if the document could not be read as OpenAPI. */
export function toComparable({
  description,
  documents,
  follow,
}: Pick<DescriptionCheck, 'description' | 'documents' | 'follow'>): ComparableDescription | undefined {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow || value === undefined) return undefined
  const files = [...documents.values()].map(({ path, parsed }) => ({ file: path, pointer: '', value: parsed.value }))
  return { root: { file: description.entryPath, pointer: '', value }, release: description.release, follow, files }
}

/**
 * Compares two descriptions of an API.
 *
 * Lists every change that concerns clients, each with its places in both descriptions and the operations that it affects. Changes of
 * descriptions and examples are left out. Never throws because of a document: parts that cannot be read are skipped.
 */
export function compareDescriptions(
  base: ComparableDescription,
  revision: ComparableDescription,
  options: CompareOptions,
): UnlocatedComparison {
  const state = startComparison(base, revision, options)
  const document = toPart()
  const ofDocument = toScope(document)
  const renamed = compareSecuritySchemes(state, ofDocument)
  const roots = { base: base.root, revision: revision.root }
  const matched = matchOperations(base, revision, options.ignoredPrefixes).map((one) => ({
    matched: one,
    scope: toScope(toPart()),
  }))
  const served = matched.filter((one) => !promisesNothing(one.matched, options))
  compareServers(ofDocument, served, roots)
  const operations = matched.map(({ matched, scope }): OperationPart => {
    const { part } = scope
    compareOperation({ state, renamed }, scope, matched)
    const places = [matched.base, matched.revision].flatMap((one) => (one ? [one.fields] : []))
    return { operation: matched.operation, part, use: matched.isWebhook ? use.narrows | use.sent : 0, places }
  })
  state.finish()
  const isCut = [base, revision].some(({ root, follow }) =>
    collectPathItems(root, 'paths', follow).some(({ isShortened }) => isShortened),
  )
  if (isCut || state.budget.isShortened) reportShortened(ofDocument, roots)
  const changes = collectChanges(operations, document, state)
  return { base: toComparedDocument(base), revision: toComparedDocument(revision), changes }
}

function reportShortened(scope: Scope, roots: PlacePair): void {
  const message = () =>
    'Parts were not compared: the document says more with its alternatives and path items than can be compared'
  report(scope, { code: 'constraint-changed', ...roots, subject: 'document', detail: 'not compared', message })
}

/** The document and version of one side of a comparison. */
export function toComparedDocument({ root, follow }: ComparableDescription): ComparedDocument {
  const info = follow.end(childPlace(root, 'info'))
  const { value } = childPlace(info, 'version')
  return { document: root.file, version: String(stringOf(value) ?? numberOf(value) ?? '') }
}

/** The files of a description. */
export interface DescriptionFiles {
  /** The path of the entry document in `files`. */
  readonly entry: string
  /** Texts or bytes by path, with `/`. References between files are resolved relative to these paths. */
  readonly files: { readonly [path: string]: string | Uint8Array }
}

export type CompareSettings = Partial<Pick<CompareOptions, 'levels' | 'today'>>

/** A version of a description: the content of one document (YAML or JSON), or its files. */
export type DescriptionContent = string | Uint8Array | DescriptionFiles

/**
 * Compares two versions of a description by their contents. Nothing is read: a reference to a file that is not given is an error of the description.
 *
 * @throws {ConfigError} when a version cannot be read as OpenAPI 3.0, 3.1 or 3.2, or a setting is invalid.
 */
export async function compareContents(
  base: DescriptionContent,
  revision: DescriptionContent,
  settings: CompareSettings = {},
): Promise<Comparison & Pick<DocumentComparison, 'errors' | 'incomplete'>> {
  const options = { ...toOptions(settings), placesRemoved: false }
  const versions = { base: await read(base, 'base'), revision: await read(revision, 'revision') }
  const errors = { base: versions.base.errorCount, revision: versions.revision.errorCount }
  const { comparison, incomplete } = await compareDocument(versions, errors, options)
  if (!comparison) throw new Error('A version that was read cannot be compared')
  return { ...comparison, errors, ...(incomplete && { incomplete }) }
}

async function read(given: DescriptionContent, name: 'base' | 'revision'): Promise<DocumentVersion & { errorCount: number }> {
  const isOneFile = typeof given === 'string' || given instanceof Uint8Array
  const { entry, files } = isOneFile ? { entry: 'openapi.yaml', files: { 'openapi.yaml': given } } : given
  const check = await checkDescription(
    entry,
    async (path) => {
      const content = Object.hasOwn(files, path) ? files[path] : undefined
      if (content === undefined) return { kind: 'failed', code: 'file-missing', reason: 'it is not in `files`' }
      return { kind: 'loaded', bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content }
    },
    { errorsOnly: true },
  )
  const diagnostics = await finishDiagnostics(check.findings, (file) => check.sources.get(file))
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (toComparable(check)) return { path: entry, check, findings: check.findings, errorCount: errors.length }
  const [first] = errors
  const reason = first ? `: ${first.file}:${first.range.start.line}:${first.range.start.column} ${first.message}` : ''
  throw new ConfigError(`Cannot read \`${name}\` as OpenAPI${reason}`, {
    hint: isOneFile
      ? 'Pass the content of a document, or the files of a description as `{ entry, files }`'
      : 'Correct the document',
  })
}

function toOptions({ levels = {}, today = new Date().toISOString().slice(0, 10) }: CompareSettings) {
  for (const [code, level] of Object.entries(levels)) {
    if (!isChangeCode(code)) throw new ConfigError(`Unexpected code \`${code}\` in \`levels\``)
    if (!levelSettings.includes(level)) {
      throw new ConfigError(
        `Unexpected level \`${level}\` for \`${code}\`, expected \`breaking\`, \`risky\`, \`compatible\` or \`off\``,
      )
    }
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(today))
    throw new ConfigError(`Unexpected date \`${today}\` for \`today\`, expected \`YYYY-MM-DD\``)
  return { levels, today }
}

/** A document of a checked description. */
interface DocumentVersion extends CheckedVersion {
  readonly path: string
}

export interface CompareDocumentOptions extends CompareOptions {
  /** The operations to compare. Default: all. */
  readonly filter?: OperationFilter
  /** Whether everything that was removed gets a place in the revision. Default: true. */
  readonly placesRemoved?: boolean
  /** The recorded clients. Default: none. */
  readonly clients?: ComparedClients
}

/**
 * Compares a document in both versions, at least one of which is present. Changes have lines and columns.
 *
 * @param errors how many errors each version has.
 */
export async function compareDocument(
  { base, revision }: { readonly base: DocumentVersion | undefined; readonly revision: DocumentVersion | undefined },
  errors: DocumentComparison['errors'],
  { filter = { paths: [], tags: [] }, ignoredPrefixes = [], placesRemoved = true, clients, ...options }: CompareDocumentOptions,
): Promise<DocumentComparison> {
  let kind: DocumentComparison['kind'] = 'compared'
  if (!base) kind = 'added'
  else if (!revision) kind = 'removed'
  const document = (revision ?? base)?.path ?? ''
  const pair = pairVersions(base?.check, revision?.check)
  if (!pair) return { document, kind, comparison: undefined, errors }
  const hasSameFiles = base && revision && isEqual(base, revision)
  const found: UnlocatedComparison = hasSameFiles
    ? { base: toComparedDocument(pair.base), revision: toComparedDocument(pair.revision), changes: [] }
    : compareDescriptions(pair.base, pair.revision, { ...options, ignoredPrefixes })
  const selected = { ...found, changes: selectChanges(found.changes, filter, pair.base, pair.revision, ignoredPrefixes) }
  const isRead = hasSameFiles || errors.base + errors.revision === 0
  const unread = isRead ? [] : listIncomplete(matchAllOperations(pair.base, pair.revision, ignoredPrefixes), { base, revision })
  const ofFilter = unread.map((operation) => ({ operations: [operation] }))
  const incomplete = selectChanges(ofFilter, filter, pair.base, pair.revision, ignoredPrefixes).flatMap(
    ({ operations }) => operations,
  )
  const none = new Map<string, SourceFile>()
  const sources = { base: base?.check.sources ?? none, revision: revision?.check.sources ?? none }
  const located = await locateChanges(selected, sources)
  const marked = clients ? markClients(located, clients, pair) : located
  const comparison = placesRemoved ? await placeInRevision(marked, sources.revision) : marked
  return { document, kind, comparison, errors, ...(incomplete.length > 0 && { incomplete }) }
}

/** Whether all files of a document are the same in both versions. */
function isEqual(base: DocumentVersion, revision: DocumentVersion): boolean {
  const [before, after] = [base.check.sources, revision.check.sources]
  return (
    base.path === revision.path &&
    before.size === after.size &&
    [...after].every(([file, { text }]) => before.get(file)?.text === text)
  )
}

/** Two versions, at least one of which is present. Absent if one cannot be read. */
function pairVersions(base: DescriptionCheck | undefined, revision: DescriptionCheck | undefined) {
  const [before, after] = [base && toComparable(base), revision && toComparable(revision)]
  const existing = before ?? after
  if ((base && !before) || (revision && !after) || !existing) return undefined
  return { base: before ?? withoutOperations(existing), revision: after ?? withoutOperations(existing) }
}

/** Matches the operations of two versions, at least one of which is present. None if one cannot be read. */
export function matchVersions(
  base: DescriptionCheck | undefined,
  revision: DescriptionCheck | undefined,
  ignoredPrefixes: readonly string[],
): readonly MatchedOperation[] {
  const pair = pairVersions(base, revision)
  return pair ? matchAllOperations(pair.base, pair.revision, ignoredPrefixes) : []
}

/** The counterpart of a document that exists in one version only. */
function withoutOperations({ root, ...others }: ComparableDescription): ComparableDescription {
  const value = { ...(root.value as object), paths: {}, webhooks: {} }
  return { ...others, root: { ...root, value } }
}
