import { defaultConfig, type SiteSetting } from '../../docs/config/project-config.ts'
import { contextualKinds } from '../../docs/navigation/key-support.ts'
import { findSampleLanguage } from '../../playground/samples/sample-languages.ts'
import { isObject, type JsonObject, readOwn, stringOf } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { encodeUrlPart, isAllowedUrl } from '../../text/plain/paths.ts'
import { isColor, isInter, isWebUrl } from './check-settings.ts'
import { iconLibraries } from './icon-sets.ts'
import { readIntegrations } from './integrations.ts'
import { Fields } from './typed-fields.ts'
import type { ApiSettings, ContextualOption, SiteFont, SiteLink, SiteOrganization, SitePage, SiteSettings } from './types.ts'

/**
 * Reads the site-wide settings of `docs.json`, beside those of the configuration file. Ignores values with an unexpected shape, which
 * `checkSettingValues` reports, and URLs with a scheme that could run code.
 */
export function readSettings(docsConfig: JsonObject, site: SiteSetting = defaultConfig.site): Omit<SiteSettings, 'redirects'> {
  const top = new Fields(docsConfig)
  const seo = top.object('seo')
  const colors = top.object('colors')
  const background = top.object('background')
  const notFound = top.object('errors').object('404')
  return {
    name: top.text('name') ?? 'Documentation',
    description: top.text('description'),
    language: 'en',
    logo: readPair(top, 'logo'),
    favicon: readPair(top, 'favicon'),
    colors: { primary: readColor(colors, 'primary'), light: readColor(colors, 'light'), dark: readColor(colors, 'dark') },
    appearance: {
      default: top.object('appearance').choice('default', themes) ?? 'system',
      strict: top.object('appearance').flag('strict') ?? false,
    },
    icons: { library: top.object('icons').choice('library', iconLibraries) ?? 'fontawesome' },
    fonts: readFonts(top.object('fonts')),
    background: {
      color: {
        light: readColor(background.object('color'), 'light'),
        dark: readColor(background.object('color'), 'dark'),
      },
      decoration: background.choice('decoration', ['gradient']),
    },
    styling: {
      eyebrows: top.object('styling').choice('eyebrows', ['section', 'breadcrumbs']) ?? 'breadcrumbs',
      codeblocks: top.object('styling').choice('codeblocks', ['dark']) ?? 'system',
    },
    contextual: readContextual(top.object('contextual')),
    navbar: readNavbar(top.object('navbar')),
    footer: readFooter(top.object('footer')),
    banner: readBanner(top.object('banner')),
    languages: readLanguages(top.object('navigation')),
    searchPrompt: top.object('search').text('prompt'),
    timestamp: top.object('metadata').flag('timestamp') ?? false,
    metatags: { ...top.entries('metadata'), ...seo.entries('metatags') },
    metatagPaths: seo
      .objects('paths')
      .map((one) => ({ path: one.text('path')?.replace(/^\/+|\/+$/g, '') ?? '', metatags: one.entries('metatags') }))
      .filter(({ path }) => path !== '')
      .sort((a, b) => a.path.length - b.path.length),
    indexing: seo.choice('indexing', ['navigable', 'all']) ?? 'navigable',
    errors: {
      redirect: notFound.flag('redirect') ?? false,
      title: notFound.text('title'),
      description: notFound.text('description'),
    },
    api: readApi(top.object('api')),
    instructions: readInstructions(top.object('markdown')),
    organization: readOrganization(seo.object('organization')),
    variables: top.entries('variables'),
    integrations: readIntegrations(top.object('integrations'), site),
    site,
  }
}

function readNavbar(navbar: Fields): SiteSettings['navbar'] {
  return { links: readLinks(navbar, 'links'), primary: readLink(navbar.object('primary')) }
}

function readFooter(footer: Fields): SiteSettings['footer'] {
  return {
    socials: Object.entries(footer.entries('socials')).flatMap(([name, href]) =>
      isAllowedUrl(href, 'link') ? [{ label: socialName(name), href, icon: socialIcon(name), type: undefined }] : [],
    ),
    columns: footer
      .objects('links')
      .map((column) => ({ header: column.text('header') ?? '', links: readLinks(column, 'items') })),
  }
}

