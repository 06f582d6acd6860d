import type { DiagnosticHelp } from './help-texts.generated.ts'

/** The explanation of a code with its examples, in Markdown. */
export function renderHelp({ text, examples }: DiagnosticHelp): string {
  const blocks = examples.map(({ verdict, language, text: example }) => {
    return `\n\n${verdict === 'wrong' ? 'Wrong' : 'Right'}:\n\n\`\`\`${language}\n${example}\`\`\``
  })
  return `${text}${blocks.join('')}`
}
