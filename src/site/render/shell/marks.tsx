import type { SitePage } from '../types.ts'

/** The class of a method's colour; ones that OpenAPI does not name have that of a webhook. */
function toClass(method: string): string {
  const lower = method.toLowerCase()
  return ['get', 'post', 'put', 'patch', 'delete'].includes(lower) ? lower : 'other'
}

/** A method as a mark: the word first, then the shape, colour last. */
export function MethodMark({ method }: { readonly method: string }) {
  return <span class={`m ${toClass(method)}`}>{method}</span>
}

/** A method in the navigation: only the word, in a narrow column. */
export function SmallMethodMark({ method }: { readonly method: string }) {
  const short = { DELETE: 'DEL', OPTIONS: 'OPT', WEBHOOK: 'HOOK' }[method] ?? method.slice(0, 5)
  return <span class={`mm ${toClass(method)}`}>{short}</span>
}

/** The method that stands before a page's title in the navigation; absent for pages that are not about one. */
export function pageMethod({ subject }: SitePage): string | undefined {
  if (subject.kind === 'operation') return subject.target.slice(0, subject.target.indexOf(' '))
  if (subject.kind === 'endpoint') return subject.method
  return subject.kind === 'webhook' ? 'WEBHOOK' : undefined
}

/** A status code in the colour of its class. */
export function StatusMark({ statusCode }: { readonly statusCode: string }) {
  const kind = { 2: 'ok', 3: 'run', 4: 'warn', 5: 'bad' }[statusCode.charAt(0)] ?? 'other'
  return <span class={`st ${kind} num`}>{statusCode}</span>
}
