import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { type IconSets, isImagePath } from '../../plan/icon-sets.ts'
import type { SitePage } from '../../plan/types.ts'
import { resolveHref, type SiteContext } from '../site-context.ts'

/**
 * A decorative built-in icon, hidden from screen readers.
 *
 * It refers to the sprite at the end of the page (see `renderSprite`), which contains each icon once.
 */
export function Icon({ name, class: more }: { readonly name: keyof typeof drawnIcons; readonly class?: string }) {
  return (
    <svg class={more === undefined ? 'i' : `i ${more}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

interface NamedIconProps {
  /** As written in a page or `docs.json`: a name, or the path or URL of an image. */
  readonly name: string | undefined
  readonly context: Pick<SiteContext, 'plan' | 'hosting' | 'media' | 'notes'>
  /** The page with the name, which relative paths start from. Absent for names of the navigation. */
  readonly page?: SitePage
  readonly size?: number
}

/** Whether a name is that of an icon or an image that can be shown. */
export function isKnownIcon(name: string, { media, plan }: Pick<SiteContext, 'media' | 'plan'>): boolean {
  return isImagePath(name) ? isAllowedUrl(name, 'media') : media.icons.find(name, plan.settings.icons.library) !== undefined
}

/** An icon of an icon set, or an image. Unknown names render nothing. */
export function NamedIcon({ name, context, page, size }: NamedIconProps) {
  if (name === undefined || name.trim() === '') return null
  if (isImagePath(name)) {
    if (!isAllowedUrl(name, 'media')) return null
    const side = size ?? 16
    return <img class="i" src={resolveHref(context, name, page)} alt="" width={side} height={side} loading="lazy" />
  }
  const id = context.media.icons.find(name, context.plan.settings.icons.library)
  if (id === undefined) {
    if (page) context.notes?.onUnknownIcon?.(name)
    return null
  }
  return (
    <svg class="i named" aria-hidden="true" {...(size !== undefined && { width: size, height: size })}>
      <use href={`#${id}`} />
    </svg>
  )
}

/** The built-in icons, 16 px, as the content of their `<symbol>`. */
const drawnIcons = {
  branch:
    '<circle cx="4.5" cy="3.5" r="1.5"/><circle cx="4.5" cy="12.5" r="1.5"/><circle cx="11.5" cy="5.5" r="1.5"/><path d="M4.5 5v6M11.5 7c0 2.5-7 1.5-7 4"/>',
  bulb: '<path d="M6 11.5h4M6.5 13.75h3M5.75 9.4a4 4 0 1 1 4.5 0c-.4.3-.5.9-.5 1.1h-3.5c0-.2-.1-.8-.5-1.1Z"/>',
  chev: '<path d="m6 3.5 4.5 4.5L6 12.5"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.75"/><path d="M10.5 3.25A1.25 1.25 0 0 0 9.25 2.5h-5.5c-.7 0-1.25.55-1.25 1.25v5.5c0 .5.3.95.75 1.15"/>',
  cube: '<path d="m8 1.75 5.5 3.1v6.3L8 14.25l-5.5-3.1v-6.3Z"/><path d="m2.5 4.85 5.5 3.1 5.5-3.1M8 8v6.25"/>',
  down: '<path d="m3.5 6 4.5 4.5L12.5 6"/>',
  ext: '<path d="M6.5 3.5h-3v9h9v-3M9 2.75h4.25V7M13 3 7.5 8.5"/>',
  folder: '<path d="M1.75 12.5V3.5H6l1.5 2h6.75v7Z"/>',
  globe: '<circle cx="8" cy="8" r="6.25"/><path d="M1.75 8h12.5M8 1.75c4 4 4 8.5 0 12.5-4-4-4-8.5 0-12.5Z"/>',
  info: '<circle cx="8" cy="8" r="6.25"/><path d="M8 7.25V11M8 5v.05"/>',
  load: '<path d="M8 2.5V10M4.75 7 8 10.25 11.25 7M3 13.25h10"/>',
  menu: '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
  moon: '<path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z"/>',
  note: '<path d="M3.5 2.5h6l3 3v8h-9Z"/><path d="M5.75 8h4.5M5.75 10.5h3"/>',
  okc: '<circle cx="8" cy="8" r="6.25"/><path d="m5.25 8.25 2 2 3.5-4"/>',
  page: '<path d="M4 1.75h5l3.25 3.25v9.25H4Z"/><path d="M9 1.75V5h3.25"/>',
  play: '<path d="M5 3.25v9.5L12.5 8Z"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  redo: '<path d="M13.25 8A5.25 5.25 0 1 1 11.6 4.2L13.25 5.7"/><path d="M13.25 2.5v3.25H10"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  send: '<path d="M8 13V3M3.75 7.25 8 3l4.25 4.25"/>',
  stop: '<path d="M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4Z"/><path d="M8 5v3.5M8 10.9v.05"/>',
  sun: '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"/>',
  warn: '<path d="M8 2.25 14.25 13H1.75Z"/><path d="M8 6.5v3M8 11.2v.05"/>',
  x: '<path d="m4 4 8 8M12 4l-8 8"/>',
} as const

/** Required by the license of Font Awesome wherever its icons are copied. */
const attribution =
  '<!-- Font Awesome Free by @fontawesome - https://fontawesome.com License - https://fontawesome.com/license/free (Icons: CC BY 4.0) Copyright Fonticons, Inc. -->'

export const spriteId = 'i-sprite'

/** The sprite with the icons that a page uses; `''` if it uses none. The IDs are `i-…` for built-in icons, for others see `IconSets`. */
export function renderSprite(html: string, icons: IconSets): string {
  const ids = new Set(Array.from(html.matchAll(/<use href="#([a-z]+-[a-z0-9-]+)"/g), ([, id = '']) => id))
  const symbols = [...ids].sort().map((id) => {
    const name = id.slice(2)
    return id.startsWith('i-')
      ? Object.hasOwn(drawnIcons, name)
        ? `<symbol id="${id}" viewBox="0 0 16 16">${drawnIcons[name as keyof typeof drawnIcons]}</symbol>`
        : ''
      : icons.symbolOf(id)
  })
  const joined = symbols.join('')
  const credit = joined.includes('<symbol id="fa') ? attribution : ''
  return joined === '' ? '' : `<svg id="${spriteId}" class="sprite" aria-hidden="true">${credit}${joined}</svg>`
}
