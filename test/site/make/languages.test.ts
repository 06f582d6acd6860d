import { describe, expect, test } from 'vitest'
import type { Changelog, ChangelogChange } from '../../../src/changes/compare/changelog.ts'
import { siteOf } from './site-of.ts'

// Every word of the content of these files starts with `Zz`. All other words on their pages are words of the interface.

const json = (schema: object, more: object = {}) => ({ content: { 'application/json': { schema, ...more } } })
const ref = { $ref: '#/components/schemas/ZzShape' }

const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Zzapi',
    version: '1.2',
    description: 'Zzabout',
    license: { name: 'Zzlicense' },
    termsOfService: 'https://zz.zz/terms',
  },
  tags: [{ name: 'Zztag', description: 'Zzwords' }],
  security: [{ zzkey: [] }, { zzoauth: ['zz:read'], zzbasic: [] }, { zzbearer: [] }],
  servers: [
    { url: 'https://{zzplace}.zz', variables: { zzplace: { default: 'zz', enum: ['zz', 'zy'], description: 'Zzwhere' } } },
  ],
  paths: {
    '/zz/{zzid}': {
      post: {
        summary: 'Zzchange',
        operationId: 'zzChange',
        tags: ['Zztag', 'Zzother'],
        deprecated: true,
        parameters: [
          { name: 'zzid', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 9, example: 7 } },
          {
            name: 'zzlist',
            in: 'query',
            style: 'pipeDelimited',
            schema: { type: 'array', items: { type: 'string' } },
            allowReserved: true,
          },
          {
            name: 'zzhead',
            in: 'header',
            schema: { type: 'string', minLength: 2, pattern: '^zz$', enum: ['zz', 'zy'], default: 'zz' },
          },
          { name: 'zzcookie', in: 'cookie', allowEmptyValue: true, schema: { type: ['string', 'null'], format: 'zzformat' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/zz': { schema: ref, examples: { Zzone: { value: {} }, Zztwo: { summary: 'Zzsum', value: {} } } },
            'multipart/zz': {
              schema: { type: 'object', properties: { zzfile: { type: 'string' } } },
              encoding: { zzfile: { contentType: 'zz/zz', headers: { Zzpart: { schema: { type: 'string' } } } } },
            },
          },
        },
        responses: {
          200: {
            description: 'Zzgood',
            headers: { Zzleft: { schema: { type: 'integer', exclusiveMinimum: 0 } } },
            links: {
              zzlink: { operationId: 'zzChange', parameters: { zzid: '$zz' }, requestBody: '$zz', server: { url: 'zz' } },
            },
            ...json(ref, { example: { zz: 1 } }),
          },
          204: { description: 'Zznone' },
        },
        callbacks: {
          zzcalled: { '{$request.body#/zz}': { post: { summary: 'Zzback', responses: { 200: { description: 'Zz' } } } } },
        },
      },
      get: {
        summary: 'Zzread',
        tags: ['Zztag'],
        security: [{}, { zzkey: [] }],
        responses: { 200: { description: 'Zz', ...json(ref) } },
      },
    },
  },
  webhooks: { zzhook: { post: { summary: 'Zzhook', requestBody: json(ref), responses: { 200: { description: 'Zz' } } } } },
  components: {
    securitySchemes: {
      zzkey: { type: 'apiKey', in: 'header', name: 'Zzkey' },
      zzbasic: { type: 'http', scheme: 'basic' },
      zzbearer: { type: 'http', scheme: 'bearer' },
      zzoauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: { authorizationUrl: 'https://zz.zz/a', tokenUrl: 'https://zz.zz/t', scopes: { 'zz:read': 'Zz' } },
        },
      },
    },
    schemas: {
      ZzShape: {
        description: 'Zzshape',
        type: 'object',
        required: ['zzname'],
        additionalProperties: false,
        properties: {
          zzname: { type: 'string', maxLength: 10, readOnly: true, examples: ['zz', 'zy', 'zx', 'zw', 'zv'] },
          zzsecret: { type: 'string', writeOnly: true, deprecated: true },
          zzself: ref,
          zzmany: {
            type: 'array',
            minItems: 1,
            uniqueItems: true,
            items: { type: 'object', title: 'Zztitle', properties: { zz: { type: 'number', multipleOf: 2 } } },
          },
          zzmap: { type: 'object', additionalProperties: { type: 'integer' } },
          zzpair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: true },
          zzchoice: {
            oneOf: [
              { type: 'object', title: 'Zza', properties: { zz: { const: 1 } } },
              { type: 'object', title: 'Zzb', properties: { zy: {} } },
            ],
          },
          zzlong: { type: 'string', enum: Array.from({ length: 20 }, (_, index) => `zz${index}`) },
          zzrule: {
            not: { type: 'string' },
            contains: { type: 'integer' },
            patternProperties: { '[zz]': { type: 'string', description: 'Zz' } },
          },
        },
      },
    },
  },
}

