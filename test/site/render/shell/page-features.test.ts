import { describe, expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'
import { frontmatterFeatures, type PageFeature, settingFeatures } from '../components/supported-pages.ts'

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'ok' } } } } },
})

/** Builds a site with a page `guides/start`, and returns its HTML. */
async function render(frontmatter: string, docs: object = {}, more: Readonly<Record<string, string>> = {}) {
  const navigation = { groups: [{ group: 'Guides', pages: ['index', 'guides/start', 'guides/next'] }] }
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation, ...docs }),
    'index.mdx': '# Home\n',
    'guides/start.mdx': `---\n${/^title:/.test(frontmatter) ? '' : 'title: Start\n'}${frontmatter}\n---\n\nText.\n`,
    'guides/next.mdx': '---\ntitle: Next steps\nicon: rocket\ndescription: What follows\n---\n\nText.\n',
    ...more,
  })
  return { html: files['guides/start/index.html'] ?? '', files, messages: diagnostics.map(({ message }) => message) }
}

/** Checks what a key adds to a page or removes from it. */
function expectChange(page: string, plain: string, { shows }: PageFeature) {
  if (shows === undefined) expect(page).toBe(plain)
  else if (shows.startsWith('-')) {
    expect(plain).toContain(shows.slice(1))
    expect(page).not.toContain(shows.slice(1))
  } else if (shows !== '') {
    expect(page).toContain(shows)
    expect(plain).not.toContain(shows)
  }
}

describe('frontmatter', () => {
  test.each(frontmatterFeatures)('$name', async (row) => {
    const [plain, page] = await Promise.all([render(''), render(row.written)])
    expect(page.messages).toEqual([])
    expectChange(page.html, plain.html, row)
  })
})

describe('settings', () => {
  test.each(settingFeatures)('$name', async (row) => {
    const [plain, page] = await Promise.all([render(''), render('', JSON.parse(row.written))])
    expect(page.messages).toEqual([])
    expectChange(page.html, plain.html, row)
  })
})

test.each([
  'timestamp: true\nlastUpdatedDate: 2026-99-13',
  'lastUpdatedDate: "2026-08-13"',
  'related: false',
  'related: { a: 1 }',
])('%j adds nothing that readers see', async (frontmatter) => {
  const shownOf = (html: string) => html.replace(/<script type="application\/ld\+json">.*?<\/script>/, '')
  expect(shownOf((await render(frontmatter)).html)).toBe(shownOf((await render('')).html))
})

test('`hideFooterPagination` hides the links to the previous and next page', async () => {
  expect((await render('')).html).toContain('class="pager"')
  expect((await render('hideFooterPagination: true')).html).not.toContain('class="pager"')
})

test('an empty `contextual` removes the page menu', async () => {
  expect((await render('')).html).toContain('Copy as Markdown')
  expect((await render('contextual: { options: [view] }')).html).not.toContain('Copy as Markdown')
  expect((await render('contextual: { options: [] }')).html).not.toContain('Copy page')
})

