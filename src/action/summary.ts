import { countFindings, formatCount, formatNumber } from '../diagnostics/diagnostic.ts'
import type { Feedback } from '../github/report/feedback.ts'
import { renderCode, renderLink, renderMessage, renderTrustedLink } from '../github/report/markdown.ts'
import {
  documentSection,
  fitSections,
  pageSections,
  problemSections,
  type Section,
  toRows,
  toSection,
} from '../github/report/report-sections.ts'
import { toOneLine } from '../source/escape-text.ts'
import { groupBy } from '../source/group-by.ts'
import { joinPath } from '../source/relative-path.ts'
import { findEditedConfig } from '../update/run-update.ts'
import type { Update } from '../update/types.ts'
import { type ActionReport, type AppResult, countPages, explainFailure, toFeedback } from './action-report.ts'
import { type Delivery, operationLabels } from './delivery/delivery.ts'
import { addedSection } from './delivery/pull-request-body.ts'
import type { FilesChangedReport } from './find-files-changed.ts'

/** A summary over 1 MiB is dropped by GitHub as a whole, and the step stays green. */
const limitBytes = 1024 * 1024 - 1024
const shownDivisions = 20
/** Findings behind a click; a browser takes its time for more. */
const foldedDiagnostics = 1_000

/**
 * Renders a run as the summary of its job, in Markdown of less than 1 MiB. Nothing in it from a document is more than text.
 *
 * @param usedBytes what the file of the summary has already.
 */
export function renderSummary(report: ActionReport, usedBytes = 0): string {
  const { update, failures, note, mode, commitSha } = report
  const lines = [
    `### API pages: ${toHeadline(report)}`,
    note === undefined ? '' : renderMessage(note),
    ...failures.map(renderFailure),
    mode === 'check' && update && update.changes.length > 0
      ? 'A run in mode `commit`, as on a push, brings them up to date; so does `npx openapi-pages update`.'
      : '',
    report.app === undefined ? '' : renderAppResult(report.app),
    ...(report.delivery ? renderDelivery(report.delivery) : []),
    ...report.troubles.map((trouble) => renderMessage(`${trouble}.`)),
    commitSha === undefined ? '' : `Committed ${renderCommit(report, commitSha)} to ${renderCode(report.branch ?? '')}.`,
  ]
  const sections = lines.filter((line) => line !== '').map((line) => toSection(line))
  return `${fitSections([...sections, ...(update ? toSections(report, update) : [])], Math.max(0, limitBytes - usedBytes))}\n`
}

function toSections(report: ActionReport, update: Update): readonly Section[] {
  const parts = report.updates.length > 1 ? report.updates : [update]
  const lead = report.commitSha === undefined ? 'To be committed too' : 'Committed too'
  return [
    ...parts.flatMap((part) => [
      ...(parts.length > 1 ? [toSection(`#### ${renderCode(part.root || '.')}: ${describeCounts(part)}`)] : []),
      ...updateSections(report, part),
    ]),
    ...addedSection(report.addedFiles, lead),
    ...changedSections(report, update),
  ]
}

/** Counts the page changes of one docs directory. */
function describeCounts({ pages, diagnostics }: Update): string {
  const counts = countPages(pages)
  const parts = (['added', 'modified', 'removed', 'kept'] as const).flatMap((kind) => {
    return counts[kind] === 0 ? [] : `${formatCount(counts[kind], 'page')} ${kind === 'modified' ? 'changed' : kind}`
  })
  const { errors } = countFindings(diagnostics)
  return [...(errors > 0 ? [formatCount(errors, 'error')] : []), ...parts].join(', ') || 'up to date'
}

