import { describe, expect, test } from 'vitest'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { buildSite } from '../../../../src/site/make/build-site.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { siteOf } from '../site-of.ts'
import { siteAssets } from './site-assets.ts'

const docs = JSON.stringify({ name: 'Docs', navigation: { pages: ['a'] } })
const page = '<div className="hero mt-4 btn">x</div>'

const customFiles = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).filter(([path]) => path.startsWith('_assets/custom-'))

describe('stylesheets of the docs directory', () => {
  test('are on every page as one file, and their classes work in pages', async () => {
    const { files, diagnostics } = await siteOf({
      'docs.json': docs,
      'a.mdx': page,
      'style.css': '.hero{background:url(images/a.png)}',
      'deep/er/z.css': '.hero{color:red}',
      '.hidden/b.css': '.hidden{color:red}',
      'node_modules/c.css': '.modules{color:red}',
      '.mintignore': 'ignored/',
      'ignored/d.css': '.ignored{color:red}',
      'images/a.png': 'png',
    })
    const [file, ...others] = customFiles(files)
    expect(others).toEqual([])
    expect(file?.[1].replaceAll(':where(:not(dialog,dialog *))', '')).toBe(
      '.x-hero{color:red}.x-hero{background:url(/images/a.png)}',
    )
    const html = files['a/index.html'] ?? ''
    expect(html).toContain(`<link rel="stylesheet" href="/${file?.[0]}"/>`)
    expect(html).toMatch(/<div class="x-hero s-[0-9a-f]{8}">x<\/div>/)
    expect(html).toContain('data-current-path="/a"')
    expect(files['404.html']).toContain(String(file?.[0]))
    expect(files['images/a.png']).toBe('png')
    expect(diagnostics.filter(({ code }) => code === 'style-refused')).toEqual([])
  })

  test('clip the content of a page if they can move it over the frame', async () => {
    const content = async (css: string) =>
      customFiles((await siteOf({ 'docs.json': docs, 'a.mdx': page, 'a.css': css })).files)[0]?.[1]
    expect(await content('.hero{position:absolute;inset:-999px}')).toMatch(/^:is\(\.page>article.*contain:paint/)
    expect(await content('.hero{color:red}')).not.toContain('contain')
  })

  test('report what was removed, with its place', async () => {
    const { diagnostics, files } = await siteOf({
      'docs.json': docs,
      'a.mdx': page,
      'style.css': '@import url("https://fonts.example/x.css");\n.hero {\n  background: url(../../secret.png);\n}',
    })
    const reported = diagnostics.filter(({ code }) => code === 'style-refused')
    expect(reported.map(({ message, file, range }) => [message, file, range.start.line])).toEqual([
      [
        'Unsupported `@import` of `https://fonts.example/x.css`: only stylesheets of the docs directory are loaded',
        'style.css',
        1,
      ],
      ['Unsupported `url(../../secret.png)`: only images and fonts of the docs directory are loaded', 'style.css', 3],
    ])
    expect(JSON.stringify(files)).not.toMatch(/fonts\.example|secret/)
  })

  test('are not on the page that receives sign-ins', async () => {
    const { files } = await siteOf({ 'docs.json': docs, 'a.mdx': page, 'style.css': 'p{color:red}', 'x.js': '1' })
    const oauth = Object.entries(files).filter(([path]) => path.startsWith('_oauth'))
    for (const [, html] of oauth) expect(html).not.toContain('custom-')
  })
})

describe('scripts of the docs directory', () => {
  const scripts = {
    'docs.json': docs,
    'a.mdx': 'import { Own } from "/snippets/own.js"\n\nx',
    'analytics.js': 'window.a = 1',
    'it\'s "quoted" & <b>.js': 'window.b = 2',
    'snippets/own.js': 'export const Own = () => <p>own</p>',
  }
  const policy = /Content-Security-Policy" content="[^"]*script-src &#39;self&#39;;|script-src 'self';/

  test('do not run by default, with one notice', async () => {
    const { files, diagnostics } = await siteOf(scripts)
    expect(customFiles(files)).toEqual([])
    expect(diagnostics.filter(({ code }) => code === 'script-not-run')).toMatchObject([
      {
        severity: 'info',
        file: 'analytics.js',
        message: 'Cannot run `analytics.js` and 1 more: pages run only built-in scripts',
        hint: 'If you trust the repository, set `site: { scripts: true }` in `openapi-pages.config.yaml`',
      },
    ])
  })

  test('run as files of the site if the configuration allows it', async () => {
    const { files, diagnostics } = await siteOf({ ...scripts, 'openapi-pages.config.yaml': 'site: { scripts: true }\n' })
    expect(customFiles(files).map(([path, text]) => [/^_assets\/custom-[0-9a-f]{8}\.js$/.test(path), text])).toEqual([
      [true, 'window.a = 1'],
      [true, 'window.b = 2'],
    ])
    const html = files['a/index.html'] ?? ''
    for (const [path] of customFiles(files)) expect(html).toContain(`<script defer src="/${path}"></script>`)
    expect(html).toMatch(policy)
    expect(html).not.toContain('unsafe-')
    expect(html).not.toContain('quoted')
    expect(diagnostics.filter(({ code }) => code === 'script-not-run')).toEqual([])
  })

  test('never run in previews of forks', async () => {
    const emitted: Record<string, string> = {}
    await buildSite(
      { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, refusesScripts: true },
      {
        files: openDiskFiles(makeTemporaryFolder({ ...scripts, 'openapi-pages.config.yaml': 'site: { scripts: true }\n' })),
        fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
      },
      ({ path, content }) => {
        emitted[path] = String(content)
        return hashContent(content)
      },
    )
    expect(customFiles(emitted)).toEqual([])
    expect(emitted['a/index.html']).not.toContain('custom-')
  })
})
