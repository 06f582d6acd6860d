/**
 * What a site does with Mintlify's frontmatter and with settings of `docs.json` that changed since August 2025. `page-features.test.ts` tests each row, and
 * `components-page.test.ts` writes them to `docs/components.md`.
 *
 * Source: the pages on frontmatter and settings, and the changelog of Mintlify's documentation, August 2026.
 */
export interface PageSupport {
  readonly name: string
  readonly support: 'rendered' | 'different' | 'ignored'
  /** The lines of the frontmatter, or the value of the setting as JSON. */
  readonly written: string
  /** What it adds to the page; not for ignored keys. `-` and text: what it removes. */
  readonly shows?: string | undefined
  readonly note?: string | undefined
}

type Row = readonly [
  name: string,
  support: PageSupport['support'],
  written: string,
  shows?: string | undefined,
  note?: string | undefined,
]

function toSupport([name, support, written, shows, note]: Row): PageSupport {
  return { name, support, written, shows, note }
}

export const frontmatterSupport: readonly PageSupport[] = (
  [
    ['title', 'rendered', 'title: Begin here', '<title>Begin here'],
    ['description', 'rendered', 'description: How to begin', 'How to begin'],
    ['sidebarTitle', 'rendered', 'sidebarTitle: Begin', '>Begin<'],
    ['icon', 'rendered', 'icon: star', 'star"'],
    ['iconType', 'different', 'icon: bell\niconType: regular', 'far-bell', 'Styles of Font Awesome Pro become solid or regular'],
    ['tag', 'rendered', 'tag: NEW', '>NEW<'],
    ['deprecated', 'rendered', 'deprecated: true', 'class="tag dep"'],
    ['hidden', 'rendered', 'hidden: true', 'content="noindex"'],
    ['noindex', 'rendered', 'noindex: true', 'content="noindex"'],
    ['searchable', 'rendered', 'searchable: false', '', '`false` removes the page from the search'],
    ['boost', 'ignored', 'boost: 3', undefined, 'The search ranks pages by their text'],
    ['keywords', 'rendered', 'keywords: billing', 'name="keywords"', 'A meta tag. The search also finds the page by them'],
    ['mode: wide', 'rendered', 'mode: wide', 'page app'],
    ['mode: center', 'rendered', 'mode: center', 'page middle'],
    ['mode: frame', 'rendered', 'mode: frame', '-class="pager"'],
    ['mode: custom', 'rendered', 'mode: custom', 'wrap bare'],
    ['mode: assistant', 'ignored', 'mode: assistant', undefined, 'A site has no assistant. The page shows its content'],
    ['url', 'rendered', 'url: https://example.com/x', 'https://example.com/x'],
    ['hideFooterPagination', 'rendered', 'hideFooterPagination: true', '-class="pager"'],
    ['hideApiMarker', 'rendered', 'hideApiMarker: true', ''],
    [
      'related',
      'different',
      'related: [/guides/next]',
      'aria-label="Related topics"',
      'Only pages that the list names. There are no automatic suggestions',
    ],
    ['contextual', 'rendered', 'contextual: { options: [] }', '-Copy page'],
    [
      'timestamp',
      'different',
      'timestamp: true\nlastUpdatedDate: 2026-08-13',
      'August 13, 2026',
      'Only for pages with `lastUpdatedDate`, because a build does not read the Git history',
    ],
    ['lastUpdatedDate', 'rendered', 'timestamp: true\nlastUpdatedDate: 2026-08-14T10:00:00Z', 'August 14, 2026'],
    ['og:…, twitter:…', 'rendered', '"og:image": https://example.com/a.png', 'property="og:image"'],
    [
      'groups, public',
      'different',
      'public: true',
      undefined,
      'A page with `groups` or `public: false` is [left out](diagnostics.md#content-restricted): a site has no users',
    ],
    ['rss', 'ignored', 'rss: true', undefined, 'A site has no feeds'],
    ['sdk, asyncapi, graphql', 'ignored', 'sdk: a\nasyncapi: b\ngraphql: c', undefined, 'Only OpenAPI documents are supported'],
    ['other keys', 'ignored', 'product: API', undefined, 'Available to expressions in the page'],
  ] satisfies readonly Row[]
).map(toSupport)

export const settingSupport: readonly PageSupport[] = (
  [
    [
      'banner.type',
      'different',
      '{ "banner": { "content": "a", "type": "critical" } }',
      'banner critical',
      'A light background with dark text',
    ],
    [
      'banner.color',
      'different',
      '{ "banner": { "content": "a", "color": { "light": "#7C3AED" } } }',
      'banner b-',
      'The text is white or black, whichever is readable',
    ],
    ['metadata.timestamp', 'different', '{ "metadata": { "timestamp": true } }', '', 'See `timestamp` in the frontmatter'],
    [
      'navigation.directory',
      'rendered',
      '{ "navigation": { "directory": "card", "groups": [{ "group": "A", "root": "guides/start", "pages": ["guides/next", "index"] }] } }',
      'class="directory"',
    ],
    [
      'contextual.options: copy, view, chatgpt, claude, perplexity, grok, aistudio',
      'rendered',
      '{ "contextual": { "options": ["view"] } }',
      '-Copy as Markdown',
    ],
    [
      'contextual.options: download-spec',
      'different',
      '{ "contextual": { "options": ["copy", "view", "download-spec"] } }',
      '',
      'The menu of API pages always has the OpenAPI document',
    ],
    [
      'contextual.options: mcp, cursor, vscode, devin, assistant, download-pdf',
      'ignored',
      '{ "contextual": { "options": ["copy", "view", "cursor", "mcp"] } }',
      undefined,
      'A site has no MCP server and no assistant',
    ],
    [
      'seo.organization, seo.trailingSlash',
      'ignored',
      '{ "seo": { "organization": { "name": "a" }, "trailingSlash": true } }',
      undefined,
      'Pages have no structured data. Their URLs always end with a slash',
    ],
    [
      'search.prompt, thumbnails',
      'ignored',
      '{ "search": { "prompt": "Ask" }, "thumbnails": { "background": "/a.png" } }',
      undefined,
      'The search has a fixed label, and a site has no generated images',
    ],
  ] satisfies readonly Row[]
).map(toSupport)
