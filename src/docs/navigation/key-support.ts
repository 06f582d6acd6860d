import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { Division, DivisionKind, DocsConfig } from './docs-config.ts'
import { divisionLists } from './read-divisions.ts'

/**
 * What a site does with a key that Mintlify documents. `docs/migrating.md` lists all of them, and the build reports those that are `reported`. A test compares
 * the list with the keys of Mintlify's schema.
 */
export type KeySupport = {
  /**
   * The path of the key, such as `seo.metatags.*` or `redirects[].source`. `[]` means the elements of a list, `*` any key, and `navigation.*[]` any division. Keys below a reported key have no row.
   */
  readonly key: string
  /** The row is about these values only, and not about objects and lists. */
  readonly only?: readonly (string | boolean)[]
  /** The row is about all values but these, and not about objects and lists. */
  readonly except?: readonly (string | boolean)[]
} & (
  | { readonly state: 'used'; readonly note?: string }
  /** It has an effect, but another one. `note` says which. */
  | { readonly state: 'different'; readonly note: string }
  | {
      readonly state: 'reported'
      /** Why it has no effect. Follows "Cannot use `key`:". */
      readonly note: string
      /** What to do instead. */
      readonly hint: string
      /** For keys whose loss can publish too much. Default: info. */
      readonly severity?: 'warning'
    }
)

export type ReportedKey = Extract<KeySupport, { state: 'reported' }>

function used(...keys: readonly string[]): KeySupport[] {
  return keys.map((key) => ({ key, state: 'used' }))
}

/** The keys below another key. */
function usedIn(parent: string, ...keys: readonly string[]): KeySupport[] {
  return used(...keys.map((key) => `${parent}.${key}`))
}

function different(key: string, note: string): KeySupport {
  return { key, state: 'different', note }
}

function reported(key: string, note: string, hint: string, more: Partial<ReportedKey> = {}): KeySupport {
  return { ...more, key, state: 'reported', note, hint }
}

/** The entries of `contextual.options` without settings. */
export const contextualKinds = [
  ...(['copy', 'view', 'chatgpt', 'claude', 'perplexity', 'grok', 'aistudio'] as const),
  ...(['mcp', 'add-mcp', 'cursor', 'vscode', 'download-spec'] as const),
] as const

const onlyOpenApi = ['only OpenAPI documents are supported', 'Write these pages as Markdown, or link to them'] as const

const noMenuEntry = reported(
  'contextual.options[]',
  'the page menu of a site has no such entry',
  `Use ${listChoices(contextualKinds)}, or a link with \`title\` and \`href\``,
  { except: contextualKinds },
)

