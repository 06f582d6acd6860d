import { type ComponentProps, readText, readTexts, toClassName } from './component-props.tsx'

/** `<Update label description tags>`: a changelog entry with a permalink. */
export function Update({ element, show }: ComponentProps) {
  const { props } = element
  const id = readText(props, 'id')
  const label = show(props['label'])
  return (
    <section class={toClassName(props, 'entry')} id={id}>
      <div>
        {id === undefined ? (
          label
        ) : (
          <a class="h" href={`#${id}`}>
            {label}
          </a>
        )}
        {props['description'] !== undefined && <small>{show(props['description'])}</small>}
        {readTexts(props, 'tags').map((tag) => (
          <span class="tag">{tag}</span>
        ))}
      </div>
      <div class="prose">{show(element.children)}</div>
    </section>
  )
}