const guide = `---
title: Zzguide
tag: Zzn
timestamp: true
lastUpdatedDate: 2026-05-04
related: [zzguide]
---

## Zzone

<Note>Zznote</Note> <Warning>Zzwarn</Warning> <Check>Zzcheck</Check>

<Accordion>Zzinside</Accordion>

<Tabs><Tab>Zza</Tab><Tab>Zzb</Tab></Tabs>

<Prompt>Zzask</Prompt>

<ParamField query="zzfield" type="zztype" required deprecated default="zz">Zzdescribes <Expandable>Zzmore</Expandable></ParamField>

<Tooltip tip="Zztip" href="/zzguide">Zzword</Tooltip>

| Zzhead |
| --- |
| Zzcell |

- [x] Zzdone
- [ ] Zzto

## Zztwo

\`\`\`
zz
\`\`\`

\`\`\`mermaid
graph TD; zz-->zy
\`\`\`

<CodeGroup>

\`\`\`
zz
\`\`\`

\`\`\`
zy
\`\`\`

</CodeGroup>

\`\`\`zz expandable
${'zz\n'.repeat(30)}
\`\`\`
`

const docsConfig = {
  name: 'Zzsite',
  description: 'Zzdescription',
  banner: { content: 'Zzbanner', dismissible: true },
  contextual: { options: ['copy', 'view', 'claude'] },
  navbar: { links: [{ label: 'Zzlink', href: 'https://zz.zz' }] },
  footer: { socials: { zz: 'https://zz.zz' }, links: [{ items: [{ label: 'Zzitem', href: '/zzguide' }] }] },
  navigation: {
    versions: [
      {
        version: 'Zzv2',
        tabs: [
          { tab: 'Zzguides', groups: [{ group: 'Zzgroup', pages: ['index', 'zzguide'] }] },
          { tab: 'Zzreference', openapi: 'zz.json' },
        ],
      },
      { version: 'Zzv1', groups: [{ group: 'Zzold', pages: ['zzold'] }] },
    ],
  },
}

const change: ChangelogChange = {
  code: 'enum-value-removed',
  level: 'breaking',
  operation: null,
  operations: [{ method: 'get', path: '/zz/{zzid}' }],
  schemas: ['ZzShape'],
  subject: 'request',
  message: 'Zzchanged',
  fingerprint: '0123456789abcdef',
}
const changelog: Changelog = {
  isCut: true,
  entries: [
    {
      name: 'Unreleased',
      isFirst: false,
      changes: [
        change,
        { ...change, level: 'risky', subject: 'response' },
        { ...change, message: 'Zzadded', level: 'compatible' },
      ],
    },
    { name: 'zz2', date: '2026-03-02T10:00:00.000Z', isFirst: false, changes: [] },
    { name: 'zz1', date: '2026-02-01T10:00:00.000Z', isFirst: true, changes: [] },
  ],
}

/** Words that are the same in every language: of HTTP, OpenAPI and JSON Schema, and names. */
const technical = new Set(
  `API HTTP URL OAuth OpenAPI JSON YAML XML RSS PDF AI Markdown JavaScript LaTeX TLS Bearer Authorization Cookie ID md
  GET POST DEL DELETE HOOK WEBHOOK Claude Cursor cURL curl Python Go PHP Ruby Java C string strings integer number boolean object null any allOf items`.split(
    /\s+/,
  ),
)

