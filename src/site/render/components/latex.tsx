import type katex from 'katex'
import { textOf } from '../../content/mdx-values.ts'
import { Html, Raw } from '../html.ts'
import type { ComponentProps } from './component-props.tsx'

/** `<Latex>` and the formulas of Markdown; one that cannot be read is shown as it is written. */
export function Latex({ element }: ComponentProps) {
  const isBlock = element.props['block'] === true
  const tex = textOf(element.children).trim()
  const formula = setFormula(tex, isBlock)
  const shown = formula ? (
    <Raw html={formula} />
  ) : (
    <code class="math" role="math" aria-label="Formula in LaTeX">
      {tex}
    </code>
  )
  return isBlock ? <div class="formula">{shown}</div> : shown
}

/** `<Kbd>`: a key. */
export function Kbd({ element }: ComponentProps) {
  return <kbd>{textOf(element.children)}</kbd>
}

let library: typeof katex | undefined

/** Loads what sets formulas. What is set before is shown as it is written. */
export async function loadFormulas(): Promise<void> {
  library ??= (await import('katex')).default
}

/** Formulas that are longer are shown as they are written, in UTF-16 units. */
const maxLength = 5_000

/**
 * A formula in LaTeX as MathML, which browsers set without a script or a stylesheet; absent where it cannot be read. The same formula gives the
 * same bytes.
 *
 * Links, pictures and styles that a formula can ask for are not made.
 */
export function setFormula(tex: string, isBlock: boolean): Html | undefined {
  if (!library || tex.length > maxLength) return undefined
  try {
    const text = library.renderToString(tex, {
      output: 'mathml',
      displayMode: isBlock,
      strict: 'ignore',
      trust: false,
      maxSize: 20,
      maxExpand: 500,
    })
    // The policy of a page allows none. In words a quote is written as a reference.
    return new Html(text.replaceAll(/ style="[^"]*"/g, ''))
  } catch {
    return undefined
  }
}
