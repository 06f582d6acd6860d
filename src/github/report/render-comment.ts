import { createHash } from 'node:crypto'
import { bySeverity, countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import type { Feedback, ReportedSite } from './feedback.ts'
import { renderCode, renderLocation, renderProblem, renderTrustedLink } from './markdown.ts'
import { fitSections, siteSections, toRows, toSection } from './report-sections.ts'

/** The Markdown of a comment and the digest of its content. */
export interface RenderedComment {
  readonly body: string
  /** SHA-256 of the problems, hexadecimal. Equal for commits with the same problems. */
  readonly digest: string
}

/** The marker at the start of a comment, which identifies it. */
export interface CommentMarker {
  readonly key: string
  readonly digest: string
  /** Number of errors and their commit, for the sentence about the fix; undefined once they are fixed. */
  readonly failure: { readonly errors: number; readonly shortSha: string } | undefined
}

/** GitHub limits the body of a comment or pull request to 65,536 characters. */
const bodyLimit = 65_000
const shownErrors = 20

/**
 * The key of a project in the marker of its comment. The Action and the app derive the same key from a docs directory, so that
 * each recognises the other's comment.
 *
 * @param root The docs directory relative to the repository, `''` for the repository itself.
 */
export function toCommentKey(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12)
}

/** The comment that lists the errors. There must be at least one. */
export function renderFailureComment(key: string, feedback: Feedback): RenderedComment {
  const { headSha, detailsUrl, previewUrl, site } = feedback
  const errors = bySeverity(feedback.diagnostics).filter(({ severity }) => severity === 'error')
  const files = [...new Set(feedback.diagnostics.map(({ file }) => file))]
  const place =
    files.length === 1 && files[0] !== undefined ? ` in ${renderCode(files[0])}` : ` in ${formatCount(files.length, 'file')}`
  const links = [
    renderTrustedLink('details', detailsUrl),
    ...(previewUrl === undefined ? [] : [renderTrustedLink('preview', previewUrl)]),
  ]
  const digest = digestOf([
    'failure',
    ...errors.map(({ code, file, range, message }) => [code, file, range.start.line, message].join('\0')),
    ...siteDigest(headSha, site),
  ])
  const found = formatCounts(countFindings(feedback.diagnostics))
  const body = fitSections(
    [
      {
        head: [
          toMarker({ key, digest, failure: { errors: errors.length, shortSha: headSha.slice(0, 7) } }),
          `**API documentation: ${found}**${place} · ${links.join(' · ')}`,
          '',
          '| location | problem |',
          '|---|---|',
        ],
        ...toRows(
          errors,
          shownErrors,
          (diagnostic) => `| ${renderLocation(diagnostic, feedback)} | ${renderProblem(diagnostic)} |`,
        ),
        tail: [
          '',
          `Found in ${renderCode(headSha.slice(0, 7))}. This comment is updated ${site ? 'on every push' : 'when the problems change'}.`,
        ],
        rest: (hidden) => `| … | and ${formatCount(hidden, 'more error')} (${renderTrustedLink('view all', detailsUrl)}) |`,
      },
      ...siteSections(site),
    ],
    bodyLimit,
  )
  return { body, digest }
}

/**
 * The comment that reports the errors of `previous` as fixed, with the preview if there is one.
 *
 * @param site The site of `headSha`. With a site, the comment changes for every commit.
 */
export function renderFixedComment(
  key: string,
  { headSha, site }: { readonly headSha: string; readonly site?: ReportedSite | undefined },
  previous: CommentMarker,
): RenderedComment {
  const digest = digestOf(['fixed', ...siteDigest(headSha, site)])
  const { errors, shortSha } = previous.failure ?? { errors: 0, shortSha: '' }
  const resolved =
    previous.failure === undefined
      ? ''
      : ` ${formatCount(errors, 'error')} from ${shortSha} ${errors === 1 ? 'is' : 'are'} resolved.`
  const sentence = `${toMarker({ key, digest, failure: undefined })}\n**API documentation: fixed** in ${headSha.slice(0, 7)}.${resolved}`
  return { body: fitSections([toSection(sentence), ...siteSections(site)], bodyLimit), digest }
}

/** Reads the marker at the start of a comment; `undefined` if there is none. Elsewhere in the text it is a quotation. */
export function parseCommentMarker(body: string): CommentMarker | undefined {
  const found = body.match(
    /^\s*<!-- openapi-pages:v1 key=(?<key>[\w./-]{1,100}) digest=(?<digest>[0-9a-f]{1,64}) -->(?:<!-- errors=(?<errors>\d{1,9}) sha=(?<sha>[0-9a-f]{7,40}) -->)?/,
  )?.groups
  if (found?.['key'] === undefined || found['digest'] === undefined) return undefined
  const { errors, sha } = found
  const failure = errors === undefined || sha === undefined ? undefined : { errors: Number(errors), shortSha: sha }
  return { key: found['key'], digest: found['digest'], failure }
}

function toMarker({ key, digest, failure }: CommentMarker): string {
  const counted = failure === undefined ? '' : `<!-- errors=${failure.errors} sha=${failure.shortSha} -->`
  return `<!-- openapi-pages:v1 key=${key} digest=${digest} -->${counted}`
}

/** A comment with a preview changes with each commit. */
function siteDigest(headSha: string, site: ReportedSite | undefined): readonly string[] {
  return site ? [headSha, site.screenshots ? 'pictures' : ''] : []
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