describe('`contextual.options` for agents', () => {
  const build = async (options: readonly unknown[], hosted: object = { url: 'https://docs.example.com/', hasMcp: true }) => {
    const { files, diagnostics } = await siteOf(
      {
        'docs.json': JSON.stringify({
          name: 'Acme Shop',
          navigation: { groups: [{ group: 'API', pages: ['index'], openapi: 'openapi.json' }] },
          contextual: { options },
        }),
        'index.mdx': '# Home\n',
        'openapi.json': openapi,
      },
      hosted,
    )
    const menuOf = (path: string) =>
      /<details class="menu">.*?<\/details>/s.exec(files[path] ?? '')?.[0].replaceAll('&amp;', '&') ?? ''
    const operation = Object.keys(files).find((path) => path.endsWith('list-orders/index.html')) ?? ''
    return {
      menu: menuOf('index.html'),
      apiMenu: menuOf(operation),
      messages: diagnostics.map(({ message }) => message).filter((message) => message.includes('contextual')),
    }
  }

  test('connect agents with the MCP server of a hosted site', async () => {
    const { menu, messages } = await build(['mcp', 'add-mcp', 'cursor', 'vscode'])
    expect(messages).toEqual([])
    expect(menu).toContain('data-copy="https://docs.example.com/mcp"')
    expect(menu).toContain('data-copy="npx add-mcp https://docs.example.com/mcp"')
    const [, name, config = ''] =
      /cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=([^&]*)&config=([^"]*)"/.exec(menu) ?? []
    expect([name, JSON.parse(atob(decodeURIComponent(config)))]).toEqual(['acme-shop', { url: 'https://docs.example.com/mcp' }])
    const [, server = ''] = /vscode:mcp\/install\?([^"]*)"/.exec(menu) ?? []
    expect(JSON.parse(decodeURIComponent(server))).toEqual({ name: 'acme-shop', url: 'https://docs.example.com/mcp' })
  })

  test('are reported on a static site, and absent without a URL', async () => {
    const { menu, messages } = await build(['copy', 'mcp', 'cursor'], { url: 'https://docs.example.com/' })
    expect(messages).toEqual(
      ['mcp', 'cursor'].map((name) => `Cannot use \`${name}\` for \`contextual.options\`: a static site has no MCP server`),
    )
    expect(menu).not.toMatch(/MCP|cursor:/)
    expect((await build(['copy', 'mcp'], { hasMcp: true })).menu).not.toContain('MCP')
  })

  test('are reported in the frontmatter of pages, too', async () => {
    const { messages } = await render('contextual: { options: [view, assistant, mcp] }')
    expect(messages).toEqual([
      'Cannot use `assistant` for `contextual.options`: the page menu of a site has no such entry',
      'Cannot use `mcp` for `contextual.options`: a static site has no MCP server',
    ])
  })

  test('unsupported ones are reported', async () => {
    const { messages } = await build(['copy', 'assistant'])
    expect(messages).toEqual(['Cannot use `assistant` for `contextual.options`: the page menu of a site has no such entry'])
  })

  test('`download-spec` moves the OpenAPI document', async () => {
    const at = (menu: string) => [menu.indexOf('Full OpenAPI document'), menu.indexOf('Copy as Markdown')]
    const [last, copy] = at((await build(['copy'])).apiMenu)
    expect(last).toBeGreaterThan(copy ?? 0)
    const { apiMenu, menu } = await build(['download-spec', 'copy'])
    const [first, second] = at(apiMenu)
    expect(first).toBeLessThan(second ?? 0)
    expect(apiMenu.match(/Full OpenAPI document/g)).toHaveLength(1)
    expect(menu).not.toContain('OpenAPI')
  })

  test('links can have a query, and the URL of the MCP server', async () => {
    const href = { base: 'https://x.example/post', query: [{ key: 'text', value: 'Read & share $page with $mcp' }] }
    const { menu } = await build([{ title: 'Share', description: 'It', icon: 'x', href }])
    expect(menu).toContain(
      `href="https://x.example/post?text=Read%20%26%20share%20${encodeURIComponent('https://docs.example.com/')}%20with%20${encodeURIComponent('https://docs.example.com/mcp')}"`,
    )
  })
})

test('`metadata.timestamp` shows the dates of all pages that have one, unless the page hides it', async () => {
  const metadata = { metadata: { timestamp: true } }
  expect((await render('lastUpdatedDate: "2026-08-13"', metadata)).html).toContain('August 13')
  expect((await render('lastUpdatedDate: "2026-08-13"\ntimestamp: false', metadata)).html).not.toContain('August 13')
})

test('`related` refuses URLs that run code, and reports broken links', async () => {
  const { html, messages } = await render('related:\n  - javascript:alert(1)\n  - a: data:text/html,x\n  - /missing\n  - 5')
  expect(html).not.toMatch(/javascript:|data:text/)
  expect(messages).toEqual(['Unexpected link to `/missing`: the site has no page with this path'])
})

test('`hideApiMarker` hides the method in the sidebar', async () => {
  const docs = {
    navigation: { groups: [{ group: 'API', pages: ['index', 'guides/start', 'list'] }] },
    api: { openapi: 'openapi.json' },
  }
  const bound = (frontmatter: string) =>
    render('', docs, { 'openapi.json': openapi, 'list.mdx': `---\nopenapi: GET /orders\n${frontmatter}---\n` })
  const sidebarOf = (html: string) => html.slice(0, html.indexOf('<main'))
  expect(sidebarOf((await bound('')).html)).toMatch(/GET/)
  expect(sidebarOf((await bound('hideApiMarker: true\n')).html)).not.toMatch(/GET/)
})

test('a group with a blank name has no breadcrumb and no heading', async () => {
  const { html } = await render('', { navigation: { groups: [{ group: ' ', pages: ['index', 'guides/start'] }] } })
  expect(html).not.toContain('class="crumbs"')
  expect(html).not.toMatch(/<h2>\s*<\/h2>/)
})

test.each([
  ['card', /<a class="card across" href="\/guides\/next\/">.*Next steps.*What follows/],
  ['accordion', /<li><a href="\/guides\/next\/">.*Next steps/],
])('`directory: %s` lists the pages of a group on its root page', async (directory, shown) => {
  const inner = { group: 'More', pages: ['index'] }
  const navigation = { directory, groups: [{ group: 'Guides', root: 'guides/start', pages: ['guides/next', inner] }] }
  const { html, files } = await render('', { navigation })
  expect(html).toMatch(shown)
  expect(html).toContain('<span>More</span>')
  expect(files['guides/next/index.html']).not.toContain('class="directory"')
  const none = { ...navigation, groups: navigation.groups.map((group) => ({ ...group, directory: 'none' })) }
  expect((await render('', { navigation: none })).html).not.toContain('class="directory"')
})

test('banners have a type and a color', async () => {
  const banner = { content: 'Read [this](/guides/next)', type: 'critical', color: { light: '#ffe08a', dark: '#5b21b6' } }
  const { html, files, messages } = await render('', { banner })
  expect(messages).toEqual([])
  const [, id = ''] = /class="banner critical (b-[0-9a-f]{8})"/.exec(html) ?? []
  expect(Object.values(files).join('\n')).toContain(
    `.banner.${id}{background:light-dark(#ffe08a,#5b21b6);color:light-dark(#12151c,#ffffff)}`,
  )
  expect((await render('', { banner: { content: 'a', type: 'warning' } })).html).toContain('class="banner warning"')
  const wrong = await render('', { banner: { content: 'a', type: 'loud', color: { light: 'red}' } } })
  expect(wrong.messages).toHaveLength(2)
  expect(Object.values(wrong.files).join('')).not.toContain('red}')
})

test('each section has its own list of pages for assistants', async () => {
  const navigation = { groups: [{ group: 'Guides', pages: ['index', 'guides/start', 'guides/next', 'api/a'] }] }
  const { files } = await render(
    'description: How to begin',
    { navigation },
    { 'api/a.mdx': '# A\n', 'api/hidden.mdx': '---\nhidden: true\n---\n' },
  )
  expect(files['_llms/guides.md']).toBe(
    '# Shop: guides\n\n## Guides\n\n- [Start](/guides/start.md): How to begin\n- [Next steps](/guides/next.md): What follows\n',
  )
  expect(files['llms.txt']).toMatch(
    /## Lists by section\n\n- \[_llms\/guides\.md\]\(\/_llms\/guides\.md\)\n- \[_llms\/api\.md\]\(\/_llms\/api\.md\)\n$/,
  )
  expect(Object.keys(files).filter((path) => path.startsWith('_llms/') && files[path]?.includes('hidden'))).toEqual([])
})

test.each([
  ['a first heading', '# Start', 1, 0],
  ['a first heading in other letters', '#  START', 1, 0],
  ['a hero', '<div className="p-4"><h1>Start</h1></div>', 2, 1],
  ['another heading', '# Begin', 2, 0],
])('shows the title once if the text repeats it in %s', async (_, text, headings, hidden) => {
  const { files } = await render('', {}, { 'guides/start.mdx': `---\ntitle: Start\n---\n\n${text}\n\nText.\n` })
  const main = /<main.*<\/main>/s.exec(files['guides/start/index.html'] ?? '')?.[0] ?? ''
  expect(main.match(/<h[12][ >]/g)).toHaveLength(headings)
  expect(main.match(/<h1 [^>]*class="vh"/g) ?? []).toHaveLength(hidden)
})

test('a heading with a badge can be linked without the text of the badge', async () => {
  const page = '# A\n\n[a](#navigation) [b](#not-there)\n\n## `navigation` - <Badge>required</Badge>\n'
  const { files, messages } = await render('', {}, { 'index.mdx': page })
  expect(files['index.html']).toContain('id="navigation---required"')
  expect(files['index.html']?.match(/ id="navigation"/g)).toHaveLength(1)
  expect(messages).toEqual(['Unexpected link to `#not-there`: the page has no element with the ID `not-there`'])
})

test('the search finds a page by its keywords', async () => {
  const indexOf = async (frontmatter: string) => {
    const { files } = await render(frontmatter)
    return Object.entries(files)
      .flatMap(([path, text]) => (path.startsWith('_search/') ? [text] : []))
      .join('')
  }
  expect(await indexOf('')).not.toMatch(/invoicing/)
  expect(await indexOf('keywords: [invoicing, 5, ""]')).toMatch(/invoicing/)
  expect(await indexOf('keywords: "billing, invoicing"')).toMatch(/invoicing/)
})

describe('`site.editUrl`', () => {
  const written = 'site: { editUrl: "https://github.com/acme/shop/edit/main" }\n'
  const docs = {
    navigation: {
      groups: [
        { group: 'Guides', pages: ['guides/a b'] },
        { group: 'API', openapi: 'api/openapi.json' },
        { group: 'Other API', openapi: 'https://api.example.com/openapi.json' },
      ],
    },
  }
  const files = {
    'docs/docs.json': JSON.stringify({ name: 'Shop', ...docs }),
    'docs/guides/a b.mdx': '# Start\n',
    'docs/api/openapi.json': openapi,
    'docs/openapi-pages.config.yaml': written,
  }
  const linkOf = (html = '') => /<a href="([^"]*)"[^>]*>Edit this page/.exec(html)?.[1]

  test('links each page to its file, or to the document that it describes', async () => {
    const { files: built } = await siteOf(files, { root: 'docs' })
    expect(linkOf(built['guides/a b/index.html'])).toBe('https://github.com/acme/shop/edit/main/docs/guides/a%20b.mdx')
    const operation = Object.keys(built).find((path) => path.endsWith('list-orders/index.html')) ?? ''
    expect(linkOf(built[operation])).toBe('https://github.com/acme/shop/edit/main/docs/api/openapi.json')
    expect(linkOf(built['404.html'])).toBeUndefined()
  })

  test('links a document whose name is not valid Unicode, which JSON can contain', async () => {
    const named = files['docs/docs.json'].replace('api/openapi.json', 'api/\\ud800.json')
    const { files: built } = await siteOf({ ...files, 'docs/docs.json': named }, { root: 'docs' })
    const links = Object.values(built).map(linkOf)
    expect(links).toContain('https://github.com/acme/shop/edit/main/docs/api/%EF%BF%BD.json')
  })

  test('is off by default', async () => {
    const { files: built } = await siteOf({ ...files, 'docs/openapi-pages.config.yaml': '' }, { root: 'docs' })
    expect(Object.values(built).filter((html) => linkOf(html) !== undefined)).toEqual([])
  })
})

describe('`site.allowedOrigins`', () => {
  const config = { 'openapi-pages.config.yaml': 'site: { allowedOrigins: [https://stats.example.com] }\n' }

  test('may run scripts on each page and receive requests, and no others', async () => {
    const { files } = await render('', {}, config)
    const policies = [files['index.html'], files['404.html'], files['_headers']].map((text = '') => text.replaceAll('&#39;', "'"))
    for (const policy of policies) {
      expect(policy).toContain("script-src 'self' https://stats.example.com;")
      expect(policy).toContain("connect-src 'self' https://stats.example.com;")
      expect(policy).toContain("style-src 'self';")
    }
  })

  test('is ignored in previews of forks', async () => {
    const { files } = await siteOf(
      { 'docs.json': JSON.stringify({ name: 'Shop', navigation: { pages: ['index'] } }), 'index.mdx': '# Home\n', ...config },
      { refusesScripts: true },
    )
    expect(Object.values(files).filter((text) => text.includes('stats.example.com'))).toEqual([])
  })
})

describe('`site.feedback`', () => {
  const files = {
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { pages: ['index', 'guides/a b'] } }),
    'index.mdx': '# Home\n',
    'guides/a b.mdx': '# Start\n',
  }
  const build = async (setting: string, options = {}) => {
    const { files: built } = await siteOf({ ...files, 'openapi-pages.config.yaml': `site: { feedback: ${setting} }\n` }, options)
    return built
  }
  const policiesOf = (built: Readonly<Record<string, string>>) =>
    [built['index.html'], built['404.html'], built['_headers']].map((text = '') => text.replaceAll('&#39;', "'"))
  const url = 'https://feedback.example.com/shop'

  test('asks on each page, and sends answers to a URL', async () => {
    const built = await build(url)
    const html = built['guides/a b/index.html'] ?? ''
    expect(html).toContain('Was this page helpful?')
    expect(html).toContain(`<meta name="feedback" content="${url}"/>`)
    expect(html).toContain('<script type="module" src="/_assets/f.js">')
    expect(html).toContain('<input type="hidden" name="page" value="/guides/a%20b/"/>')
    // Other servers need a script.
    expect(html).toMatch(/<form class="feedback needs-js" data-thanks/)
    for (const policy of policiesOf(built)) {
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self' https://feedback.example.com;")
      expect(policy).toContain("form-action 'none';")
    }
    expect(built['404.html']).not.toContain('class="feedback')
  })

  test.each([
    ['false', {}],
    [url, { refusesScripts: true }],
  ])('changes nothing with %s and %j', async (setting, options) => {
    const { files: plain } = await siteOf(files)
    expect(await build(setting, options)).toEqual(plain)
  })

  test('does not ask in the local preview', async () => {
    const texts = Object.values(await build(url, { isPreview: true }))
    expect(texts.filter((text) => text.includes('feedback.example.com'))).toEqual([])
  })
})
