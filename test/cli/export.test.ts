import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readZip } from '../support/read-zip.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/pets/{id}': {
      get: {
        tags: ['Pets'],
        summary: 'Get a pet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: { description: 'A pet', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        },
      },
    },
  },
  components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } },
}
const page = (title: string, body = 'Words.') => `---\ntitle: ${title}\n---\n\n${body}\n`

function docsDirectory(more: Readonly<Record<string, string>> = {}): string {
  return makeTemporaryFolder({
    'docs.json': JSON.stringify({
      name: 'Pets',
      favicon: '/images/logo.svg',
      navigation: {
        tabs: [
          { tab: 'Guides', pages: ['index', 'guides/start', 'guides/日本 語'] },
          { tab: 'API', openapi: 'openapi.json' },
        ],
      },
      redirects: [{ source: '/old', destination: '/guides/start' }],
    }),
    'openapi-pages.config.yaml': 'site: { feedback: https://feedback.example.com/ }\n',
    'brand.css': '.hero { background: url("/images/logo.svg") }\n',
    'index.mdx': page('Home', '[Start](/guides/start#first) ![Logo](/images/logo.svg) <a href="guides/start">Again</a>'),
    'guides/start.mdx': page(
      'Start',
      '## First\n\n[Home](/) [API](/api-reference/pets/get-a-pet)\n\n```mermaid\ngraph TD; A-->B\n```',
    ),
    'guides/日本 語.mdx': page('日本語'),
    'guides/hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\n\nSecret words.\n',
    'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    'openapi.json': JSON.stringify(document),
    ...more,
  })
}

async function exportSite(folder: string, ...more: string[]) {
  const run = await runInFolder(folder, ['export', ...more])
  const path = join(folder, 'export.zip')
  return { ...run, files: existsSync(path) ? readZip(readFileSync(path)) : new Map<string, Buffer>() }
}

/** The links of an exported site that name no file in it, as `file: link`. */
function findBroken(files: ReadonlyMap<string, Buffer>): string[] {
  return [...files].flatMap(([path, content]) => {
    const isPage = path.endsWith('.html')
    if (!isPage && !path.endsWith('.css')) return []
    const pattern = isPage
      ? /(?:\b(?:href|src|poster|data-(?!current-path)[\w-]+)|url)="?(?!https?:|mailto:|data:|#)([^"\s<>]*[./][^"<>]*)"/g
      : /url\("?([^")]*)"?\)/g
    return [...content.toString().matchAll(pattern)].flatMap(([, link = '']) => {
      const url = new URL(link.replaceAll('&amp;', '&'), `https://site.invalid/${path}`)
      const target = decodeURIComponent(url.pathname).slice(1)
      return url.protocol === 'data:' || url.host !== 'site.invalid' || files.has(target) ? [] : [`${path}: ${link}`]
    })
  })
}

test('writes a site whose links all name a file of the archive', async () => {
  const { exitCode, stdout, stderr, files } = await exportSite(docsDirectory())
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/✔ \d+ pages in export\.zip: \d+ kB, no problems\nUnpack it and open index\.html in a browser\n$/)
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      'index.html',
      'guides/start/index.html',
      'api-reference/pets/get-a-pet/index.html',
      'images/logo.svg',
      'old/index.html',
      'search/index.html',
    ]),
  )
  expect(findBroken(files)).toEqual([])
  for (const [path, content] of files) expect([path, content.includes('/_offline_/')]).toEqual([path, false])
})

test('contains nothing that needs a server', async () => {
  const { files } = await exportSite(docsDirectory())
  const names = [...files.keys()]
  expect(names.filter((name) => /\.md$|^_redirects|^_headers|^robots|^404|^print|^llms|^_oauth|diagrams|^\./.test(name))).toEqual(
    [],
  )
  const html = String(files.get('api-reference/pets/get-a-pet/index.html'))
  expect(html).not.toMatch(/type="module"|data-open="playground"|data-copy-from|feedback|print\.html/)
  expect(html).toContain('This offline copy cannot send requests')
  // The search reads its index from scripts.
  expect(names.filter((name) => name.startsWith('_search/'))).toEqual(
    expect.arrayContaining(['_search/names.json.js', '_search/text-0.json.js']),
  )
  expect(names.filter((name) => /^_search\/.*\.json$/.test(name))).toEqual([])
})

test('leaves out hidden pages', async () => {
  const { files } = await exportSite(docsDirectory())
  expect([...files.keys()].filter((name) => name.includes('hidden'))).toEqual([])
  for (const content of files.values()) expect(content.includes('Secret words')).toBe(false)
})

test('has the texts of scripts in the language of the site', async () => {
  const config = { 'openapi-pages.config.yaml': 'site: { language: de }\n' }
  const { files } = await exportSite(docsDirectory(config))
  const [, messages = ''] = /<meta name="messages" content="([^"]*)"/.exec(String(files.get('guides/start/index.html'))) ?? []
  expect(files.has(`${messages.replace('../../', '')}.js`)).toBe(true)
})

test('writes the same bytes again, also over its own output in the docs directory', async () => {
  const folder = docsDirectory()
  await exportSite(folder, '-o', 'images/first.zip')
  const first = readFileSync(join(folder, 'images/first.zip'))
  await exportSite(folder, '-o', 'images/first.zip')
  expect(readFileSync(join(folder, 'images/first.zip')).equals(first)).toBe(true)
})

test('writes a single document, without its internal parts', async () => {
  const internal = {
    ...document.paths,
    '/secret': { get: { 'x-internal': true, summary: 'Secret', responses: { 200: { description: 'ok' } } } },
  }
  const folder = makeTemporaryFolder({ 'openapi.json': JSON.stringify({ ...document, paths: internal }) })
  const { exitCode, files } = await exportSite(folder, 'openapi.json', '--audience', 'public')
  expect(exitCode).toBe(0)
  expect(files.has('index.html')).toBe(true)
  expect(findBroken(files)).toEqual([])
  for (const content of files.values()) expect(content.includes('/secret')).toBe(false)
})

test('prints JSON', async () => {
  const { stdout } = await exportSite(docsDirectory(), '--format', 'json')
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, output: 'export.zip', written: true, operations: 1, diagnostics: [] })
})

describe('refuses', () => {
  test.each([
    ['a name without .zip', ['-o', 'docs.json'], 'cannot write `docs.json`: expected the name of a zip file'],
    ['a missing directory', ['-o', 'gone/site.zip'], 'cannot write gone/site.zip: no such directory'],
  ])('%s', async (_, options, message) => {
    const { exitCode, stderr } = await exportSite(docsDirectory(), ...options)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('a docs.json with errors, and keeps the earlier file', async () => {
    const folder = docsDirectory({ 'docs.json': '{' })
    writeFileSync(join(folder, 'export.zip'), 'earlier')
    const { exitCode, stdout } = await runInFolder(folder, ['export'])
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('export.zip not written')])
    expect(readFileSync(join(folder, 'export.zip'), 'utf8')).toBe('earlier')
  })
})
