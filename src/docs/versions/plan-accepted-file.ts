import { acceptedFileName, maxAcceptedFileBytes } from '../../changes/accepted-changes.ts'
import type { Change, DocumentComparison } from '../../changes/change.ts'
import type { Files } from '../../files/files.ts'
import { joinPath, relativePath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { type AcceptedFile, readAcceptedFile } from '../read/read-accepted-changes.ts'
import { type AcceptedBy, type AcceptedEdits, editAcceptedChanges, toAcceptedChanges } from './edit-accepted-changes.ts'

/** An edit of the file with accepted changes. */
export type PlannedAcceptedFile =
  | { readonly kind: 'planned'; readonly change: FileChange }
  /** The file stays unchanged. `reason` is a clause, `hint` a sentence; both without a full stop. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint?: string }

/** Plans an edit of the file with accepted changes, without writing it. A file with errors is never replaced. */
export async function planAcceptedFile(
  { path, source, findings }: AcceptedFile,
  edits: AcceptedEdits,
): Promise<PlannedAcceptedFile> {
  if (findings.length > 0) return { kind: 'refused', reason: 'it has errors', hint: 'Correct them first' }
  const content = await editAcceptedChanges(source?.text ?? '', edits)
  if (content === undefined) {
    const hint = 'Write each entry as lines after a dash, not in brackets'
    return { kind: 'refused', reason: 'its entries have an unexpected layout', hint }
  }
  // A larger file could not be read, and would accept nothing.
  if (new TextEncoder().encode(content).length > maxAcceptedFileBytes) {
    const hint = 'Remove entries that match no change, with `openapi-pages accept --prune`'
    return { kind: 'refused', reason: 'it would have more than 1 MB', hint }
  }
  return {
    kind: 'planned',
    change: source ? { kind: 'modify', path, before: source.text, content } : { kind: 'add', path, content },
  }
}

/**
 * Plans the file that accepts all breaking changes of a docs directory. Rejects only on disk errors.
 *
 * @param files The files of the revision.
 */
export async function planAcceptance(
  {
    root,
    documents,
    by,
  }: { readonly root: string; readonly documents: readonly DocumentComparison[]; readonly by: Omit<AcceptedBy, 'document'> },
  files: Files,
): Promise<PlannedAcceptedFile & { readonly breakingCount: number }> {
  const accepted = await readAcceptedFile(joinPath(root, acceptedFileName), files)
  const open = documents.map(({ document, comparison }) => ({ document, changes: comparison?.changes.filter(isOpen) ?? [] }))
  const add = open.flatMap(({ document, changes }) =>
    toAcceptedChanges(changes, { ...by, document: relativePath(root, document) }),
  )
  const breakingCount = open.reduce((sum, { changes }) => sum + changes.length, 0)
  return { ...(await planAcceptedFile(accepted, { add, remove: new Set() })), breakingCount }
}

function isOpen({ level, accepted }: Change): boolean {
  return level === 'breaking' && !accepted
}
