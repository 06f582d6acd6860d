import { type Html, html } from '../html.ts'
import { Raw } from '../raw.tsx'
import type { drawnIcons } from './drawn-icons.ts'

/**
 * An icon of the site's own drawing. It says nothing by itself: what it stands beside does.
 *
 * It refers to the sheet at the end of the page (see `renderSprite`), so that an icon that stands there a hundred times is written once.
 */
export function Icon({ name, class: more }: { readonly name: keyof typeof drawnIcons; readonly class?: string }) {
  return <Raw html={renderIcon(name, more)} />
}

/** As `Icon`. */
export function renderIcon(name: keyof typeof drawnIcons, more?: string): Html {
  const use = html`<use href="#i-${name}"></use>`
  return html`<svg class="${more === undefined ? 'i' : `i ${more}`}" aria-hidden="true">${use}</svg>`
}
