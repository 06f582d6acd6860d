/**
 * What keys of Mintlify's frontmatter and `docs.json` show on a page. `page-features.test.ts` tests each row. `src/docs-config/key-support.ts` has all keys, and
 * `key-support.test.ts` tests those that change other files of a site, or nothing.
 */
export interface PageFeature {
  readonly name: string
  /** The lines of the frontmatter, or keys of `docs.json` as JSON. */
  readonly written: string
  /** What it adds to the page, if it changes it. `-` and text: what it removes. */
  readonly shows?: string | undefined
}

type Row = readonly [name: string, written: string, shows?: string | undefined]

function toFeature([name, written, shows]: Row): PageFeature {
  return { name, written, shows }
}

export const frontmatterFeatures: readonly PageFeature[] = (
  [
    ['title', 'title: Begin here', '<title>Begin here'],
    ['description', 'description: How to begin', 'How to begin'],
    ['sidebarTitle', 'sidebarTitle: Begin', '>Begin<'],
    ['icon', 'icon: star', 'star"'],
    ['iconType', 'icon: bell\niconType: regular', 'far-bell'],
    ['tag', 'tag: NEW', '>NEW<'],
    ['deprecated', 'deprecated: true', 'class="tag dep"'],
    ['hidden', 'hidden: true', 'content="noindex"'],
    ['noindex', 'noindex: true', 'content="noindex"'],
    ['searchable', 'searchable: false', ''],
    ['boost', 'boost: 3', ''],
    ['keywords', 'keywords: billing', 'name="keywords"'],
    ['mode: wide', 'mode: wide', 'page app'],
    ['mode: center', 'mode: center', 'page middle'],
    ['mode: frame', 'mode: frame', '-class="pager"'],
    ['mode: custom', 'mode: custom', 'wrap bare'],
    ['url', 'url: https://example.com/x', 'https://example.com/x'],
    ['hideFooterPagination', 'hideFooterPagination: true', '-class="pager"'],
    ['hideApiMarker', 'hideApiMarker: true', ''],
    ['related', 'related: [/guides/next]', 'aria-label="Related topics"'],
    ['contextual', 'contextual: { options: [] }', '-Copy page'],
    ['timestamp', 'timestamp: true\nlastUpdatedDate: 2026-08-13', 'August 13, 2026'],
    ['lastUpdatedDate', 'timestamp: true\nlastUpdatedDate: 2026-08-14T10:00:00Z', 'August 14, 2026'],
    ['og:…, twitter:…', '"og:image": https://example.com/a.png', 'property="og:image"'],
    ['robots', 'robots: noindex, nofollow', 'name="robots" content="noindex, nofollow"'],
    ['canonical', 'canonical: https://example.com/latest', 'rel="canonical" href="https://example.com/latest"'],
    ['api', 'api: POST /orders', 'POST'],
    ['public: true', 'public: true'],
    ['other keys', 'product: API\nversion: 2\nauthors: [a]\ncreatedDate: 2026-01-01\nauth: a'],
  ] satisfies readonly Row[]
).map(toFeature)

export const settingFeatures: readonly PageFeature[] = (
  [
    ['seo.organization', '{ "seo": { "organization": { "name": "Acme Inc." } } }', '"name":"Acme Inc."'],
    ['search.prompt', '{ "search": { "prompt": "Ask" } }', '<span>Ask</span>'],
    ['banner.type', '{ "banner": { "content": "a", "type": "critical" } }', 'banner critical'],
    ['banner.color', '{ "banner": { "content": "a", "color": { "light": "#7C3AED" } } }', 'banner b-'],
    ['metadata.timestamp', '{ "metadata": { "timestamp": true } }', ''],
    [
      'navigation.directory',
      '{ "navigation": { "directory": "card", "groups": [{ "group": "A", "root": "guides/start", "pages": ["guides/next", "index"] }] } }',
      'class="directory"',
    ],
    ['contextual.options', '{ "contextual": { "options": ["view"] } }', '-Copy as Markdown'],
    ['contextual.options: download-spec', '{ "contextual": { "options": ["copy", "view", "download-spec"] } }', ''],
    ['seo.paths', '{ "seo": { "paths": [{ "path": "guides", "metatags": { "author": "Ada" } }] } }', 'name="author"'],
    ['seo.paths of another directory', '{ "seo": { "paths": [{ "path": "guide", "metatags": { "author": "Ada" } }] } }'],
  ] satisfies readonly Row[]
).map(toFeature)
