import { packageIcons } from '../../../src/site/make/assets/read-site-assets.ts'
import { english } from '../../../src/site/messages/messages.ts'
import type { SiteContext } from '../../../src/site/page/site-context.ts'
import { readSettings } from '../../../src/site/plan/read-settings.ts'
import type { SitePage } from '../../../src/site/plan/types.ts'

/** A guide outside of the navigation. */
export function testPage(route: string, more: Partial<SitePage> = {}): SitePage {
  return {
    route,
    path: `${route === '' ? 'index' : route}.mdx`,
    title: route,
    sidebarTitle: route,
    description: undefined,
    icon: undefined,
    tag: undefined,
    deprecated: false,
    labels: [],
    mode: 'default',
    externalUrl: undefined,
    hidden: false,
    noindex: false,
    frontmatter: {},
    subject: { kind: 'guide' },
    trail: [],
    ...more,
  }
}

/** A site at `/docs/` without a navigation. */
export function testContext(pages: readonly SitePage[], settings: Parameters<typeof readSettings>[0] = {}): SiteContext {
  const navigation = {
    kind: 'navigation',
    id: '',
    label: '',
    icon: undefined,
    description: undefined,
    tag: undefined,
    hidden: false,
    isDefault: false,
    searchable: false,
    expanded: true,
    root: undefined,
    directory: 'none',
    href: undefined,
    children: [],
  } as const
  return {
    plan: {
      settings: { ...readSettings(settings), redirects: [] },
      navigation,
      pages,
      pageByRoute: new Map(pages.map((page) => [page.route, page])),
      operationRoutes: new Map(),
    },
    hosting: { base: '/docs/', url: undefined, isPreview: false },
    assets: { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', feedback: '', playground: '' },
    messages: english,
    media: { icons: packageIcons },
  }
}
