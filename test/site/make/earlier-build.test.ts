import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSingleDocumentDocs } from '../../../src/cli/open/single-document.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { openDiskFiles, readStamp } from '../../../src/files/disk-files.ts'
import { openOutputFolder } from '../../../src/files/output-folder.ts'
import { buildSite } from '../../../src/site/make/build-site.ts'
import { emptyMemory, formatRenderMemory, parseRenderMemory, type RenderMemory } from '../../../src/site/make/render-memory.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './assets/site-assets.ts'

const api = {
  openapi: '3.1.1',
  info: { title: 'Tracker', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/issues': {
      get: { summary: 'List issues', description: 'All', responses: { 200: { description: 'ok', content: json('Issue') } } },
    },
    '/labels': {
      get: {
        summary: 'List labels',
        responses: { 200: { description: 'ok', content: json('Label'), links: { pets: { operationId: 'listPets' } } } },
      },
    },
    '/labels/{name}': {
      delete: {
        summary: 'Delete a label',
        description: 'Of it',
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'Deleted' } },
      },
    },
    '/pets': {
      get: { summary: 'List pets', operationId: 'listPets', responses: { 200: { description: 'ok', content: json('Pet') } } },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Issue: { type: 'object', properties: { title: { type: 'string' }, labels: { type: 'array', items: ref('Label') } } },
      Label: { type: 'object', properties: { name: { type: 'string', description: 'Its name' } } },
      Pet: { type: 'object', discriminator: { propertyName: 'kind' }, properties: { kind: { type: 'string' } } },
      Dog: { allOf: [ref('Pet'), { type: 'object', properties: { bark: { type: 'string', description: 'How loud' } } }] },
    },
  },
}

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function json(name: string) {
  return { 'application/json': { schema: ref(name) } }
}

const docs = {
  'docs.json': JSON.stringify({
    name: 'Tracker',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'other'] },
        { group: 'API', openapi: 'openapi.json' },
      ],
    },
  }),
  'openapi-pages.config.yaml': 'schemas: true\n',
  'index.mdx': 'import Part from "/snippets/part.mdx"\n\nHello\n\n<Part />\n',
  'other.mdx':
    '---\ntitle: Other\n---\n\n[Issues](/api-reference/list-issues) and <Note>words</Note>\n\n![A mark](/mark.svg) ![A sign](./sign.svg)\n',
  'mark.svg': toSvg(10, 20),
  'snippets/part.mdx': 'import { Own } from "./own"\n\nA part <Own />\n',
  'snippets/own.jsx': 'import { text } from "./text.ts"\nexport const Own = () => <b>{text}</b>\n',
  'snippets/text.ts': 'export const text: string = "own"\n',
  'openapi.json': JSON.stringify(api),
}

function toSvg(width: number, height: number) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"></svg>`
}

async function build(folder: string, output: string, memory: RenderMemory, stamp = 'one', single?: string) {
  const target = openOutputFolder(toOwnPath(output), { force: false, shown: 'out' })
  const disk = openDiskFiles(toOwnPath(folder))
  const made =
    single === undefined ? undefined : await createSingleDocumentDocs(single, readFileSync(join(folder, single)), disk, '')
  const access = { files: made?.files ?? disk, fetchDocument: (url: string) => Promise.reject(new Error(url)) }
  const rendered: string[] = []
  const emitted: string[] = []
  const built = await buildSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, ...(made && { madeFiles: made.madeFiles }) },
    access,
    (file) => {
      emitted.push(file.path)
      // The search page and redirects are not part of the docs directory.
      const isOther = file.path === 'search/index.html' || String(file.content).includes('http-equiv="refresh"')
      if (file.path.endsWith('index.html') && !isOther) rendered.push(file.path)
      return target.add(file.path, file.content)
    },
    { stamp, memory, keep: target.keep, read: target.read },
  )
  const published = await target.publish()
  return { ...built, rendered: rendered.sort(), emitted, published }
}

