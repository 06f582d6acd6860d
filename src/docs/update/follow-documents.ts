import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { parentPointer, valueAtPointer } from '../../text/json/json-values.ts'
import { relativePath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { createDocumentChecks } from '../check/check-documents.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { type DocsConfig, formatBinding, formatTarget, listSources, type OperationBinding } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { renderPage } from '../pages/generated-page.ts'
import { contentHash, formatLockFile, type LockedPage, type LockFile } from '../pages/lock-file.ts'
import type { DescriptionIndex } from '../pages/subjects.ts'
import { filterDocuments, listDataFiles } from '../read/find-docs.ts'
import type { CheckTerms, DocsAccess } from '../types.ts'
import { editDocsConfig, toLockFileChange } from './gather-changes.ts'

interface MovedDocuments {
  /** Name the documents where they are now, in `docs.json` and for the divisions of the lock file. */
  readonly changes: readonly FileChange[]
  readonly findings: readonly Finding[]
}

/** With more documents that nothing names, none is followed, because each has to be read. */
const maxCandidates = 50

/**
 * Finds documents that a person moved: a file that `docs.json` names is missing, and the only other document with its operations has the content from
 * which its pages were generated.
 *
 * @param lock The lock file as written.
 */
export async function findMovedDocuments(
  survey: Survey,
  lock: LockFile,
  access: DocsAccess,
  terms: CheckTerms,
): Promise<MovedDocuments | undefined> {
  const { root, docsConfig, documents, config } = survey
  const isCopy = (path: string) => config.sources.some(({ to }) => to === path)
  const missing = documents.filter(
    ({ isLoaded, findings, path }) => !isLoaded && findings.some(({ code }) => code === 'file-missing') && !isCopy(path),
  )
  if (!docsConfig || missing.length === 0) return undefined
  // A checkout can leave out documents, too.
  const leftOut = await access.git?.findLeftOut?.('')
  if (leftOut?.kind === 'unknown') return undefined
  const named = new Set(documents.filter(({ isNamed }) => isNamed).map(({ source }) => source))
  const paths = (await listDataFiles(access.files)).map((path) => relativePath(root, path)).filter((path) => !named.has(path))
  const checks = createDocumentChecks(root, access, config, terms)
  const candidates = await filterDocuments(root, paths, access.files)
  if (candidates.length > maxCandidates) return undefined
  for (const path of candidates) await checks.check(path, 'not-named')
  const moved = new Map<string, string>()
  for (const { source } of missing.filter(({ path }) => !leftOut?.value.includes(path))) {
    const pages = lock.pages.filter((page) => page.document === source)
    const entries = listEntriesOf(docsConfig, source)
    const isSame = ({ index }: { readonly index: DescriptionIndex | undefined }) =>
      index !== undefined &&
      pages.every((page) => isGeneratedFrom(index, page, survey)) &&
      entries.every(({ binding }) => index.byTarget.has(formatTarget(binding)))
    const [only, ...others] = pages.length + entries.length === 0 ? [] : [...checks.documents.values()].filter(isSame)
    if (only && others.length === 0 && ![...moved.values()].includes(only.source)) moved.set(source, only.source)
  }
  if (moved.size === 0) return undefined
  const edits = [...moved].flatMap(([from, to]) => [
    ...listSources(docsConfig).flatMap(({ source, pointer }) => (source === from ? replaceAt(docsConfig, pointer, to) : [])),
    ...listEntriesOf(docsConfig, from).flatMap(({ binding, pointer }) =>
      binding.file === undefined ? [] : replaceAt(docsConfig, pointer, formatBinding({ ...binding, file: to })),
    ),
  ])
  const divisions = lock.divisions.map(({ id, sources }) => {
    return { id, sources: sources.map((one) => ({ ...one, source: moved.get(one.source) ?? one.source })) }
  })
  const lockChange = toLockFileChange(survey, formatLockFile({ ...lock, divisions }), divisions.length > 0, () => 'lf')
  const findings = [...moved].map(([from, to]): Finding => {
    const count = lock.pages.filter(({ document }) => document === from).length
    const message = `\`${from}\` is now \`${to}\`: ${formatCount(count, 'page')} and \`docs.json\` follow it`
    return { code: 'file-missing', severity: 'info', message, file: docsConfig.source.path, pointer: '' }
  })
  return { changes: [...editDocsConfig(docsConfig, edits), ...(lockChange ? [lockChange] : [])], findings }
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

/** Whether a document has the content of a page. Adopted pages do not show where their texts came from. */
function isGeneratedFrom(index: DescriptionIndex, page: LockedPage, { divisions }: Survey): boolean {
  const { document, operation, division, hash, adopted } = page
  const subject = index.byTarget.get(operation) ?? index.schemas.find(({ target }) => target === operation)
  const version = divisions.find(({ lockedId }) => lockedId === division)?.version
  if (!subject || adopted) return operation.startsWith('overview')
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
