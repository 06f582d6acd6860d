import { describe, expect, test } from 'vitest'
import type { DivisionKind } from '../../../../src/docs/navigation/docs-config.ts'
import {
  divisionKeys,
  divisionSupport,
  frontmatterSupport,
  type KeySupport,
  type ReportedKey,
  settingSupport,
} from '../../../../src/docs/navigation/key-support.ts'
import { divisionLists } from '../../../../src/docs/navigation/read-divisions.ts'
import { siteOf } from '../../make/site-of.ts'

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/orders': {
      get: {
        summary: 'List orders',
        parameters: [
          {
            name: 'filter',
            in: 'query',
            schema: { type: 'object', properties: { state: { example: 'open' }, by: {} }, example: { state: 'open' } },
          },
        ],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
})

interface SiteParts {
  readonly docs?: object
  readonly frontmatter?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Builds a small site. `docs` replaces keys of its `docs.json`; `frontmatter` is that of `guides/start`. */
async function build({ docs = {}, frontmatter = '', files = {} }: SiteParts) {
  const groups = [
    { group: 'Guides', pages: ['index', 'guides/start', 'guides/old'] },
    { group: 'API', openapi: 'openapi.json', pages: ['GET /orders'] },
  ]
  const built = await siteOf(
    {
      'docs.json': JSON.stringify({ name: 'Shop', navigation: { groups }, ...docs }),
      'openapi.json': openapi,
      'index.mdx': '---\ntitle: Home\n---\n\nHello {{name}}.\n',
      'guides/start.mdx': `---\n${/^title:/m.test(frontmatter) ? '' : 'title: Start\n'}${frontmatter}\n---\n\n## Part\n\nText $x^2$.\n\n\`\`\`js\na\n\`\`\`\n`,
      'guides/old.mdx':
        '---\ntitle: Old\napi: POST /old\nlastUpdatedDate: "2026-08-13"\n---\n\n<ParamField body="a">A</ParamField>\n',
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
      ...files,
    },
    { url: 'https://shop.example/' },
  )
  const found = built.diagnostics.filter(({ code }) => code === 'setting-not-used')
  return { all: JSON.stringify(built.files), found, diagnostics: built.diagnostics }
}

/** `a.b[].c` with a value: `{ a: { b: [{ c: value }] } }`. */
function toObject([step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const inner = toObject(rest, value)
  return step === '[]' ? [inner] : { [step]: inner }
}

const stepsOf = (key: string) => key.replaceAll('[]', '.[]').split('.')
const isReported = (row: KeySupport): row is ReportedKey => row.state === 'reported'
const unsupported = ({ only }: ReportedKey) => only?.[0] ?? 'unsupported'

describe('reports a key without effect once, with its place and what to do', () => {
  const expectOne = (found: Awaited<ReturnType<typeof build>>['found'], row: ReportedKey) => {
    const own = found.filter(({ message }) => message.startsWith('Cannot use'))
    expect(own.map(({ hint, severity }) => [hint, severity])).toEqual([[row.hint, row.severity ?? 'info']])
    expect(own[0]?.message).toContain(row.note)
    return own[0]
  }

  test.each(settingSupport.filter(isReported))('$key $only', async (row) => {
    const { found } = await build({ docs: toObject(stepsOf(row.key), unsupported(row)) as object })
    expect(expectOne(found, row)?.pointer).toBe(`/${stepsOf(row.key).join('/').replaceAll('[]', '0')}`)
  })

  test.each(divisionSupport.filter(isReported))('$key', async (row) => {
    const name = row.key.split('.').at(-1) ?? ''
    const tab = { tab: 'Guides', pages: ['index'], ...(row.key.includes('[]') && { [name]: unsupported(row) }) }
    const { found } = await build({
      docs: { navigation: { tabs: [tab], ...(!row.key.includes('[]') && { [name]: unsupported(row) }) } },
    })
    expect(expectOne(found, row)?.pointer).toBe(row.key.includes('[]') ? `/navigation/tabs/0/${name}` : `/navigation/${name}`)
  })

  test.each(frontmatterSupport.filter(isReported))('$key in frontmatter', async (row) => {
    const [key = '', ...steps] = stepsOf(row.key)
    const { found } = await build({ frontmatter: `icon: star\n${key}: ${JSON.stringify(toObject(steps, unsupported(row)))}` })
    const { file, range } = expectOne(found, row) ?? {}
    expect([file, range?.start.line]).toEqual(['guides/start.mdx', 4])
  })
})

test('reports a key of frontmatter at its first page, with the number of the others', async () => {
  const { found } = await build({
    frontmatter: 'isPublic: false',
    files: { 'guides/old.mdx': '---\nisPublic: false\n---\n', 'index.mdx': '---\nisPublic: false\n---\n' },
  })
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
    'index.mdx Cannot use `isPublic: false`: everyone who can open the site can read the page (and on 2 more pages)',
  ])
})

