import type drawnIcons from '../../../../texts/drawn-icons.json'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { type IconSets, isImagePath } from '../../plan/icon-sets.ts'
import type { SitePage } from '../../plan/types.ts'
import { listValues } from '../element-ids.ts'
import { resolveHref, type SiteContext } from '../site-context.ts'

/** A decorative built-in icon. The stylesheet draws it, because every page has several. Screen readers ignore empty elements. */
export function Icon({ name, class: more }: { readonly name: keyof typeof drawnIcons; readonly class?: string }) {
  return <i class={more === undefined ? `i i-${name}` : `i i-${name} ${more}`} />
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
  if (id === undefined) return null
  return (
    <svg class="i named" aria-hidden="true" {...(size !== undefined && { width: size, height: size })}>
      <use href={`#${id}`} />
    </svg>
  )
}

/** Required by the license of Font Awesome wherever its icons are copied. */
const attribution =
  '<!-- Font Awesome Free by @fontawesome - https://fontawesome.com License - https://fontawesome.com/license/free (Icons: CC BY 4.0) Copyright Fonticons, Inc. -->'

export const spriteId = 'i-sprite'

/** The sprite with the icons of icon sets that a page uses. It is the last element of every page. For the IDs, see `IconSets`. */
export function renderSprite(html: string, icons: IconSets): string {
  const ids = new Set(listValues(html, '<use href="#').filter((id) => /^[a-z]+-[a-z0-9-]+$/.test(id)))
  const symbols = [...ids].sort().map((id) => icons.symbolOf(id))
  const credit = symbols.some((symbol) => symbol.includes('<symbol id="fa')) ? attribution : ''
  return `<svg id="${spriteId}" class="sprite" aria-hidden="true">${credit}${symbols.join('')}</svg>`
}
