import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTimes, readTree } from '../support/read-tree.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      tags: [Pets]
      summary: List pets
      responses: { '200': { description: Pets } }
`
const png = Buffer.from('89504e470d0a1a0a', 'hex')

function docsDirectory(more: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return makeTemporaryFolder({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'Start', pages: ['index'] }] } }),
    'index.mdx': '---\ntitle: Start\n---\n\nWords.\n',
    ...more,
  })
}

const build = (cwd: string, ...more: string[]) => runInFolder(cwd, ['build', ...more])

test('builds into `site`, and changes nothing in a second run', async () => {
  const cwd = docsDirectory()
  const first = await build(cwd)
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toMatch(/^✔ 1 page in site: \d+ files written, \d+ kB, \d+\.\d s, no problems\n$/)
  const before = readTimes(join(cwd, 'site'))
  const second = await build(cwd)
  expect(second.stdout).toMatch(/^✔ 1 page in site: unchanged, \d+ kB, /)
  expect(readTimes(join(cwd, 'site'))).toEqual(before)
})

test('builds without a network from the copy of a remote document', async () => {
  let isOffline = false
  const origin = await serve((_request, response) => {
    if (isOffline) response.destroy()
    else response.end(document)
  })
  const navigation = {
    groups: [
      { group: 'Start', pages: ['index'] },
      { group: 'API', openapi: `${origin}/openapi.yaml` },
    ],
  }
  const cwd = docsDirectory({ 'docs.json': JSON.stringify({ name: 'Pets', navigation }) })
  expect(await build(cwd, '--allow-http')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no problems') })
  isOffline = true
  const { exitCode, stdout } = await build(cwd, '--allow-http', '--format', 'json')
  const { diagnostics, files, operations } = JSON.parse(stdout)
  expect({ exitCode, operations, written: files.written }).toEqual({ exitCode: 0, operations: 1, written: 0 })
  expect(diagnostics).toMatchObject([
    {
      code: 'url-copy-used',
      severity: 'warning',
      message: expect.stringMatching(
        /^Cannot read the URL: the host closed the connection. The stored copy is 0 minutes old, from \d/,
      ),
    },
  ])
})

test('ignores the output directory inside the docs directory', async () => {
  const cwd = docsDirectory()
  await build(cwd)
  writeFileSync(join(cwd, 'site/stray.mdx'), '# Stray\n')
  const { stdout } = await build(cwd, '--format', 'json')
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, built: true, pages: 1, output: 'site', diagnostics: [] })
})

test.each([
  ['the docs directory', '.', 'it is the docs directory'],
  ['a folder around it', '..', 'it contains the docs directory'],
])('rejects %s as output directory', async (_name, output, reason) => {
  const cwd = docsDirectory()
  const { exitCode, stderr } = await build(cwd, '-o', output)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) })
})

test.each([
  ['a file', 'docs.json', 'docs.json: it is a file'],
  ['a folder in a file', 'index.mdx/site', 'index.mdx is a file'],
  ['a folder far in a file', 'index.mdx/a/b', 'index.mdx is a file'],
])('cannot build into %s', async (_name, output, reason) => {
  const { exitCode, stderr } = await build(docsDirectory(), '-o', output)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) })
  expect(stderr).toContain('Choose a directory with -o')
})

test.runIf(process.platform === 'linux')('reports an output directory that cannot be created', async () => {
  const { exitCode, stderr } = await build(docsDirectory(), '-o', '/proc/openapi-pages/site')
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^openapi-pages: cannot write `\/proc\/openapi-pages\/site\/index.html`: ENOENT/),
  })
})

test('keeps the old site if a URL is unreachable', async () => {
  const cwd = docsDirectory()
  await build(cwd)
  const before = readTimes(join(cwd, 'site'))
  const { exitCode, stdout, stderr } = await build(cwd, 'http://localhost:1/openapi.yaml')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('openapi-pages: cannot read http://localhost:1/openapi.yaml: ')
  expect(readTimes(join(cwd, 'site'))).toEqual(before)
})

test('rejects a directory with other files, and keeps them with --force', async () => {
  const cwd = docsDirectory({ 'public/notes.txt': 'mine' })
  expect(await build(cwd, '-o', 'public')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('it contains other files (notes.txt)'),
  })
  expect((await build(cwd, '-o', 'public', '--force')).exitCode).toBe(0)
  expect(readFileSync(join(cwd, 'public/notes.txt'), 'utf8')).toBe('mine')
})

test('builds a site from one document and ignores other files', async () => {
  const cwd = makeTemporaryFolder({ 'specs/api.yaml': document, 'specs/README.md': '# Not a page', 'specs/docs.json': '{}' })
  expect(await build(cwd, 'specs/api.yaml', '-o', 'out', '--format', 'json')).toMatchObject({ exitCode: 0 })
  const pages = Object.keys(readTree(join(cwd, 'out'))).filter((path) => path.endsWith('index.html'))
  expect(pages.sort()).toEqual([
    'index.html',
    'pets/index.html',
    'pets/list-pets/index.html',
    'pets/overview/index.html',
    'search/index.html',
  ])
  expect(readFileSync(join(cwd, 'out/index.html'), 'utf8')).toContain('<title>Pets</title>')
})

test('builds a document from any working directory', async () => {
  const cwd = makeTemporaryFolder()
  const path = join(makeTemporaryFolder({ 'api.yaml': document }), 'api.yaml')
  expect(await build(cwd, path, '-o', 'out')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(Object.keys(readTree(join(cwd, 'out')))).toContain('pets/list-pets/index.html')
})

test('keeps the old site if docs.json is unreadable', async () => {
  const cwd = docsDirectory()
  await build(cwd)
  const before = readTree(join(cwd, 'site'))
  writeFileSync(join(cwd, 'docs.json'), '{ "name": ')
  const { exitCode, stdout } = await build(cwd)
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('site not updated') })
  expect(readTree(join(cwd, 'site'))).toEqual(before)
})

test.each(['{ "pages": [] }', '{ "groups": [{ "group": "Start", "pages": ["gone"] }] }'])(
  'reports a site without pages: %s',
  async (navigation) => {
    const cwd = makeTemporaryFolder({ 'docs.json': `{ "name": "Pets", "navigation": ${navigation} }` })
    const { exitCode, stdout, stderr } = await build(cwd)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
    expect(stdout).toContain('docs.json:1:19 error navigation-empty')
    expect(stdout).toContain('set `openapi` on a tab or group')
    expect(stdout).toContain('site not updated')
    expect(Object.keys(readTree(cwd))).toEqual(['docs.json'])
  },
)

test.each([
  ['NUL', 0, 'Unexpected byte 0x00 in line 5'],
  ['byte that is no UTF-8', 0xe9, 'Unexpected byte that is not UTF-8 in line 5'],
])('shows the rest of a page with one %s', async (_title, byte, message) => {
  const text = Buffer.from('---\ntitle: Start\n---\n\ncaf_ and text\n')
  text[text.indexOf('_')] = byte
  const cwd = docsDirectory({ 'index.mdx': text })
  const { exitCode, stdout } = await build(cwd)
  expect(exitCode).toBe(0)
  expect(stdout).toContain(message)
  expect(readFileSync(join(cwd, 'site/index.html'), 'utf8')).toContain('caf\ufffd and text')
})

test('reports contradicting schemas only once', async () => {
  const cwd = makeTemporaryFolder({
    'api.yaml': document.replace(
      '{ description: Pets }',
      `{ description: Pets, content: { application/json: { schema: { allOf: [
        { type: object }, { type: string, format: date-time, minLength: 99 } ] } } } }`,
    ),
  })
  expect(await build(cwd, 'api.yaml')).toMatchObject({ exitCode: 0, stderr: '' })
})

test('reports a document with errors and builds the rest', async () => {
  const cwd = docsDirectory({
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: {
        tabs: [
          { tab: 'A', pages: ['index'] },
          { tab: 'B', openapi: 'bad.yaml' },
        ],
      },
    }),
    'bad.yaml': document.replace('paths:', 'pathz:'),
  })
  const { exitCode, stdout } = await build(cwd)
  expect(exitCode).toBe(1)
  expect(stdout).toContain('unknown-field')
  expect(readTree(join(cwd, 'site'))['index.html']).toContain('Words.')
})

test('publishes files used by pages, but no scripts', async () => {
  const outside = makeTemporaryFolder({ 'secret.png': png })
  const cwd = docsDirectory({
    'index.mdx': `---
