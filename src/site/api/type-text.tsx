import type { TypePart } from '../../reference/types.ts'
import { type Html, html } from '../html.ts'
import { Raw } from '../raw.tsx'
import type { ApiContext } from './api-context.ts'

interface TypeTextProps {
  readonly type: readonly TypePart[]
  readonly api: ApiContext
}

/** A type in words; named schemas link to their pages. */
export function TypeText({ type, api }: TypeTextProps) {
  return <Raw html={renderType(type, api)} />
}

/** As `TypeText`. */
export function renderType(type: readonly TypePart[], api: ApiContext): Html {
  return html`${type.map(({ text, target }) => {
    const href = target && api.schemaHref(target)
    return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`
  })}`
}
