import { isAllowedUrl } from '../mdx/allowed-url.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { readKey } from '../text/read-key.ts'
import { readIcon } from './plan-navigation-tree.ts'
import type { ApiSettings, SiteLink, SiteSettings } from './types.ts'

/**
 * Reads what docs.json says about the whole site. What has the wrong form counts as absent (the checks of docs.json tell about it), and so do
 * addresses with a scheme that could run something.
 */
export function readSettings(docsConfig: JsonObject): SiteSettings {
  const top = fieldsOf(docsConfig)
  const seo = top.object('seo')
  const notFound = top.object('errors').object('404')
  return {
    name: top.text('name') ?? 'Documentation',
    description: top.text('description'),
    language: 'en',
    logo: readPair(top, 'logo'),
    favicon: readPair(top, 'favicon'),
    colors: readColors(top.object('colors')),
    appearance: {
      default: top.object('appearance').choice('default', ['system', 'light', 'dark']) ?? 'system',
      strict: top.object('appearance').flag('strict') ?? false,
    },
    navbar: { links: readLinks(top.object('navbar').list('links')), primary: readLink(top.object('navbar').raw('primary')) },
    footer: {
      socials: Object.entries(top.object('footer').object('socials').value).flatMap(([name, href]) =>
        typeof href === 'string' && isAllowedUrl(href, 'link') ? [{ label: name, href, icon: name, type: undefined }] : [],
      ),
      columns: top
        .object('footer')
        .list('links')
        .filter(isObject)
        .map((column) => ({ header: fieldsOf(column).text('header') ?? '', links: readLinks(fieldsOf(column).list('items')) })),
    },
    banner: readBanner(top.object('banner')),
    redirects: top
      .list('redirects')
      .filter(isObject)
      .flatMap((redirect) => {
        const { text, flag } = fieldsOf(redirect)
        const source = text('source')
        const destination = text('destination')
        const isGood = source !== undefined && destination !== undefined && isAllowedUrl(destination, 'link')
        return isGood ? [{ source, destination, permanent: flag('permanent') ?? true }] : []
      }),
    metatags: textsOf(seo.object('metatags').value),
    indexing: seo.choice('indexing', ['navigable', 'all']) ?? 'navigable',
    errors: {
      redirect: notFound.flag('redirect') ?? true,
      title: notFound.text('title'),
      description: notFound.text('description'),
    },
    api: readApi(top.object('api')),
    variables: textsOf(top.object('variables').value),
  }
}

/** Reads keys of an object that may hold anything. */
interface Fields {
  readonly value: JsonObject
  readonly raw: (key: string) => unknown
  /** Not empty. */
  readonly text: (key: string) => string | undefined
  readonly flag: (key: string) => boolean | undefined
  readonly list: (key: string) => readonly unknown[]
  readonly object: (key: string) => Fields
  readonly choice: <Choice extends string>(key: string, choices: readonly Choice[]) => Choice | undefined
}

function fieldsOf(value: JsonObject): Fields {
  const raw = (key: string) => (Object.hasOwn(value, key) ? readKey(value, key) : undefined)
  return {
    value,
    raw,
    text: (key) => {
      const found = raw(key)
      return typeof found === 'string' && found.trim() !== '' ? found : undefined
    },
    flag: (key) => {
      const found = raw(key)
      return typeof found === 'boolean' ? found : undefined
    },
    list: (key) => {
      const found = raw(key)
      return Array.isArray(found) ? found : []
    },
    object: (key) => {
      const found = raw(key)
      return fieldsOf(isObject(found) ? found : {})
    },
    choice: (key, choices) => choices.find((choice) => choice === raw(key)),
  }
}

/** `logo` and `favicon`: one address, or one for each theme. */
function readPair(top: Fields, key: string): SiteSettings['logo'] {
  const one = top.text(key)
  const { text } = top.object(key)
  const light = one ?? text('light') ?? text('dark')
  const dark = one ?? text('dark') ?? text('light')
  if (light === undefined || dark === undefined || !isAllowedUrl(light, 'media') || !isAllowedUrl(dark, 'media')) return undefined
  const href = text('href')
  return { light, dark, href: href !== undefined && isAllowedUrl(href, 'link') ? href : undefined }
}

/** Only hexadecimal colours, the ones docs.json allows: a value goes into a stylesheet. */
function readColors({ text }: Fields): SiteSettings['colors'] {
  const color = (key: string) => {
    const found = text(key)
    return found !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(found) ? found : undefined
  }
  return { primary: color('primary'), light: color('light'), dark: color('dark') }
}

function readLinks(list: readonly unknown[]): SiteLink[] {
  return list.flatMap((element) => readLink(element) ?? [])
}

function readLink(element: unknown): SiteLink | undefined {
  if (!isObject(element)) return undefined
  const { text, raw } = fieldsOf(element)
  const href = text('href') ?? text('url')
  if (href === undefined || !isAllowedUrl(href, 'link')) return undefined
  const type = text('type')
  const label = text('label') ?? text('name') ?? (type === 'github' ? 'GitHub' : href)
  return { label, href, icon: readIcon(raw('icon')) ?? type, type }
}

function readBanner({ text, flag }: Fields): SiteSettings['banner'] {
  const content = text('content')
  return content === undefined ? undefined : { content, dismissible: flag('dismissible') ?? false }
}

function readApi(api: Fields): ApiSettings {
  const playground = api.object('playground')
  const examples = api.object('examples')
  const mdx = api.object('mdx')
  const server = mdx.text('server')
  const method = mdx.object('auth').text('method')
  const languages = examples.list('languages').filter((language): language is string => typeof language === 'string')
  return {
    playground: {
      display: playground.choice('display', ['interactive', 'simple', 'none', 'auth']) ?? 'interactive',
      credentials: playground.flag('credentials') ?? false,
    },
    url: api.choice('url', ['full']),
    examples: {
      languages: languages.length > 0 ? languages : undefined,
      defaults: examples.choice('defaults', ['required', 'all']) ?? 'all',
      prefill: examples.flag('prefill') ?? false,
      autogenerate: examples.flag('autogenerate') ?? true,
    },
    params: { expanded: api.object('params').choice('expanded', ['all', 'closed']) ?? 'closed' },
    mdx: {
      servers: server !== undefined ? [server] : mdx.list('server').filter((one): one is string => typeof one === 'string'),
      auth: method === undefined ? undefined : { method, name: mdx.object('auth').text('name') },
    },
  }
}

function textsOf(value: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
