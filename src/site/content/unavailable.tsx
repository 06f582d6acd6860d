import type { ComponentProps } from './components.tsx'
import { readText } from './read-props.ts'
import { Inside } from './shown.tsx'

/** Stands where a page has a component that only running its code could show. */
export function Unavailable({ element, context, page }: ComponentProps) {
  const { props } = element
  return (
    <>
      <Inside element={element} context={context} page={page} />
      {context.isPreview && (
        <p class="hint">
          Only in the preview: <code>{readText(props, 'name')}</code> of <code>{readText(props, 'from')}</code> is not shown. It
          would have to be run.
        </p>
      )}
    </>
  )
}