function read(folder: string): { [path: string]: string } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  )
}

const edit = (path: keyof typeof docs, from: string, to: string) => {
  if (!docs[path].includes(from)) throw new Error(`Cannot find ${from}`)
  return { [path]: docs[path].replace(from, to) }
}

const changes: readonly (readonly [string, { readonly [path: string]: string }, readonly string[] | 'all'])[] = [
  ['nothing', {}, []],
  // The overview has a request of the API.
  [
    'an operation',
    edit('openapi.json', '"All"', '"All of them"'),
    ['list-issues', 'overview'].map((name) => `api-reference/${name}/index.html`),
  ],
  // The overview never shows the request of this one, because readers can call others.
  [
    'an operation that needs a value',
    edit('openapi.json', '"Of it"', '"Of this one"'),
    ['api-reference/delete-a-label/index.html'],
  ],
  [
    'a schema',
    edit('openapi.json', 'Its name', 'The name'),
    ['list-issues', 'list-labels', 'overview', 'schemas/issue', 'schemas/label'].map(
      (name) => `api-reference/${name}/index.html`,
    ),
  ],
  [
    'a variant that its parent does not name',
    edit('openapi.json', 'How loud', 'Very loud'),
    ['list-pets', 'overview', 'schemas/dog', 'schemas/pet'].map((name) => `api-reference/${name}/index.html`),
  ],
  [
    'the name of a property that refers to a schema',
    edit('openapi.json', '"labels":', '"tags":'),
    ['list-issues', 'overview', 'schemas/dog', 'schemas/issue', 'schemas/label', 'schemas/pet'].map(
      (name) => `api-reference/${name}/index.html`,
    ),
  ],
  [
    'the ID of an operation that a link of another one names',
    edit('openapi.json', '"List pets","operationId":"listPets"', '"List pets","operationId":"getPets"'),
    ['list-labels', 'list-pets', 'overview', 'schemas/dog', 'schemas/pet'].map((name) => `api-reference/${name}/index.html`),
  ],
  ['the text of a page', edit('other.mdx', 'words', 'other words'), ['other/index.html']],
  ['the size of an image', { 'mark.svg': toSvg(10, 30) }, ['other/index.html']],
  ['an image that was missing', { 'sign.svg': toSvg(10, 30) }, ['other/index.html']],
  ['a snippet', { 'snippets/part.mdx': 'Another part\n' }, ['index.html']],
  ['a component of a snippet', { 'snippets/text.ts': 'export const text = "other"\n' }, ['index.html']],
  ['the name of the site', edit('docs.json', 'Tracker', 'Renamed'), 'all'],
  ['a title in the navigation', edit('other.mdx', 'title: Other', 'title: Another'), 'all'],
  ['a security scheme', edit('openapi.json', 'X-Key', 'X-Token'), 'all'],
  [
    'a new operation that uses a schema',
    edit(
      'openapi.json',
      '"/labels":',
      '"/more":{"get":{"summary":"More","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Dog"}}}}}}},"/labels":',
    ),
    'all',
  ],
]

test.each(changes)(
  'after a change of %s, renders only affected pages and equals a full build',
  async (what, changed, expected) => {
    const folder = makeTemporaryFolder(docs)
    const output = makeTemporaryFolder()
    const first = await build(folder, output, emptyMemory)
    for (const [path, content] of Object.entries(changed)) writeFileSync(join(folder, path), content)
    // A file that was just written has no stamp to record.
    await vi.waitUntil(() => Object.keys(changed).every((path) => readStamp(join(folder, path)) !== undefined), {
      interval: 5,
      timeout: 120_000,
    })
    const second = await build(folder, output, parseRenderMemory(formatRenderMemory(first.memory, 'one'), 'one'))
    const fresh = makeTemporaryFolder()
    const alone = await build(folder, fresh, emptyMemory)
    expect(read(output)).toEqual(read(fresh))
    expect(second.diagnostics).toEqual(alone.diagnostics)
    expect(second.memory).toEqual(alone.memory)
    if (expected !== 'all') expect(second.rendered).toEqual(expected)
    if (what === 'nothing') expect(second.published).toMatchObject({ written: 0, removed: 0 })
  },
)

