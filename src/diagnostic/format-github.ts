import { escapeText } from '../text/escape-text.ts'
import { isUrl } from '../text/relative-path.ts'
import { diagnosticUrl } from './codes.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'

const commands: { readonly [severity in Severity]: string } = { error: 'error', warning: 'warning', info: 'notice' }

/**
 * Shows diagnostics to GitHub Actions: one workflow command a line, which becomes an annotation at the place.
 *
 * Files are relative to the top of the repository. Of one step GitHub shows ten errors, ten warnings and ten notices; the others
 * stand in the log only. Ends with a line end; `''` for no diagnostics.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${toAnnotation(diagnostic)}\n`).join('')
}

function toAnnotation(diagnostic: Diagnostic): string {
  const { code, severity, message, file, hint, related } = diagnostic
  const lines = [escapeText(message)]
  if (hint !== undefined) lines.push(`help: ${escapeText(hint)}`)
  for (const { file, range, message } of related) {
    lines.push(`note: ${escapeText(message)}: ${escapeText(file)}:${range.start.line}:${range.start.column}`)
  }
  lines.push(diagnosticUrl(code))
  if (isUrl(file)) lines.push(`${escapeText(file)}:${diagnostic.range.start.line}:${diagnostic.range.start.column}`)
  const properties = toProperties(diagnostic).map(([name, value]) => `${name}=${escapeProperty(escapeText(String(value)))}`)
  return `::${commands[severity]} ${properties.join(',')}::${escapeData(lines.join('\n'))}`
}

/** GitHub shows a document at an address nowhere, and takes columns only for a range on one line. */
function toProperties({ code, file, range }: Diagnostic): [name: string, value: string | number][] {
  const { start, end } = range
  const title: [string, string] = ['title', code]
  if (isUrl(file)) return [title]
  const lines: [string, string | number][] = [
    ['file', file],
    ['line', start.line],
    ['endLine', end.line],
  ]
  if (start.line === end.line) lines.push(['col', start.column], ['endColumn', end.column])
  return [...lines, title]
}

/** Source: "Workflow commands for GitHub Actions", and `command.ts` of its toolkit. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