/** The visible and spoken texts of a page. Code and everything in \`<code>\` come from the document. */
function listTexts(html: string): string[] {
  const shown = html
    .replace(/<(script|style|svg|pre|code|template|i)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<(?:meta|link)\b[^>]*>/g, ' ')
  const attributes = [...shown.matchAll(/ (?:aria-label|title|placeholder|alt|data-less)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  )
  return [...attributes, ...shown.split(/<[^>]*>/)]
    .map((text) => text.replace(/&\w+;/g, ' ').trim())
    .filter((text) => text !== '')
}

function listForeignWords(html: string): string[] {
  return listTexts(html).flatMap((text) => {
    // URLs, paths and codes of changes.
    const words = text.replace(/\S*(?:https?:|[\w.-]+@)\S*|\S*\/\S+|^[a-z]+(?:-[a-z]+)+$/g, ' ').match(/[A-Za-z]{2,}/g) ?? []
    return words.some((word) => !/^z[a-z]/i.test(word) && !technical.has(word)) ? [text] : []
  })
}

const files = {
  'docs.json': JSON.stringify(docsConfig),
  'zz.json': JSON.stringify(openapi),
  'index.mdx': guide.replace('Zzguide', 'Zzhome'),
  'zzguide.mdx': guide,
  'zzold.mdx': '# Zzold',
}

describe('a site in another language', () => {
  const build = (language: string) => {
    const config = `schemas: true\nsite:\n  language: ${language}\n  editUrl: https://zz.zz/edit/\n  feedback: https://zz.zz/`
    const options = { url: 'https://zz.zz/', readChangelogs: async () => new Map([['zz.json', changelog]]) }
    return siteOf({ ...files, 'openapi-pages.config.yaml': config }, options)
  }

  test('has no English texts in its pages', async () => {
    const { files: built } = await build('ja')
    const pages = Object.entries(built).filter(([path]) => path.endsWith('.html'))
    const english = pages.flatMap(([path, html]) => listForeignWords(html).map((text) => `${path}: ${text}`))
    expect(english).toEqual([])
    expect(pages.length).toBeGreaterThan(10)
  })

  test('finds the texts of an English site', async () => {
    const { files: built } = await build('pl')
    const texts = listForeignWords(built['zzguide/index.html'] ?? '')
    expect(texts).toEqual(expect.arrayContaining(['On this page', 'Copy code', 'Note', 'required', 'Skip to content']))
  })

  test('has the same URLs and element IDs as an English site', async () => {
    const [japanese, english] = [await build('ja'), await build('en')]
    const pathsOf = (built: Readonly<Record<string, string>>) =>
      Object.keys(built).filter((path) => !/^_assets\/(?:messages|playground)-ja/.test(path))
    expect(pathsOf(japanese.files)).toEqual(pathsOf(english.files))
    const idsOf = (html = '') => Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id)
    const pages = Object.keys(english.files).filter((path) => path.endsWith('/index.html') && !path.startsWith('search/'))
    for (const path of pages) expect(idsOf(japanese.files[path])).toEqual(idsOf(english.files[path]))
  })

  test('has the language and its direction on every page, and its texts for scripts', async () => {
    const { files: built } = await build('ar')
    const pages = Object.entries(built).filter(([path]) => path.endsWith('.html'))
    expect(pages.filter(([, html]) => !html.includes('<html lang="ar" dir="rtl"')).map(([path]) => path)).toEqual([])
    const [, script = ''] = /<meta name="messages" content="\/([^"]*)"/.exec(built['zzguide/index.html'] ?? '') ?? []
    expect(JSON.parse(built[script] ?? '')).toMatchObject({ language: 'ar', page: { copied: 'تم النسخ' } })
    const operation = pages.find(([, html]) => html.includes('data-messages'))?.[1] ?? ''
    const [, playground = ''] = / data-messages="\/([^"]*)"/.exec(operation) ?? []
    expect(JSON.parse(built[playground] ?? '')).toMatchObject({ language: 'ar' })
  })
})

