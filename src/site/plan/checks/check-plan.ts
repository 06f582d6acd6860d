import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { DocsConfig } from '../../../docs/navigation/docs-config.ts'
import { checkSettings, checkSettingValues } from '../check-settings.ts'
import type { IconSets } from '../icon-sets.ts'
import type { BrandColors } from '../plan-colors.ts'
import type { SitePlan } from '../types.ts'
import { checkPageIcons, checkSettingIcons, listSettingIconLinks } from './check-icons.ts'
import { checkFrontmatterKeys, checkSettingKeys } from './check-key-support.ts'
import { checkGroupBoosts, checkPages } from './check-pages.ts'
import { checkRedirects } from './check-redirects.ts'

interface CheckedSite {
  readonly plan: SitePlan
  readonly icons: IconSets
  /** Whether the server of the site has an MCP server. */
  readonly hasMcp: boolean
  /** The names of the integrations that published sites use. */
  readonly integrations: readonly string[] | undefined
}

/** Checks the settings of `docs.json` as written. */
export function checkSiteSettings(written: DocsConfig, colors: BrandColors | undefined, site: CheckedSite) {
  const { value, source } = written
  const { plan, icons } = site
  const values = checkSettingValues(value, source.path)
  const routes = new Set(plan.pages.map(({ route }) => route))
  return {
    findings: [
      ...values.findings,
      ...checkSettings(value, plan.settings, colors, source.path),
      ...checkRedirects(written, routes),
      ...checkSettingKeys(written, site),
      ...checkGroupBoosts(written),
      ...checkSettingIcons(value, source.path, { icons, plan }),
    ],
    settingLinks: [...values.links, ...listSettingIconLinks(value, source.path)],
  }
}

/** Checks the frontmatter of the pages of a site. @param prefix the docs directory with a final `/`, if it is not the boundary. */
export function checkSitePages(
  { plan, icons, hasMcp }: CheckedSite,
  textOf: (path: string) => string | undefined,
  prefix: string,
): Finding[] {
  return [
    ...checkFrontmatterKeys(plan.pages, { textOf, prefix, hasMcp }),
    ...checkPages(plan.pages, { textOf, prefix }),
    ...checkPageIcons(plan.pages, textOf, prefix, { icons, plan }),
  ]
}

/** Reports a site without pages. */
export function checkHasPages({ pages }: SitePlan, { source }: DocsConfig): Finding[] {
  if (pages.length > 0) return []
  return [
    {
      code: 'navigation-empty',
      message: 'Cannot find a page for the site: the navigation lists no existing pages',
      file: source.path,
      pointer: '/navigation',
      on: 'key',
      hint: 'List a page in `pages`, or set `openapi` on a tab or group',
    },
  ]
}
