import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const docs = {
  name: 'Pets',
  theme: 'mint',
  colors: { primary: '#2548C4' },
  navigation: { pages: ['index', 'guides/pets'] },
  redirects: [
    { source: '/old', destination: '/guides/pets' },
    { source: '/older', destination: '/nowhere' },
    { source: '/a', destination: '/b' },
    { source: '/b', destination: '/a' },
  ],
}
const index = `---
title: Start
---

import Note from '/snippets/note.mdx'

## Get started

[relative](guides/pets) [absolute](/guides/pets#feed-pets) [own](#get-started) [moved](/old) [file](/logo.png)
[broken](/guides/pet) [fragment](/guides/pets#feed-pet) [own](#get-startd) ![image](/logos.png)
<a href="/gone">HTML</a> <Note />

\`\`\`md
[in code](/code)
\`\`\`
`
const folder = () =>
  makeTemporaryFolder({
    'docs.json': JSON.stringify(docs, null, 2),
    'index.mdx': index,
    'guides/pets.mdx': '---\ntitle: Pets\n---\n\n## Feed pets\n\nWords. [up](../index)\n',
    'snippets/note.mdx': '[in a snippet](/snippet-link)\n',
    'logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  })

test('reports broken links, anchors, images and redirects of all pages', async () => {
  const { exitCode, stdout } = await runInFolder(folder(), ['check', '.', '--format', 'unix'])
  const found = stdout.trim().split('\n')
  expect(exitCode).toBe(0)
  expect(found).toEqual([
    'docs.json:20:22: Unexpected link to `/nowhere`: the site has no page with this path [warning/link-unresolved]',
    'docs.json:22:5: Unexpected redirect from `/a`: it redirects to itself. Change `destination` to a page [warning/redirect-loop]',
    'docs.json:26:5: Unexpected redirect from `/b`: it redirects to itself. Change `destination` to a page [warning/redirect-loop]',
    'index.mdx:10:10: Unexpected link to `/guides/pet`: the site has no page with this path. Did you mean `/guides/pets`? [warning/link-unresolved]',
    'index.mdx:10:34: Unexpected link to `/guides/pets#feed-pet`: the page has no element with the ID `feed-pet`. Did you mean `#feed-pets`? [warning/fragment-unresolved]',
    'index.mdx:10:63: Unexpected link to `#get-startd`: the page has no element with the ID `get-startd`. Did you mean `#get-started`? [warning/fragment-unresolved]',
    'index.mdx:10:85: Cannot find the file `/logos.png`. Did you mean `/logo.png`? [warning/asset-missing]',
    'index.mdx:11:10: Unexpected link to `/gone`: the site has no page with this path [warning/link-unresolved]',
    'snippets/note.mdx:1:16: Unexpected link to `/snippet-link`: the site has no page with this path [warning/link-unresolved]',
  ])
})

test('reports links to directories as information, because hosts open their first page', async () => {
  const { exitCode, stdout } = await runInFolder(
    makeTemporaryFolder({
      'docs.json': JSON.stringify({
        ...docs,
        navbar: { links: [{ label: 'Guides', href: '/guides' }] },
        navigation: {
          groups: [
            { group: 'Guides', pages: ['index', 'guides/second', 'guides/first'] },
            { group: 'API', openapi: 'openapi.yaml' },
          ],
        },
        redirects: [],
      }),
      'index.mdx':
        '---\ntitle: Start\n---\n\n[directory](/guides) [relative](./guides/) [of an API](/api-reference) [files](/images) [gone](/guide)\n',
      'guides/first.mdx': '---\ntitle: First\n---\n',
      'guides/second.mdx': '---\ntitle: Second\n---\n',
      'images/logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      'openapi.yaml':
        "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {/pets: {get: {summary: List pets, responses: {'200': {description: ok}}}}}\n",
    }),
    ['check', '.', '--format', 'unix'],
  )
  const found = stdout.split('\n').filter((line) => line.includes('/link-'))
  const opens = 'it has no index page, so the link opens its first page'
  expect([exitCode, found.sort()]).toEqual([
    0,
    [
      `docs.json:1:256: Unexpected link to the directory \`/guides\`: ${opens}. Change the link to \`/guides/second\` [info/link-to-directory]`,
      `index.mdx:5:13: Unexpected link to the directory \`/guides\`: ${opens}. Change the link to \`/guides/second\` [info/link-to-directory]`,
      `index.mdx:5:33: Unexpected link to the directory \`./guides/\`: ${opens}. Change the link to \`/guides/second\` [info/link-to-directory]`,
      `index.mdx:5:56: Unexpected link to the directory \`/api-reference\`: ${opens}. Change the link to \`/api-reference/list-pets\` [info/link-to-directory]`,
      'index.mdx:5:80: Unexpected link to `/images`: the site has no page with this path [warning/link-unresolved]',
      'index.mdx:5:96: Unexpected link to `/guide`: the site has no page with this path [warning/link-unresolved]',
    ],
  ])
})

test('reports images without alternative text in pages and snippets, once in each', async () => {
  const directory = makeTemporaryFolder({
    'docs.json': JSON.stringify({ ...docs, navigation: { pages: ['index', 'other'] }, redirects: [] }),
    'index.mdx':
      '---\ntitle: Start\n---\n\nimport Chart from "/snippets/chart.mdx"\n\n![Logo](/a.png) ![](/a.png) <img src="/a.png" />\n\n<Chart />\n',
    'other.mdx': '---\ntitle: Other\n---\n\nimport Chart from "/snippets/chart.mdx"\n\n<Chart />\n',
    'snippets/chart.mdx': '<img src="/a.png" />\n',
    'a.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  })
  const { exitCode, stdout } = await runInFolder(directory, ['check', '.', '--format', 'unix'])
  expect([exitCode, stdout.split('\n').filter((line) => line.includes('image-alt'))]).toEqual([
    0,
    [
      expect.stringMatching(/^index\.mdx:7:17: Image has no alternative text, like 1 more below: .* \[info\/image-alt\]$/),
      expect.stringMatching(/^snippets\/chart\.mdx:1:1: Image has no alternative text: .* \[info\/image-alt\]$/),
    ],
  ])
  const config = { 'openapi-pages.config.yaml': 'rules: { image-alt: off }\n' }
  const off = makeTemporaryFolder({
    ...config,
    'docs.json': JSON.stringify({ ...docs, navigation: { pages: ['index'] }, redirects: [] }),
    'index.mdx': '![](https://example.com/a.png)\n',
  })
  expect((await runInFolder(off, ['check', '.', '--format', 'unix'])).stdout).not.toContain('image-alt')
})

test('checks no links of pages with --no-links', async () => {
  const { stdout } = await runInFolder(folder(), ['check', '.', '--no-links', '--format', 'unix'])
  expect(stdout).not.toMatch(/link-unresolved|fragment-unresolved|asset-missing/)
})

/** A docs directory with one broken link, which is found without rendering a page. */
const small = (more: Record<string, string> = {}, redirects: readonly object[] = []) =>
  makeTemporaryFolder({
    'docs.json': JSON.stringify({ ...docs, navigation: { pages: ['index'] }, redirects }),
    'index.mdx': '---\ntitle: Start\n---\n\n## Get started\n\n[broken](/gone) [own](#get-started)\n',
    ...more,
  })

test('ignores redirects of fragments and to unsupported URLs, and gives no hint that would drop a fragment', async () => {
  const redirects = [
    { source: '/old#part', destination: '/events' },
    { source: '/old', destination: '/' },
    { source: '/old#other', destination: '/events' },
    { source: '/older', destination: '/old#part' },
    { source: '/mail', destination: 'mailto:a@example.com' },
    { source: '/plain', destination: 'http://example.com' },
    { source: '/old?a=b', destination: '/events' },
  ]
  const { stdout } = await runInFolder(small({}, redirects), ['check', '.', '--format', 'json'])
  const found = JSON.parse(stdout)
    .diagnostics.filter(({ code }: { code: string }) => code.startsWith('redirect-'))
    .map(({ code, pointer }: Record<string, string>) => `${code} ${pointer}`)
  expect(found).toEqual([
    'redirect-fragment /redirects/0',
    'redirect-fragment /redirects/2',
    'redirect-target /redirects/4',
    'redirect-target /redirects/5',
    'redirect-query /redirects/6',
  ])
})

test('reports restricted content as information, because another host may show it to some readers', async () => {
  const { stdout } = await runInFolder(small({ 'admin.mdx': '---\ntitle: Admin\ngroups: [admin]\n---\n' }), [
    'check',
    '.',
    '--format',
    'json',
  ])
  const found = JSON.parse(stdout).diagnostics.filter(({ code }: { code: string }) => code === 'content-restricted')
  expect(found.map(({ severity, message }: Record<string, string>) => `${severity} ${message}`)).toEqual([
    'info Not published, because only some readers may see it: `admin.mdx`',
  ])
})

test('reports redirects to other redirects and redirects without effect', async () => {
  const redirects = [
    { source: '/oldest', destination: '/old' },
    { source: '/old', destination: '/index' },
    { source: '/index', destination: '/elsewhere' },
    { source: '/old', destination: '/' },
    { source: '/blog/:slug*', destination: 'https://example.com/:slug*' },
  ]
  const { stdout } = await runInFolder(small({}, redirects), ['check', '.', '--format', 'json'])
  const { diagnostics } = JSON.parse(stdout)
  expect(
    diagnostics
      .filter(({ code }: { code: string }) => code.startsWith('redirect-'))
      .map(({ code, severity, pointer, hint }: Record<string, string>) => [code, severity, pointer, hint]),
  ).toEqual([
    ['redirect-chain', 'info', '/redirects/0', 'Change `destination` to `/elsewhere`'],
    ['redirect-chain', 'info', '/redirects/1', 'Change `destination` to `/elsewhere`'],
    ['redirect-unused', 'warning', '/redirects/3', 'Remove one of them'],
  ])
})

test.each([
  ['a rule', { 'openapi-pages.config.yaml': 'rules:\n  link-unresolved: error\n' }, 1, 'error/link-unresolved'],
  ['a rule that switches it off', { 'openapi-pages.config.yaml': 'rules:\n  link-unresolved: off\n' }, 0, ''],
  ['an entry of `ignore`', { 'openapi-pages.config.yaml': 'ignore:\n  - code: link-unresolved\n    path: index.mdx\n' }, 0, ''],
])('applies %s to links', async (_name, files, exit, expected) => {
  const { exitCode, stdout } = await runInFolder(small(files), ['check', '.', '--format', 'unix'])
  expect([exitCode, stdout.match(/\w+\/link-unresolved/)?.[0] ?? '']).toEqual([exit, expected])
})

test('reports no links in the baseline again', async () => {
  const path = small()
  const written = await runInFolder(path, ['check', '.', '--baseline', 'known.json', '--write-baseline', '--format', 'unix'])
  const { stdout } = await runInFolder(path, ['check', '.', '--baseline', 'known.json', '--format', 'unix'])
  expect([written.exitCode, stdout.includes('link-unresolved')]).toEqual([0, false])
})

test.each([
  ['sarif', '"ruleId": "link-unresolved"'],
  ['junit', 'link-unresolved'],
  ['github', '::warning file=index.mdx,line=7'],
])('reports links in the format %s', async (format, expected) => {
  const { stdout } = await runInFolder(small(), ['check', '.', '--format', format])
  expect(stdout).toContain(expected)
})

test('reports no text in code, comments and attributes that are not links', async () => {
  const text = [
    '`[a](/b)`',
    '{/* [a](/b) */}',
    '~~~md',
    '[a](/b)',
    '~~~',
    '<Thing default="/workspace" src="form" />',
    '[a]({{base}}/b)',
  ]
  const path = small({ 'index.mdx': `---\ntitle: Start\n---\n\n${text.join('\n\n')}\n` })
  const { stdout } = await runInFolder(path, ['check', '.', '--format', 'unix'])
  expect(stdout).not.toMatch(/link-unresolved|asset-missing/)
})
