import { type Change, countChanges, type LocatedPlace, meetsThreshold } from '../../changes/change.ts'
import { toChangeAnnotation } from '../../changes/show/changes-formats.ts'
import { formatLevels } from '../../changes/show/changes-text.ts'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Annotation } from '../../diagnostics/format-github.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { changeSections, type OperationPages } from './changes-markdown.ts'
import type { Feedback, ReportedApiChanges } from './feedback.ts'
import { type Section, toPageUrl } from './report-sections.ts'

/** The changes of all documents. */
export function listChanges({ documents }: Pick<ReportedApiChanges, 'documents'>): readonly Change[] {
  return documents.flatMap(({ comparison }) => comparison?.changes ?? [])
}

/** The changes that meet the setting `changes.failOn`. */
export function listFailingChanges(apiChanges: ReportedApiChanges | undefined): readonly Change[] {
  return apiChanges ? listChanges(apiChanges).filter((change) => meetsThreshold(change, apiChanges.failOn)) : []
}

/** The lines about a comparison in the logs of a record, as plain text. */
export function toChangeLogs(apiChanges: ReportedApiChanges): readonly string[] {
  const { baseSha, documents, failOn } = apiChanges
  const changes = listChanges(apiChanges)
  const unread = documents.filter(({ comparison }) => !comparison).map(({ document }) => document)
  const isFailing = listFailingChanges(apiChanges).length > 0
  return [
    `API changes since ${baseSha.slice(0, 7)}: ${changes.length === 0 ? 'none' : formatLevels(countChanges(changes))}`,
    ...unread.slice(0, 10).map((document) => `${document} was not compared: it cannot be read as OpenAPI in both versions`),
    // The status of the record is that of the update, which succeeded.
    ...(isFailing ? [`The check fails because of \`changes.failOn: ${failOn}\``] : []),
  ]
}

/** Whether the changes are worth a comment; see the setting `changes.comment`. */
export function deservesComment(apiChanges: ReportedApiChanges): boolean {
  const changes = listChanges(apiChanges)
  return changes.some((change) => apiChanges.comment === 'any' || meetsThreshold(change, apiChanges.comment))
}

/** `2 breaking API changes`: the number of the most severe changes, as plain text. Undefined without changes. */
export function describeApiChanges(changes: readonly Pick<Change, 'level' | 'accepted'>[]): string | undefined {
  const { breaking, risky, compatible, accepted } = countChanges(changes)
  if (breaking > 0) return formatCount(breaking, 'breaking API change')
  if (risky > 0) return formatCount(risky, 'risky API change')
  if (compatible > 0) return formatCount(compatible, 'compatible API change')
  return accepted > 0 ? formatCount(accepted, 'accepted API change') : undefined
}

/** The section about API changes of a summary or comment. Empty without changes and without documents that cannot be compared. */
export function apiChangeSections(feedback: Feedback): readonly Section[] {
  const { apiChanges, webUrl, headSha, hasOlderDocuments } = feedback
  if (!apiChanges || apiChanges.documents.length === 0) return []
  const links = { webUrl, headSha: hasOlderDocuments ? undefined : headSha, baseSha: apiChanges.baseSha }
  return changeSections(apiChanges.documents, { links, pagesOf: createFindPages(feedback) })
}

/** Finds the page of an operation in the repository and in the preview. */
function createFindPages(feedback: Feedback): (operation: string, document: string) => OperationPages {
  const pages = new Map(feedback.pages.flatMap((page) => toNames(page).map((name) => [name, toPageUrl(page, feedback)] as const)))
  const previews = new Map(
    (feedback.site?.operations ?? []).flatMap((page) => toNames(page).map((name) => [name, page.url] as const)),
  )
  return (operation, document) => {
    // Pages name a webhook without its method.
    const name = `${document}\0${operation.replace(/^\S+ webhook:/, 'webhook ')}`
    return { page: pages.get(name), preview: previews.get(name) }
  }
}

/** The current and the former name of the operation of a page, because changes have the names of the base. */
function toNames(page: { readonly document: string; readonly operation: string; readonly renamedFrom?: string }) {
  const names = [page.operation, ...(page.renamedFrom === undefined ? [] : [page.renamedFrom])]
  return names.map((name) => `${page.document}\0${name}`)
}

/** A change on a line of the head commit. */
interface AnnotatedChange {
  readonly change: Change
  readonly place: LocatedPlace
  readonly annotation: Annotation
}

/**
 * The annotations for changes. Changes that meet the setting `changes.failOn` are errors, other breaking and risky changes are warnings.
 * Other compatible changes have no annotation, because each added operation is one. Neither have accepted changes, and changes in documents
 * that were removed.
 */
export function annotateChanges(apiChanges: ReportedApiChanges | undefined): readonly AnnotatedChange[] {
  if (!apiChanges) return []
  return listChanges(apiChanges).flatMap((change) => {
    const isFailing = meetsThreshold(change, apiChanges.failOn)
    const place = change.revision ?? change.surrounding
    if (!place || isUrl(place.file) || change.accepted || (change.level === 'compatible' && !isFailing)) return []
    return [{ change, place, annotation: toChangeAnnotation(change, isFailing ? 'error' : 'warning') }]
  })
}
