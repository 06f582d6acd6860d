import { describe, expect, test } from 'vitest'
import { parseDocsConfig } from '../../../src/docs/navigation/parse-docs-config.ts'
import { packageIcons } from '../../../src/site/make/assets/read-site-assets.ts'
import { loadMessages } from '../../../src/site/messages/load-messages.ts'
import { english } from '../../../src/site/messages/messages.ts'
import { viewNavigation } from '../../../src/site/page/shell/navigation-view.ts'
import type { SiteContext } from '../../../src/site/page/site-context.ts'
import { planSite } from '../../../src/site/plan/plan-site.ts'
import type { DivisionNode, NavigationNode, SitePlan } from '../../../src/site/plan/types.ts'
import { toSourceFile } from '../../../src/text/plain/source-file.ts'

async function plan(
  navigation: unknown,
  pages: Readonly<Record<string, string>>,
  more: object = {},
  notPages: readonly string[] = [],
): Promise<SitePlan> {
  const text = JSON.stringify({ name: 'Docs', navigation, ...more })
  const source = toSourceFile('docs.json', new TextEncoder().encode(text))
  const { docsConfig } = await parseDocsConfig(source, async () => ({ code: 'file-missing', reason: 'none' }))
  if (!docsConfig) throw new Error('no docs.json')
  const resolve = () => ({ kind: 'no-document' }) as const
  return planSite({ docsConfig, pages: new Map(Object.entries(pages)), documents: [], resolve, ignoredPages: new Set(notPages) })
}

await loadMessages(['de', 'es'])

/** Empty pages for routes. */
const empty = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [`${path}.mdx`, '']))

/** A compact form of the tree: `kind label [children]`. */
function draw(node: NavigationNode): unknown {
  if (node.kind === 'page') return node.route
  if (node.kind === 'link') return `${node.label} → ${node.href}`
  return { [`${node.kind} ${node.label}`.trim()]: node.children.map(draw) }
}

