import { endGroup, error, info, notice, setOutput, startGroup, summary, warning } from '@actions/core'
import { countFindings, formatCount, formatCounts } from '../diagnostic/count-findings.ts'
import { formatText } from '../diagnostic/format-text.ts'
import { plainPalette } from '../diagnostic/palette.ts'
import { toAnnotation } from '../diagnostic/to-annotation.ts'
import { escapeText } from '../text/escape-text.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { chooseAnnotations } from './choose-annotations.ts'
import { countPages } from './count-pages.ts'
import { explainFailure } from './explain-failure.ts'
import type { ActionInputs } from './inputs.ts'
import { printFenced } from './print-fenced.ts'
import { readSources } from './read-sources.ts'
import type { AppResult } from './report-to-app.ts'
import { renderSummary } from './summary.ts'

/**
 * Shows a run in the log, as annotations and in the summary of the job, sets all outputs, and tells whether the step passes.
 *
 * @param environment of the process: the runner names the file of the summary in it.
 */
export async function publishReport(
  report: ActionReport,
  inputs: Pick<ActionInputs, 'failOn' | 'failOnDrift'>,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly passed: boolean }> {
  const { update, failures } = report
  setOutputs(report)
  if (report.note !== undefined) notice(report.note)
  if (update) await logUpdate(update, report)
  if (report.app) tellApp(report.app)
  for (const failure of failures) {
    const { message, hint } = explainFailure(failure)
    error(hint === undefined ? message : `${message}\n${hint}`, { title: 'API pages' })
  }
  const hasDrifted = report.mode === 'check' && inputs.failOnDrift && update !== undefined && update.changes.length > 0
  if (hasDrifted) {
    const count = `${formatCount(update.changes.length, 'file')} ${update.changes.length === 1 ? 'is' : 'are'} out of date`
    error(`${count}: run \`openapi-pages update\` and commit what it writes`, { title: 'API pages' })
  }
  if (update) annotate(update, failures.length + (hasDrifted ? 1 : 0))
  if (environment['GITHUB_STEP_SUMMARY']) await writeSummary(renderSummary(report))
  return { passed: failures.length === 0 && !hasDrifted && !hasFailingFindings(update, inputs.failOn) }
}

function setOutputs({ update, updates, commitSha, app }: ActionReport): void {
  const { errors, warnings } = countFindings(update?.diagnostics ?? [])
  const { added, modified, removed } = countPages(update?.pages ?? [])
  setOutput('changed', update !== undefined && update.changes.length > 0)
  setOutput('committed', commitSha !== undefined)
  setOutput('commit-sha', commitSha ?? '')
  setOutput('error-count', errors)
  setOutput('warning-count', warnings)
  setOutput('pages-added', added)
  setOutput('pages-modified', modified)
  setOutput('pages-removed', removed)
  setOutput('status-id', (app?.records ?? []).map(({ statusId }) => statusId).join('\n'))
  setOutput('roots', JSON.stringify(updates.map(toRootResult)))
}

function tellApp({ records, trouble, isExpected }: AppResult): void {
  if (records.length > 0) printFenced(records.map(({ statusId }) => `Reported to the app: ${escapeText(statusId)}`).join('\n'))
  if (trouble !== undefined) (isExpected ? info : warning)(escapeText(trouble))
}

/** What the output `roots` says of one docs root. */
function toRootResult({ root, changes, diagnostics, pages }: Update): object {
  const { errors, warnings } = countFindings(diagnostics)
  const { added, modified, removed, kept } = countPages(pages)
  return { root: root || '.', changed: changes.length > 0, errors, warnings, added, modified, removed, kept }
}

async function logUpdate(update: Update, { mode, boundary, branch, commitSha }: ActionReport): Promise<void> {
  if (update.diagnostics.length > 0) {
    startGroup(`Findings: ${formatCounts(countFindings(update.diagnostics))}`)
    const sources = await readSources(update.diagnostics, boundary)
    const sourceOf = (file: string) => sources.get(file)
    printFenced(formatText(update.diagnostics, { palette: plainPalette, sourceOf, all: true, lineWidth: 160 }))
    endGroup()
  }
  const changed = update.pages.filter((page) => page.kind !== 'unchanged')
  const signs = { added: '+', modified: '~', removed: '-', kept: '=', unchanged: ' ' }
  const lines = changed.map(({ kind, path, operation, detail }) => {
    return `  ${signs[kind]} ${escapeText(path)}  ${escapeText(operation)}${detail === undefined ? '' : `  (${escapeText(detail)})`}`
  })
  if (lines.length > 0) printFenced(lines.join('\n'))
  if (mode === 'dry-run' && update.changes.length > 0) {
    printFenced(['Files:', ...update.changes.map(({ kind, path }) => `  ${kind.padEnd(6)} ${escapeText(path)}`)].join('\n'))
  }
  if (commitSha !== undefined) printFenced(`Committed ${commitSha} to ${escapeText(branch ?? '')}`)
  else if (update.changes.length === 0 && countFindings(update.diagnostics).errors === 0) info('Every page is up to date')
}

/** @param errorsShown annotations of level error that the step has already. */
function annotate(update: Update, errorsShown: number): void {
  const shown = chooseAnnotations(update.diagnostics, errorsShown)
  const commands = { error, warning, notice }
  for (const diagnostic of shown) {
    const { level, message, title, place } = toAnnotation(diagnostic)
    commands[level](message, { title, ...place })
  }
  const all = update.diagnostics.length
  if (shown.length < all) {
    info(`Annotations: showing ${shown.length} of ${all.toLocaleString('en-US')} findings; the group above lists all of them`)
  }
}

function hasFailingFindings(update: Update | undefined, failOn: ActionInputs['failOn']): boolean {
  const { errors, warnings } = countFindings(update?.diagnostics ?? [])
  return failOn !== 'never' && (errors > 0 || (failOn === 'warning' && warnings > 0))
}

/** A summary that cannot be written must not turn the run red. */
async function writeSummary(markdown: string): Promise<void> {
  try {
    await summary.addRaw(markdown).write()
  } catch (reason) {
    warning(`Cannot write the summary of the job: ${reason instanceof Error ? reason.message : String(reason)}`)
  }
}