function updateSections(report: ActionReport, update: Update): readonly Section[] {
  const feedback = toFeedback(report, update)
  const documents = documentSection(feedback)
  return [
    ...(documents ? [documents] : []),
    ...(report.failures.length === 0 ? materialisedSections(update, feedback.pagesAre, report) : []),
    ...problemSections(feedback, {
      folded: foldedDiagnostics,
      whereAll: `the log of ${renderTrustedLink('this run', report.links.runUrl)} has all of them`,
    }),
    ...navigationSections(update, feedback.pagesAre),
    ...pageSections(feedback),
  ]
}

function toHeadline(report: ActionReport): string {
  const { update, failures, mode, commitSha, delivery } = report
  if (failures.length > 0) return 'the run failed'
  if (report.delivery?.operation === 'superseded') return 'left to a newer run'
  if (!update) return delivery ? 'up to date' : 'nothing to do'
  const { errors, warnings } = countFindings(update.diagnostics)
  if (errors > 0) return formatCount(errors, 'error') + describeErrorLocations(update)
  const warned = warnings > 0 ? `, ${formatCount(warnings, 'warning')}` : ''
  const changeCount = update.changes.length + report.addedFiles.length
  if (changeCount === 0) return `up to date${warned}`
  const count = formatCount(changeCount, 'file')
  if (delivery?.pullRequest) return `${count} to change by pull request #${delivery.pullRequest.number}${warned}`
  if (commitSha !== undefined) return `${count} changed${warned}`
  return `${count} ${changeCount === 1 ? 'is' : 'are'} out of date${mode === 'dry-run' ? ' (dry run)' : ''}${warned}`
}

/** Where the errors are. Those outside of documents, as in a configuration file, are counted by file. */
function describeErrorLocations({ documents, documentFiles, diagnostics }: Update): string {
  const invalid = documents.filter((document) => !document.valid)
  const [first] = invalid
  const read = new Set([...documents, ...documentFiles].map(({ path }) => path))
  const others = groupBy(
    diagnostics.filter(({ severity, file }) => severity === 'error' && !read.has(file)),
    ({ file }) => file,
  )
  if (first && others.size > 0) {
    const counts = [
      ...invalid.map(({ path, errorCount }) => [path, errorCount] as const),
      ...[...others].map(([file, found]) => [file, found.length] as const),
    ]
    if (counts.length > 3) return ` in ${formatNumber(counts.length)} files`
    return `: ${counts.map(([file, count]) => `${formatNumber(count)} in ${renderCode(file)}`).join(', ')}`
  }
  if (!first) return ''
  return documents.length === 1
    ? ` in ${renderCode(first.path)}`
    : ` in ${invalid.length === documents.length ? '' : `${formatNumber(invalid.length)} of `}${formatCount(documents.length, 'document')}`
}

function renderFailure(failure: unknown): string {
  const { message, hint } = explainFailure(failure)
  const way = hint === undefined ? '' : `<br>${renderMessage(toOneLine(hint))}`
  return `> ${renderMessage(message)}${way}`
}

function renderCommit({ links }: ActionReport, sha: string): string {
  return renderLink(sha.slice(0, 7), `${links.webUrl}/commit/${sha}`)
}

/** Explains pages that are written to a repository for the first time, and how to opt out. */
function materialisedSections(
  { materialised, hasDocsConfig }: Update,
  pagesAre: Feedback['pagesAre'],
  { commitSha = '' }: ActionReport,
): readonly Section[] {
  if (materialised.length === 0) return []
  const [become, undo] = {
    written: ['are files now', ` To undo it, also run \`git revert ${commitSha.slice(0, 12)}\`.`],
    proposed: ['become files with this pull request', ''],
    planned: ['would be written as files', ''],
  }[pagesAre]
  // Each version or language may have one of the same name.
  const same = groupBy(materialised, ({ label, source, directory }) => [label, source, directory].join('\0'))
  const divisions = [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const pageCount = others.reduce((sum, other) => sum + other.pageCount, first.pageCount)
    return [{ ...first, pageCount, count: 1 + others.length }]
  })
  const where = hasDocsConfig ? 'beside `docs.json`' : 'in the working directory'
  return [
    {
      head: [`**For the first time, API pages ${become}**, so that each can be edited, linked and reviewed:`, ''],
      ...toRows(divisions, shownDivisions, ({ label, source, directory, pageCount, count }) => {
        const pages = `${formatCount(pageCount, 'page')} in ${renderCode(`${directory || '.'}/`)}`
        if (!hasDocsConfig) return `- ${renderCode(source)}: ${pages}`
        const times = count === 1 ? '' : `, ${formatNumber(count)} times in the navigation`
        return `- ${label === '' ? 'the navigation' : renderCode(label)} (${renderCode(source)})${times}: ${pages}`
      }),
      tail: ['', `To keep them virtual instead, set \`materialise: false\` in \`openapi-pages.config.yaml\` ${where}.${undo}`],
      rest: (hidden) => `- … and ${formatNumber(hidden)} more`,
    },
  ]
}