/** Languages can override the banner, navbar and footer. */
function readLanguages(navigation: Fields): SiteSettings['languages'] {
  return Object.fromEntries(
    navigation.objects('languages').map((language) => [
      language.text('language') ?? '',
      {
        ...(isObject(language.raw('banner')) && { banner: readBanner(language.object('banner')) }),
        ...(isObject(language.raw('navbar')) && { navbar: readNavbar(language.object('navbar')) }),
        ...(isObject(language.raw('footer')) && { footer: readFooter(language.object('footer')) }),
      },
    ]),
  )
}

/** Reads `logo` or `favicon`: one URL, or one for each theme. */
function readPair(top: Fields, key: string): SiteSettings['logo'] {
  const one = top.text(key)
  const pair = top.object(key)
  const light = one ?? pair.text('light') ?? pair.text('dark')
  const dark = one ?? pair.text('dark') ?? pair.text('light')
  if (light === undefined || dark === undefined || !isAllowedUrl(light, 'media') || !isAllowedUrl(dark, 'media')) return undefined
  return { light, dark, href: pair.url('href') }
}

/** Reads a hexadecimal color. Other syntax is not safe in a stylesheet. */
function readColor(colors: Fields, key: string): string | undefined {
  const found = colors.text(key) ?? ''
  return isColor(found) ? found : undefined
}

/** Reads `fonts`: one font for everything, or one for body text and one for headings. Only repository files are allowed, and Inter. */
function readFonts(fonts: Fields): SiteSettings['fonts'] {
  const read = (font: Fields): SiteFont | undefined => {
    const source = font.text('source')
    if (source === undefined && isInter(font.raw('family'))) return 'inter'
    if (source === undefined || !/^[^:]+\.(?:woff2?|otf|ttf)$/i.test(source) || source.startsWith('//')) return undefined
    const weight = String(font.raw('weight') ?? '')
    return { source: source.startsWith('/') ? source : `/${source}`, weight: /^[1-9]\d{0,2}$/.test(weight) ? weight : undefined }
  }
  const all = read(fonts)
  return { body: read(fonts.object('body')) ?? all, heading: read(fonts.object('heading')) ?? all }
}

const themes = ['system', 'light', 'dark'] as const

/** The icon of a key of `footer.socials`. Most keys are names of brand icons. */
function socialIcon(key: string): string {
  if (key === 'website') return 'globe'
  return `fa-brands fa-${key === 'x' ? 'x-twitter' : key}`
}

/** The display name of a key of `footer.socials`. */
function socialName(key: string): string {
  const names = {
    x: 'X',
    github: 'GitHub',
    linkedin: 'LinkedIn',
    youtube: 'YouTube',
    'hacker-news': 'Hacker News',
    'x-twitter': 'X',
    'earth-americas': 'Website',
  }
  return readOwn(names, key) ?? capitalize(key)
}

/** The page menu of a page: its own `contextual`, else the one of the site. An empty list removes all entries. */
export function contextualOf(
  { frontmatter }: Pick<SitePage, 'frontmatter'>,
  { contextual }: Pick<SiteSettings, 'contextual'>,
): readonly ContextualOption[] {
  const own = new Fields(frontmatter).object('contextual')
  if (!Array.isArray(own.raw('options'))) return contextual
  return own.list('options').length === 0 ? [] : readContextual(own)
}

/** Reads `contextual.options`. By default, pages can be copied and viewed as Markdown. */
function readContextual(contextual: Fields): readonly ContextualOption[] {
  const options = contextual.list('options')
  if (options.length === 0) return [{ kind: 'copy' }, { kind: 'view' }]
  return options.flatMap((option): ContextualOption[] => {
    const kind = contextualKinds.find((known) => known === option)
    if (kind !== undefined) return [{ kind }]
    const link = new Fields(option)
    const title = link.text('title')
    const href = link.text('href') ?? readQueryLink(link.object('href'))
    if (title === undefined || href === undefined || !isAllowedUrl(href, 'link')) return []
    return [{ kind: 'link', title, description: link.text('description'), icon: link.icon(), href }]
  })
}

