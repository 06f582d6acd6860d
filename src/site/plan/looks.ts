import type { LookName } from '../../docs/config/project-config.ts'
import { readOwn, stringOf } from '../../text/json/json-values.ts'
import type { SiteSettings } from './types.ts'

/** The look that is nearest to each `theme` of `docs.json`. */
const nearestLooks: Readonly<Record<string, LookName>> = {
  mint: 'clear',
  aspen: 'clear',
  willow: 'clear',
  linden: 'compact',
  palm: 'compact',
  sequoia: 'compact',
  almond: 'soft',
  luma: 'soft',
  maple: 'soft',
}

/** The look of a site: that of `site.theme`, else the one nearest to the `theme` of `docs.json`. */
export function chooseLook(asked: LookName | undefined, theme: unknown): LookName {
  return asked ?? readOwn(nearestLooks, stringOf(theme) ?? '') ?? 'clear'
}

/** The fonts of a site. Those of `docs.json` replace the font of the look `compact`. */
export function chooseFonts({ fonts }: Pick<SiteSettings, 'fonts'>, look: LookName): SiteSettings['fonts'] {
  return look === 'compact' && fonts.body === undefined ? { ...fonts, body: 'inter' } : fonts
}