const contextOf = (site: SitePlan): SiteContext => ({
  plan: site,
  hosting: { base: '/docs/', url: undefined, isPreview: false },
  assets: { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', feedback: '', playground: '' },
  media: { icons: packageIcons },
  messages: english,
})

function viewOf(site: SitePlan, route: string) {
  const page = site.pages.find((one) => one.route === route)
  if (!page) throw new Error(`no page ${route}`)
  return viewNavigation(contextOf(site), page)
}

describe('the navigation tree', () => {
  test.each(['tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages'])(
    'reads %s with nested groups',
    async (list) => {
      const kind = list.slice(0, -1)
      const site = await plan(
        { [list]: [{ [kind]: 'en', groups: [{ group: 'G', pages: ['a', { group: 'H', pages: ['b'] }] }] }] },
        empty('a', 'b'),
      )
      expect(draw(site.navigation)).toEqual({ navigation: [{ [`${kind} en`]: [{ 'group G': ['a', { 'group H': ['b'] }] }] }] })
    },
  )

  test('reads nested divisions of every kind in document order', async () => {
    const site = await plan(
      {
        global: {
          anchors: [
            { anchor: 'Blog', href: 'https://example.com' },
            { anchor: 'Bad', href: 'javascript:alert(1)' },
          ],
        },
        languages: [
          {
            language: 'en',
            versions: [{ version: '1', tabs: [{ tab: 'T', menu: [{ item: 'I', pages: ['a'] }], pages: ['b'] }] }],
          },
        ],
      },
      empty('a', 'b'),
    )
    expect(draw(site.navigation)).toEqual({
      navigation: [{ 'language en': [{ 'version 1': [{ 'tab T': [{ 'item I': ['a'] }, 'b'] }] }] }, 'Blog → https://example.com'],
    })
  })

  test.each([
    ['/a', 'a'],
    ['a.mdx', 'a'],
    ['./a', 'a'],
    ['index', ''],
    ['guides/index', 'guides'],
    ['guides', 'guides'],
  ])('the entry %s refers to the page %j', async (entry, route) => {
    const site = await plan({ pages: [entry] }, empty('a', 'index', 'guides/index'))
    expect(draw(site.navigation)).toEqual({ navigation: [route] })
  })

  test('skips entries without a page and turns URLs into links', async () => {
    const site = await plan({ pages: ['a', 'gone', 'https://example.com/x'] }, empty('a'))
    expect(draw(site.navigation)).toEqual({ navigation: ['a', 'example.com/x → https://example.com/x'] })
  })
})

describe('pages', () => {
  test('lists pages of the navigation in order, then all others', async () => {
    const site = await plan({ groups: [{ group: 'G', root: 'root', pages: ['b', 'a'] }] }, empty('a', 'b', 'root', 'y', 'x'))
    expect(site.pages.map(({ route }) => route)).toEqual(['root', 'b', 'a', 'x', 'y'])
    expect(site.pages.map(({ trail }) => trail.length)).toEqual([2, 2, 2, 0, 0])
  })

  test('skips snippets and ignored files unless the navigation lists them', async () => {
    const pages = empty('a', 'snippets/b', 'README', 'CHANGELOG')
    const site = await plan({ pages: ['a', 'CHANGELOG'] }, pages, {}, ['README.mdx', 'CHANGELOG.mdx'])
    expect(site.pages.map(({ route }) => route)).toEqual(['a', 'CHANGELOG'])
  })

  test('uses the first of two files with the same route', async () => {
    const site = await plan({ pages: ['a'] }, { 'a.md': '---\ntitle: First\n---\n', 'a.mdx': '---\ntitle: Second\n---\n' })
    expect(site.pages.map(({ title }) => title)).toEqual(['First'])
  })

  test.each([
    ['---\ntitle: Written\n---\n# Heading\n', 'Written'],
    ['# The `heading` of **it**\n', 'The heading of it'],
    ['---\nicon: x\n---\n\n# Below frontmatter #\n', 'Below frontmatter'],
    ['Text first\n\n# Not this\n', 'First steps'],
    ['', 'First steps'],
  ])('finds the title of %j', async (text, title) => {
    const site = await plan({ pages: [] }, { 'guides/first-steps.mdx': text })
    expect(site.pages[0]?.title).toBe(title)
  })

  test('reads frontmatter', async () => {
    const text =
      '---\ntitle: T\nsidebarTitle: S\nmode: wide\nurl: https://example.com\nhidden: true\ndeprecated: true\ntag: NEW\nicon: star\n---\n'
    const site = await plan({ pages: ['a'] }, { 'a.mdx': text })
    expect(site.pages[0]).toMatchObject({
      title: 'T',
      sidebarTitle: 'S',
      mode: 'wide',
      externalUrl: 'https://example.com',
      hidden: true,
      noindex: true,
      deprecated: true,
      tag: 'NEW',
      icon: 'star',
    })
  })
})

describe('the navigation view of a page', () => {
  const navigation = {
    languages: [
      {
        language: 'en',
        tabs: [
          { tab: 'Guides', groups: [{ group: 'Start', pages: ['a', 'b'] }] },
          { tab: 'API', pages: ['api/x'] },
        ],
      },
      { language: 'es', tabs: [{ tab: 'Guías', groups: [{ group: 'Empezar', pages: ['es/a'] }] }] },
    ],
  }
  const pages = empty('a', 'b', 'api/x', 'es/a')

  test('shows the tabs of its language and marks the current one', async () => {
    const { tabs, crumbs } = viewOf(await plan(navigation, pages), 'api/x')
    expect(tabs.map(({ label, href, isCurrent }) => [label, href, isCurrent])).toEqual([
      ['Guides', '/docs/a/', false],
      ['API', '/docs/api/x/', true],
    ])
    expect(crumbs).toEqual([{ label: 'API', href: '/docs/api/x/' }])
  })

  test.each([
    ['a', '/docs/es/a/'],
    ['b', '/docs/es/a/'],
  ])('the language menu of %s links to the same page, else to the first page', async (route, href) => {
    const [language] = viewOf(await plan(navigation, pages), route).switches
    expect(language?.options.map((option) => [option.label, option.href, option.isCurrent])).toEqual([
      ['English', `/docs/${route}/`, true],
      ['Español', href, false],
    ])
  })

  test('the version menu links to the same path in the directory of the other version', async () => {
    const versions = [
      { version: '2', pages: ['v2/a', 'v2/sub/b'] },
      { version: '1', pages: ['v1/a', 'v1/sub/b'] },
    ]
    const site = await plan({ versions }, empty('v2/a', 'v2/sub/b', 'v1/a', 'v1/sub/b'))
    expect(viewOf(site, 'v2/sub/b').switches[0]?.options.map(({ href }) => href)).toEqual(['/docs/v2/sub/b/', '/docs/v1/sub/b/'])
  })

  test('the sidebar shows only the current division, and hidden divisions are never shown', async () => {
    const tabs = [
      {
        tab: 'A',
        groups: [
          { group: 'G', pages: ['a'] },
          { group: 'Hidden', hidden: true, pages: ['h'] },
        ],
      },
      { tab: 'B', pages: ['b'] },
      { tab: 'C', hidden: true, pages: ['c'] },
    ]
    const view = viewOf(await plan({ tabs }, empty('a', 'b', 'c', 'h')), 'a')
    expect(view.sidebar.map(draw)).toEqual([{ 'group G': ['a'] }])
    expect(view.tabs.map(({ label }) => label)).toEqual(['A', 'B'])
  })

  test('a page outside of the navigation shows the view of the first page, without a current entry', async () => {
    const view = viewOf(await plan(navigation, { ...pages, ...empty('lost') }), 'lost')
    expect(view.crumbs).toEqual([])
    expect([...view.tabs, ...view.switches.flatMap(({ options }) => options)].filter(({ isCurrent }) => isCurrent)).toEqual([])
  })

  test('a division can be an external link, and divisions without pages are skipped', async () => {
    const tabs = [
      { tab: 'A', pages: ['a'] },
      { tab: 'Blog', href: 'https://example.com' },
      { tab: 'Empty', pages: [] },
    ]
    const view = viewOf(await plan({ tabs }, empty('a')), 'a')
    expect(view.tabs.map(({ label, href }) => [label, href])).toEqual([
      ['A', '/docs/a/'],
      ['Blog', 'https://example.com'],
    ])
  })
})

test('the language of a site is its default language', async () => {
  const site = await plan(
    {
      languages: [
        { language: 'en', pages: ['a'] },
        { language: 'de', default: true, pages: ['b'] },
      ],
    },
    empty('a', 'b'),
  )
  expect(site.settings.language).toBe('de')
})

test('every node has a unique ID', async () => {
  const site = await plan(
    {
      groups: [
        { group: 'G', pages: ['a'] },
        { group: 'G', pages: ['b'] },
      ],
    },
    empty('a', 'b'),
  )
  const ids = site.navigation.children.map((node) => (node as DivisionNode).id) // Both are groups.
  expect(new Set(ids).size).toBe(2)
})
