import { Inside, readText, readTexts, Shown } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Update label description tags>`: one entry of a list of changes, with an address of its own. */
export function Update({ element, context, page }: ComponentProps) {
  const { props } = element
  const id = readText(props, 'id')
  const label = <Shown value={props['label']} context={context} page={page} />
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
        {props['description'] !== undefined && (
          <small>
            <Shown value={props['description']} context={context} page={page} />
          </small>
        )}
        {readTexts(props, 'tags').map((tag) => (
          <span class="tag">{tag}</span>
        ))}
      </div>
      <div class="prose">
        <Inside element={element} context={context} page={page} />
      </div>
    </section>
  )
}