/** Keys of `docs.json`, in the order of its reference. */
export const settingSupport: readonly KeySupport[] = [
  ...used('$schema'),
  different('theme', 'Chooses the nearest of three [looks](site.md#looks)'),
  ...used('name', 'description'),
  different('colors.primary', 'A color with too little contrast is adjusted and [reported](diagnostics.md#color-contrast)'),
  ...usedIn('colors', 'light', 'dark'),
  different('public', '`false` is an [error](diagnostics.md#content-restricted): the build cannot know who will read the site'),
  ...used('logo', 'logo.light', 'logo.dark', 'logo.href', 'favicon', 'favicon.light', 'favicon.dark'),
  ...usedIn('appearance', 'default', 'strict'),
  reported(
    'background.image',
    'the contrast of text on it cannot be checked',
    'Use `background.color`, or show the image on a page with `mode: custom`',
  ),
  ...used('background.decoration'),
  reported('background.decoration', 'a site has only the decoration `gradient`', 'Use `gradient`, or remove it', {
    except: ['gradient'],
  }),
  ...usedIn('background.color', 'light', 'dark'),
  different(
    'fonts.family',
    'Only Inter needs no `source`. Fonts from other hosts are [reported](diagnostics.md#setting-not-used)',
  ),
  ...usedIn('fonts', 'source', 'weight'),
  different('fonts.format', 'The file decides'),
  different('fonts.heading.*', 'As in `fonts`'),
  different('fonts.body.*', 'As in `fonts`'),
  ...used('icons.library', 'styling.eyebrows'),
  ...used('styling.codeblocks'),
  reported(
    'styling.codeblocks',
    'the colors of code are those of the site, with enough contrast',
    'Use `system` or `dark`, or remove it',
    { except: ['system', 'dark'] },
  ),
  ...['theme', 'languages'].map((key) =>
    reported(
      `styling.codeblocks.${key}`,
      'the colors of code are those of the site, with enough contrast',
      'Use `"codeblocks": "system"` or `"dark"`',
    ),
  ),
  different('styling.latex', 'Formulas are rendered on every page that has some'),
  reported(
    'thumbnails',
    'the build draws no images for links',
    'Set `og:image` in `seo.metatags` or in the frontmatter of a page',
  ),
  ...usedIn('navbar.links[]', 'label', 'href', 'icon', 'icon.*'),
  ...usedIn('navbar.primary', 'label', 'href'),
  ...['navbar.links[].type', 'navbar.primary.type'].map((key) =>
    different(key, '`github` and `discord` have no number of stars or members: pages load nothing from other hosts'),
  ),
  ...used('footer.socials.*'),
  ...usedIn('footer.links[]', 'header', 'items[].label', 'items[].href'),
  different('banner.content', 'A dismissed banner appears again when its text changes'),
  ...usedIn('banner', 'dismissible'),
  different('banner.type', 'A light background with dark text'),
  different('banner.color', 'The text is white or black, whichever is readable'),
  ...usedIn('banner.color', 'light', 'dark'),
  ...used('interaction.drilldown'),
  reported(
    'interaction.drilldown',
    'groups expand in place and do not navigate',
    'Set `root` on a group to give its label a page, or `expanded` to show its pages',
    { only: [true] },
  ),
  {
    key: 'contextual.options[]',
    state: 'used',
    note: 'Assistants need `--url`. `mcp`, `add-mcp`, `cursor` and `vscode` need a site that [the app](hosting.md) hosts, and are reported on others',
  },
  {
    key: 'contextual.options[]',
    only: ['download-spec'],
    state: 'different',
    note: 'The menu of API pages always has it, by default at its end',
  },
  noMenuEntry,
  ...usedIn('contextual.options[]', 'title', 'description', 'href', 'href.base', 'href.query[].*', 'icon', 'icon.*'),
  reported('contextual.display', 'the menu is always next to the title', 'Remove it', { except: ['header'] }),
  ...usedIn('redirects[]', 'source', 'destination', 'permanent'),
  ...used('variables.*'),
  different('metadata.timestamp', 'Only for pages with `lastUpdatedDate`, because a build does not read the Git history'),
  different('errors.404.redirect', 'Default: `false`. The page suggests the pages with the most similar paths'),
  ...usedIn('errors.404', 'title', 'description'),
  ...usedIn('api.openapi', 'source', 'directory', 'overlays'),
  { key: 'api.openapi', state: 'used', note: '[All documents](#openapi-in-docsjson) of a list' },
  reported('api.asyncapi', ...onlyOpenApi),
  ...usedIn('api.playground', 'display', 'credentials'),
  {
    key: 'api.playground.display',
    only: ['auth'],
    state: 'different',
    note: 'As `simple`: a site has no sign-in',
  },
  ...used('api.playground.proxy'),
  reported(
    'api.playground.proxy',
    'browsers send the requests of the playground to the API',
    'Let the API accept requests from the site (CORS). On a site that the app hosts, its administrator can enable the relay',
    { only: [true] },
  ),
  ...usedIn('api.params', 'expanded', 'post'),
  different('api.url', 'Pages always show the base URL'),
  ...usedIn('api.examples', 'languages', 'defaults', 'prefill', 'autogenerate'),
  ...usedIn('api.mdx', 'server', 'auth.method', 'auth.name'),
  reported(
    'api.mdx.auth.method',
    'pages without a document have only the methods of HTTP',
    'Use `bearer`, `basic` or `key`, or describe the API in an OpenAPI document',
    { only: ['cobo'] },
  ),
  ...used('markdown.schema'),
  reported(
    'markdown.schema',
    'the Markdown of an API page always has the whole operation',
    'Remove it. The page of a schema has its fields, so that the Markdown of operations stays short',
    { only: [false] },
  ),
  { key: 'markdown.instructions', state: 'used', note: 'In the Markdown of pages, `llms.txt`, `llms-full.txt` and `skill.md`' },
  ...used('seo.indexing', 'seo.metatags.*'),
  different('seo.metatags.canonical', 'The URL of the site if the build has no `--url`'),
  ...usedIn('seo.paths[]', 'path', 'metatags.*'),
  ...usedIn('seo.organization', 'id', 'name', 'legalName', 'url', 'logo', 'sameAs'),
  ...used('seo.trailingSlash'),
  reported(
    'seo.trailingSlash',
    'the URLs of pages always end with a slash, because each page is a directory',
    'Remove it. Links without the slash work: hosts redirect them',
    { only: [false] },
  ),
  ...used('search.prompt'),
  reported(
    'integrations',
    'pages run only built-in scripts, and collect no analytics',
    'Collect analytics on the server or in a proxy, or run their script with `site.scripts` and `site.allowedOrigins` in the configuration file',
  ),
  reported(
    'variations',
    'a site shows the same content to all readers',
    'Show the variants of a page in `<Tabs>` or `<View>`, or on separate pages',
  ),
]

