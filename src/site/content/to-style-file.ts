import { createHash } from 'node:crypto'
import type { SiteFile } from '../types.ts'
import { renderStyles } from './page-styles.ts'

/**
 * The stylesheet of what only this page looks like (`style` and `class` in its text), named after its content; none for most pages. Not one for
 * the whole site: what a page loads would change with every other page, and all would have to be built to show one.
 */
export function toStyleFiles(html: string): readonly SiteFile[] {
  const content = renderStyles(html)
  if (content === '') return []
  return [{ path: `_assets/page-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.css`, content }]
}
