import { type Diagnostic, diagnosticCodes, ruleNameOf, ruleUrlOf } from '../../diagnostics/diagnostic.ts'
import { renderHelp } from '../../diagnostics/help-texts.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'

/** Explains the code or rule of a diagnostic in Markdown: its title, why it matters, and how to fix it. */
export function explainProblem(diagnostic: Pick<Diagnostic, 'code' | 'rule'>): string {
  const { code } = diagnostic
  return `**${diagnosticCodes[code].title}** · [${toInlineCode(ruleNameOf(diagnostic))}](${ruleUrlOf(diagnostic)})\n\n${renderHelp(code)}`
}

/** Names of rules are untrusted. */
function toInlineCode(name: string): string {
  return `\`${toOneLine(name).replaceAll('`', "'")}\``
}