/** Keys of `navigation` and of its divisions. */
export const divisionSupport: readonly KeySupport[] = [
  ...usedIn('navigation', ...Object.keys(divisionLists).filter((key) => key !== 'menu'), 'pages', 'global.*'),
  ...usedIn('navigation.*[]', ...Object.values(divisionLists)),
  ...usedIn('navigation.*[]', ...Object.keys(divisionLists), 'pages', 'global.*'),
  ...usedIn('navigation', 'directory'),
  ...usedIn(
    'navigation.*[]',
    'directory',
    'href',
    'icon',
    'hidden',
    'searchable',
    'root',
    'expanded',
    'default',
    'description',
    'name',
    'tag',
  ),
  ...usedIn('navigation.*[]', 'banner.*', 'navbar.*', 'footer.*'),
  { key: 'navigation.*[].openapi', state: 'used', note: 'See [`openapi` in `docs.json`](#openapi-in-docsjson)' },
  different('navigation.*[].iconType', 'Styles of Font Awesome Pro become solid or regular'),
  different('navigation.*[].public', 'Of a group. `false` [leaves its pages out](diagnostics.md#content-restricted)'),
  reported('navigation.*[].asyncapi', ...onlyOpenApi),
  reported('navigation.*[].graphql', ...onlyOpenApi),
  reported('navigation.*[].sdk', ...onlyOpenApi),
  reported('navigation.graphql', ...onlyOpenApi),
  reported('navigation.sdk', ...onlyOpenApi),
  ...used('navigation.*[].boost', 'navigation.*[].align'),
  reported('navigation.*[].color', 'the navigation has the colors of the site', 'Set `colors`, or give the division an `icon`'),
  reported('navigation.*[].align', 'tabs are in the order of the list', 'Put the tab at the end of the list', { only: ['end'] }),
]

/** Keys of the frontmatter of pages. */
export const frontmatterSupport: readonly KeySupport[] = [
  ...used('title', 'description', 'sidebarTitle', 'icon', 'tag', 'deprecated', 'url'),
  different('iconType', 'Styles of Font Awesome Pro become solid or regular'),
  ...used('mode'),
  reported('mode', 'a site has no assistant, so the page shows its content', 'Use `custom`, `center`, `frame` or `wide`', {
    only: ['assistant'],
  }),
  reported('mode', 'pages have no such layout', 'Use `default`, `wide`, `custom`, `center` or `frame`', {
    except: ['default', 'wide', 'custom', 'center', 'frame', 'assistant'],
  }),
  ...used('hidden', 'noindex'),
  ...used(
    'searchable',
    'keywords',
    'boost',
    'openapi',
    'openapi-schema',
    'api',
    'contentType',
    'authMethod',
    'playground',
    'hideApiMarker',
  ),
  reported('authMethod', 'pages without a document have only the methods of HTTP', 'Use `bearer`, `basic`, `key` or `none`', {
    except: ['bearer', 'basic', 'key', 'none'],
  }),
  reported('playground', 'there is no such display', 'Use `interactive`, `simple`, `auth` or `none`', {
    except: ['interactive', 'simple', 'auth', 'none'],
  }),
  reported('asyncapi', ...onlyOpenApi),
  reported('graphql', ...onlyOpenApi),
  reported('sdk', ...onlyOpenApi),
  ...['groups', 'public'].map((key) =>
    different(key, 'A page with `groups` or `public: false` is [left out](diagnostics.md#content-restricted)'),
  ),
  reported('isPublic', 'everyone who can open the site can read the page', 'Use `public: false`, which leaves the page out', {
    only: [false],
    severity: 'warning',
  }),
  ...used('hideFooterPagination', 'contextual', 'metatags', 'og:*', 'twitter:*', 'canonical', 'robots', 'lastUpdatedDate'),
  noMenuEntry,
  different('timestamp', 'Only for pages with `lastUpdatedDate`, because a build does not read the Git history'),
  different('related', 'Only pages that the list names. There are no automatic suggestions'),
  reported(
    'rss',
    'only changelogs of an API have a feed',
    'Remove it, or let the site write the [changelog](configuration.md#all-settings) of the API with `changes.changelog`',
    { only: [true] },
  ),
  ...used('version', 'authors', 'createdDate', 'auth'),
]

/**
 * Reports keys in a `docs.json` that hosts ignore. Most are typos or in the wrong place. The keys are not removed.
 */
