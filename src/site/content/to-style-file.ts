import { createHash } from 'node:crypto'
import type { SiteFile, SitePage } from '../types.ts'
import { renderStyles } from './page-styles.ts'

/**
 * The stylesheet of what only this page looks like (`style` and `class` in its text), beside it and named after its content; none for most
 * pages. Not one for the whole site: what a page loads would change with every other page, and all would have to be built to show one.
 */
export function toStyleFiles({ route }: Pick<SitePage, 'route'>, html: string): readonly SiteFile[] {
  const content = renderStyles(html)
  if (content === '') return []
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return [{ path: `${route === '' ? 'index' : route}.${hash}.css`, content }]
}
