import type katex from 'katex'
import { textOf } from '../../../script/values/values.ts'
import { Html, Raw } from '../html.tsx'
import type { ComponentProps } from './component-props.tsx'

/** `<Latex>` and Markdown formulas. Invalid formulas are shown as source code. */
export function Latex({ element, context }: ComponentProps) {
  const isBlock = element.props['block'] === true
  const tex = textOf(element.children).trim()
  const formula = renderFormula(tex, isBlock)
  const shown = formula ? (
    <Raw html={formula} />
  ) : (
    <code class="math" role="math" aria-label={context.messages.guide.formula}>
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

/** Renders formulas with this library from now on. Until then, they are shown as source code. */
export function addFormulaRenderer(renderer: typeof katex): void {
  library = renderer
}

/** The longest formula that is rendered, in UTF-16 code units. */
const maxLength = 5_000

/**
 * Converts a LaTeX formula to MathML, which needs no script or stylesheet; `undefined` for invalid formulas. The output is deterministic.
 *
 * Links, images and styles in formulas are ignored.
 */
export function renderFormula(tex: string, isBlock: boolean): Html | undefined {
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
    // The page's Content Security Policy forbids `style` attributes. Quotes in text are escaped, so the pattern matches only attributes.
    return new Html(text.replaceAll(/ style="[^"]*"/g, ''))
  } catch {
    return undefined
  }
}
