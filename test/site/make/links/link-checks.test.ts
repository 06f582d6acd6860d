import { expect, test } from 'vitest'
import { checkLinks } from '../../../../src/site/plan/checks/check-links.ts'
import { runInFolder } from '../../../cli/run-in-folder.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { siteOf } from '../site-of.ts'

test('reports links to missing fragments on pages of every kind', async () => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'API', openapi: 'openapi.yaml' },
        ],
      },
    }),
    'index.mdx': `---
title: Start
---

## Größe & more

[own](#größe--more) [encoded](#gr%C3%B6%C3%9Fe--more) [top](#top) [empty](#) [text](#:~:text=a) [as Mintlify writes it](#größe-&-more) [as no host writes it](#größe:-&-more) [of a program](/#/)
[gone](#groesse) [elsewhere](https://example.com/#x)

[response](/api-reference/list-orders#responses) [gone too](/api-reference/list-orders#respons)

[no page](/nowhere#x)
`,
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      summary: List orders
      description: |
        See [this](#responses) and [more](#nothing-more)
        and [that](#nothing)
      responses: { '200': { description: ok } }
`,
  })
  const reported = diagnostics.filter(({ code }) => /unresolved/.test(code))
  expect(
    reported.map(({ code, file, range, message, hint }) => [code, file, range.start.line, message.match(/`.*?`/)?.[0], hint]),
  ).toEqual([
    ['fragment-unresolved', 'index.mdx', 7, '`#größe:-&-more`', 'Did you mean `#größe-&-more`?'],
    ['fragment-unresolved', 'index.mdx', 8, '`#groesse`', undefined],
    ['fragment-unresolved', 'index.mdx', 10, '`/api-reference/list-orders#respons`', 'Did you mean `#responses`?'],
    ['link-unresolved', 'index.mdx', 12, '`/nowhere#x`', undefined],
    ['fragment-unresolved', 'openapi.yaml', 8, '`#nothing-more`', undefined],
    ['fragment-unresolved', 'openapi.yaml', 9, '`#nothing`', undefined],
  ])
})

test.each([
  ['a code span with two backticks', 'Write ``[`a`](/gone)``.'],
  ['a formula', '$$\n[n](P+Q)=[n]P+[n]Q\n$$'],
  ['a formula in a line', 'As $[n](P+Q)$ shows for $\\alpha$.'],
  ['brackets without a closing one', 'See [this]((https://example.com), which is not a link.'],
])('reports no link in %s', async (_name, text) => {
  const docs = JSON.stringify({ name: 'Shop', navigation: { pages: ['index'] } })
  const folder = makeTemporaryFolder({ 'docs.json': docs, 'index.mdx': `---\ntitle: Start\n---\n\n${text}\n\n[real](/none)\n` })
  const { stdout } = await runInFolder(folder, ['check', '.', '--format', 'unix'])
  expect(stdout.split('\n').filter((line) => line.includes('index.mdx'))).toEqual([expect.stringContaining('`/none`')])
})

test('reports Git LFS pointers of files that a build publishes', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
  const docs = JSON.stringify({ name: 'Shop', navigation: { pages: ['index'] } })
  const index = '---\ntitle: Start\n---\n\n![A](/shots/a.png?size=2)\n'
  const files = { 'images/b.png': pointer, 'shots/a.png': pointer, 'shots/unused.png': pointer, 'images/c.txt': 'x' }
  const folder = makeTemporaryFolder({ 'docs.json': docs, 'index.mdx': index, ...files })
  const { stdout } = await runInFolder(folder, ['check', '.', '--format', 'unix'])
  expect(
    stdout
      .split('\n')
      .filter((line) => line.includes('LFS'))
      .map((line) => line.split(':')[0]),
  ).toEqual(['images/b.png', 'shots/a.png'])
})

test.each([
  ['the page itself', { 'guides/orders.mdx': '[a](/orders)' }, undefined],
  ['a page in another directory', { 'guides/orders.mdx': '', 'index.mdx': '[a](/guide/orders)' }, '/guides/orders'],
  [
    'pages of another part',
    { 'redis/sdks/overview.mdx': '', 'kafka/overview.mdx': '', 'index.mdx': '[a](/vector/sdks/overview)' },
    undefined,
  ],
  ['an ID with another word', { 'index.mdx': '## ID selectors\n\n[a](#css-selectors)' }, undefined],
  ['an ID with another number in a word', { 'index.mdx': '<a id="ref-fn1"/>\n\n[a](#ref-fn41)' }, undefined],
  [
    'an ID with another section number',
    { 'index.mdx': '## 6. Billing settings\n\n[a](#5-billing-settings)' },
    '#6-billing-settings',
  ],
  [
    'an ID with a section number of another host',
    { 'index.mdx': '## 2.1.10. Splitting blocks [27]\n\n[a](#2-1-10-splitting-blocks)' },
    '#2-1-10-splitting-blocks-27',
  ],
  ['an ID after two signs', { 'index.mdx': '## 5. Run\n\n[a](##5-run)' }, '#5-run'],
  ['an ID with more words', { 'index.mdx': '## Evaluate on a version\n\n[a](#evaluate-on-version)' }, '#evaluate-on-a-version'],
  ['an ID with the start of a word', { 'index.mdx': '## FEij debug\n\n[a](#fe-debug)' }, '#feij-debug'],
  ['a file that is not published', { 'build/a.png': 'x', 'other/a.png': 'x', 'index.mdx': '![a](/build/a.png)' }, '!build'],
])('suggests what is likely: %s', async (_name, files, hint) => {
  const pages = Object.keys(files).flatMap((path) => (path.endsWith('.mdx') ? [path.replace('.mdx', '')] : []))
  const docs = JSON.stringify({ name: 'Shop', navigation: { pages } })
  const texts = Object.entries(files).map(([path, text]) => [
    path,
    path.endsWith('.mdx') ? `---\ntitle: A\n---\n\n${text}\n` : text,
  ])
  const folder = makeTemporaryFolder({ ...Object.fromEntries(texts), 'docs.json': docs })
  const { stdout } = await runInFolder(folder, ['check', '.', '--format', 'json'])
  const reported = JSON.parse(stdout).diagnostics.filter(({ code }: { code: string }) => /unresolved|asset/.test(code))
  expect(reported).toMatchObject([hint === undefined ? {} : { hint: expect.stringContaining(`\`${hint}\``) }])
  if (hint === undefined) expect(reported[0]).not.toHaveProperty('hint')
})

