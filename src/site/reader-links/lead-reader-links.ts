import { decodePercent } from '../../text/relative-path.ts'
import { toLooseId } from '../../text/to-loose-id.ts'
import { escapeHtml } from '../html.ts'
import { listIds, unescapeHtml } from '../part-ids.ts'
import { type SiteContext, toHref } from '../site-context.ts'
import { type FoundPart, findNamedPart, type NamedParts } from './find-named-part.ts'
import { readReaderLink } from './read-reader-link.ts'

/** Where the links of a page lead that were written for another reader of descriptions, by what is written (`#operation/getPet`). */
export type LedLinks = ReadonlyMap<string, FoundPart>

/**
 * Finds the links of a page that lead within it, and that lead to no part of it but to what they name in a description. Of several descriptions
 * only one may have it.
 *
 * @param namedParts is asked where there is such a link.
 */
export function findLedLinks(
  links: Iterable<string>,
  html: string,
  route: string,
  namedParts: () => readonly NamedParts[],
): LedLinks {
  const inside = [...links].filter((link) => /^#[^:]/.test(link))
  if (inside.length === 0) return new Map()
  const ids = listIds(html)
  const exact = new Set(ids)
  const led = new Map<string, FoundPart>()
  for (const link of inside) {
    const fragment = link.slice(1)
    if (exact.has(fragment) || exact.has(decodePercent(fragment))) continue
    const named = readReaderLink(fragment)
    // Browsers find what is written in another way: see `openTarget`.
    if (!named && ids.some((id) => toLooseId(id) === toLooseId(decodePercent(fragment)))) continue
    const found = namedParts().flatMap((parts) => findNamedPart(fragment, parts) ?? [])
    const [first] = found
    if (first && found.every((one) => one.route === first.route && one.id === first.id)) led.set(link, first)
    else if (!first && named?.kind === 'section') {
      const id = ids.find((one) => toLooseId(one) === toLooseId(named.heading))
      if (id !== undefined) led.set(link, { route, id })
    }
  }
  return led
}

/** The address of what a link leads to, inside a site. */
export function toLedHref(context: Pick<SiteContext, 'base'>, { route, id }: FoundPart): string {
  return toHref(context, route) + (id === undefined ? '' : `#${id}`)
}

/** The HTML of a page with its links to these. */
export function leadHtml(html: string, led: LedLinks, toAddress: (found: FoundPart) => string): string {
  if (led.size === 0) return html
  return html.replace(/ href="(#[^"]+)"/g, (whole, written: string) => {
    const found = led.get(unescapeHtml(written))
    return found ? ` href="${escapeHtml(toAddress(found))}"` : whole
  })
}

/** The Markdown of a page with its links to these. */
export function leadMarkdown(text: string, led: LedLinks, toAddress: (found: FoundPart) => string): string {
  if (led.size === 0) return text
  // Markdown beside HTML is read with its addresses encoded.
  const decoded = new Map(Array.from(led, ([link, found]) => [decodePercent(link), found]))
  return text.replace(
    /(\]\(<?|\]:[ \t]*<?|href=["'])(#[^\s"'<>\]]+?)(?=\)?[>"'\s]|\)|$)/gm,
    (whole, before: string, written: string) => {
      const found = decoded.get(decodePercent(written))
      return found ? before + toAddress(found) : whole
    },
  )
}
