import { countFindings, type Diagnostic, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import type { Palette, RulesetJson } from '../../diagnostics/format-text.ts'
import type { CheckReport, DocumentReport } from '../../docs/types.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { formatNumber, listFirst } from '../../text/plain/lists.ts'

/** Beyond this number, only documents with diagnostics are listed. */
const listedDocuments = 20

const listedRulesets = 5

/** Formats one line per document, and a total if other files have diagnostics too. Empty if nothing was checked. */
export function formatCheckSummary(
  {
    documents,
    diagnostics,
  }: Pick<CheckReport, 'documents'> & { readonly diagnostics: readonly Pick<Diagnostic, 'severity' | 'file'>[] },
  palette: Palette,
): string {
  const listed = documents.length <= listedDocuments ? documents : documents.filter(hasDiagnostics)
  const lines = listed.map((document) => formatDocument(document, palette))
  const total = countFindings(diagnostics)
  const inDocuments = documents.reduce((sum, document) => sum + countAll(document), 0)
  if (documents.length !== 1 || inDocuments !== diagnostics.length) {
    const files = new Set(diagnostics.map(({ file }) => file)).size
    const checked = `${formatCount(documents.length, 'document')} checked`
    if (total.errors > 0) {
      lines.push(palette.error(`✖ ${formatCounts(total)} in ${formatCount(files, 'file')}`) + palette.dim(`, ${checked}`))
    } else if (diagnostics.length > 0) {
      lines.push(palette.success(`✔ No errors, ${formatCounts(total)}`) + palette.dim(`, ${checked}`))
    } else if (documents.length > 1) lines.push(palette.success(`✔ All ${formatCount(documents.length, 'document')} are valid`))
  }
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * Formats the last lines of a command: what it did, with ✔ only if each operation has a current page. Otherwise the reason and the next step follow.
 *
 * @param stopped See `describeStopped`.
 */
export function formatVerdict(
  done: string | undefined,
  stopped: { readonly text: string } | undefined,
  palette: Palette,
  isWhole: boolean = stopped === undefined,
): string {
  const first = done === undefined ? '' : isWhole ? palette.success(`✔ ${done}\n`) : palette.warning(`! ${done}\n`)
  return stopped ? `${first}${palette.warning(`! ${escapeText(stopped.text)}\n`)}` : first
}

/** Formats one line for each ruleset, or the ones that apply together: `Ruleset: .spectral.yaml (23 rules)`. */
export function formatRulesets(rulesets: readonly RulesetJson[], palette: Palette): string {
  const lines = rulesets.slice(0, listedRulesets).map(({ files, rules }) => {
    return `Ruleset: ${escapeText(listFirst(files, 5, (file) => file))} (${formatCount(rules, 'rule')})`
  })
  const left = rulesets.length - lines.length
  if (left > 0) lines.push(`… and ${formatCount(left, 'more ruleset')}`)
  return lines.map((line) => `${palette.dim(line)}\n`).join('')
}

/** Formats one line for the recordings that were compared, with the exchanges that were not. */
export function formatTraffic(traffic: CheckReport['traffic'], palette: Palette): string {
  const lines = traffic.map(({ files, compared, undocumented, outside, unreadable, old }) => {
    const others = [
      [undocumented, 'without an operation'],
      [outside, 'of other APIs'],
      [unreadable, 'unreadable'],
      [old, 'too old'],
    ] as const
    const shown = others.flatMap(([count, what]) => (count > 0 ? [`${formatNumber(count)} ${what}`] : []))
    return `Recordings: ${[`${formatCount(compared, 'exchange')} of ${formatCount(files, 'file')} compared`, ...shown].join(', ')}`
  })
  return lines.map((line) => `${palette.dim(line)}\n`).join('')
}

function formatDocument(document: DocumentReport, palette: Palette): string {
  const facts = describeDocument(document)
  const shownFacts = facts === '' ? '' : ` ${palette.dim(`(${facts})`)}`
  const { errorCount: errors, warningCount: warnings, infoCount: infos } = document
  const path = escapeText(document.path)
  if (errors > 0) return `${palette.error(`✖ ${path} has ${formatCounts({ errors, warnings, infos })}`)}${shownFacts}`
  if (document.knownCount !== undefined) {
    const others = hasDiagnostics(document) ? `${formatCounts({ errors, warnings, infos })} and ` : ''
    return `${palette.success(`✔ ${path} has no new errors, ${others}${formatCount(document.knownCount, 'known problem')}`)}${shownFacts}`
  }
  const counts = hasDiagnostics(document) ? `, with ${formatCounts({ errors, warnings, infos })}` : ''
  return `${palette.success(`✔ ${path} is valid${counts}`)}${shownFacts}`
}

function countAll({ errorCount, warningCount, infoCount }: DocumentReport): number {
  return errorCount + warningCount + infoCount
}

function hasDiagnostics(document: DocumentReport): boolean {
  return countAll(document) > 0
}

/** `OpenAPI 3.1.0, 12 operations, 2 webhooks, 9 schemas`, without zero counts of webhooks and schemas. */
export function describeDocument({
  version,
  operationCount,
  webhookCount,
  schemaCount,
}: Pick<DocumentReport, 'version' | 'operationCount' | 'webhookCount' | 'schemaCount'>): string {
  if (version === undefined) return ''
  const parts = [`OpenAPI ${escapeText(version)}`, formatCount(operationCount, 'operation')]
  if (webhookCount > 0) parts.push(formatCount(webhookCount, 'webhook'))
  if (schemaCount > 0) parts.push(formatCount(schemaCount, 'schema'))
  return parts.join(', ')
}
