import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { apiChangeSections, describeApiChanges, listChanges } from './api-changes.ts'
import type { Feedback, ReportedPage } from './feedback.ts'
import { escapeMarkdown, renderMessage, renderTrustedLink } from './markdown.ts'
import {
  documentSection,
  fitSections,
  pageSections,
  problemSections,
  type Section,
  siteSections,
  toRows,
  toSection,
} from './report-sections.ts'

/** GitHub REST, "Create a check run": `output.summary` is limited to 65,535 characters. */
const summaryLimit = 65_535

/** The title of a check as plain text: `2 errors in 1 of 3 documents`. */
export function renderCheckTitle(feedback: Feedback): string {
  const { apiChanges, isAwaitingApproval } = feedback
  const changes = apiChanges && describeApiChanges(listChanges(apiChanges))
  const parts = [
    describeProblems(feedback),
    ...(changes ? [changes] : []),
    ...(isAwaitingApproval ? ['preview awaiting approval'] : []),
  ]
  return parts.join(', ')
}

function describeProblems({ documents, diagnostics, pages }: Feedback): string {
  const counts = countFindings(diagnostics)
  const found = formatCounts(counts)
  const changed = changedPages(pages).length
  const drift = changed === 0 ? '' : `, ${formatCount(changed, 'page')} would change`
  if (counts.errors + counts.warnings + counts.infos === 0) {
    return documents.length === 0 ? `Nothing to check${drift}` : `${formatCount(documents.length, 'document')} valid${drift}`
  }
  const touched = documents.filter(({ errorCount, warningCount, infoCount }) => errorCount + warningCount + infoCount > 0).length
  return touched === 0 ? `${found}${drift}` : `${found} in ${touched} of ${formatCount(documents.length, 'document')}${drift}`
}

/**
 * The summary of a check as Markdown: documents, preview, the first problems, API changes and the changed pages. Always within GitHub's limit.
 */
export function renderCheckSummary(feedback: Feedback): string {
  const documents = documentSection(feedback)
  return fitSections(
    [
      ...(documents ? [toSection(`### API pages: ${escapeMarkdown(describeProblems(feedback))}`), documents] : []),
      ...siteSections(feedback.site),
      ...(feedback.isAwaitingApproval ? [toSection(approvalText)] : []),
      ...problemSections(feedback, { folded: 0, whereAll: renderTrustedLink('view all', feedback.detailsUrl) }),
      ...apiChangeSections(feedback),
      ...pageSections(feedback),
      ...noteSections(feedback),
    ],
    summaryLimit,
  )
}

const approvalText =
  '**Preview:** awaiting approval. This commit is from a fork, and its author has not contributed to this repository before. ' +
  'After reviewing the commit, a user with write access can select **Approve preview** here or in the dashboard. Each later commit needs its own approval.'

function noteSections({ notes }: Feedback): readonly Section[] {
  if (notes.length === 0) return []
  const rest = (hidden: number) => `- … and ${formatCount(hidden, 'more note')}`
  return [{ head: [], ...toRows(notes, 50, (note) => `- ${renderMessage(note)}`), tail: [], rest }]
}

function changedPages(pages: readonly ReportedPage[]): readonly ReportedPage[] {
  return pages.filter(({ kind }) => kind === 'added' || kind === 'modified' || kind === 'removed')
}
