import { textOf } from '../../mdx/to-nodes.ts'
import { Raw } from '../raw.tsx'
import type { ComponentProps } from './components.tsx'
import { setFormula } from './set-formula.ts'

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
