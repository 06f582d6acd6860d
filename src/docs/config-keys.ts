import type { DivisionKind } from './types.ts'

/** The keys at the top of a `docs.json`. Source: Mintlify's settings reference, November 2026. */
export const docsConfigKeys = [
  ...[
    '$schema',
    '$ref',
    'theme',
    'name',
    'description',
    'colors',
    'navigation',
    'public',
    'logo',
    'favicon',
    'api',
    'appearance',
  ],
  ...[
    'background',
    'navbar',
    'footer',
    'search',
    'seo',
    'fonts',
    'icons',
    'styling',
    'redirects',
    'integrations',
    'banner',
    'errors',
  ],
  ...['contextual', 'thumbnails', 'interaction', 'metadata', 'variables', 'markdown'],
] as const

/** The keys at the top of a `mint.json`. Source: Mintlify's settings reference, November 2024. */
export const mintConfigKeys = [
  ...[
    '$schema',
    'name',
    'logo',
    'favicon',
    'colors',
    'theme',
    'layout',
    'background',
    'backgroundImage',
    'font',
    'modeToggle',
    'sidebar',
  ],
  ...[
    'topbar',
    'search',
    'rounded',
    'codeBlock',
    'navigation',
    'topbarLinks',
    'topbarCtaButton',
    'versions',
    'anchors',
    'topAnchor',
  ],
  ...[
    'tabs',
    'footer',
    'footerSocials',
    'feedback',
    'api',
    'openapi',
    'seo',
    'metadata',
    'redirects',
    'analytics',
    'integrations',
  ],
  ...['isWhiteLabeled', 'eyebrow', 'customCssFiles'],
] as const

/** What each kind of division says about itself beside its label. */
const ownKeys: { readonly [Kind in DivisionKind]: readonly string[] } = {
  navigation: ['global'],
  tab: ['icon', 'iconType', 'searchable', 'align', 'version'],
  anchor: ['icon', 'iconType', 'color', 'version'],
  dropdown: ['icon', 'iconType', 'color', 'description'],
  product: ['name', 'icon', 'iconType', 'color', 'description'],
  version: ['default', 'tag'],
  language: ['default', 'banner', 'footer', 'navbar'],
  item: ['icon', 'iconType', 'description'],
  group: ['icon', 'iconType', 'root', 'tag', 'expanded', 'public', 'searchable', 'boost', 'version'],
}

/** The lists of divisions and pages that each kind can have. */
export const childKeys: { readonly [Kind in DivisionKind]: readonly string[] } = {
  navigation: ['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'groups', 'pages'],
  tab: ['languages', 'versions', 'dropdowns', 'anchors', 'products', 'groups', 'pages', 'menu'],
  anchor: ['languages', 'versions', 'dropdowns', 'tabs', 'products', 'groups', 'pages'],
  dropdown: ['languages', 'versions', 'tabs', 'anchors', 'products', 'groups', 'pages'],
  product: ['languages', 'versions', 'tabs', 'anchors', 'dropdowns', 'groups', 'pages', 'menu'],
  version: ['languages', 'tabs', 'dropdowns', 'anchors', 'products', 'groups', 'pages'],
  language: ['versions', 'tabs', 'dropdowns', 'anchors', 'products', 'groups', 'pages'],
  item: ['languages', 'versions', 'dropdowns', 'anchors', 'products', 'tabs', 'groups', 'pages'],
  group: ['pages'],
}

/** Every key that a division of a kind can have. Source: Mintlify's schema of `docs.json`, November 2026. */
export function divisionKeys(kind: DivisionKind): readonly string[] {
  const label = kind === 'navigation' ? [] : [kind]
  const all = ['$ref', 'hidden', 'directory', 'openapi', 'asyncapi', 'graphql', 'sdk']
  const shared = kind === 'navigation' ? [] : kind === 'group' ? [] : ['href', 'global']
  return [...new Set([...label, ...all, ...shared, ...ownKeys[kind], ...childKeys[kind]])]
}
