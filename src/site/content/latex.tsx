import { textOf } from '../../mdx/to-nodes.ts'
import type { ComponentProps } from './components.tsx'

/** `<Latex>`: the formula as it is written; setting it needs more script than a page has. */
export function Latex({ element }: ComponentProps) {
  return (
    <code class="math" role="math" aria-label="Formula in LaTeX">
      {textOf(element.children).trim()}
    </code>
  )
}

/** `<Kbd>`: a key. */
export function Kbd({ element }: ComponentProps) {
  return <kbd>{textOf(element.children)}</kbd>
}
