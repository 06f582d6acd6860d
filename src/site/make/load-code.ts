import { mayHaveFormula } from '../content/parse-markdown.ts'
import { loadLanguages } from '../page/code/color-lines.ts'
import { addFormulaRenderer } from '../page/components/latex.tsx'

/** Loads what highlights the code of pages, and what renders their formulas. Code is plain in pages rendered before this completes. */
export async function loadCode(texts: readonly string[]): Promise<void> {
  await loadLanguages([...sampleLanguages, ...texts.flatMap(listCodeLanguages)])
  if (texts.some(mayHaveFormula)) addFormulaRenderer((await import('katex')).default)
}

/** Languages of samples and examples, which every reference page has. */
const sampleLanguages = ['bash', 'javascript', 'python', 'go', 'json', 'xml', 'html']

function listCodeLanguages(text: string): string[] {
  return Array.from(text.matchAll(/^[ \t]*(?:```|~~~)([\w#+-]+)/gm), ([, name = '']) => name)
}
