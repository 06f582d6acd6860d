import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

/** URLs that no page may link to or load. Each names itself with `evil`. */
const hostile = [
  'javascript:evil()',
  'JavaScript:evil()',
  'java\tscript:evil()',
  'java\nscript:evil()',
  ' javascript:evil()',
  '\u0001javascript:evil()',
  'javascript\u0000:evil()',
  'javascript&colon;evil()',
  'jav&#x61;script:evil()',
  'vbscript:evil',
  'data:text/html,evil',
  'data:image/svg+xml,evil',
  'blob:https://evil.test/1',
  'view-source:https://evil.test',
  'file:///evil',
  'filesystem:https://evil.test/a',
  'sms:evil',
  'intent://evil#Intent;end',
  '\\\\evil.test',
  '/\\evil.test',
  '\\/evil.test',
  'https:\\\\evil.test',
  'https:/\\evil.test',
  'https:evil.test',
]

/** Everything that takes a URL, with one. */
function filesOf(url: string): Record<string, string> {
  const link = { label: 'Link', href: url, icon: 'book' }
  const json = JSON.stringify(url)
  const components = [
    'Card',
    'Tile',
    'Button',
    'Tooltip',
    'Frame',
    'Image',
    'Icon',
    'a',
    'img',
    'video',
    'audio',
    'source',
    'iframe',
    'area',
    'Visibility',
  ]
  const attributes = ['href', 'src', 'img', 'icon', 'poster', 'srcset', 'action', 'url', 'cite', 'HREF', 'xlinkHref']
  const elements = components.map((name) => `<${name} ${attributes.map((key) => `${key}={${json}}`).join(' ')}>Text</${name}>`)
  const inMarkdown = url.replace(/[\n\t ]/g, (space) => encodeURIComponent(space)).replace(/[<>()\\&]/g, '\\$&')
  const document = {
    openapi: '3.2.0',
    info: {
      title: 'API',
      version: '1',
      description: `[Text](<${inMarkdown}>) [A](${inMarkdown}) ![B](${inMarkdown}) <${inMarkdown}> [ref]\n\n[ref]: ${inMarkdown}\n\n[b]: <${inMarkdown}> "T"`,
      termsOfService: url,
      contact: { name: 'Ann', url, email: url },
      license: { name: 'MIT', url },
    },
    servers: [{ url }, { url: 'https://a.example' }],
    externalDocs: { url, description: 'Docs' },
    tags: [{ name: 'pets', externalDocs: { url } }],
    paths: {
      '/pets': {
        get: {
          summary: 'List',
          tags: ['pets'],
          externalDocs: { url },
          description: `<a href=${json}>Text</a> <img src=${json}>`,
          'x-mint': { href: url, metadata: { url, canonical: url, 'og:image': url }, content: `[Text](<${inMarkdown}>)` },
          responses: {
            200: { description: 'OK', content: { 'audio/mpeg': { examples: { a: { externalValue: url }, b: { value: url } } } } },
          },
        },
        post: { summary: 'Add', tags: ['pets'], 'x-mint': { href: url }, responses: { 200: { description: 'OK' } } },
      },
    },
    components: {
      securitySchemes: {
        login: {
          type: 'oauth2',
          oauth2MetadataUrl: url,
          flows: { authorizationCode: { authorizationUrl: url, tokenUrl: url, refreshUrl: url, scopes: {} } },
        },
        open: { type: 'openIdConnect', openIdConnectUrl: url },
      },
      schemas: { Pet: { type: 'string', externalDocs: { url } } },
    },
    security: [{ login: [] }, { open: [] }],
  }
  const docs = {
    name: 'Docs',
    theme: 'mint',
    colors: { primary: '#16a34a' },
    logo: { light: url, dark: url, href: url },
    favicon: url,
    background: { image: url },
    navbar: { links: [link], primary: { type: 'button', label: 'Go', href: url } },
    footer: { socials: { github: url }, links: [{ header: 'More', items: [link] }] },
    banner: { content: `[Text](<${inMarkdown}>)` },
    seo: {
      metatags: {
        canonical: url,
        'og:image': url,
        'twitter:image': url,
        'og:url': url,
        'og:video': url,
        'og:audio:secure_url': url,
      },
    },
    errors: { 404: { description: `[Text](<${inMarkdown}>)` } },
    redirects: [{ source: '/old', destination: url }],
    contextual: {
      options: [
        'copy',
        'view',
        'mcp',
        { title: 'Ask', description: 'Text', icon: url, href: url },
        { title: 'B', href: { base: url } },
      ],
    },
    organization: { logo: url, url, sameAs: [url] },
    api: { openapi: 'openapi.json' },
    navigation: {
      global: { anchors: [{ anchor: 'Anchor', href: url, icon: url }] },
      tabs: [
        { tab: 'Tab', icon: url, groups: [{ group: 'Group', icon: url, pages: ['index', 'away', 'javascript:evil', url] }] },
        { tab: 'Linked', href: url },
        { tab: 'API', openapi: 'openapi.json' },
      ],
    },
  }
  const frontmatter = ['icon', 'canonical', '"og:image"', '"og:url"', '"twitter:player"'].map((key) => `${key}: ${json}`)
  const shared = `related:\n  - ${json}\n  - Title: ${json}\nmetatags:\n  "og:image": ${json}\n`
  return {
    'docs.json': JSON.stringify(docs),
    'openapi.json': JSON.stringify(document),
    'index.mdx': `---\ntitle: Home\n${frontmatter.join('\n')}\n${shared}---\n\n[Text](<${inMarkdown}>) ![Image](<${inMarkdown}>)\n\n[ref]: <${inMarkdown}>\n\n[ref]\n\n${elements.join('\n\n')}\n`,
    'away.mdx': `---\ntitle: Away\nurl: ${json}\n---\n`,
    'javascript:evil.mdx': '---\ntitle: Named\n---\n\nText\n',
    'openapi-pages.config.yaml': 'schemas: true\n',
  }
}