/** Reads a link with a query: `base`, and a list with `key` and `value`. Placeholders in values remain. */
function readQueryLink(link: Fields): string | undefined {
  const base = link.text('base')
  if (base === undefined) return undefined
  const query = link.objects('query').flatMap((entry) => {
    const [key, value] = [stringOf(entry.raw('key')), stringOf(entry.raw('value'))]
    return key === undefined || value === undefined
      ? []
      : [`${encodeUrlPart(key)}=${encodeUrlPart(value).replaceAll('%24', '$')}`]
  })
  return query.length === 0 ? base : `${base}${base.includes('?') ? '&' : '?'}${query.join('&')}`
}

function readLinks(around: Fields, key: string): SiteLink[] {
  return around.objects(key).flatMap((link) => readLink(link) ?? [])
}

function readLink(link: Fields): SiteLink | undefined {
  const href = link.text('href') ?? link.text('url')
  if (href === undefined || !isAllowedUrl(href, 'link')) return undefined
  const type = link.text('type')
  const icon = link.icon() ?? (type === 'button' ? undefined : type)
  // Links with only an icon need an accessible name.
  const host = toHost(href)
  const label = link.text('label') ?? link.text('name') ?? (icon !== undefined && host.includes(icon) ? socialName(icon) : host)
  return { label, href, icon, type }
}

/** The host of a URL: `example.com` for `https://www.example.com/a`. */
function toHost(href: string): string {
  return /^https?:\/\/(?:www\.)?([^/?#]+)/i.exec(href)?.[1] ?? href
}

function readBanner(banner: Fields): SiteSettings['banner'] {
  const content = banner.text('content')
  if (content === undefined) return undefined
  const own = banner.object('color')
  const light = readColor(own, 'light') ?? readColor(own, 'dark')
  const dark = readColor(own, 'dark') ?? light
  return {
    content,
    dismissible: banner.flag('dismissible') ?? false,
    type: banner.choice('type', ['info', 'warning', 'critical']) ?? 'info',
    color: light !== undefined && dark !== undefined ? { light, dark } : undefined,
  }
}

function readApi(api: Fields): ApiSettings {
  const playground = api.object('playground')
  const examples = api.object('examples')
  const params = api.object('params')
  const mdx = api.object('mdx')
  const server = mdx.text('server')
  const method = mdx.object('auth').text('method')
  const languages = new Set(examples.texts('languages').flatMap((name) => findSampleLanguage(name) ?? []))
  return {
    playground: {
      display: playground.choice('display', ['interactive', 'simple', 'none', 'auth']) ?? 'interactive',
      credentials: playground.flag('credentials') ?? false,
    },
    examples: {
      languages: languages.size > 0 ? [...languages] : undefined,
      defaults: examples.choice('defaults', ['required', 'all']) ?? 'all',
      prefill: examples.flag('prefill'),
      autogenerate: examples.flag('autogenerate') ?? true,
    },
    params: {
      expanded: params.choice('expanded', ['all', 'closed']) ?? 'closed',
      post: params.texts('post'),
    },
    mdx: {
      servers: server !== undefined ? [server] : mdx.texts('server'),
      auth: method === undefined ? undefined : { method, name: mdx.object('auth').text('name') },
    },
  }
}

/** Reads `markdown.instructions`: one text or a list. */
function readInstructions(markdown: Fields): readonly string[] {
  const one = markdown.text('instructions')
  const all = one === undefined ? markdown.texts('instructions') : [one]
  return all.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

function readOrganization(own: Fields): SiteOrganization {
  const readUrl = (key: string) => [own.text(key)].find(isWebUrl)
  return {
    id: readUrl('id'),
    name: own.text('name'),
    legalName: own.text('legalName'),
    url: readUrl('url'),
    logo: own.url('logo', 'media'),
    sameAs: own.list('sameAs').filter(isWebUrl),
  }
}
