import type { Feedback } from '../report/feedback.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'

/** What a run found in a docs root, or in all of them, as summary and comment tell it. */
export function toFeedback({ links, commitSha, plannedAt, delivery }: ActionReport, update: Update): Feedback {
  const { documents, pages, diagnostics, root } = update
  return {
    // The documents are the same in both; the pages of the commit are only in the commit.
    headSha: commitSha ?? plannedAt,
    baseSha: plannedAt,
    webUrl: links.webUrl,
    detailsUrl: links.runUrl,
    root,
    pagesAre: commitSha === undefined ? 'planned' : delivery?.pullRequest ? 'proposed' : 'written',
    documents,
    pages,
    diagnostics,
    notes: [],
  }
}