test('reports a key in `global`, and ignores placeholders', async () => {
  const global = { anchors: [{ anchor: 'Blog', href: 'https://example.com', color: { light: '#0D9373' } }] }
  const { found } = await build({
    docs: { navigation: { global, pages: ['index'] }, integrations: {}, search: { prompt: '' }, thumbnails: null },
  })
  expect(found.map(({ pointer }) => pointer)).toEqual(['/navigation/global/anchors/0/color'])
})

const logo = { light: '/a.svg', dark: '/a.svg' }
const link = { label: 'Blog', href: 'https://example.com' }
const option = { title: 'Ask', href: 'https://example.com/ask' }
const font = { 'a.woff2': 'x' }
const nested = { groups: [{ group: 'A', pages: [{ group: 'B', pages: ['index', 'guides/start'] }] }] }
const files = { 'docs.openapi.json': openapi.replaceAll('orders', 'bills') }
const overlay = JSON.stringify({
  overlay: '1.0.0',
  info: { title: 'x', version: '1' },
  actions: [{ target: '$.info', update: { description: 'OVERLAID' } }],
})
const oldPages = (docs: object): SiteParts => ({ docs })

/** A site with each key, and the same site without it or with another value. The sites differ. */
const changes: Readonly<Record<string, readonly [SiteParts, SiteParts?]>> = {
  theme: [{ docs: { theme: 'palm' } }],
  name: [{ docs: { name: 'Store' } }],
  description: [{ docs: { description: 'All about orders' } }],
  'colors.primary': [{ docs: { colors: { primary: '#aa0000' } } }],
  'colors.light': [{ docs: { colors: { primary: '#aa0000', light: '#ff8888' } } }, { docs: { colors: { primary: '#aa0000' } } }],
  'colors.dark': [{ docs: { colors: { primary: '#aa0000', dark: '#550000' } } }, { docs: { colors: { primary: '#aa0000' } } }],
  public: [{ docs: { public: false } }],
  logo: [{ docs: { logo: '/a.svg' } }],
  'logo.light': [{ docs: { logo } }],
  'logo.dark': [
    { docs: { logo: { ...logo, dark: '/b.svg' } }, files: { 'b.svg': '<svg/>' } },
    { docs: { logo }, files: { 'b.svg': '<svg/>' } },
  ],
  'logo.href': [{ docs: { logo: { ...logo, href: 'https://example.com' } } }, { docs: { logo } }],
  favicon: [{ docs: { favicon: '/a.svg' } }],
  'favicon.light': [{ docs: { favicon: logo } }],
  'favicon.dark': [
    { docs: { favicon: { ...logo, dark: '/b.svg' } }, files: { 'b.svg': '<svg/>' } },
    { docs: { favicon: logo }, files: { 'b.svg': '<svg/>' } },
  ],
  'appearance.default': [{ docs: { appearance: { default: 'dark' } } }],
  'appearance.strict': [{ docs: { appearance: { strict: true } } }],
  'background.decoration': [{ docs: { background: { decoration: 'gradient' } } }],
  'background.color.light': [{ docs: { background: { color: { light: '#fff8ee' } } } }],
  'background.color.dark': [{ docs: { background: { color: { dark: '#001122' } } } }],
  'fonts.family': [{ docs: { fonts: { family: 'Inter' } } }],
  'fonts.source': [
    { docs: { fonts: { family: 'A', source: '/a.woff2' } }, files: font },
    { docs: { fonts: { family: 'A' } }, files: font },
  ],
  'fonts.weight': [
    { docs: { fonts: { family: 'A', source: '/a.woff2', weight: 700 } }, files: font },
    { docs: { fonts: { family: 'A', source: '/a.woff2' } }, files: font },
  ],
  'fonts.heading.*': [{ docs: { fonts: { heading: { family: 'Inter' } } } }],
  'fonts.body.*': [{ docs: { fonts: { body: { family: 'Inter' } } } }],
  'icons.library': [{ docs: { icons: { library: 'lucide' } }, frontmatter: 'icon: star' }, { frontmatter: 'icon: star' }],
  'styling.eyebrows': [
    { docs: { styling: { eyebrows: 'section' }, navigation: nested } },
    { docs: { styling: { eyebrows: 'breadcrumbs' }, navigation: nested } },
  ],
  'styling.codeblocks': [{ docs: { styling: { codeblocks: 'dark' } } }],
  'navbar.links[].label': [
    { docs: { navbar: { links: [link] } } },
    { docs: { navbar: { links: [{ ...link, label: 'News' }] } } },
  ],
  'navbar.links[].href': [
    { docs: { navbar: { links: [link] } } },
    { docs: { navbar: { links: [{ ...link, href: 'https://a.example' }] } } },
  ],
  'navbar.links[].icon': [{ docs: { navbar: { links: [{ ...link, icon: 'star' }] } } }, { docs: { navbar: { links: [link] } } }],
  'navbar.links[].icon.*': [
    { docs: { navbar: { links: [{ ...link, icon: { name: 'star', library: 'lucide' } }] } } },
    { docs: { navbar: { links: [{ ...link, icon: { name: 'star' } }] } } },
  ],
  'navbar.links[].type': [
    { docs: { navbar: { links: [{ ...link, type: 'github' }] } } },
    { docs: { navbar: { links: [link] } } },
  ],
  'navbar.primary.label': [
    { docs: { navbar: { primary: link } } },
    { docs: { navbar: { primary: { ...link, label: 'News' } } } },
  ],
  'navbar.primary.href': [
    { docs: { navbar: { primary: link } } },
    { docs: { navbar: { primary: { ...link, href: 'https://a.example' } } } },
  ],
  'navbar.primary.type': [
    { docs: { navbar: { primary: { ...link, type: 'github' } } } },
    { docs: { navbar: { primary: link } } },
  ],
  'footer.socials.*': [{ docs: { footer: { socials: { x: 'https://x.com/a' } } } }],
  'footer.links[].header': [
    { docs: { footer: { links: [{ header: 'More', items: [link] }] } } },
    { docs: { footer: { links: [{ items: [link] }] } } },
  ],
  'footer.links[].items[].label': [
    { docs: { footer: { links: [{ items: [link] }] } } },
    { docs: { footer: { links: [{ items: [{ ...link, label: 'News' }] }] } } },
  ],
  'footer.links[].items[].href': [
    { docs: { footer: { links: [{ items: [link] }] } } },
    { docs: { footer: { links: [{ items: [{ ...link, href: 'https://a.example' }] }] } } },
  ],
  'banner.content': [{ docs: { banner: { content: 'New' } } }],
  'banner.dismissible': [{ docs: { banner: { content: 'New', dismissible: true } } }, { docs: { banner: { content: 'New' } } }],
  'banner.type': [{ docs: { banner: { content: 'New', type: 'critical' } } }, { docs: { banner: { content: 'New' } } }],
  'banner.color': [
    { docs: { banner: { content: 'New', color: { light: '#7c3aed' } } } },
    { docs: { banner: { content: 'New' } } },
  ],
  'banner.color.light': [
    { docs: { banner: { content: 'New', color: { light: '#7c3aed', dark: '#111111' } } } },
    { docs: { banner: { content: 'New', color: { light: '#5b21b6', dark: '#111111' } } } },
  ],
  'banner.color.dark': [
    { docs: { banner: { content: 'New', color: { light: '#7c3aed', dark: '#222222' } } } },
    { docs: { banner: { content: 'New', color: { light: '#7c3aed', dark: '#111111' } } } },
  ],
  'contextual.options[]': [{ docs: { contextual: { options: ['view'] } } }],
  'contextual.options[].title': [
    { docs: { contextual: { options: [option] } } },
    { docs: { contextual: { options: [{ ...option, title: 'Tell' }] } } },
  ],
  'contextual.options[].description': [
    { docs: { contextual: { options: [{ ...option, description: 'Our forum' }] } } },
    { docs: { contextual: { options: [option] } } },
  ],
  'contextual.options[].href': [
    { docs: { contextual: { options: [option] } } },
    { docs: { contextual: { options: [{ ...option, href: 'https://a.example' }] } } },
  ],
  'contextual.options[].icon': [
    { docs: { contextual: { options: [{ ...option, icon: 'star' }] } } },
    { docs: { contextual: { options: [option] } } },
  ],
  'contextual.options[].icon.*': [
    { docs: { contextual: { options: [{ ...option, icon: { name: 'star', library: 'lucide' } }] } } },
    { docs: { contextual: { options: [{ ...option, icon: { name: 'star' } }] } } },
  ],
  'redirects[].source': [{ docs: { redirects: [{ source: '/gone', destination: '/guides/start' }] } }],
  'redirects[].destination': [
    { docs: { redirects: [{ source: '/gone', destination: '/guides/start' }] } },
    { docs: { redirects: [{ source: '/gone', destination: '/guides/old' }] } },
  ],
  'redirects[].permanent': [
    { docs: { redirects: [{ source: '/gone', destination: '/guides/start', permanent: false }] } },
    { docs: { redirects: [{ source: '/gone', destination: '/guides/start' }] } },
  ],
  'variables.*': [{ docs: { variables: { name: 'reader' } } }],
  'metadata.timestamp': [oldPages({ metadata: { timestamp: true } })],
  'errors.404.redirect': [{ docs: { errors: { 404: { redirect: true } } } }],
  'errors.404.title': [{ docs: { errors: { 404: { title: 'Lost' } } } }],
  'errors.404.description': [{ docs: { errors: { 404: { description: 'It moved' } } } }],
  'api.openapi': [
    { docs: { api: { openapi: 'docs.openapi.json' } }, files, frontmatter: 'openapi: GET /bills' },
    { frontmatter: 'openapi: GET /bills' },
  ],
  'api.openapi.source': [{ docs: { api: { openapi: { source: 'missing.json' } } } }],
  'api.openapi.directory': [
    { docs: { navigation: { groups: [{ group: 'API', openapi: { source: 'openapi.json', directory: 'ref' } }] } } },
    { docs: { navigation: { groups: [{ group: 'API', openapi: { source: 'openapi.json' } }] } } },
  ],
  'api.openapi.overlays': [
    {
      docs: { navigation: { groups: [{ group: 'API', openapi: { source: 'openapi.json', overlays: ['o.json'] } }] } },
      files: { 'o.json': overlay },
    },
    {
      docs: { navigation: { groups: [{ group: 'API', openapi: { source: 'openapi.json', overlays: [] } }] } },
      files: { 'o.json': overlay },
    },
  ],
  'api.params.expanded': [{ docs: { api: { params: { expanded: 'all' } } } }],
  'api.params.post': [{ docs: { api: { params: { post: ['type'] } } } }],
  'seo.organization.id': [
    { docs: { seo: { organization: { name: 'Acme', id: 'https://a.example/#org' } } } },
    { docs: { seo: { organization: { name: 'Acme' } } } },
  ],
  'seo.organization.legalName': [
    { docs: { seo: { organization: { name: 'Acme', legalName: 'Acme Inc.' } } } },
    { docs: { seo: { organization: { name: 'Acme' } } } },
  ],
  'seo.organization.url': [
    { docs: { seo: { organization: { name: 'Acme', url: 'https://a.example' } } } },
    { docs: { seo: { organization: { name: 'Acme' } } } },
  ],
  'seo.organization.logo': [
    { docs: { seo: { organization: { name: 'Acme', logo: 'https://a.example/logo.png' } } } },
    { docs: { seo: { organization: { name: 'Acme' } } } },
  ],
  'seo.organization.sameAs': [
    { docs: { seo: { organization: { name: 'Acme', sameAs: ['https://a.example'] } } } },
    { docs: { seo: { organization: { name: 'Acme' } } } },
  ],
  'seo.organization.name': [{ docs: { seo: { organization: { name: 'Acme' } } } }],
  'markdown.instructions': [{ docs: { markdown: { instructions: 'Cite the version' } } }],
  'contextual.options[].href.base': [
    { docs: { contextual: { options: [{ ...option, href: { base: 'https://a.example' } }] } } },
    { docs: { contextual: { options: [{ ...option, href: { base: 'https://b.example' } }] } } },
  ],
  'contextual.options[].href.query[].*': [
    {
      docs: {
        contextual: { options: [{ ...option, href: { base: 'https://a.example', query: [{ key: 'q', value: '$page' }] } }] },
      },
    },
    { docs: { contextual: { options: [{ ...option, href: { base: 'https://a.example' } }] } } },
  ],
  'search.prompt': [{ docs: { search: { prompt: 'Ask' } } }],
  'api.playground.display': [{ docs: { api: { playground: { display: 'none' } } } }],
  'api.playground.credentials': [{ docs: { api: { playground: { credentials: true } } } }],
  'api.examples.languages': [{ docs: { api: { examples: { languages: ['ruby'] } } } }],
  'api.examples.defaults': [{ docs: { api: { examples: { defaults: 'required' } } } }],
  'api.examples.prefill': [{ docs: { api: { examples: { prefill: true } } } }],
  'api.examples.autogenerate': [{ docs: { api: { examples: { autogenerate: false } } } }],
  'api.mdx.server': [{ docs: { api: { mdx: { server: 'https://mdx.example' } } } }],
  'api.mdx.auth.method': [{ docs: { api: { mdx: { auth: { method: 'bearer' } } } } }],
  'api.mdx.auth.name': [
    { docs: { api: { mdx: { auth: { method: 'key', name: 'x-shop' } } } } },
    { docs: { api: { mdx: { auth: { method: 'key' } } } } },
  ],
  'seo.indexing': [{ docs: { seo: { indexing: 'all' } }, frontmatter: 'hidden: true' }, { frontmatter: 'hidden: true' }],
  'seo.metatags.*': [{ docs: { seo: { metatags: { author: 'Ada' } } } }],
  'seo.paths[].path': [
    { docs: { seo: { paths: [{ path: 'guides', metatags: { robots: 'noindex' } }] } } },
    { docs: { seo: { paths: [{ path: 'guide', metatags: { robots: 'noindex' } }] } } },
  ],
  'seo.paths[].metatags.*': [{ docs: { seo: { paths: [{ path: 'guides', metatags: { author: 'Ada' } }] } } }],
}
/** Why a key has no example. */
const withoutExample: Readonly<Record<string, string>> = {
  $schema: 'Editors use it',
  'fonts.format': 'The file decides',
  'styling.latex': 'The page decides',
  'seo.metatags.canonical': 'Only without a URL of the site',
  'api.url': 'Pages always show the base URL',
  'api.playground.proxy': 'Only `true` is reported',
  'interaction.drilldown': 'Only `true` is reported',
  'markdown.schema': 'Only `false` is reported',
  'seo.trailingSlash': 'Only `false` is reported',
}

