import { createHash } from 'node:crypto'
import { bySeverity, countFindings, formatCount } from '../diagnostic/diagnostic.ts'
import type { Feedback, ReportedSite } from './feedback.ts'
import { renderCode, renderPlace, renderProblem, renderWordLink } from './markdown.ts'
import { fitSections, siteSections, toRows, toSection } from './report-sections.ts'

/** A comment's text with the digest of what it says. */
export interface RenderedComment {
  readonly body: string
  /** SHA-256 over the findings, hexadecimal: another commit with the same findings has the same digest. */
  readonly digest: string
}

/** What the head of a comment of ours holds. */
export interface CommentMarker {
  readonly key: string
  readonly digest: string
  /** What it counted and at which commit, for the sentence that says it is fixed; absent once it is. */
  readonly failure: { readonly errors: number; readonly shortSha: string } | undefined
}

/** The body of a comment or pull request holds 65,536 characters; more is refused as a whole. */
const bodyLimit = 65_000
const shownErrors = 20

/**
 * Tells one project of a repository from another in the marker of its comment. Action and app make the same key from a docs root,
 * so that they find each other's comment.
 *
 * @param root The docs root relative to the repository, `''` for the repository itself.
 */
export function toCommentKey(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12)
}

/** The comment that says what is wrong. The feedback must have at least one error. */
export function renderFailureComment(key: string, feedback: Feedback): RenderedComment {
  const { headSha, detailsUrl, previewUrl, site } = feedback
  const errors = bySeverity(feedback.diagnostics).filter(({ severity }) => severity === 'error')
  const files = [...new Set(errors.map(({ file }) => file))]
  const place =
    files.length === 1 && files[0] !== undefined ? ` in ${renderCode(files[0])}` : ` in ${formatCount(files.length, 'file')}`
  const links = [
    renderWordLink('details', detailsUrl),
    ...(previewUrl === undefined ? [] : [renderWordLink('preview', previewUrl)]),
  ]
  const digest = digestOf([
    'failure',
    ...errors.map(({ code, file, range, message }) => [code, file, range.start.line, message].join('\0')),
    ...siteDigest(headSha, site),
  ])
  const { warnings } = countFindings(feedback.diagnostics)
  const aside = warnings === 0 ? '' : ` and ${formatCount(warnings, 'warning')}`
  const body = fitSections(
    [
      {
        head: [
          toMarker({ key, digest, failure: { errors: errors.length, shortSha: headSha.slice(0, 7) } }),
          `**API documentation: ${formatCount(errors.length, 'error')}**${aside}${place} · ${links.join(' · ')}`,
          '',
          '| place | problem |',
          '|---|---|',
        ],
        ...toRows(errors, shownErrors, (diagnostic) => `| ${renderPlace(diagnostic, feedback)} | ${renderProblem(diagnostic)} |`),
        tail: [
          '',
          `Found in ${renderCode(headSha.slice(0, 7))}. This comment changes ${site ? 'with each push' : 'when the findings do'}.`,
        ],
        rest: (hidden) => `| … | and ${formatCount(hidden, 'more error')}: ${renderWordLink('all of them', detailsUrl)} |`,
      },
      ...siteSections(site),
    ],
    bodyLimit,
  )
  return { body, digest }
}

/**
 * The comment that says that what `previous` told is fixed, with the preview where there is one.
 *
 * @param site Of `headSha`: the comment is another one with each commit that has one.
 */
export function renderFixedComment(
  key: string,
  { headSha, site }: { readonly headSha: string; readonly site?: ReportedSite | undefined },
  previous: CommentMarker,
): RenderedComment {
  const digest = digestOf(['fixed', ...siteDigest(headSha, site)])
  const { errors, shortSha } = previous.failure ?? { errors: 0, shortSha: '' }
  const gone =
    previous.failure === undefined ? '' : ` ${formatCount(errors, 'error')} of ${shortSha} ${errors === 1 ? 'is' : 'are'} gone.`
  const sentence = `${toMarker({ key, digest, failure: undefined })}\n**API documentation: fixed** in ${headSha.slice(0, 7)}.${gone}`
  return { body: fitSections([toSection(sentence), ...siteSections(site)], bodyLimit), digest }
}

/** Reads the marker at the start of a comment; `undefined` where there is none. Anywhere else it is a quotation. */
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

/** A preview is that of one commit: with each that has one the comment is another. */
function siteDigest(headSha: string, site: ReportedSite | undefined): readonly string[] {
  return site ? [headSha, site.pictures ? 'pictures' : ''] : []
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
