import help from '../../texts/diagnostics-help.json' with { type: 'json' }
import type { DiagnosticCode } from './diagnostic.ts'

/** A part of a document, page or setting that produces a diagnostic, or one that does not. */
export interface DiagnosticExample {
  readonly verdict: 'wrong' | 'right'
  /** What it is a part of, which decides the test that checks it. */
  readonly kind: string
  /** As in code blocks of Markdown. */
  readonly language: string
  /** A whole document. */
  readonly isRaw?: boolean
  /** Lines. */
  readonly text: readonly string[]
}

/** The explanation of a code. Texts are Markdown, with links relative to `docs`. */
interface DiagnosticHelp {
  /** The chapter of `docs/diagnostics.md` that starts with the code. */
  readonly chapter?: { readonly title: string; readonly intro?: string }
  /** What is wrong, and why it matters. */
  readonly what: string
  /** In the imperative, after "Fix:". */
  readonly fix: string
  /** Of a specification. */
  readonly section?: string
  readonly examples: readonly DiagnosticExample[]
}

/** The explanations of all codes. Large, so only load this module where they are shown. */
export const diagnosticHelp = help as { readonly [code in DiagnosticCode]: DiagnosticHelp }

/** What a code means and how to fix it, in Markdown, with absolute links. */
export function renderMeaning(code: DiagnosticCode): string {
  const { what, fix, section } = diagnosticHelp[code]
  const text = [what, `**Fix:** ${fix}`, ...(section === undefined ? [] : [`Section: ${section}.`])].join('\n\n')
  const base = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/'
  return text.replace(/\]\(#([\w-]+)\)/g, `](${base}diagnostics.md#$1)`).replace(/\]\((?!https?:)([\w./#-]+)\)/g, `](${base}$1)`)
}

/** The text of an example with its final line end. */
export function toText({ text }: DiagnosticExample): string {
  return text.map((line) => `${line}\n`).join('')
}

/** The explanation of a code with its examples, in Markdown. */
export function renderHelp(code: DiagnosticCode): string {
  const blocks = diagnosticHelp[code].examples.map((example) => {
    const title = example.verdict === 'wrong' ? 'Wrong' : 'Right'
    return `\n\n${title}:\n\n\`\`\`${example.language}\n${toText(example)}\`\`\``
  })
  return `${renderMeaning(code)}${blocks.join('')}`
}
