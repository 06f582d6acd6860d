import { expect, test } from 'vitest'
import { formatBaseline } from '../../../src/docs/baseline.ts'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { configFileNames } from '../../../src/docs/config/config-files.ts'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { type DocumentedDiagnostic, listExamples } from '../../diagnostics/documented-diagnostics.ts'
import { settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'
import { runProgram } from '../../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const toDocument = (more = '') =>
  `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /pets:\n    get:\n      responses: {"200": {description: Fine}}\n${more}`
const post = (rest: string) => `    post: {${rest}, responses: {"200": {description: Fine}}}\n`

const onTab = { navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }

const pet = 'application/json: {schema: {$ref: "#/components/schemas/Pet"}}'
const withPet = `    put: {responses: {"200": {description: Fine, content: {${pet}}}}}\ncomponents: {schemas: {Pet: {type: object}}}\n`

/** Files that the examples of a code need. */
const otherFiles: { readonly [code: string]: Tree } = {
  'file-unreadable': { 'specs/pets.yaml': toDocument() },
  'overlay-lists': {
    'more.yaml': 'overlay: 1.1.0\ninfo: {title: O, version: "1"}\nactions: [{target: $.info, update: {title: More}}]\n',
  },
  'unlisted-operation': { 'openapi.yaml': toDocument(post('summary: Add a pet')) },
  'unknown-schema': { 'openapi.yaml': toDocument(withPet) },
  'traffic-unreadable': { 'session.har': JSON.stringify({ log: { entries: [] } }) },
  'baseline-unusable': { 'baseline.json': formatBaseline([], 'baseline.json') },
}

/** A docs directory that has the example in it: frontmatter, navigation, settings or an operation. */
function toTree({ code, kind, language, text }: DocumentedDiagnostic): Tree {
  const documents = {
    'openapi.yaml': toDocument(),
    'stores.yaml': toDocument(),
    'index.mdx': '---\nhidden: true\n---\n',
    ...otherFiles[code],
  }
  if (kind === 'config') return { ...documents, 'docs.json': JSON.stringify(onTab), [configFileNames[0]]: text }
  if (kind === 'overlay') {
    const openapi = { source: 'openapi.yaml', overlays: ['overlay.yaml'] }
    return {
      ...documents,
      'docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi }] } }),
      'overlay.yaml': text,
    }
  }
  if (text.startsWith('x-mint')) return { 'openapi.yaml': toDocument(`      ${text}`), 'docs.json': JSON.stringify(onTab) }
  if (code === 'page-path-taken') {
    return { ...documents, 'docs.json': JSON.stringify(onTab), 'api-reference/get-pets.mdx': `---\n${text}---\n` }
  }
  if (kind === 'page' && language === 'mdx') {
    const pages = ['index', 'guides/quickstart']
    return {
      'docs.json': JSON.stringify({ navigation: { pages } }),
      'index.mdx': text,
      'guides/quickstart.mdx': '# Quick start\n',
    }
  }
  if (code === 'page-unlisted') {
    const pages = { 'index.mdx': '# Start\n', 'page.mdx': `---\n${text}---\n` }
    return { 'docs.json': JSON.stringify({ navigation: { pages: ['index'] } }), ...pages }
  }
  const named = { api: { openapi: code === 'binding-ambiguous' ? ['openapi.yaml', 'stores.yaml'] : 'openapi.yaml' } }
  if (!text.startsWith('{'))
    return { ...documents, 'docs.json': JSON.stringify({ navigation: {}, ...named }), 'page.mdx': `---\n${text}---\n` }
  const value: unknown = JSON.parse(text)
  const isGroup = typeof value === 'object' && value !== null && 'group' in value
  return { ...documents, 'docs.json': JSON.stringify(isGroup ? { navigation: { groups: [value] } } : value) }
}

/** What an update has nothing to do with. */
const onlyInChecks = ['docs-config-key', 'page-unlisted', 'baseline-unusable']

/** What depends on the rules for URLs, or on the pages of the site. */
const onlyInCommand = ['url-refused', 'link-to-directory', 'image-alt']

/** With the pages that an update wrote before the configuration file existed. */
async function settleWithoutConfig({ [configFileNames[0]]: config = '', ...others }: Tree) {
  const { tree } = await settle(others)
  return { tree: { ...tree, [configFileNames[0]]: config } }
}

test.each(listExamples('page', 'config', 'overlay'))('$code: the $verdict example', async (example) => {
  const { code, verdict } = example
  const asWritten = toTree(example)
  const { tree } = code === 'materialize-ignored' ? await settleWithoutConfig(asWritten) : { tree: asWritten }
  const check = async () => {
    if (onlyInCommand.includes(code)) {
      const { stdout } = await runInFolder(makeTemporaryFolder(tree), ['check', '.', '--format', 'json'])
      return JSON.parse(stdout)
    }
    return onlyInChecks.includes(code) ? await runCheck({ entries: [''] }, toAccess(tree)) : await updateTree(tree)
  }
  const { diagnostics }: { diagnostics: readonly { code: string }[] } = await check()
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
})

test.each(listExamples('update'))('$code: the $verdict example, in an update that moves and removes pages', async (example) => {
  const { code, language, verdict, text } = example
  const [add, sell] = [
    post('summary: Add a pet'),
    '  /sales: {post: {summary: Sell a pet, responses: {"200": {description: Fine}}}}\n',
  ]
  const pages = { 'index.mdx': '# Start\n', ...(language === 'mdx' ? { 'index.mdx': text } : {}) }
  const settings = language === 'json' ? JSON.parse(text) : {}
  const docs = { ...settings, navigation: { tabs: [{ tab: 'Start', pages: ['index'] }, ...onTab.navigation.tabs] } }
  const before = { ...pages, 'docs.json': JSON.stringify(docs), 'openapi.yaml': toDocument(add + sell) }
  const { tree } = await settle(before)
  const after = { ...tree, 'openapi.yaml': toDocument(post('summary: Add a pet, x-mint: {href: /guides/add-a-pet}')) }
  const { diagnostics } = await updateTree(after)
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
})

/** Contents of the files that examples name. */
const contents: Tree = {
  'docs.json': JSON.stringify({ navigation: { pages: ['guides/pets'] }, api: { openapi: 'openapi.yaml' } }),
  'openapi.yaml': toDocument(),
}

test.each(listExamples('files'))('$code: the $verdict example of files', async ({ code, verdict, text }) => {
  const named = text.trim().split('\n')
  const always = code === 'docs-config-missing' ? ['guides/pets.mdx'] : ['openapi.yaml', 'guides/pets.mdx']
  const tree = Object.fromEntries(
    [...named, ...always].map((path) => [path, contents[path] ?? (/ya?ml$/.test(path) ? '' : '# Pets\n')]),
  )
  const { diagnostics } = await runCheck({ entries: [''] }, toAccess(tree))
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
})

test.each(listExamples('ignore'))('$code: the $verdict example of a .gitignore', async ({ code, verdict, text }) => {
  const folder = makeTemporaryFolder({ 'docs.json': JSON.stringify(onTab), 'openapi.yaml': toDocument(), '.gitignore': text })
  runProgram('git', ['init', '--quiet'], { cwd: folder })
  const { stdout } = await runInFolder(folder, ['update', '--dry-run', '--format', 'json'])
  const { diagnostics }: { diagnostics: readonly { code: string }[] } = JSON.parse(stdout)
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
})

/** The same for all examples: they are about the document. */
const recorded = [
  { path: '/stores', body: {} },
  { path: '/pets?limit=5', body: { name: null } },
].map(({ path, body }) => ({
  startedDateTime: '2026-01-31T10:00:00Z',
  request: { method: 'GET', url: `https://api.example.com${path}`, headers: [] },
  response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(body) } },
}))

test.each(listExamples('traffic'))(
  '$code: the $verdict example of a document with recordings',
  async ({ code, verdict, text }) => {
    const stores = '  /stores: {get: {responses: {"200": {description: Fine}}}}\n'
    const paths = text.replace(/^(?=.)/gm, '  ')
    const tree = {
      'openapi.yaml': `openapi: 3.1.0\ninfo: {title: T, version: "1"}\nservers: [{url: https://api.example.com}]\npaths:\n${stores}${paths}`,
      'session.har': JSON.stringify({ log: { entries: recorded } }),
      [configFileNames[0]]: 'traffic: {recordings: [session.har]}',
    }
    const { diagnostics } = await runCheck({ entries: ['openapi.yaml'] }, toAccess(tree))
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(verdict === 'wrong' ? [code] : [])
  },
)
