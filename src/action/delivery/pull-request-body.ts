import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { StoredChange } from '../../docs/types.ts'
import { apiChangeSections, documentSection, type Feedback, pageSections } from '../../github/report/feedback.ts'
import {
  fitSections,
  renderCode,
  renderLink,
  renderTrustedLink,
  type Section,
  toBlobUrl,
  toRows,
  toSection,
} from '../../github/report/markdown.ts'

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

/** Lists the documents of other repositories with their commits. */
export function storedSections(stored: readonly StoredChange[]): readonly Section[] {
  if (stored.length === 0) return []
  const rows = toRows(stored, 20, ({ path, origin }) => {
    const { repository, webUrl, sha } = origin
    const commit = renderLink(`${repository}@${sha.slice(0, 7)}`, `${webUrl}/commit/${sha}`)
    return `- ${renderCode(path)} is ${renderLink(origin.path, toBlobUrl(webUrl, sha, origin.path))} of ${commit}`
  })
  return [{ head: [], ...rows, tail: [], rest: (hidden) => `- … and ${formatCount(hidden, 'more document')}` }]
}

/** Lists the added files under the heading `lead`. */
export function addedSection(paths: readonly string[], lead: string): readonly Section[] {
  if (paths.length === 0) return []
  const rows = toRows(paths, 20, (path) => `- ${renderCode(path)}`)
  const rest = (hidden: number) => `- … and ${formatCount(hidden, 'more file')}`
  return [{ head: [`${lead}, written by an earlier step:`, ''], ...rows, tail: [], rest }]
}
