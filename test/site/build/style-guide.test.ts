import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { readStamp } from '../../../src/files/file-stamp.ts'
import { hashContent, openOutputFolder } from '../../../src/files/output-folder.ts'
import { createArchiveFiles } from '../../../src/github/archive-files.ts'
import { buildSite } from '../../../src/site/build/build-site.ts'
import { emptyMemory, type RenderMemory } from '../../../src/site/build/render-memory.ts'
import { checkLinks } from '../../../src/site/build/scan-links.ts'
import { runCheck } from '../../../src/update/run-check.ts'
import { toEnvironment } from '../../support/memory-tree.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './site-assets.ts'
import { siteOf } from './site-of.ts'

const ruleset = `rules:
  contact:
    description: Every API has a \`contact\`, so that {people} can ask.
    documentationUrl: https://example.com/contact
    severity: error
    given: $.info
    then: { field: contact, function: truthy }
    x-tests:
      - valid: { contact: { name: API team } }
      - invalid: { title: Pets }
  no-$ref-summary:
    given: $.paths[*][get]
    then: { field: summary, function: truthy }
  private-plan:
    description: Hidden until 2030
    severity: off
    given: $
    then: { function: truthy }
`
const files = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index'] },
        { group: 'API', openapi: 'openapi.json' },
      ],
    },
  }),
  'index.mdx': 'Hello\n',
  'openapi.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1', contact: { name: 'A' } },
    paths: { '/pets': { get: { summary: 'List pets', responses: { 200: { description: 'OK' } } } } },
  }),
  '.spectral.yaml': ruleset,
  'openapi-pages.config.yaml': 'site: { styleGuide: true }\n',
}
const config = (text: string) => ({ ...files, 'openapi-pages.config.yaml': text })
const routes = (site: Awaited<ReturnType<typeof siteOf>>) => site.pages.map(({ route }) => route)
const searchOf = (site: Awaited<ReturnType<typeof siteOf>>) =>
  JSON.stringify(Object.entries(site.files).filter(([path]) => path.startsWith('_search')))

test('a page shows each rule with its severity, documentation and examples', async () => {
  const site = await siteOf(files)
  expect(site.diagnostics.map(({ message }) => message)).toEqual([])
  const html = site.files['style-guide/index.html'] ?? ''
  expect(html).toContain('<title>API style guide · Pets</title>')
  expect(html).toContain('id="contact"')
  // Links of the table lead to the sections, also for names with signs.
  expect(html).toContain('href="#no-ref-summary"')
  expect(html).toContain('id="no-ref-summary"')
  expect(html).toContain('href="https://example.com/contact"')
  expect(html).toContain('so that {people} can ask')
  expect(html).not.toContain('Hidden until 2030')
  expect(site.files['style-guide.md']).toContain(`## \`contact\`

Every API has a \`contact\`, so that {people} can ask.

Severity: **error** · OpenAPI 3.0, 3.1, 3.2

**Wrong:**

\`\`\`yaml
title: Pets
\`\`\`

**Right:**

\`\`\`yaml
contact:
  name: API team
\`\`\`

[Documentation of the rule](https://example.com/contact)
`)
})

test('the navigation, llms.txt and search contain the page', async () => {
  const site = await siteOf(files)
  expect(site.files['index.html']).toContain('href="/style-guide/"')
  expect(site.files['llms.txt']).toContain('style-guide')
  expect(searchOf(site)).toContain('no-$ref-summary')
})

test('without the setting, nothing of the ruleset is published', async () => {
  const site = await siteOf(config(''))
  expect(routes(site)).not.toContain('style-guide')
  expect(JSON.stringify(site.files)).not.toContain('so that {people}')
})

test('docs.json can list the page', async () => {
  const navigation = {
    groups: [
      { group: 'Guides', pages: ['style-guide', 'index'] },
      { group: 'API', openapi: 'openapi.json' },
    ],
  }
  const site = await siteOf({ ...files, 'docs.json': JSON.stringify({ name: 'Pets', navigation }) })
  expect(routes(site).slice(0, 2)).toEqual(['style-guide', ''])
  expect(site.diagnostics.map(({ message }) => message)).toEqual([])
})

