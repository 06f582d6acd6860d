import { countFindings, formatCount, formatCounts } from '../diagnostic/count-findings.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { toOneLine } from '../text/to-one-line.ts'
import type { DocumentReport, PageReport, Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { countPages } from './count-pages.ts'
import { escapeMarkdown, toCode } from './escape-markdown.ts'
import { explainFailure } from './explain-failure.ts'
import { renderAppResult } from './render-app-result.ts'

// A summary over 1 MiB is dropped by GitHub as a whole. Each text in it is cut, so that these numbers keep it far below.
const shownDocuments = 100
const shownFindings = 20
const shownPages = 200
const shownDivisions = 20

/** Renders a run as the summary of its job, in Markdown of less than 1 MiB. Nothing in it from a document is more than text. */
export function renderSummary(report: ActionReport): string {
  const { update, failures } = report
  const sections = [
    `### API pages: ${toHeadline(report)}`,
    report.note === undefined ? '' : escapeMarkdown(report.note, 'paragraph'),
    ...failures.map(renderFailure),
    report.mode === 'check' && update && update.changes.length > 0
      ? 'A run in mode `commit`, as on a push, brings them up to date; so does `npx openapi-pages update`.'
      : '',
    report.app === undefined ? '' : renderAppResult(report.app),
    report.commitSha === undefined ? '' : `Committed ${report.commitSha} to ${toCode(report.branch ?? '', 'paragraph')}.`,
  ]
  if (update) {
    sections.push(
      renderDocuments(update, report),
      failures.length === 0 ? renderMaterialised(update, report) : '',
      renderFindings(update.diagnostics),
      renderPages(update, report),
    )
  }
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function toHeadline({ update, failures, mode, commitSha }: ActionReport): string {
  if (failures.length > 0) return 'the run failed'
  if (!update) return 'nothing to do'
  const { errors, warnings } = countFindings(update.diagnostics)
  if (errors > 0) return formatCount(errors, 'error') + toWhere(update.documents)
  const warned = warnings > 0 ? `, ${formatCount(warnings, 'warning')}` : ''
  if (update.changes.length === 0) return `up to date${warned}`
  const count = formatCount(update.changes.length, 'file')
  if (commitSha !== undefined) return `${count} changed${warned}`
  return `${count} ${update.changes.length === 1 ? 'is' : 'are'} out of date${mode === 'dry-run' ? ' (dry run)' : ''}${warned}`
}

function toWhere(documents: readonly DocumentReport[]): string {
  const invalid = documents.filter((document) => !document.valid)
  const [first] = invalid
  if (!first) return ''
  return documents.length === 1
    ? ` in ${toCode(first.path, 'paragraph')}`
    : ` in ${invalid.length} of ${documents.length} documents`
}

function renderFailure(failure: unknown): string {
  const { message, hint } = explainFailure(failure)
  const way = hint === undefined ? '' : `<br>${escapeMarkdown(hint, 'paragraph')}`
  return `> ${escapeMarkdown(message, 'paragraph')}${way}`
}

function renderDocuments(update: Update, report: ActionReport): string {
  if (update.documents.length === 0) return ''
  const rows = update.documents.slice(0, shownDocuments).map((document) => {
    const { path, version, valid, errorCount, warningCount, infoCount } = document
    const findings = formatCounts({ errors: errorCount, warnings: warningCount, infos: infoCount })
    const name = `${toCode(path, 'cell')}${version === undefined ? '' : ` ${escapeMarkdown(version, 'cell')}`}`
    return `| ${valid ? '✔' : '✖'} | ${name} | ${findings === 'no findings' ? '–' : findings} | ${toPagesCell(document, update, report)} |`
  })
  const left = update.documents.length - rows.length
  if (left > 0) rows.push(`| | … and ${left.toLocaleString('en-US')} more | | |`)
  return ['| | document | findings | pages |', '|---|---|---|---|', ...rows].join('\n')
}

function toPagesCell(document: DocumentReport, update: Update, { commitSha }: ActionReport): string {
  const pages = update.pages.filter((page) => page.document === document.path)
  if (!document.valid) return pages.length === 0 && document.divisions.length === 0 ? '–' : 'not updated'
  if (pages.length === 0) return '–'
  const { added, modified, removed, kept } = countPages(pages)
  const suffix = commitSha === undefined ? 'to ' : ''
  const words = commitSha === undefined ? ['add', 'change', 'remove'] : ['added', 'changed', 'removed']
  const parts = [added, modified, removed].map((count, index) =>
    count > 0 ? `${count.toLocaleString('en-US')} ${suffix}${words[index]}` : '',
  )
  if (kept > 0) parts.push(`${kept.toLocaleString('en-US')} kept`)
  return parts.filter((part) => part !== '').join(', ') || 'up to date'
}

/** Files that appear in somebody's repository for the first time need a word on why, and on how to be without them. */
function renderMaterialised(update: Update, { commitSha }: ActionReport): string {
  const { materialised } = update
  if (materialised.length === 0) return ''
  const lines = materialised.slice(0, shownDivisions).map(({ label, source, directory, pageCount }) => {
    const pages = `${formatCount(pageCount, 'page')} in ${toCode(`${directory || '.'}/`, 'paragraph')}`
    if (!update.hasDocsConfig) return `- ${toCode(source, 'paragraph')}: ${pages}`
    return `- ${label === '' ? 'the navigation' : toCode(label, 'paragraph')} (${toCode(source, 'paragraph')}): ${pages}`
  })
  if (materialised.length > lines.length) lines.push(`- … and ${materialised.length - lines.length} more`)
  const what = commitSha === undefined ? 'would be written as files' : 'are files now'
  const undo = commitSha === undefined ? '' : ` To undo it, also run \`git revert ${commitSha.slice(0, 12)}\`.`
  return [
    `**For the first time, API pages ${what}**, so that each can be edited, linked and reviewed:`,
    lines.join('\n'),
    `To keep them virtual instead, set \`materialise: false\` in \`openapi-pages.config.yaml\` ${update.hasDocsConfig ? 'beside `docs.json`' : 'in the working directory'}.${undo}`,
  ].join('\n\n')
}

function renderFindings(diagnostics: readonly Diagnostic[]): string {
  const order = { error: 0, warning: 1, info: 2 }
  const sorted = diagnostics.toSorted((a, b) => order[a.severity] - order[b.severity])
  const lines = sorted.slice(0, shownFindings).map(({ file, range, code, severity, message, hint }) => {
    const place = toCode(`${file}:${range.start.line}:${range.start.column}`, 'paragraph')
    const way = hint === undefined ? '' : `<br>${escapeMarkdown(toOneLine(hint), 'paragraph')}`
    return `**${place}** ${severity} ${code}: ${escapeMarkdown(message, 'paragraph')}${way}`
  })
  const left = sorted.length - lines.length
  if (left > 0) lines.push(`… and ${left.toLocaleString('en-US')} more; the log of this step has them all.`)
  return lines.join('\n\n')
}

const signs: { readonly [kind in PageReport['kind']]: string } = {
  added: '+',
  modified: '~',
  removed: '−',
  kept: '=',
  unchanged: '',
}

function renderPages({ pages }: Update, { commitSha }: ActionReport): string {
  const changed = pages.filter((page) => page.kind !== 'unchanged')
  if (changed.length === 0) return ''
  const rows = changed.slice(0, shownPages).map(({ kind, path, operation, detail }) => {
    return `| ${signs[kind]} | ${toCode(path, 'cell')} | ${toCode(operation, 'cell')} | ${detail === undefined ? '' : escapeMarkdown(detail, 'cell')} |`
  })
  const left = changed.length - rows.length
  if (left > 0) rows.push(`| | … and ${left.toLocaleString('en-US')} more | | |`)
  const title = commitSha === undefined ? 'Pages to change' : 'Pages changed'
  const table = ['| | page | operation | |', '|---|---|---|---|', ...rows].join('\n')
  return `<details><summary>${title} (${changed.length.toLocaleString('en-US')})</summary>\n\n${table}\n\n</details>`
}
