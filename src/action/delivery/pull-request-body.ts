import { createHash } from 'node:crypto'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { PlannedCommit } from '../../git/push.ts'
import type { Feedback } from '../../github/report/feedback.ts'
import { renderCode, renderTrustedLink } from '../../github/report/markdown.ts'
import {
  documentSection,
  fitSections,
  pageSections,
  type Section,
  toRows,
  toSection,
} from '../../github/report/report-sections.ts'

/** The hidden marker of a pull request of the Action. */
export interface PullRequestMarker {
  /** The commit that its branch was last put at. */
  readonly headSha: string
  /** SHA-256 of the changes that it proposes. */
  readonly digest: string
}

/** GitHub takes 65,536 characters; what is over makes it refuse the whole. */
const limitBytes = 60_000

/** Renders the text of a pull request: what changes and why it is there, with its marker. */
export function renderPullRequestBody(
  marker: PullRequestMarker,
  options: {
    readonly feedback: Feedback
    readonly base: string
    readonly fileCount: number
    readonly addedFiles: readonly string[]
  },
): string {
  const { feedback, base, fileCount, addedFiles } = options
  const documents = documentSection(feedback)
  const run = renderTrustedLink('This run', feedback.detailsUrl)
  const sections = [
    toSection(
      `The API pages of ${renderCode(base)} are behind its OpenAPI documents: ${formatCount(fileCount, 'file')} to change.`,
    ),
    ...(documents ? [documents] : []),
    ...pageSections(feedback),
    ...addedSection(addedFiles, 'Part of this pull request'),
    toSection(
      `${run} made it. It is kept up to date with ${renderCode(base)} and closed when nothing is left to do; with a commit of somebody else on its branch it is left as it is.`,
    ),
  ]
  return `<!-- openapi-pages:v1 pull-request head=${marker.headSha} changes=${marker.digest} -->\n${fitSections(sections, limitBytes)}\n`
}

/** Parses the marker; undefined if the body has none. */
export function parsePullRequestMarker(body: string): PullRequestMarker | undefined {
  const [, headSha, digest] =
    /^<!-- openapi-pages:v1 pull-request head=([0-9a-f]{40,64}) changes=([0-9a-f]{64}) -->/.exec(body) ?? []
  return headSha !== undefined && digest !== undefined ? { headSha, digest } : undefined
}

/** A digest of a set of changes. */
export function toChangesDigest({ changes, added }: Pick<PlannedCommit, 'changes' | 'added'>): string {
  const hash = createHash('sha256')
  for (const change of changes) {
    const content = change.kind === 'delete' ? '' : change.content
    hash.update(`${change.kind === 'delete' ? '-' : '+'}${change.path}\0${Buffer.byteLength(content)}\0${content}`)
  }
  for (const { path, bytes } of added) hash.update(`=${path}\0${bytes?.length ?? -1}\0`).update(bytes ?? '')
  return hash.digest('hex')
}

/** Lists the added files. `lead` says what they are part of. */
export function addedSection(paths: readonly string[], lead: string): readonly Section[] {
  if (paths.length === 0) return []
  const rows = toRows(paths, 20, (path) => `- ${renderCode(path)}`)
  const rest = (hidden: number) => `- … and ${formatCount(hidden, 'more file')}`
  return [{ head: [`${lead}, as an earlier step of the job wrote them:`, ''], ...rows, tail: [], rest }]
}