export function checkConfigKeys({ source, value, divisions }: DocsConfig): Finding[] {
  const file = source.path
  const name = baseName(file)
  const known: readonly string[] = docsConfigKeys
  const atTop = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return [
    ...atTop.map((key) => {
      const belongs = readOwn(docsConfigEquivalents, key)
      return toFinding(file, '', key, `\`${name}\``, belongs ? `Use ${belongs}` : didYouMean(suggest(key, known)))
    }),
    ...docsConfigKeys.flatMap((key) => checkBelow(value[key], [key], { file, pointer: pointerChild('', key) })),
    ...divisions.flatMap((division) => checkDivision(division, file)),
  ]
}

/** The paths of all keys of `docs.json`, without those of `navigation`. */
const keyPaths: readonly (readonly string[])[] = settingSupport.map(({ key }) => key.replaceAll('[]', '.[]').split('.'))

/** Reports unknown keys below a key, such as `footer.notice`. */
function checkBelow(value: unknown, path: readonly string[], place: { file: string; pointer: string }): Finding[] {
  const inside = keyPaths.filter((one) => one.length > path.length && path.every((step, index) => one[index] === step))
  const names = new Set(inside.map((one) => one[path.length] ?? ''))
  if (names.size === 0 || names.has('*')) return []
  const at = (key: string | number) => ({ ...place, pointer: pointerChild(place.pointer, key) })
  // The reader of `openapi` reports its unknown keys.
  if (path.join('.') === 'api.openapi') return []
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index) => checkBelow(element, [...path, '[]'], at(index)))
  }
  if (!isObject(value)) return []
  const where = `\`${path.join('.').replaceAll('.[]', '')}\``
  return Object.keys(value).flatMap((key) => {
    if (names.has(key)) return checkBelow(value[key], [...path, key], at(key))
    if (key === '$ref' || key.startsWith('x-')) return []
    const belongs = readOwn(docsConfigEquivalents, [...path, key].join('.'))
    return toFinding(place.file, place.pointer, key, where, belongs ? `Use ${belongs}` : didYouMean(suggest(key, names)))
  })
}

/** Maps keys of a `mint.json` to their place in a `docs.json`. */
const docsConfigEquivalents: { readonly [key: string]: string | undefined } = {
  tabs: '`tabs` inside `navigation`',
  anchors: '`anchors` inside `navigation`',
  versions: '`versions` inside `navigation`',
  openapi: '`openapi` inside `api`',
  topbarLinks: '`links` inside `navbar`',
  topbarCtaButton: '`primary` inside `navbar`',
  footerSocials: '`socials` inside `footer`',
  modeToggle: '`appearance`',
  analytics: '`integrations`',
  font: '`fonts`',
  'api.baseUrl': '`server` inside `api.mdx`',
  'api.auth': '`auth` inside `api.mdx`',
}

function checkDivision({ kind, keys, pointer }: Division, file: string): Finding[] {
  const known = divisionKeys(kind)
  return keys.flatMap((key) => {
    if (known.includes(key) || key.startsWith('x-')) return []
    // Hosts ignore this list, but here its pages count as listed.
    const hint =
      Object.hasOwn(divisionLists, key) && kind === 'group' ? 'List nested groups in `pages`' : didYouMean(suggest(key, known))
    return toFinding(file, pointer, key, kind === 'navigation' ? '`navigation`' : `this \`${kind}\``, hint)
  })
}

function toFinding(file: string, pointer: string, key: string, where: string, hint: string | undefined): Finding {
  return {
    code: 'docs-config-key',
    message: `Unexpected key \`${key}\` in ${where}: hosts ignore it`,
    file,
    pointer: pointerChild(pointer, key),
    on: 'key',
    hint,
  }
}

/** Top-level keys of a `docs.json`. Source: Mintlify's settings reference, November 2026. */
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
  ...['contextual', 'thumbnails', 'interaction', 'metadata', 'variables', 'markdown', 'variations'],
] as const

/** Keys that only some kinds of division have, without label and child lists. */
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

/** The lists of divisions and pages that each kind can contain. */
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

/** Returns every key that a division of this kind can have. Source: Mintlify's schema of `docs.json`, November 2026. */
export function divisionKeys(kind: DivisionKind): readonly string[] {
  const label = kind === 'navigation' ? [] : [kind]
  const all = ['$ref', 'hidden', 'directory', 'openapi', 'asyncapi', 'graphql', 'sdk']
  const shared = kind === 'navigation' ? [] : kind === 'group' ? [] : ['href', 'global']
  return [...new Set([...label, ...all, ...shared, ...ownKeys[kind], ...childKeys[kind]])]
}
