import { escapeXml } from '../../../text/plain/escape-text.ts'
import type { SiteFile } from '../../plan/types.ts'
import { hashForName } from '../site-context.ts'

/** Draws a favicon: the first letter or digit of a title in white on a color. Returns `undefined` if there is none. */
export function drawFavicon(title: string, color: string): SiteFile | undefined {
  const [letter] = /[\p{L}\p{N}]/u.exec(title) ?? []
  if (letter === undefined) return undefined
  const content = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    `<rect width="32" height="32" rx="7" fill="${escapeXml(color)}"/>`,
    '<text x="16" y="23" fill="#fff" font-family="system-ui,sans-serif" font-size="20" font-weight="600" text-anchor="middle">',
    escapeXml(letter.toUpperCase()),
    '</text></svg>\n',
  ].join('')
  return { path: `_assets/favicon-${hashForName(content)}.svg`, content }
}