const single = {
  ...api,
  servers: [{ url: 'https://a.example.com' }],
  tags: [{ name: 'issues', description: 'Track issues' }],
  paths: { '/issues': { get: { ...api.paths['/issues'].get, tags: ['issues'] } } },
}

test.each([
  ['an operation', '"All"', '"All of them"', ['index.html', 'issues/list-issues/index.html']],
  ['a server', 'a.example.com', 'b.example.com', undefined],
  ['the description of a tag', 'Track issues', 'Track all issues', undefined],
  ['the name of a tag', '"issues"', '"code-issues"', undefined],
  ['the title of an operation', '"List issues"', '"All issues"', undefined],
])('the site of a single document equals a full build after a change of %s', async (_what, from, to, expected) => {
  const text = JSON.stringify(single)
  const folder = makeTemporaryFolder({ 'openapi.json': text })
  const output = makeTemporaryFolder()
  const first = await build(folder, output, emptyMemory, 'one', 'openapi.json')
  expect(first.rendered).toContain('issues/overview/index.html')
  writeFileSync(join(folder, 'openapi.json'), text.replaceAll(from, to))
  const second = await build(
    folder,
    output,
    parseRenderMemory(formatRenderMemory(first.memory, 'one'), 'one'),
    'one',
    'openapi.json',
  )
  const fresh = makeTemporaryFolder()
  await build(folder, fresh, emptyMemory, 'one', 'openapi.json')
  expect(read(output)).toEqual(read(fresh))
  if (expected) expect(second.rendered).toEqual(expected)
})

test('converts the document to the other format only after a change', async () => {
  const text = JSON.stringify(single)
  const folder = makeTemporaryFolder({ 'openapi.json': text })
  const output = makeTemporaryFolder()
  const first = await build(folder, output, emptyMemory, 'one', 'openapi.json')
  expect(first.emitted).toContain('openapi.yaml')
  const second = await build(folder, output, first.memory, 'one', 'openapi.json')
  expect(second.emitted).not.toContain('openapi.yaml')
  expect(second.published).toMatchObject({ written: 0, removed: 0 })
  writeFileSync(join(folder, 'openapi.json'), text.replace('"All"', '"All of them"'))
  const third = await build(folder, output, second.memory, 'one', 'openapi.json')
  expect(third.emitted).toContain('openapi.yaml')
  expect(readFileSync(join(output, 'openapi.yaml'), 'utf8')).toContain('description: All of them')
})

test('reuses nothing from another version of the program', async () => {
  const folder = makeTemporaryFolder(docs)
  const output = makeTemporaryFolder()
  const first = await build(folder, output, emptyMemory)
  const second = await build(folder, output, first.memory, 'two')
  expect(second.rendered).toEqual(first.rendered)
})

test('does not reuse a page that was modified in the output', async () => {
  const folder = makeTemporaryFolder(docs)
  const output = makeTemporaryFolder()
  const first = await build(folder, output, emptyMemory)
  writeFileSync(join(output, 'index.html'), 'hostile')
  await expect(build(folder, output, first.memory)).rejects.toThrow('Cannot replace index.html')
})

test('ignores a damaged record', async () => {
  const folder = makeTemporaryFolder(docs)
  const { memory } = await build(folder, makeTemporaryFolder(), emptyMemory)
  const text = formatRenderMemory(memory, 'one')
  expect(parseRenderMemory(text, 'one')).toEqual(memory)
  expect(parseRenderMemory(text, 'two')).toBe(emptyMemory)
  expect(memory.pages.size).toBeGreaterThan(6)
  for (const damaged of [text.slice(0, -200), text.replace('index.html', 'index.htm'), ''])
    expect(parseRenderMemory(damaged, 'one')).toBe(emptyMemory)
})
