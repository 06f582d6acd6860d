import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { StoredChange } from '../../docs/types.ts'
import {
  addedSection,
  apiChangeSections,
  documentSection,
  type Feedback,
  pageSections,
  storedSections,
} from '../../github/report/feedback.ts'
import { fitSections, renderCode, renderTrustedLink, toSection } from '../../github/report/markdown.ts'
import { addAssignees, addLabels, createPullRequest, requestReviewers } from '../../github/repositories/pull-requests.ts'
import type { GitHubClient, RepositoryName } from '../../github/requests/github-client.ts'
import { GitHubError } from '../../text/errors.ts'
import { describeGrant } from '../inputs/github-access.ts'
import type { PullRequestInputs } from '../inputs/inputs.ts'

/**
 * Opens a pull request, or returns the existing one. Opens it without `draft` if the repository has no drafts, with a warning.
 *
 * @throws {GitHubError}
 */
export async function openPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  pull: Parameters<typeof createPullRequest>[2],
): Promise<Awaited<ReturnType<typeof createPullRequest>> & { readonly warnings: readonly string[] }> {
  try {
    return { ...(await createPullRequest(client, repository, pull)), warnings: [] }
  } catch (error) {
    // GitHub identifies this case only by the message.
    const hasNoDrafts = error instanceof GitHubError && error.failure === 'invalid' && /draft/i.test(error.message)
    if (!pull.draft || !hasNoDrafts) throw error
    const opened = await createPullRequest(client, repository, { ...pull, draft: false })
    return { ...opened, warnings: ['The pull request is not a draft, because GitHub offers no drafts in this repository'] }
  }
}

/**
 * Adds labels and assignees to a pull request. Requests reviews only of a new one, so that users are asked once.
 *
 * @returns a warning for each part that GitHub refused. The pull request exists anyway.
 */
export async function setPullRequestDetails(
  client: GitHubClient,
  repository: RepositoryName,
  number: number,
  { labels, assignees, reviewers }: Pick<PullRequestInputs, 'labels' | 'assignees' | 'reviewers'>,
  { isNew }: { readonly isNew: boolean },
): Promise<readonly string[]> {
  const users = isNew ? reviewers.filter((name) => !name.includes('/')) : []
  const teams = isNew ? reviewers.filter((name) => name.includes('/')) : []
  const warnings: string[] = []
  const attempt = async (ask: () => Promise<unknown>, what: string, hint: string) => {
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      const advice =
        error.failure === 'forbidden'
          ? describeGrant({ permissions: ['contents: write', 'pull-requests: write'], usesToken: false }, undefined)
          : hint
      warnings.push(`The pull request has no ${what}. ${error.message}. ${advice}`)
    }
  }
  if (labels.length > 0) {
    await attempt(() => addLabels(client, repository, { number, labels }), 'labels', 'Check the input `labels`')
  }
  if (assignees.length > 0) {
    const assign = async () => {
      const ignored = await addAssignees(client, repository, { number, assignees })
      if (ignored.length > 0) {
        warnings.push(`${listNames(ignored)} cannot be assigned to the pull request. Name users who can write to this repository`)
      }
    }
    await attempt(assign, 'assignees', 'Check the input `assignees`')
  }
  // GitHub refuses a whole request because of one name, so ask again for each.
  const isRefused = users.length > 1 && !(await tryRequest(client, repository, { number, reviewers: users }))
  for (const names of isRefused ? users.map((name) => [name]) : users.length === 1 ? [users] : []) {
    const ask = () => requestReviewers(client, repository, { number, reviewers: names })
    await attempt(ask, `review request for ${listNames(names)}`, 'Name collaborators of this repository other than the author')
  }
  for (const team of teams) {
    const ask = () => requestReviewers(client, repository, { number, teamSlugs: [team.slice(team.indexOf('/') + 1)] })
    const hint = 'Name a team that can read this repository, and set the input `token` to a token that can read teams'
    await attempt(ask, `review request for \`${team}\``, hint)
  }
  return warnings
}

/** Returns false if GitHub refused the names. */
async function tryRequest(...request: Parameters<typeof requestReviewers>): Promise<boolean> {
  try {
    await requestReviewers(...request)
    return true
  } catch (error) {
    if (error instanceof GitHubError) return false
    throw error
  }
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** The hidden marker of a generated pull request. */
interface PullRequestMarker {
  /** The commit that the Action last set its head branch to. */
  readonly headSha: string
  /** SHA-256 of the proposed changes. */
  readonly digest: string
}

/** GitHub rejects descriptions of more than 65,536 characters. */
const limitBytes = 60_000

/** Renders the description of a pull request with its marker. */
export function renderPullRequestBody(
  marker: PullRequestMarker,
  options: {
    /** Markdown of the workflow before the report. */
    readonly lead: string
    readonly feedback: Feedback
    readonly base: string
    readonly fileCount: number
    readonly addedFiles: readonly string[]
    readonly stored: readonly StoredChange[]
  },
): string {
  const { lead, feedback, base, fileCount, addedFiles, stored } = options
  const documents = documentSection(feedback)
  const run = renderTrustedLink('this run', feedback.detailsUrl)
  const sections = [
    ...(lead === '' ? [] : [toSection(lead)]),
    toSection(`Updates the API pages of ${renderCode(base)} to match its OpenAPI documents (${formatCount(fileCount, 'file')}).`),
    ...storedSections(stored),
    ...(documents ? [documents] : []),
    ...apiChangeSections(feedback),
    ...pageSections(feedback),
    ...addedSection(addedFiles, 'Other files in this pull request'),
    toSection(
      `Created by ${run}. Later runs update this pull request, and close it when ${renderCode(base)} is up to date. If you push to the branch of this pull request, later runs no longer change it.`,
    ),
  ]
  return `<!-- openapi-pages:v1 pull-request head=${marker.headSha} changes=${marker.digest} -->\n${fitSections(sections, limitBytes)}\n`
}

/**
 * Replaces the digest in the description of a pull request that the Action closes, so that a later run with the same changes does not
 * conclude that a user declined them.
 */
export function clearDigest(body: string): string {
  const marker = parsePullRequestMarker(body)
  return marker ? body.replace(`changes=${marker.digest}`, `changes=${'0'.repeat(64)}`) : body
}

/** Parses the marker of a pull request, if it has one. */
export function parsePullRequestMarker(body: string): PullRequestMarker | undefined {
  const [, headSha, digest] =
    /^<!-- openapi-pages:v1 pull-request head=([0-9a-f]{40,64}) changes=([0-9a-f]{64}) -->/.exec(body) ?? []
  return headSha !== undefined && digest !== undefined ? { headSha, digest } : undefined
}