describe('changes the site by each key that it uses', () => {
  test.each(Object.entries(changes))('%s', async (_key, [parts, others = {}]) => {
    const [changed, plain] = [await build(parts), await build(others)]
    const outcome = ({ all, diagnostics }: typeof plain) =>
      all + JSON.stringify(diagnostics.filter(({ code }) => code !== 'setting-not-used'))
    expect(outcome(changed) === outcome(plain)).toBe(false)
    expect(changed.found.filter(({ message }) => message.startsWith('Cannot use'))).toEqual([])
  })

  test('has an example for each of them', () => {
    const names = settingSupport.filter((row) => !isReported(row) && !row.only).map(({ key }) => key)
    expect([...Object.keys(changes), ...Object.keys(withoutExample)].sort()).toEqual([...new Set(names)].sort())
  })
})

/** The pages around a division with these keys. */
function around(kind: DivisionKind, keys: object): object {
  const [one, other] = kind === 'language' ? ['en', 'de'] : ['A', 'B']
  const divisions = [
    { [kind]: one, pages: ['index'] },
    { [kind]: other, pages: ['guides/start', 'guides/old'], ...keys },
  ]
  return kind === 'item' ? { tabs: [{ tab: 'T', menu: divisions }] } : { [`${kind}s`]: divisions }
}

