import { findIcon } from './find-icon.ts'

/** The icon that a page or docs.json names; nothing where there is none of that name. */
export function NamedIcon({ name, size }: { readonly name: string | undefined; readonly size?: number }) {
  const found = name === undefined ? undefined : findIcon(name)
  if (found === undefined) return null
  return (
    <svg class="i named" aria-hidden="true" {...(size !== undefined && { width: size, height: size })}>
      <use href={`#l-${found}`} />
    </svg>
  )
}
