import { countFindings, type Diagnostic, formatCount, formatCounts } from '../diagnostics/diagnostic.ts'
import type { Palette } from '../diagnostics/format-text.ts'
import { escapeText } from '../source/escape-text.ts'
import type { DocumentReport } from '../update/types.ts'

interface CheckSummary {
  readonly documents: readonly DocumentReport[]
  /** All findings, also those of `docs.json` and pages. */
  readonly findings: readonly Pick<Diagnostic, 'severity' | 'file'>[]
}

/** More documents than this are only counted, but for those with findings. */
const listedDocuments = 20

/**
 * Summarizes a check: one line per document, and a total if there is more than that.
 *
 * Ends with a line end; `''` when nothing was checked.
 */
export function formatCheckSummary({ documents, findings }: CheckSummary, palette: Palette): string {
  const listed = documents.length <= listedDocuments ? documents : documents.filter(hasFindings)
  const lines = listed.map((document) => formatDocument(document, palette))
  const total = countFindings(findings)
  const inDocuments = documents.reduce((sum, document) => sum + findingsOf(document), 0)
  if (documents.length !== 1 || inDocuments !== findings.length) {
    const files = new Set(findings.map(({ file }) => file)).size
    const checked = `${formatCount(documents.length, 'document')} checked`
    if (total.errors > 0) {
      lines.push(palette.error(`✖ ${formatCounts(total)} in ${formatCount(files, 'file')}`) + palette.dim(`, ${checked}`))
    } else if (findings.length > 0) {
      lines.push(palette.success(`✔ no errors, ${formatCounts(total)}`) + palette.dim(`, ${checked}`))
    } else if (documents.length > 1) lines.push(palette.success(`✔ ${formatCount(documents.length, 'document')} are valid`))
  }
  return lines.map((line) => `${line}\n`).join('')
}

function formatDocument(document: DocumentReport, palette: Palette): string {
  const facts = describeDocument(document)
  const shownFacts = facts === '' ? '' : ` ${palette.dim(`(${facts})`)}`
  const { errorCount: errors, warningCount: warnings, infoCount: infos } = document
  const path = escapeText(document.path)
  if (errors > 0) return `${palette.error(`✖ ${formatCounts({ errors, warnings, infos })} in ${path}`)}${shownFacts}`
  if (document.knownCount !== undefined) {
    const others = hasFindings(document) ? `${formatCounts({ errors, warnings, infos })} and ` : ''
    return `${palette.success(`✔ ${path} has no new errors, ${others}${formatCount(document.knownCount, 'known problem')}`)}${shownFacts}`
  }
  const withFindings = hasFindings(document) ? `, with ${formatCounts({ errors, warnings, infos })}` : ''
  return `${palette.success(`✔ ${path} is valid${withFindings}`)}${shownFacts}`
}

function findingsOf({ errorCount, warningCount, infoCount }: DocumentReport): number {
  return errorCount + warningCount + infoCount
}

function hasFindings(document: DocumentReport): boolean {
  return findingsOf(document) > 0
}

/** `OpenAPI 3.1.0, 12 operations, 2 webhooks, 9 schemas`; what there is none of is left out but for operations. */
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