/** Of what is no change, such as the time of a schedule, there is nothing to say. */
function changedSections({ filesChanged, eventName }: ActionReport, update: Update): readonly Section[] {
  const isChange = eventName === 'push' || eventName === 'merge_group' || eventName.startsWith('pull_request')
  return filesChanged && isChange ? [toSection(renderFilesChanged(filesChanged, update, eventName))] : []
}

function navigationSections(update: Update, pagesAre: Feedback['pagesAre']): readonly Section[] {
  const { added, removed } = update.navigation
  const isDone = pagesAre === 'written'
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} ${isDone ? 'added' : 'to add'}` : '',
    removed > 0 ? `${formatCount(removed, 'page')} ${isDone ? 'removed' : 'to remove'}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return []
  const file = renderCode(findEditedConfig(update) ?? joinPath(update.root, 'docs.json'))
  return [toSection(`Navigation in ${file}: ${parts.join(', ')}.`)]
}

/** The lines of the summary about the app: a link to each record, and what was in the way. */
function renderAppResult({ records, trouble }: AppResult): string {
  const links = records.map(({ root, statusId, detailsUrl }) => {
    const name = `Update \`${statusId.replace(/[^\w-]/g, '')}\`${root === '' ? '' : ` of ${renderCode(root)}`}`
    return detailsUrl === undefined ? name : renderTrustedLink(name, detailsUrl)
  })
  return [...links, ...(trouble === undefined ? [] : [renderMessage(trouble)])].join('<br>')
}

/** The outcome of a run's changes as Markdown paragraphs. */
function renderDelivery({ operation, pullRequest, notes }: Delivery): readonly string[] {
  const lines = notes.map(renderMessage)
  if (!pullRequest) return lines
  const link = renderTrustedLink(`pull request #${pullRequest.number}`, pullRequest.url)
  return [`${operationLabels[operation]} ${link}.`.trim(), ...lines]
}

/** Says how many of the documents and of the other files the event changed, and how that was found out. */
function renderFilesChanged(found: FilesChangedReport, { documents }: Update, eventName: string): string {
  if (found.way === 'all') return `<sub>Everything counts as changed: ${renderMessage(found.reason)}.</sub>`
  const { added, modified, removed } = found.filesChanged
  const changed = new Set([...added, ...modified, ...removed])
  const documentCount = documents.filter(({ path }) => changed.has(path)).length
  const others = changed.size - documentCount
  const by = eventName === 'push' ? 'this push' : eventName === 'merge_group' ? 'this group' : 'this pull request'
  const way = found.way === 'git' ? 'git' : 'the compare API of GitHub'
  const ofDocuments = `${formatNumber(documentCount)} of ${formatCount(documents.length, 'OpenAPI document')}`
  const rest = others === 0 ? 'no other file' : formatCount(others, 'other file')
  const caveat = found.truncated === undefined ? '' : ` ${renderMessage(found.truncated)}.`
  return `<sub>Changed by ${by}, as ${way} tells: ${ofDocuments}, ${rest}.${caveat}</sub>`
}