const accepted =
  /^(?:https?:\/\/[^/\\?#]|mailto:|tel:|data:image\/(?:png|jpe?g|gif|webp|avif)[;,]|data:,$|cursor:\/\/anysphere\.cursor-deeplink\/|vscode:mcp\/install\?)/i

/** As browsers read a URL on a page: another site or a script if it does not stay on this one and is not accepted. */
function isWrong(written: string): boolean {
  const url = written.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  if (accepted.test(url)) return false
  const parsed = URL.canParse(url, 'https://site.invalid/') ? new URL(url, 'https://site.invalid/') : undefined
  return parsed?.origin !== 'https://site.invalid'
}

function listUrls(path: string, text: string): string[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, url = '']) => url)
  if (/\.html$/.test(path)) {
    const inData = all(/<script type="application\/ld\+json">(.*?)<\/script>/gs).flatMap((data) => listTexts(JSON.parse(data)))
    const inTags = all(/ (?:href|src|action|formaction|poster|data|cite|xlink:href)="([^"]*)"/gi)
    const sources = all(/ srcset="([^"]*)"/gi).flatMap((set) => set.split(', ').map((source) => source.split(' ')[0] ?? ''))
    const metatags = all(/<meta (?:name|property)="(?:og|twitter):(?:image|url|video|audio|player)[^"]*" content="([^"]*)"/g)
    const refresh = all(/http-equiv="refresh" content="\d+; url=([^"]*)"/g)
    return [
      ...inTags,
      ...sources,
      ...metatags,
      ...refresh,
      ...inData.filter((each) => /^[\w\s-]+:/.test(each) && !/\s/.test(each)),
    ]
  }
  if (/\.(?:md|txt)$/.test(path))
    return [
      ...all(/\]\(<?([^)\s>]*)/g),
      ...all(/(?<!`)<([a-z][a-z0-9+.-]*:[^>\s]*)>/gi),
      ...all(/^\[[^\]]*\]: <?(\S*?)>?$/gm),
      ...all(/\b(?:href|src|srcset)\s*=\s*["']?([^"'>]*)/g),
    ]
  // The script of a page appends these to the folder of the site.
  if (/\b_search\/names\.json$/.test(path))
    return String(JSON.parse(text).routes)
      .split('\n')
      .map((route) => `/${route}`)
  if (/\b404\.json$/.test(path)) return JSON.parse(text).map(([route]: string[]) => `/${route}`)
  if (/\.xml$/.test(path)) return [...all(/<(?:loc|link|guid|url)>([^<]*)</g), ...all(/ href="([^"]*)"/g)]
  return []
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

test.each(hostile)('%j is no link and no image in any file of a site', async (url) => {
  for (const site of ['https://docs.example/', undefined]) {
    const { files } = await siteOf(filesOf(url), { url: site })
    const wrong = Object.entries(files).flatMap(([path, text]) =>
      listUrls(path, text)
        .filter(isWrong)
        .map((found) => `${path}: ${found}`),
    )
    expect(wrong).toEqual([])
  }
})
