import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { changedFiles } from '../../files/files.ts'
import { parentPointer, valueAtPointer } from '../../text/json/json-values.ts'
import { isUrl, joinPath, relativePath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { type DocsConfig, formatBinding, formatTarget, listSources, type OperationBinding } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { renderPage } from '../pages/generated-page.ts'
import { contentHash, formatLockFile, type LockedPage, type LockFile, toLockFileChange } from '../pages/lock-file.ts'
import { toTraits } from '../pages/match-locked-pages.ts'
import { type DeclaredDivision, type DescriptionIndex, findSubject } from '../pages/subjects.ts'
import { filterDocuments, listDataFiles } from '../read/find-docs.ts'
import { type DocsDirectory, listDeclaredDivisions, readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess } from '../types.ts'
import { createDocumentChecks } from './check-documents.ts'

/** A docs directory after a person moved documents. Without any, all is as given. */
interface FollowedDocuments {
  readonly docsDirectory: DocsDirectory
  /** With files that name the documents where they are now, and `movedDocuments`. */
  readonly access: DocsAccess
  /** Of `docs.json`, and of the divisions of the lock file. */
  readonly changes: readonly FileChange[]
  readonly findings: readonly Finding[]
}

/** With more documents that nothing names, none is followed, because each has to be read. */
const maxCandidates = 50

/**
 * Follows documents that a person moved: a file that `docs.json` names is missing, and the only other document with its operations has the content from
 * which its pages were generated. With the `access` of an earlier step, they have been followed.
 */
export async function followDocuments(
  docsDirectory: DocsDirectory,
  access: DocsAccess,
  terms: CheckTerms,
): Promise<FollowedDocuments> {
  const { root, docsConfig, lock } = docsDirectory
  if (!docsConfig || !lock || access.movedDocuments) return { docsDirectory, access, changes: [], findings: [] }
  const movedDocuments = await findMoved(docsDirectory, docsConfig, lock, access, terms)
  const moved = [...movedDocuments]
  if (moved.length === 0) return { docsDirectory, access: { ...access, movedDocuments }, changes: [], findings: [] }
  const edits = moved.flatMap(([from, to]) => [
    ...listSources(docsConfig).flatMap(({ source, pointer }) => (source === from ? replaceAt(docsConfig, pointer, to) : [])),
    ...listEntriesOf(docsConfig, from).flatMap(({ binding, pointer }) =>
      binding.file === undefined ? [] : replaceAt(docsConfig, pointer, formatBinding({ ...binding, file: to })),
    ),
  ])
  const divisions = lock.divisions.map(({ id, sources }) => {
    return { id, sources: sources.map((one) => ({ ...one, source: movedDocuments.get(one.source) ?? one.source })) }
  })
  const lockChange = toLockFileChange(docsDirectory, formatLockFile({ ...lock, divisions }), divisions.length > 0, () => 'lf')
  const { editDocsConfig } = await import('../navigation/edit-docs-config.ts')
  const changes = [...editDocsConfig(docsConfig, edits), ...(lockChange ? [lockChange] : [])]
  const findings = moved.map(([from, to]): Finding => {
    const count = lock.pages.filter(({ document }) => document === from).length
    const followers = edits.length > 0 ? `${formatCount(count, 'page')} and \`docs.json\`` : formatCount(count, 'page')
    const message = `\`${from}\` is now \`${to}\`, followed by ${followers}`
    return { code: 'file-missing', severity: 'info', message, file: docsConfig.source.path, pointer: '' }
  })
  const followed = { ...access, files: changedFiles(access.files, changes), movedDocuments }
  const { config } = docsDirectory
  return { docsDirectory: { ...(await readDocsDirectory(root, followed)), config }, access: followed, changes, findings }
}

/** Finds where the missing documents are now. */
async function findMoved(
  docsDirectory: DocsDirectory,
  docsConfig: DocsConfig,
  lock: LockFile,
  access: DocsAccess,
  terms: CheckTerms,
): Promise<ReadonlyMap<string, string>> {
  const { root, config, hasConfigErrors } = docsDirectory
  const moved = new Map<string, string>()
  const declared = listDeclaredDivisions(docsDirectory, [])
  // A site lacks the restricted divisions, whose documents the lock file still names.
  const sources = [...listSources(docsConfig), ...declared.flatMap((division) => division.sources)]
  const local = [...new Set(sources.map(({ source }) => source))].filter((source) => !isUrl(source))
  const isMissing = async (path: string) =>
    !config.sources.some(({ to }) => to === path) && (await access.files.read(path, 1)).kind === 'missing'
  const missing: string[] = []
  for (const source of local) if (await isMissing(joinPath(root, source))) missing.push(source)
  if (hasConfigErrors || missing.length === 0) return moved
  // A checkout can leave out documents, too.
  const leftOut = await access.git?.findLeftOut?.('')
  if (leftOut?.kind === 'unknown') return moved
  const entries = docsConfig.divisions.flatMap((division) => division.entries)
  const named = new Set([...local, ...entries.flatMap((entry) => (entry.kind === 'explicit' ? (entry.binding.file ?? []) : []))])
  const paths = (await listDataFiles(access.files)).map((path) => relativePath(root, path)).filter((path) => !named.has(path))
  const checks = createDocumentChecks(root, access, config, terms)
  const candidates = await filterDocuments(root, paths, access.files)
  if (candidates.length > maxCandidates) return moved
  for (const path of candidates) await checks.check(path, 'not-named')
  for (const source of missing.filter((one) => !leftOut?.value.includes(joinPath(root, one)))) {
    const pages = lock.pages.filter((page) => page.document === source)
    const bound = listEntriesOf(docsConfig, source)
    const isSame = ({ index }: { readonly index: DescriptionIndex | undefined }) =>
      index !== undefined &&
      pages.every((page) => isGeneratedFrom(index, page, declared)) &&
      bound.every(({ binding }) => index.byTarget.has(formatTarget(binding)))
    const [only, ...others] = pages.length + bound.length === 0 ? [] : [...checks.documents.values()].filter(isSame)
    if (only && others.length === 0 && ![...moved.values()].includes(only.source)) moved.set(source, only.source)
  }
  return moved
}

/** The entries such as `GET /pets` of a document. */
function listEntriesOf({ divisions }: DocsConfig, source: string) {
  return divisions.flatMap(({ entries, inherited }) =>
    entries.flatMap((entry): { readonly pointer: string; readonly binding: OperationBinding } | [] => {
      if (entry.kind !== 'explicit') return []
      const isInherited = inherited?.sources.length === 1 && inherited.sources[0]?.source === source
      return (entry.binding.file === undefined ? isInherited : entry.binding.file === source) ? entry : []
    }),
  )
}

/** Whether a document has the content of a page. Of the operations of adopted pages, the lock file has the traits. */
function isGeneratedFrom(index: DescriptionIndex, page: LockedPage, divisions: readonly DeclaredDivision[]): boolean {
  const { document, operation, division, hash, adopted } = page
  const subject = findSubject(index, operation)
  const version = divisions.find(({ lockedId }) => lockedId === division)?.version
  if (!subject) return operation.startsWith('overview')
  if (adopted) {
    const { summary, parameters } = toTraits(subject, '')
    return summary === page.summary && String(parameters) === String(page.parameters)
  }
  return hash === undefined || contentHash(renderPage(subject, { document, version })) === hash
}

function replaceAt({ value }: DocsConfig, pointer: string, text: string): JsonEdit {
  const parent = parentPointer(pointer)
  const key = pointer.slice(parent.length + 1)
  return Array.isArray(valueAtPointer(value, parent))
    ? { kind: 'replace', array: parent, index: Number(key), value: text }
    : { kind: 'set', object: parent, key, value: text }
}

/** Joins changes with those that were planned after them. */
export function joinChanges(first: readonly FileChange[], then: readonly FileChange[]): FileChange[] {
  const before = new Map(first.flatMap((change) => (change.kind === 'add' ? [] : [[change.path, change.before] as const])))
  const later = new Set(then.map(({ path }) => path))
  const joined = then.map((change) => {
    const text = before.get(change.path)
    return text === undefined || change.kind === 'add' ? change : { ...change, before: text }
  })
  return [...first.filter(({ path }) => !later.has(path)), ...joined]
}