test.each([
  ['Markdown', 'index.mdx', '[a](/gone)'],
  ['quotes', 'index.mdx', '<a href="/gone">a</a>'],
  ['an expression', 'index.mdx', "<a href={'/gone'}>a</a>"],
  ['no quotes', 'index.md', '<a href=/gone>a</a>'],
  ['no quotes, and words before it that are longer', 'index.md', 'Not /gone/further\n\n<a href=/gone>a</a>'],
])('reports a broken link where it is written: %s', async (_name, file, text) => {
  const { diagnostics } = await siteOf({
    'docs.json': '{"name": "Shop", "navigation": {"pages": ["index"]}}',
    [file]: `---\ntitle: Start\n---\n\n${text}\n`,
  })
  const reported = diagnostics.filter(({ code }) => code === 'link-unresolved')
  const line = 5 + text.split('\n').length - 1
  expect(reported.map((one) => [one.file, one.range.start.line, one.range.start.column])).toEqual([
    [file, line, (text.split('\n').at(-1) ?? '').indexOf('/gone') + 1],
  ])
})

test('links to operations as Redoc writes them lead to their pages, and others are reported', async () => {
  const files = {
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'API', openapi: 'openapi.yaml' },
        ],
      },
    }),
    'index.mdx':
      '[a](#operation/listPets) [b](/index#tag/Pets/operation/listPets) [c](#operation/gone) [d](https://a.example/#operation/listPets)',
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: { /pets: { get: { operationId: listPets, responses: { '200': { description: ok } } } } }
`,
  }
  const { files: made, diagnostics } = await siteOf(files)
  const hrefs = Array.from((made['index.html'] ?? '').matchAll(/<a href="([^"]*)">[abcd]</g), ([, href]) => href)
  expect(hrefs).toEqual([
    '/api-reference/get-pets/',
    '/api-reference/get-pets/',
    '#operation/gone',
    'https://a.example/#operation/listPets',
  ])
  expect(diagnostics.filter(({ code }) => code === 'fragment-unresolved').map(({ message }) => message)).toEqual([
    expect.stringContaining('Unexpected link to `#operation/gone`'),
  ])
  const { stdout } = await runInFolder(makeTemporaryFolder(files), ['check', '.', '--format', 'unix'])
  expect(stdout.split('\n').filter((line) => line.includes('#operation'))).toHaveLength(1)
})

test.each([
  ['escaped brackets', '![a](/gone\\(1\\).png)', '/gone(1).png', 7],
  ['a character reference', '[a](/gone?b=1&amp;c=2)', '/gone?b=1&c=2', 7],
  ['a character reference in HTML', '<a href="/gone?b=1&amp;c=2">a</a>', '/gone?b=1&c=2', 7],
  ['a computed value', "<img src={'/gone' + '.png'} alt='' />", '/gone.png', 1],
  ['a value of a list', "{['/gone.png'].map((one) => <img src={one} alt='' />)}", '/gone.png', 7],
])('reports a broken URL with %s in build and check', async (_name, content, url, line) => {
  const files = {
    'docs.json': JSON.stringify({ name: 'A', navigation: { pages: ['index'] } }),
    'index.mdx': `---\ntitle: Start\n---\n\nA text.\n\n${content}\n`,
  }
  const { diagnostics } = await siteOf(files)
  const reported = diagnostics.filter(({ code }) => /unresolved|missing/.test(code))
  expect(reported.map(({ file, range, message }) => [file, range.start.line, message.match(/`.*?`/)?.[0]])).toEqual([
    ['index.mdx', line, `\`${url}\``],
  ])
  const { stdout } = await runInFolder(makeTemporaryFolder(files), ['check', '.', '--format', 'unix'])
  expect(stdout.split('\n').filter((one) => one.includes(`\`${url}\``))).toHaveLength(1)
})

test('reads the text of a page once, however many of its links are broken', () => {
  const links = Array.from({ length: 500 }, (_, index) => `/gone/${index}`)
  let reads = 0
  const file = {
    file: 'a.mdx',
    get text() {
      reads++
      return links.map((link) => `[a](${link})`).join('\n')
    },
  }
  const none = () => undefined
  const targets = {
    base: undefined,
    hasPage: () => false,
    files: new Set<string>(),
    nearestPage: none,
    nearestFile: none,
    isRedirected: () => false,
    isGenerated: () => false,
    firstPageIn: none,
    exclusionOf: none,
    isUnknown: () => false,
  }
  expect(checkLinks({ path: 'a.mdx', route: 'a' }, links, [file], targets).findings).toHaveLength(links.length)
  expect(reads).toBe(1)
})
