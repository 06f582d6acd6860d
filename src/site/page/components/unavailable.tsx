import { type ComponentProps, readText, toLink } from './component-props.tsx'

/** Replaces a component that would need to run code from the page. Shows its children and its link. */
export function Unavailable({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = toLink(props, 'href', { context, page })
  const inside = element.children.length > 0 ? show(element.children) : readText(props, 'title')
  return (
    <>
      {href === undefined ? inside : <a href={href}>{inside ?? href}</a>}
      {context.hosting.isPreview && href === undefined && (
        <p class="hint">
          Preview only: <code>{readText(props, 'name')}</code> from <code>{readText(props, 'from')}</code> is not shown, because
          pages cannot run code.
        </p>
      )}
    </>
  )
}
