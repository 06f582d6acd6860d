import { Icon } from '../icons/icon.tsx'
import { type SiteContext, toAssetHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'

/** What the button that opens the playground needs to know. */
export interface PlayButtonProps {
  readonly site: SiteContext
  /** The file of this operation alone, which the playground reads. */
  readonly slicePath: string
}

/**
 * Opens the playground, of which nothing is loaded before. All that its script has to know stands on it; without script it is not there.
 *
 * Source: docs.json, `api.playground` and `api.examples`.
 */
export function PlayButton({ site, slicePath }: PlayButtonProps) {
  const { playground, examples } = site.plan.settings.api
  return (
    <button
      type="button"
      class="btn primary needs-js"
      aria-haspopup="dialog"
      data-open="playground"
      data-slice={toAssetHref(site, slicePath)}
      data-stylesheet={toAssetHref(site, site.assets.playground)}
      data-with-cookies={playground.credentials ? '' : undefined}
      data-prefill={examples.prefill ? '' : undefined}
      data-defaults={examples.defaults}
      data-languages={examples.languages?.join(' ')}
    >
      <Icon name="play" /> Try it
    </button>
  )
}

/** How a page shows its operation: `playground` of its frontmatter, else of docs.json. */
export function toPlaygroundDisplay({ frontmatter }: SitePage, { plan }: SiteContext): 'interactive' | 'simple' | 'none' {
  const { playground: own } = frontmatter
  const display = displays.find((one) => one === own) ?? plan.settings.api.playground.display
  // Only for readers who have signed in; nobody signs in to a static site.
  return display === 'auth' ? 'simple' : display
}

const displays = ['interactive', 'simple', 'none', 'auth'] as const
