import type { TypePart } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'

/** A type in words; named schemas link to their pages. */
export function TypeText({ type, api }: { readonly type: readonly TypePart[]; readonly api: ApiContext }) {
  return (
    <>
      {type.map(({ text, target }) => {
        const href = target && api.schemaHref(target)
        return href === undefined ? text : <a href={href}>{text}</a>
      })}
    </>
  )
}