test('each language division has pages in its language', async () => {
  const pages = Object.fromEntries(
    ['en', 'cn', 'jp', 'de', 'pl'].map((name) => [`${name}/index.mdx`, '# Zz\n\n## Zza\n\n## Zzb']),
  )
  const languages = ['en', 'cn', 'jp', 'de', 'pl'].map((language) => ({
    language,
    groups: [{ group: 'Zz', pages: [`${language}/index`] }],
  }))
  const { files: built } = await siteOf({ ...pages, 'docs.json': JSON.stringify({ name: 'Zz', navigation: { languages } }) })
  const shown = ['en', 'cn', 'jp', 'de', 'pl'].map((name) => {
    const html = built[`${name}/index.html`] ?? ''
    return [/<html lang="([^"]*)"/.exec(html)?.[1], /<h2 id="toc">([^<]*)</.exec(html)?.[1]]
  })
  expect(shown).toEqual([
    ['en', 'On this page'],
    ['zh-Hans', '本页内容'],
    ['ja', 'このページの内容'],
    ['de', 'Auf dieser Seite'],
    // Its interface is not translated.
    ['pl', 'On this page'],
  ])
})

test('search results have the language of their page', async () => {
  const config = 'schemas: true\nsite:\n  language: de\n'
  const { files: built } = await siteOf({ ...files, 'openapi-pages.config.yaml': config })
  const names = built['_search/names.json'] ?? ''
  expect(names).toContain('Operationen: Zztag')
  expect(names).toContain('object, 9 Eigenschaften')
})

test('the logo links to the start page in the language of the page', async () => {
  const start = (language: string, path: string) => ({ language, groups: [{ group: 'Zz', pages: [path, `${path}-more`] }] })
  const navigation = { languages: [start('en', 'index'), start('de', 'de/start')] }
  const pages = Object.fromEntries(
    ['index', 'index-more', 'de/start', 'de/start-more'].map((name) => [`${name}.mdx`, `# Zz ${name}\n`]),
  )
  const { files: built } = await siteOf({ ...pages, 'docs.json': JSON.stringify({ name: 'Zz', navigation }) })
  const homes = ['index-more', 'de/start-more', 'search'].map(
    (route) => /<a class="brand" href="([^"]*)"/.exec(built[`${route}/index.html`] ?? '')?.[1],
  )
  expect(homes).toEqual(['/', '/de/start/', '/'])
})

describe('the choice of a language by the server of the app', () => {
  const navigation = {
    languages: [
      { language: 'de', groups: [{ group: 'Zz', pages: ['de/index'] }] },
      { language: 'en', default: true, groups: [{ group: 'Zz', pages: ['index', 'more'] }] },
      { language: 'cn', groups: [{ group: 'Zz', pages: ['cn/start'] }] },
      { language: 'ja', hidden: true, groups: [{ group: 'Zz', pages: ['ja/start'] }] },
      { language: 'fr', href: 'https://example.com/fr' },
    ],
  }
  const pages = Object.fromEntries(
    ['index', 'more', 'de/index', 'cn/start', 'ja/start'].map((name) => [`${name}.mdx`, `# Zz ${name}\n`]),
  )
  const build = async (config: string, appliesRedirects: boolean, own: object = navigation) => {
    const docs = { 'docs.json': JSON.stringify({ name: 'Zz', navigation: own }), 'openapi-pages.config.yaml': config }
    return (await siteOf({ ...pages, ...docs }, { appliesRedirects })).files
  }

  test('is a list of the languages with their start pages, and a mark in the menu', async () => {
    const built = await build('', true)
    expect(built['_languages']).toBe('en /\nde /de/\nzh-Hans /cn/start/\n')
    expect(built['more/index.html']).toContain('href="/de/" lang="de" hreflang="de" data-language="de"')
  })

  test.each<[string, string, boolean, object]>([
    ['on other servers', '', false, navigation],
    ['with `site.detectLanguage: false`', 'site: { detectLanguage: false }\n', true, navigation],
    ['with one language', '', true, { languages: navigation.languages.slice(0, 1) }],
    ['without languages', '', true, { pages: ['index'] }],
  ])('does not happen %s', async (_, config, appliesRedirects, own) => {
    const built = await build(config, appliesRedirects, own)
    expect(built).not.toHaveProperty('_languages')
    expect(built['index.html'] ?? built['de/index.html']).not.toContain('data-language')
  })
})
