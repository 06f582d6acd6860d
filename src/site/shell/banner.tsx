import { createHash } from 'node:crypto'
import { markdownToNodes } from '../../mdx/mdx-reader.ts'
import { ContentNodes } from '../content/content-nodes.tsx'
import { Icon } from '../icons/icon.tsx'
import { settingsOf } from '../settings-of.ts'
import type { SiteContext } from '../site-context.ts'
import type { SitePage, SiteSettings } from '../types.ts'

/** What docs.json announces on every page. One that was sent away comes back when its words change. */
export function Banner({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  const { banner } = settingsOf(page, context.plan.settings)
  if (!banner) return null
  return (
    <aside class="banner" aria-label="Announcement">
      <div>
        <ContentNodes nodes={markdownToNodes(banner.content)} context={context} page={page} />
      </div>
      {banner.dismissible && (
        <button
          type="button"
          class="btn quiet icon needs-js"
          data-close-banner={bannerId(banner)}
          aria-label="Close the announcement"
        >
          <Icon name="x" />
        </button>
      )}
    </aside>
  )
}

/** Names the words of a banner, so that a browser can remember which it was told to leave out. */
export function bannerId({ content }: NonNullable<SiteSettings['banner']>): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8)
}
