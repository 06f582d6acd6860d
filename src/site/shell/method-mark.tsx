import { type Html, html } from '../html.ts'
import { Raw } from '../raw.tsx'

/** The class of a method's colour; ones that OpenAPI does not name have that of a webhook. */
function toClass(method: string): string {
  const lower = method.toLowerCase()
  return ['get', 'post', 'put', 'patch', 'delete'].includes(lower) ? lower : 'other'
}

/** A method as a mark: the word first, then the shape, colour last. */
export function MethodMark({ method }: { readonly method: string }) {
  return <Raw html={renderMethodMark(method)} />
}

/** As `MethodMark`. */
export function renderMethodMark(method: string): Html {
  return html`<span class="m ${toClass(method)}">${method}</span>`
}

/** A method in the navigation: only the word, in a narrow column. */
export function SmallMethodMark({ method }: { readonly method: string }) {
  const short = { DELETE: 'DEL', OPTIONS: 'OPT', WEBHOOK: 'HOOK' }[method] ?? method.slice(0, 5)
  return <span class={`mm ${toClass(method)}`}>{short}</span>
}