test('the check accepts the page in docs.json only with the setting', async () => {
  const listing = { ...files, 'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['style-guide', 'index'] } }) }
  const codes = async (tree: Record<string, string>) =>
    (await runCheck({ entries: [''] }, toEnvironment(tree))).diagnostics.map(({ code }) => code)
  expect(await codes(listing)).not.toContain('page-missing')
  expect(await codes({ ...listing, 'openapi-pages.config.yaml': '' })).toContain('page-missing')
})

test('links to its sections are checked', async () => {
  const tree = { ...files, 'index.mdx': '[A](/style-guide#contact) [B](/style-guide#contakt)\n' }
  const { diagnostics } = await runCheck({ entries: [''], checkLinks }, toEnvironment(tree))
  const links = diagnostics.filter(({ code }) => /^(?:link|fragment)-/.test(code))
  expect(links).toMatchObject([{ file: 'index.mdx', message: expect.stringContaining('contakt') }])
})

test('a page of the author keeps its path', async () => {
  const site = await siteOf({ ...files, 'style-guide.mdx': '---\ntitle: How we write\n---\n' })
  expect(site.files['style-guide/index.html']).toContain('How we write')
  expect(site.files['style-guide-1/index.html']).toContain('API style guide')
})

test('the page has the language of the site and the severities of the configuration file', async () => {
  const site = await siteOf(config('site: { styleGuide: true, language: de }\nrules: { contact: warning }\n'))
  const html = site.files['style-guide/index.html'] ?? ''
  expect(html).toContain('<title>API-Styleguide · Pets</title>')
  expect(site.files['style-guide.md']).toContain('Schweregrad: **Warnung**')
})

test('the texts of rules keep their direction on pages from right to left', async () => {
  const site = await siteOf(config('site: { styleGuide: true, language: ar }\n'))
  const html = site.files['style-guide/index.html'] ?? ''
  expect(html).toContain('<div dir="auto"><p>Every API has a')
  expect(html).toContain('<bdi>Every API has a')
  expect(site.files['style-guide.md']).not.toMatch(/<bdi|<div/)
  expect(site.diagnostics.map(({ message }) => message)).toEqual([])
})

test('a site without documents shows the ruleset of its directory', async () => {
  const { 'openapi.json': _, ...others } = files
  const site = await siteOf({ ...others, 'docs.json': JSON.stringify({ name: 'Rules', navigation: { pages: ['index'] } }) })
  expect(site.files['style-guide/index.html']).toContain('id="contact"')
})

test('rulesets in other directories belong to their documents', async () => {
  const { '.spectral.yaml': _, 'openapi.json': document, ...others } = files
  const moved = { ...others, 'api/.spectral.yaml': ruleset, 'api/openapi.json': document }
  const navigation = { pages: ['index'], openapi: 'api/openapi.json' }
  const site = await siteOf({ ...moved, 'docs.json': JSON.stringify({ name: 'Pets', navigation }) })
  expect(site.files['style-guide/index.html']).toContain('id="contact"')
})

test.each([
  ['there is no ruleset', undefined],
  ['all rules of the ruleset are off', 'rules: {}\n'],
])('reports that %s', async (reason, text) => {
  const { '.spectral.yaml': _, ...others } = files
  const site = await siteOf({ ...others, ...(text !== undefined && { '.spectral.yaml': text }) })
  expect(routes(site)).not.toContain('style-guide')
  expect(site.diagnostics).toMatchObject([
    {
      code: 'setting-not-used',
      severity: 'warning',
      message: `Cannot show a style guide: ${reason}`,
      file: 'openapi-pages.config.yaml',
      range: { start: { line: 1 } },
    },
  ])
})

test('reports a broken link of a rule in the ruleset', async () => {
  const linked = ruleset.replace('so that', '[see](/missing), so that')
  const site = await siteOf({ ...files, '.spectral.yaml': linked })
  expect(site.diagnostics).toMatchObject([{ code: 'link-unresolved', file: '.spectral.yaml' }])
})

test('the app shows the ruleset of an archive', async () => {
  const archive = { kept: Object.keys(files), leftOut: [], links: {}, refused: [] }
  const bytes = new Map<string, string>(Object.entries(files))
  const readBytes = async (path: string) => new TextEncoder().encode(bytes.get(path))
  const emitted: string[] = []
  await buildSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false },
    {
      files: createArchiveFiles(archive, readBytes, { limitBytes: 1_000_000 }),
      fetchDocument: (url) => Promise.reject(new Error(url)),
    },
    ({ path, content }) => {
      emitted.push(path)
      return hashContent(content)
    },
  )
  expect(emitted).toContain('style-guide/index.html')
})

test('renders only this page again after a change of the ruleset', async () => {
  const folder = makeTemporaryFolder(files)
  const output = makeTemporaryFolder()
  const build = async (memory: RenderMemory) => {
    const target = openOutputFolder(output, { force: false, shown: 'out' })
    const rendered: string[] = []
    const built = await buildSite(
      { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false },
      { files: openDiskFiles(folder), fetchDocument: (url) => Promise.reject(new Error(url)) },
      ({ path, content }) => {
        if (path.endsWith('index.html') && path !== 'search/index.html') rendered.push(path)
        return target.add(path, content)
      },
      { stamp: 'one', memory, keep: target.keep, read: target.read },
    )
    await target.publish()
    return { memory: built.memory, rendered }
  }
  const first = await build(emptyMemory)
  expect((await build(first.memory)).rendered).toEqual([])
  writeFileSync(join(folder, '.spectral.yaml'), ruleset.replace('can ask', 'can write'))
  await vi.waitUntil(() => readStamp(join(folder, '.spectral.yaml')) !== undefined, { interval: 5, timeout: 20_000 })
  expect((await build(first.memory)).rendered).toEqual(['style-guide/index.html'])
  expect(readFileSync(join(output, 'style-guide/index.html'), 'utf8')).toContain('can write')
})
