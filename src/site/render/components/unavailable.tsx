import { type ComponentProps, readText, toLink } from './component-props.tsx'

/** Stands where a page has a component that only running its code could show: what is inside it, and where it leads. */
export function Unavailable({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = toLink(props, 'href', { context, page })
  const inside = element.children.length > 0 ? show(element.children) : readText(props, 'title')
  return (
    <>
      {href === undefined ? inside : <a href={href}>{inside ?? href}</a>}
      {context.isPreview && href === undefined && (
        <p class="hint">
          Only in the preview: <code>{readText(props, 'name')}</code> of <code>{readText(props, 'from')}</code> is not shown. It
          would have to be run.
        </p>
      )}
    </>
  )
}
