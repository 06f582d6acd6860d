import { ConfigError, FilesError, GitError, GitHubError } from '../errors.ts'
import type { Feedback } from '../github/report/feedback.ts'
import type { PageReport, Update } from '../update/types.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { FilesChangedReport } from './find-files-changed.ts'
import type { Mode } from './inputs.ts'
import type { RunLinks } from './workflow-event.ts'

/** What a run did and found. */
export interface ActionReport {
  readonly mode: Mode
  /** GitHub's name of the event, such as `push`. */
  readonly eventName: string
  readonly links: RunLinks
  /** Where commits went or were to go; undefined in the other modes. */
  readonly branch: string | undefined
  /** Why less was done than was asked for. */
  readonly note: string | undefined
  /** The folder, absolute, that paths in `update` are relative to. */
  readonly boundary: string
  /** All docs directories together (`mergeUpdates`). Undefined where the run ended before anything was found out. */
  readonly update: Update | undefined
  /** One for each docs directory, sorted by its path. */
  readonly updates: readonly Update[]
  /** The commit that `update` was found out at; `''` where there is none. */
  readonly plannedAt: string
  /** Undefined where the run ended before that was looked at. */
  readonly filesChanged: FilesChangedReport | undefined
  /** The commit that was made, on `branch`. */
  readonly commitSha: string | undefined
  /** Files beside the pages that are in the commit, or would be, such as documents that a step regenerated. Sorted paths. */
  readonly addedFiles: readonly string[]
  /** The outcome of the changes; undefined if the mode writes nothing, or the run failed earlier. */
  readonly delivery: Delivery | undefined
  /** What could not be published, such as a comment, as sentences. The run continues without it. */
  readonly troubles: readonly string[]
  /** What stopped the run, as it was thrown; findings do not. Several only where several inputs cannot be used. */
  readonly failures: readonly unknown[]
  /** The result of the report to the app; undefined without `app-url`. */
  readonly app: AppResult | undefined
}

/** The result of reporting a run to the app. */
export interface AppResult {
  /** The records that were made, one for each docs directory. */
  readonly records: readonly { readonly root: string; readonly statusId: string; readonly detailsUrl: string | undefined }[]
  /** Why one was not made, and what to do; one line. */
  readonly trouble: string | undefined
  /** Whether the problem is expected for this event, so that a log line is enough. */
  readonly isExpected: boolean
}

/** What a run found in one docs directory, or in all of them, for the summary and the comment. */
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

/** Counts pages by what happens to them. */
export function countPages(pages: readonly PageReport[]): { readonly [kind in PageReport['kind']]: number } {
  const counts = { added: 0, modified: 0, removed: 0, kept: 0, unchanged: 0 }
  for (const page of pages) counts[page.kind]++
  return counts
}

/** Explains what stopped a run. An unexpected error shows its stack and asks to report it. */
export function explainFailure(failure: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (failure instanceof ConfigError || failure instanceof FilesError || failure instanceof GitError) {
    return { message: failure.message, hint: failure.hint }
  }
  if (failure instanceof GitHubError) return { message: failure.message, hint: toGitHubHint(failure) }
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return { message: `A fault of openapi-pages: ${stack}`, hint: 'please report it with this text' }
}

/** What a workflow can do about a refusal by GitHub. The hints of the error itself address operators of the app. */
function toGitHubHint({ failure, permission, message, retryAfterMs, hint }: GitHubError): string | undefined {
  // Permissions are named with `_` by the API and with `-` in workflows.
  const needed = permission?.replaceAll('_', '-')
  const grant = needed === undefined ? 'check what the token may do' : `give the job \`permissions: ${needed}\``
  switch (failure) {
    case 'unauthorized':
      return 'the token is not valid (any more): check the input `token`; an empty one is that of the job'
    case 'forbidden':
      // GitHub has no code for this setting, only this message.
      return /not permitted to create or approve pull requests/.test(message)
        ? 'allow it in the settings of the repository, Actions, General: "Allow GitHub Actions to create and approve pull requests"; or give the token of a GitHub App in `token`'
        : `${grant}, or give a token that has it in \`token\`; for a fork or Dependabot the token is read-only: use \`mode: check\` there`
    case 'protected':
      return 'let the identity of the token bypass the rule (for example the token of a GitHub App in `token`), or use `on-protected: pull-request`'
    case 'rate-limited':
      return `run again in ${Math.ceil((retryAfterMs ?? 60_000) / 1000)} s`
    case 'not-found':
      return `${grant}; a token that may not see something is told that it is not there`
    case 'conflict':
      return 'run again'
    case 'unavailable':
      return 'GitHub has trouble (githubstatus.com): run again'
    case 'unreachable':
      return 'run again; if it stays, check the network of the job and its proxy'
    case 'invalid':
      return 'this is a fault of openapi-pages: please report it with this message'
    case 'refused':
      return hint
  }
}
