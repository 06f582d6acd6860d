import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const find = async (settings: object, files: Readonly<Record<string, string>> = {}) => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['index'] }, ...settings }),
    'index.mdx': '# Start\n',
    ...files,
  })
  return diagnostics.map(({ code, severity, pointer, message }) => `${severity} ${code} ${pointer} ${message}`)
}

const unused = (pointer: string, message: string) => [`warning setting-not-used ${pointer} ${message}`]

test.each<[string, object, string[]]>([
  ['a list as name', { name: ['Pets'] }, unused('/name', 'Unexpected list for `name`, expected a string')],
  ['one color as colors', { colors: '#0D9373' }, unused('/colors', 'Unexpected string for `colors`, expected an object')],
  [
    'a color by name',
    { colors: { primary: 'red' } },
    unused('/colors/primary', 'Unexpected `red` for `primary`, expected a color such as `#0D9373`'),
  ],
  [
    'a number as color',
    { background: { color: { dark: 5 } } },
    unused('/background/color/dark', 'Unexpected number for `dark`, expected a color such as `#0D9373`'),
  ],
  ['a list as logo', { logo: ['a'] }, unused('/logo', 'Unexpected list for `logo`, expected a string or an object')],
  [
    'a theme as appearance',
    { appearance: 'dark' },
    unused('/appearance', 'Unexpected string for `appearance`, expected an object'),
  ],
  [
    'an unknown value',
    { appearance: { default: 'night' } },
    unused('/appearance/default', 'Unexpected `night` for `default`, expected `system`, `light` or `dark`'),
  ],
  [
    'a string instead of a boolean',
    { banner: { content: 'New', dismissible: 'yes' } },
    unused('/banner/dismissible', 'Unexpected string for `dismissible`, expected `true` or `false`'),
  ],
  ['a banner without words', { banner: { dismissible: true } }, unused('/banner', 'Missing `content` in `banner`')],
  [
    'a navbar link without a URL',
    { navbar: { links: [{ label: 'Blog' }] } },
    unused('/navbar/links/0', 'Missing `href` or `url` in `links`'),
  ],
  [
    'a type that navbar links do not have',
    { navbar: { links: [{ label: 'Blog', href: 'https://example.com', type: 'button' }] } },
    unused('/navbar/links/0/type', 'Unexpected `button` for `type`, expected `github` or `discord`'),
  ],
  [
    'a URL that could run a script',
    { navbar: { primary: { label: 'x', href: 'javascript:alert(1)' } } },
    unused('/navbar/primary/href', 'Unexpected `javascript:alert(1)` for `href`, expected a path or URL'),
  ],
  [
    'an invalid URL in the footer',
    { footer: { socials: { github: 3 } } },
    unused('/footer/socials/github', 'Unexpected number for `github`, expected a path or URL'),
  ],
  [
    'an object as redirects',
    { redirects: { '/a': '/b' } },
    unused('/redirects', 'Unexpected object for `redirects`, expected a list'),
  ],
  ['a redirect to nothing', { redirects: [{ source: '/a' }] }, unused('/redirects/0', 'Missing `destination` in `redirects`')],
  [
    'circular redirects',
    {
      redirects: [
        { source: '/a', destination: '/b/' },
        { source: 'b', destination: '/a#x' },
        { source: '/c', destination: '/a' },
      ],
    },
    [
      'warning redirect-loop /redirects/0 Unexpected redirect from `/a`: it redirects to itself',
      'warning redirect-loop /redirects/1 Unexpected redirect from `b`: it redirects to itself',
    ],
  ],
  [
    'redirects with parameters',
    {
      redirects: [
        { source: '/a/:x', destination: '/a/:x' },
        { source: '/b/:x*', destination: '/gone/:x*' },
        { source: '/c/:x', destination: '/d/:x/e' },
        { source: '/d/:y*', destination: 'https://example.com/:y*' },
        { source: '/e', destination: '/d/1' },
        { source: '/f/:x*', destination: '/g/*' },
        { source: '/g/*', destination: '/f/*' },
        { source: '/h-*', destination: '/:x*' },
      ],
    },
    [
      'warning redirect-loop /redirects/0 Unexpected redirect from `/a/:x`: it redirects to itself',
      'info redirect-chain /redirects/2 Unexpected redirect from `/c/:x`: `/d/:x/e` is redirected too',
      'info redirect-chain /redirects/4 Unexpected redirect from `/e`: `/d/1` is redirected too',
      'warning redirect-loop /redirects/5 Unexpected redirect from `/f/:x*`: it redirects to itself',
      'warning redirect-loop /redirects/6 Unexpected redirect from `/g/*`: it redirects to itself',
      'warning link-unresolved /redirects/1/destination Unexpected link to `/gone/:x*`: the site has no page with this path',
    ],
  ],
  [
    'a number in the menu options',
    { contextual: { options: ['copy', 3] } },
    unused('/contextual/options/1', 'Unexpected number for `options`, expected a string or an object'),
  ],
  [
    'an unknown value of `api`',
    { api: { playground: { display: 'full' }, params: { expanded: 'open' }, examples: { defaults: 'some', languages: 'go' } } },
    [
      ...unused('/api/playground/display', 'Unexpected `full` for `display`, expected `interactive`, `simple`, `none` or `auth`'),
      ...unused('/api/params/expanded', 'Unexpected `open` for `expanded`, expected `all` or `closed`'),
      ...unused('/api/examples/defaults', 'Unexpected `some` for `defaults`, expected `required` or `all`'),
      ...unused('/api/examples/languages', 'Unexpected string for `languages`, expected a list'),
    ],
  ],
  [
    'a string instead of a boolean outside of `api`',
    { metadata: { timestamp: 'yes' } },
    unused('/metadata/timestamp', 'Unexpected string for `timestamp`, expected `true` or `false`'),
  ],
  [
    'a key that is also a property of every object',
    { variables: JSON.parse('{"__proto__": 1}'), footer: { socials: { constructor: 'https://example.com' } } },
    unused('/variables/__proto__', 'Unexpected number for `__proto__`, expected a string'),
  ],
])('reports an invalid setting: %s', async (_name, settings, expected) => {
  expect(await find(settings)).toEqual(expected)
})

