import { countChanges } from '../../changes/change.ts'
import { countFindings, formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import { documentSection, type Feedback, listChanges } from '../../github/report/feedback.ts'
import { problemSections, renderCode, renderTrustedLink, type Section, toSection } from '../../github/report/markdown.ts'
import { countPages } from '../delivery/delivery.ts'
import type { ActionReport, SourceReport } from './action-report.ts'

/** The codes of links that an update breaks. */
const linkCodes: readonly string[] = ['link-to-removed-page', 'redirect-unresolved']

/** The headline of a run that did not fail, about the docs repository. */
export function describeDocsRun(report: ActionReport, { docsRepository, diagnostics, documents }: SourceReport): string {
  const { update, delivery } = report
  const { errors, warnings } = countFindings(diagnostics)
  const name = renderCode(docsRepository)
  if (errors > 0) {
    const invalid = documents.filter(({ valid }) => !valid)
    const where = invalid.map(({ path }) => renderCode(path)).slice(0, 3)
    const more = invalid.length > where.length ? ` and ${formatNumber(invalid.length - where.length)} more` : ''
    return `${formatCount(errors, 'error')} in ${where.join(', ')}${more}, so nothing changes in ${name}`
  }
  const warned = warnings > 0 ? `, ${formatCount(warnings, 'warning')}` : ''
  if (!update) return `${formatCount(documents.length, 'valid document')}${warned}`
  const consequences = listConsequences(report)
  if (consequences.length === 0) return `${name} is up to date${warned}`
  const where = delivery?.pullRequest ? `pull request #${delivery.pullRequest.number} in ${name}` : name
  return `${where}: ${consequences.join(', ')}${warned}`
}

/** What a run changes in the docs repository, in words: `2 pages change`, `1 link breaks`, `1 breaking change`. */
function listConsequences({ update, apiChanges }: ActionReport): readonly string[] {
  if (!update) return []
  const { added, modified, removed } = countPages(update.pages)
  const pages = added + modified + removed
  const links = update.diagnostics.filter(({ code }) => linkCodes.includes(code)).length
  const unbound = update.diagnostics.filter(({ code }) => code === 'binding-unresolved').length
  const { breaking, risky } = countChanges([...(apiChanges?.values() ?? [])].flatMap(listChanges))
  const errors = countFindings(update.diagnostics).errors
  const stored = update.stored?.length ?? 0
  return [
    ...(pages > 0 ? [`${formatCount(pages, 'page')} ${pages === 1 ? 'changes' : 'change'}`] : []),
    ...(pages === 0 && stored > 0 ? [`${formatCount(stored, 'document')} ${stored === 1 ? 'changes' : 'change'}`] : []),
    ...(unbound > 0 ? [`${formatCount(unbound, 'page')} ${unbound === 1 ? 'loses its' : 'lose their'} operation`] : []),
    ...(links > 0 ? [`${formatCount(links, 'link')} ${links === 1 ? 'breaks' : 'break'}`] : []),
    ...(breaking > 0 ? [formatCount(breaking, 'breaking change')] : []),
    ...(breaking === 0 && risky > 0 ? [formatCount(risky, 'risky change')] : []),
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
  ]
}

/**
 * The summary of a run: what happens next, the docs repository, and the problems of the documents at their places in this repository.
 *
 * @param docsSections about the docs repository.
 */
export function docsRunSections(
  { mode, update, links }: ActionReport,
  { docsRepository, diagnostics, documents, webUrl, sha }: SourceReport,
  docsSections: readonly Section[],
): readonly Section[] {
  const feedback: Feedback = {
    headSha: sha,
    webUrl,
    detailsUrl: links.runUrl,
    pagesAre: 'planned',
    documents,
    pages: [],
    diagnostics,
    notes: [],
  }
  const problems = problemSections(feedback, {
    folded: 1_000,
    whereAll: `the log of ${renderTrustedLink('this run', links.runUrl)} has all of them`,
  })
  if (documents.some(({ valid }) => !valid)) {
    const table = documentSection(feedback)
    const nothing = toSection(`Nothing was changed in ${renderCode(docsRepository)}, because a document has errors.`)
    return [nothing, ...(table ? [table] : []), ...problems]
  }
  const isPlanned = (mode === 'check' || mode === 'dry-run') && update !== undefined && update.changes.length > 0
  const docs = renderTrustedLink('the docs repository', links.webUrl)
  const next = `Nothing was pushed. A run on the default branch proposes these changes in ${docs}.`
  const heading =
    problems.length === 0 ? [] : [toSection(`### Problems in the ${documents.length === 1 ? 'document' : 'documents'}`)]
  return [...(isPlanned ? [toSection(next)] : []), ...docsSections, ...heading, ...problems]
}