/** The values of the keys of divisions, and other keys that they need. */
const ofDivisions: Readonly<Record<string, readonly [keys: object, needs?: object]>> = {
  icon: [{ icon: 'star' }],
  iconType: [{ icon: 'bell', iconType: 'regular' }, { icon: 'bell' }],
  description: [{ description: 'All about it' }],
  name: [{ name: 'The whole name' }],
  tag: [{ tag: 'NEW' }],
  hidden: [{ hidden: true }],
  searchable: [{ searchable: true, hidden: true }, { hidden: true }],
  default: [{ default: true }],
  root: [{ root: 'guides/start' }],
  directory: [
    { directory: 'card', groups: [{ group: 'G', root: 'guides/start', pages: ['guides/old'] }], pages: [] },
    { groups: [{ group: 'G', root: 'guides/start', pages: ['guides/old'] }], pages: [] },
  ],
  public: [{ public: false }],
  boost: [{ boost: 3 }],
  href: [{ href: 'https://example.com/elsewhere', pages: [] }, { pages: [] }],
  global: [{ global: { anchors: [{ anchor: 'Blog', href: 'https://example.com/blog' }] } }],
  openapi: [{ openapi: 'openapi.json' }],
  banner: [{ banner: { content: 'Neu' } }],
  navbar: [{ navbar: { links: [link] } }],
  footer: [{ footer: { links: [{ header: 'Mehr', items: [link] }] } }],
}
/** A group lists its own pages, and only nested groups can be closed. */
const ofGroups: typeof ofDivisions = {
  directory: [{ root: 'guides/start', directory: 'card' }, { root: 'guides/start' }],
  expanded: [
    { pages: [{ group: 'C', pages: ['guides/start', 'guides/old'], expanded: true }] },
    { pages: [{ group: 'C', pages: ['guides/start', 'guides/old'] }] },
  ],
}
/** Pages, and keys that Mintlify does not have or that are reported. */
const leftOut = ['pages', '$ref', 'version', 'align', 'color', 'asyncapi', 'graphql', 'sdk']
const kinds: readonly DivisionKind[] = ['tab', 'anchor', 'dropdown', 'product', 'version', 'language', 'item', 'group']
const keysOfKinds = kinds.flatMap((kind) =>
  divisionKeys(kind)
    .filter((key) => key !== kind && !Object.hasOwn(divisionLists, key) && !leftOut.includes(key))
    .map((key) => [kind, key] as const),
)

/** The sites without a key. Many keys have the same. */
const plainSites = new Map<string, ReturnType<typeof build>>()

function buildOnce(navigation: object): ReturnType<typeof build> {
  const key = JSON.stringify(navigation)
  const known = plainSites.get(key) ?? build({ docs: { navigation } })
  plainSites.set(key, known)
  return known
}

describe('changes the site by each key of a division', () => {
  test.each(keysOfKinds)('%s %s', async (kind, key) => {
    const [keys, needs = {}] = (kind === 'group' ? ofGroups[key] : undefined) ?? ofDivisions[key] ?? [{}]
    const changed = await build({ docs: { navigation: around(kind, keys) } })
    const plain = await buildOnce(around(kind, needs))
    expect(changed.found).toEqual([])
    expect(changed.all === plain.all).toBe(false)
  })
})