test('reports documents of other kinds', async () => {
  const navigation = {
    groups: [
      { group: 'Start', pages: ['index'] },
      { group: 'Events', asyncapi: 'events.yaml' },
    ],
  }
  expect(await find({ navigation, api: { asyncapi: 'events.yaml' } })).toEqual([
    'info setting-not-used /navigation/groups/1/asyncapi Cannot use `asyncapi`: only OpenAPI documents are supported',
    'info setting-not-used /api/asyncapi Cannot use `api.asyncapi`: only OpenAPI documents are supported',
  ])
})

test('checks the navbar of a language like that of the site', async () => {
  const navigation = { languages: [{ language: 'en', pages: ['index'], navbar: { links: 'none' } }] }
  expect(await find({ navigation })).toEqual(
    unused('/navigation/languages/0/navbar/links', 'Unexpected string for `links`, expected a list'),
  )
})

test.each<[string, object, string[]]>([
  ['a logo', { logo: '/logo.svg' }, ['warning asset-missing /logo Cannot find the file `/logo.svg`']],
  [
    'a logo for one theme',
    { logo: { light: '/there.png', dark: '/dark.png' } },
    ['warning asset-missing /logo/dark Cannot find the file `/dark.png`'],
  ],
  ['an icon', { favicon: 'favicon.ico' }, ['warning asset-missing /favicon Cannot find the file `favicon.ico`']],
  [
    'a navbar link',
    { navbar: { links: [{ label: 'Blog', href: '/blog' }] } },
    ['warning link-unresolved /navbar/links/0/href Unexpected link to `/blog`: the site has no page with this path'],
  ],
  [
    'a footer link',
    { footer: { links: [{ header: 'More', items: [{ label: 'Terms', href: 'terms' }] }] } },
    ['warning link-unresolved /footer/links/0/items/0/href Unexpected link to `terms`: the site has no page with this path'],
  ],
  [
    'a redirect',
    { redirects: [{ source: '/a', destination: '/gone' }] },
    ['warning link-unresolved /redirects/0/destination Unexpected link to `/gone`: the site has no page with this path'],
  ],
])('reports a missing target in docs.json: %s', async (_name, settings, expected) => {
  expect(await find(settings, { 'there.png': 'x' })).toEqual(expected)
})

