import { diagnosticCodes } from '../../diagnostics/codes.ts'
import { type Diagnostic, ruleNameOf, ruleUrlOf } from '../../diagnostics/diagnostic.ts'
import { helpTexts } from '../../diagnostics/help-texts.generated.ts'
import { renderHelp } from '../../diagnostics/render-help.ts'
import { toOneLine } from '../../source/escape-text.ts'

/** Explains the code or rule of a diagnostic in Markdown: its title, why it matters, and how to fix it. */
export function explainProblem(diagnostic: Pick<Diagnostic, 'code' | 'rule'>): string {
  const { code } = diagnostic
  // Wrapped for the file, but editors show line ends.
  const lines = renderHelp(helpTexts[code])
    .split(/(```[\s\S]*?```)/)
    .map((part) => (part.startsWith('```') ? part : part.replace(/(\S)\n(?=[\w`[(*])/g, '$1 ')))
  return `**${diagnosticCodes[code].title}** · [${toInlineCode(ruleNameOf(diagnostic))}](${ruleUrlOf(diagnostic)})\n\n${lines.join('')}`
}

/** Names of rules are untrusted. */
function toInlineCode(name: string): string {
  return `\`${toOneLine(name).replaceAll('`', "'")}\``
}
