import type { ComponentChildren } from 'preact'
import type { Label } from '../../../openapi/types.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import type { SitePage } from '../../plan/types.ts'

/** The color class of a method. Uncommon methods and webhooks share one class. */
function toClass(method: string): string {
  const lower = method.toLowerCase()
  return ['get', 'post', 'put', 'patch', 'delete'].includes(lower) ? lower : 'other'
}

/** A method label. */
export function MethodMark({ method }: { readonly method: string }) {
  return <span class={`m ${toClass(method)}`}>{method}</span>
}

/** A short method label for the navigation. */
export function SmallMethodMark({ method }: { readonly method: string }) {
  const short = readOwn({ DELETE: 'DEL', OPTIONS: 'OPT', WEBHOOK: 'HOOK' }, method) ?? method.slice(0, 5)
  return <span class={`mm ${toClass(method)}`}>{short}</span>
}

/** The method shown before a page title in the navigation; `undefined` for pages without an operation. */
export function pageMethod({ subject, frontmatter }: SitePage): string | undefined {
  if (frontmatter['hideApiMarker'] === true) return undefined
  if (subject.kind === 'operation') return subject.target.slice(0, subject.target.indexOf(' '))
  if (subject.kind === 'endpoint') return subject.method
  return subject.kind === 'webhook' ? 'WEBHOOK' : undefined
}

/** The classes of the colors of labels. */
const labelClasses = { green: 'ok', amber: 'warn', red: 'bad', blue: 'run', violet: 'tip' } as const

/** Labels of an operation, parameter or property, before or after its name. */
export function showLabels(labels: readonly Label[], at: Label['position']): ComponentChildren {
  return labels.map(
    ({ text, position, color }) =>
      position === at && (
        <>
          {at === 'after' && ' '}
          <span class={color === undefined ? 'tag' : `tag ${labelClasses[color]}`} dir="auto">
            {text}
          </span>
          {at === 'before' && ' '}
        </>
      ),
  )
}

/** A status code in the color of its class. */
export function StatusMark({ statusCode }: { readonly statusCode: string }) {
  const kind = readOwn({ 2: 'ok', 3: 'run', 4: 'warn', 5: 'bad' }, statusCode.charAt(0)) ?? 'other'
  return <span class={`st ${kind} num`}>{statusCode}</span>
}
