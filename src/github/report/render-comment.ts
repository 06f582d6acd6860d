import { createHash } from 'node:crypto'
import { type Change, countChanges, meetsThreshold } from '../../changes/change.ts'
import { bySeverity, countFindings, formatCount, formatCounts, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import {
  apiChangeSections,
  describeApiChanges,
  type Feedback,
  hasReport,
  listChanges,
  type ReportedSite,
  siteSections,
  toReportedChanges,
} from './feedback.ts'
import {
  fitSections,
  renderCode,
  renderLocation,
  renderMessage,
  renderProblem,
  renderTrustedLink,
  toRows,
  toSection,
} from './markdown.ts'

/** The Markdown of a comment and the digest of its content. */
export interface RenderedComment {
  readonly body: string
  /** SHA-256 of the problems and changes, hexadecimal. Equal for commits with the same content. */
  readonly digest: string
  /** Whether there is something to report. Otherwise, the comment only replaces an existing one. */
  readonly isReport: boolean
}

/** The marker at the start of a comment, which identifies it. */
export interface CommentMarker {
  readonly key: string
  readonly digest: string
  /** Number of errors and their commit, for the sentence about the fix; undefined once they are fixed. */
  readonly failure: { readonly errors: number; readonly shortSha: string } | undefined
  /** Numbers of reported API changes and their commit; undefined without any. */
  readonly changes: { readonly breaking: number; readonly all: number; readonly shortSha: string } | undefined
}

/** GitHub limits the body of a comment or pull request to 65,536 characters. */
const bodyLimit = 65_000
const shownErrors = 20

/**
 * The comment for a result: a report if there are errors, or API changes that deserve a comment. Otherwise, the report that `previous` is
 * fixed. Undefined if nothing has to be said.
 */
export function renderComment(key: string, feedback: Feedback, previous: CommentMarker | undefined): RenderedComment | undefined {
  if (hasReport(feedback)) return renderReport(key, feedback)
  if (!previous || (previous.changes && !previous.failure && !areResolved(previous.changes, feedback))) return undefined
  return renderFixedComment(key, feedback, previous)
}

/** False if the documents were not compared, or if the changes still exist and a setting excludes them from the comment. */
function areResolved({ breaking }: NonNullable<CommentMarker['changes']>, { apiChanges }: Feedback): boolean {
  return (
    apiChanges !== undefined &&
    !listChanges(apiChanges).some((change) => meetsThreshold(change, breaking > 0 ? 'breaking' : 'any'))
  )
}

function renderReport(key: string, feedback: Feedback): RenderedComment {
  const changes = toReportedChanges(feedback)
  const { detailsUrl, site, review } = feedback
  const shortSha = feedback.headSha.slice(0, 7)
  const errors = bySeverity(feedback.diagnostics).filter(({ severity }) => severity === 'error')
  const digest = digestOf([
    ...(errors.length > 0 ? ['failure'] : []),
    ...errors.map((error) => [ruleNameOf(error), error.file, error.range.start.line, error.message].join('\0')),
    ...changes.map(toDigestLine),
    ...commitDigest(feedback),
  ])
  const marker = toMarker({
    key,
    digest,
    failure: errors.length === 0 ? undefined : { errors: errors.length, shortSha },
    changes: changes.length === 0 ? undefined : { breaking: countChanges(changes).breaking, all: changes.length, shortSha },
  })
  const found =
    errors.length > 0 ? formatCounts(countFindings(feedback.diagnostics)) : renderMessage(describeApiChanges(changes) ?? '')
  const place = errors.length > 0 ? describeFiles(feedback) : ''
  const when = site || review ? 'on every push' : `when the ${errors.length > 0 ? 'problems change' : 'list changes'}`
  const head = [marker, `**API documentation: ${found}**${place} · ${renderTrustedLink('details', detailsUrl)}`, '']
  const tail = `Found in ${renderCode(shortSha)}. This comment is updated ${when}.`
  const lead =
    errors.length === 0
      ? toSection(...head, tail)
      : {
          head: [...head, '| location | problem |', '|---|---|'],
          ...toRows(
            errors,
            shownErrors,
            (diagnostic) => `| ${renderLocation(diagnostic, feedback)} | ${renderProblem(diagnostic)} |`,
          ),
          tail: ['', tail],
          rest: (hidden: number) =>
            `| … | and ${formatCount(hidden, 'more error')} (${renderTrustedLink('view all', detailsUrl)}) |`,
        }
  const sections = [lead, ...siteSections(site), ...(changes.length === 0 ? [] : apiChangeSections(feedback, { isShort: true }))]
  return { body: fitSections(sections, bodyLimit), digest, isReport: true }
}

function describeFiles({ diagnostics }: Feedback): string {
  const [first, ...others] = new Set(diagnostics.map(({ file }) => file))
  return first !== undefined && others.length === 0 ? ` in ${renderCode(first)}` : ` in ${formatCount(others.length + 1, 'file')}`
}

/** What a comment can show of a change. A commit that only moves the change in the base keeps the comment. */
function toDigestLine({ base: _, surrounding: __, ...change }: Change): string {
  return JSON.stringify(change)
}

/** Reports the content of `previous` as fixed, with the preview if there is one. With a site, the comment changes for every commit. */
function renderFixedComment(key: string, feedback: Feedback, { failure, changes }: CommentMarker): RenderedComment {
  const { headSha, site } = feedback
  const outcome = !failure && countAccepted(feedback) > 0 ? 'accepted' : 'fixed'
  const digest = digestOf([outcome, ...commitDigest({ headSha, site })])
  const sentences = [
    `${toMarker({ key, digest, failure: undefined, changes: undefined })}\n**API documentation: ${outcome}** in ${headSha.slice(0, 7)}.`,
    ...(failure ? [describeResolved(formatCount(failure.errors, 'error'), failure.errors, failure.shortSha)] : []),
    ...(changes ? [describeResolvedChanges(changes, feedback)] : []),
  ]
  return { body: fitSections([toSection(sentences.join(' ')), ...siteSections(site)], bodyLimit), digest, isReport: false }
}

function describeResolvedChanges(changes: NonNullable<CommentMarker['changes']>, feedback: Feedback): string {
  const { breaking, all, shortSha } = changes
  if (!areResolved(changes, feedback)) return `The API changes from ${shortSha} are no longer reported here.`
  if (breaking === 0) return describeResolved(formatCount(all, 'API change'), all, shortSha)
  const accepted = countAccepted(feedback)
  const outcome = accepted === 0 ? 'resolved' : accepted < breaking ? 'resolved or accepted' : 'accepted'
  return describeResolved(formatCount(breaking, 'breaking API change'), breaking, shortSha, outcome)
}

function countAccepted({ apiChanges }: Feedback): number {
  return apiChanges ? listChanges(apiChanges).filter(({ level, accepted }) => level === 'breaking' && accepted).length : 0
}

function describeResolved(what: string, count: number, shortSha: string, outcome = 'resolved'): string {
  return `${what} from ${shortSha} ${count === 1 ? 'is' : 'are'} ${outcome}.`
}

/** Reads the marker at the start of a comment; `undefined` if there is none. Elsewhere in the text it is a quotation. */
export function parseCommentMarker(body: string): CommentMarker | undefined {
  const found = body.match(
    /^\s*<!-- openapi-pages:v1 key=(?<key>[\w./-]{1,100}) digest=(?<digest>[0-9a-f]{1,64}) -->(?:<!-- errors=(?<errors>\d{1,9}) sha=(?<sha>[0-9a-f]{7,40}) -->)?(?:<!-- breaking=(?<breaking>\d{1,9}) changes=(?<all>\d{1,9}) sha=(?<changesSha>[0-9a-f]{7,40}) -->)?/,
  )?.groups
  if (found?.['key'] === undefined || found['digest'] === undefined) return undefined
  const { errors, sha, breaking, all, changesSha } = found
  const failure = errors === undefined || sha === undefined ? undefined : { errors: Number(errors), shortSha: sha }
  const changes = changesSha === undefined ? undefined : { breaking: Number(breaking), all: Number(all), shortSha: changesSha }
  return { key: found['key'], digest: found['digest'], failure, changes }
}

function toMarker({ key, digest, failure, changes }: CommentMarker): string {
  const errors = failure ? `<!-- errors=${failure.errors} sha=${failure.shortSha} -->` : ''
  const counted = changes ? `<!-- breaking=${changes.breaking} changes=${changes.all} sha=${changes.shortSha} -->` : ''
  return `<!-- openapi-pages:v1 key=${key} digest=${digest} -->${errors}${counted}`
}

/** A comment with a preview or a review changes with each commit. */
function commitDigest({
  headSha,
  site,
  review,
}: Pick<Feedback, 'headSha' | 'review'> & { readonly site?: ReportedSite | undefined }) {
  return site || review ? [headSha, site?.screenshots ? 'pictures' : ''] : []
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
