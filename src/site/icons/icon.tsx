import type { drawnIcons } from './drawn-icons.ts'

/**
 * An icon of the site's own drawing. It says nothing by itself: what it stands beside does.
 *
 * It refers to the sheet at the end of the page (see `renderSprite`), so that an icon that stands there a hundred times is written once.
 */
export function Icon({ name, class: more }: { readonly name: keyof typeof drawnIcons; readonly class?: string }) {
  return (
    <svg class={more === undefined ? 'i' : `i ${more}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