test.each<[string, object]>([
  ['what a template leaves empty', { logo: '', colors: { light: '' }, banner: { content: '' }, appearance: { default: '' } }],
  ['pictures of other hosts and in the text', { logo: 'https://example.com/a.png', favicon: 'data:image/png;base64,AA==' }],
  [
    'links to pages, redirects and other sites',
    {
      navbar: { links: [{ label: 'a', href: '/' }], primary: { type: 'github', href: 'https://github.com/a/b' } },
      footer: { links: [{ items: [{ label: 'b', href: '/old' }] }] },
      redirects: [
        { source: '/old', destination: '/index' },
        { source: '/docs/:slug*', destination: '/:slug*' },
      ],
    },
  ],
  [
    'settings with the value that a site has anyway',
    { theme: 'mint', interaction: { drilldown: false }, api: { playground: { proxy: false } } },
  ],
])('does not report %s', async (_name, settings) => {
  expect(await find(settings)).toEqual([])
})

test.each([
  ['that is no YAML', '---\ntitle: a: b\n---\n\nText\n', 2],
  ['that is all of the page', '---\ntitle: [a\n---\n', 2],
  ['that nothing ends', '---\ntitle: a\n\nText\n', 1],
  ['that has a binding too', '---\ntitle: a: b\nopenapi: GET /pets\n---\n', 2],
])('reports invalid frontmatter once: %s', async (_name, text, line) => {
  const { diagnostics } = await siteOf({ 'docs.json': '{"name": "Pets", "navigation": {"pages": ["index"]}}', 'index.mdx': text })
  expect(diagnostics.map(({ code, file, range }) => [code, file, range.start.line])).toEqual([
    ['page-frontmatter', 'index.mdx', line],
  ])
})

test.each([
  ['a rule', '---\n\nText: a\n'],
  ['a rule and a note', '---\nNote: a\n---\n'],
  ['nothing', '---\n---\n'],
])('accepts a page that starts with ---: %s', async (_name, text) => {
  const { diagnostics } = await siteOf({ 'docs.json': '{"name": "Pets", "navigation": {"pages": ["index"]}}', 'index.mdx': text })
  expect(diagnostics).toEqual([])
})

const linksOf = async (files: Readonly<Record<string, string>>) => {
  const { diagnostics } = await siteOf(files)
  return diagnostics.flatMap(({ code, message, hint }) => (code === 'link-unresolved' ? [[message.split('`')[1], hint]] : []))
}

test('does not check links to pages of an unreadable document', async () => {
  const navigation = {
    groups: [
      { group: 'Start', pages: ['index'] },
      { group: 'API', openapi: { source: 'gone.yaml', directory: 'api' } },
    ],
  }
  const index = '[a](/api/pets/list-pets) [b](/apis/pets)\n'
  const links = await linksOf({ 'docs.json': JSON.stringify({ name: 'Pets', navigation }), 'index.mdx': index })
  expect(links.map(([href]) => href)).toEqual(['/apis/pets'])
})

test.each([
  ['of a name like it', '/guides/long-folder/instal', 'Did you mean `/guides/long-folder/install`?'],
  ['of the same name elsewhere', '/guide/install', 'Did you mean `/guides/long-folder/install`?'],
  ['of another name in the same folder', '/guides/long-folder/deploy', undefined],
])('suggests a target for a broken link: %s', async (_name, href, help) => {
  const pages = { 'index.mdx': `[a](${href})\n`, 'guides/long-folder/install.mdx': '# Install\n' }
  const docs = JSON.stringify({ name: 'Pets', navigation: { pages: ['index', 'guides/long-folder/install'] } })
  expect(await linksOf({ 'docs.json': docs, ...pages })).toEqual([[href, help]])
})

test('reports a URL in pages', async () => {
  const [reported] = await find({ navigation: { pages: ['index', 'https://example.com/a'] } })
  expect(reported).toContain('Unexpected URL `https://example.com/a`, expected a page path')
})