title: Start
---

![Here](/pictures/here.png) ![Out](/pictures/out.png) ![Bad](/pictures/bad.svg) ![Gone](/pictures/hree.png)

[Data](/data.csv) [Page](/evil.html) [Nowhere](/strat) [Old](/old)
`,
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: { groups: [{ group: 'Start', pages: ['index', 'start'] }] },
      redirects: [{ source: '/old', destination: '/start' }],
    }),
    'start.mdx': '---\ntitle: Second\n---\n',
    'pictures/here.png': png,
    'pictures/bad.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'images/public.png': png,
    'unnamed/other.png': png,
    'data.csv': 'a,b\n',
    'evil.html': '<script>alert(1)</script>',
    'evil.js': 'alert(1)',
  })
  mkdirSync(join(cwd, 'pictures'), { recursive: true })
  symlinkSync(join(outside, 'secret.png'), join(cwd, 'pictures/out.png'))
  const { exitCode, stdout } = await build(cwd, '--format', 'json')
  const found = JSON.parse(stdout).diagnostics.map(({ code, line, message, hint }: Record<string, string>) => [
    code,
    line,
    message,
    hint,
  ])
  expect(found.map(([name]: string[]) => name).sort()).toEqual([
    'asset-missing',
    'asset-missing',
    'asset-refused',
    'asset-refused',
    'link-unresolved',
    'script-not-run',
  ])
  expect(found).toEqual(
    expect.arrayContaining([
      ['asset-missing', 5, 'Cannot find the file `/pictures/hree.png`', 'Did you mean `/pictures/here.png`?'],
      ['link-unresolved', 7, 'Unexpected link to `/strat`: the site has no page with this path', 'Did you mean `/start`?'],
    ]),
  )
  // Pages show two files that are not published.
  expect(exitCode).toBe(1)
  const files = Object.keys(readTree(join(cwd, 'site'))).filter(
    (path) => /\.(?:png|svg|csv|js|html)$/.test(path) && !path.startsWith('_assets'),
  )
  expect(files.filter((path) => !path.endsWith('index.html'))).toEqual([
    '404.html',
    'data.csv',
    'images/public.png',
    'pictures/here.png',
    'print.html',
  ])
})

test.each([
  [['--url', 'nonsense'], 'cannot use nonsense as --url'],
  [['--url', 'ftp://example.com/'], 'expected a URL such as'],
  [['--base', 'https://example.com/docs'], 'Use --url for the full URL'],
  [['--base', '/a/../b'], 'expected a path such as /docs/'],
  [['--base', '/docs', '--url', 'https://example.com/other/'], 'the URL has a different path'],
])('rejects %j', async (options, words) => {
  expect(await build(docsDirectory(), ...options)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) })
})

test('no command treats files of the site as pages', async () => {
  const cwd = docsDirectory()
  await build(cwd)
  expect(await runInFolder(cwd, ['check', '.'])).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('site/') })
  expect((await runInFolder(cwd, ['update', '--dry-run'])).stdout).not.toContain('site/')
})

describe('files of a site that no directory can contain together', () => {
  const page = (title: string) => `---\ntitle: ${title}\n---\nText\n`
  const docs = (pages: readonly string[], more: object = {}) => ({
    'docs.json': JSON.stringify({ name: 'X', navigation: { pages }, ...more }),
    ...Object.fromEntries(pages.map((path) => [`${path}.mdx`, page(path)])),
  })
  const options = ['--no-cache', '--url', 'https://example.com/']

  test('the names of such files in a site are those that `check` knows', async () => {
    const cwd = makeTemporaryFolder(docs(['home'], { redirects: [{ source: '/old', destination: '/home' }] }))
    await build(cwd, ...options)
    const names = readdirSync(join(cwd, 'site'), { withFileTypes: true }).filter((entry) => entry.isFile())
    const own = names.map(({ name }) => name).filter((name) => !/^(?:home|index|skill)\.|^\.openapi-pages/.test(name))
    expect(own.length).toBeGreaterThan(8)
    for (const name of own) {
      writeFileSync(join(cwd, 'docs.json'), docs(['home', name])['docs.json'])
      writeFileSync(join(cwd, `${name}.mdx`), page(name))
      const { stdout } = await runInFolder(cwd, ['check', '.'])
      expect(stdout, name).toContain(`Cannot publish page \`${name}.mdx\` beside \`${name}\` of every site`)
      rmSync(join(cwd, `${name}.mdx`))
    }
  })

  test.each([
    ['n', 'n.md'],
    ['n', 'n.md/below'],
    ['n', 'N.MD/below'],
    ['index', 'index.md/a'],
    ['caf\u00e9', 'cafe\u0301.md/a'],
    ['start', '_headers'],
    ['start', 'robots.txt/a/b'],
    ['index', 'index/index'],
  ])('are one finding with both, in any order, and nothing is written: %s and %s', async (first, second) => {
    const cwd = makeTemporaryFolder(docs(['other', first]))
    expect((await build(cwd)).exitCode).toBe(0)
    const before = readTree(join(cwd, 'site'))
    for (const pages of [
      [first, second],
      [second, first],
    ]) {
      for (const [path, text] of Object.entries(docs(['other', ...pages]))) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true })
        writeFileSync(join(cwd, path), text)
      }
      const built = await build(cwd, '--no-cache')
      expect([built.exitCode, built.stderr]).toEqual([1, ''])
      const [message, ...others] = built.stdout.match(/^ *Cannot publish .*/gm) ?? []
      expect([message, others]).toEqual([expect.stringContaining(`page \`${second}.mdx\``), []])
      expect((await runInFolder(cwd, ['check', '.'])).stdout).toContain(message)
      expect(readTree(join(cwd, 'site'))).toEqual(before)
    }
  })

  test('a redirect in the place of another file is only in `_redirects`', async () => {
    const sources = ['/_headers', '/n.md/x', '/404.html', '/robots.txt', '/old']
    const cwd = makeTemporaryFolder(docs(['n'], { redirects: sources.map((source) => ({ source, destination: '/n' })) }))
    for (const more of [[], [], ['--no-cache']]) expect(await build(cwd, ...more)).toMatchObject({ exitCode: 0, stderr: '' })
    const { _headers: headers, '404.html': notFound, 'n.md': markdown, ...files } = readTree(join(cwd, 'site'))
    expect([headers, notFound, markdown]).toEqual([
      expect.stringContaining('Content-Security-Policy'),
      expect.not.stringContaining('http-equiv="refresh"'),
      expect.stringContaining('Text'),
    ])
    expect(files['old/index.html']).toContain('refresh')
    for (const source of sources) expect(files['_redirects']).toContain(`${source} /n/ 301`)
  })
})
