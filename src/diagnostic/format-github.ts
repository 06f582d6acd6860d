import type { Diagnostic } from './diagnostic.ts'
import { type Annotation, toAnnotation } from './to-annotation.ts'

/**
 * Shows diagnostics to GitHub Actions: one workflow command a line, which becomes an annotation at the place.
 *
 * Files are relative to the top of the repository. Of one step GitHub shows ten errors, ten warnings and ten notices; the others
 * stand in the log only. Ends with a line end; `''` for no diagnostics.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${toCommand(toAnnotation(diagnostic))}\n`).join('')
}

function toCommand({ level, message, title, place }: Annotation): string {
  const properties: [name: string, value: string | number | undefined][] = [
    ['file', place?.file],
    ['line', place?.startLine],
    ['endLine', place?.endLine],
    ['col', place?.startColumn],
    ['endColumn', place?.endColumn],
    ['title', title],
  ]
  const given = properties.filter(([, value]) => value !== undefined)
  return `::${level} ${given.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')}::${escapeData(message)}`
}

/** Source: "Workflow commands for GitHub Actions", and `command.ts` of its toolkit. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
