import { describe, expect, test } from 'vitest'
import type { CheckTerms, StoredDocument } from '../../../src/docs/types.ts'
import { followSources, listSources, prepareDocument } from '../../../src/docs/update/stored-documents.ts'
import { emptyClient, writeClientFile } from '../../../src/traffic/client-file.ts'
import { applyToTree, settle, toAccess, updateTree } from '../../support/memory-tree.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

const origin = { repository: 'acme/api', webUrl: 'https://github.com/acme/api', sha: 'a'.repeat(40), path: 'spec.json' }
const store = (path: string, text: string): StoredDocument => ({ root: '', path, text, origin })
const docs = tinyDocs(['List pets']) as { readonly [path: string]: string }

describe('a stored document', () => {
  test('is planned together with its pages', async () => {
    const { tree } = await settle(docs)
    const text = tinyDocument('List pets', 'List cats')
    const update = await updateTree(tree, { stored: [store('openapi.json', text)] })
    expect(update.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'add api-reference/list-cats.mdx',
      'modify docs.json',
      'modify openapi-pages.lock.json',
      'modify openapi.json',
    ])
    expect(update.stored).toEqual([{ kind: 'modified', path: 'openapi.json', origin }])
    const next = applyToTree(tree, update.changes)
    expect(next['openapi.json']).toBe(text)
    const again = await updateTree(next, { stored: [store('openapi.json', text)] })
    expect([again.changes, again.stored]).toEqual([[], []])
  })

  test('can be new', async () => {
    const { 'docs.json': config = '' } = docs
    const { tree, update } = await settle({ 'docs.json': config }, { stored: [store('openapi.json', tinyDocument('List pets'))] })
    expect(update.stored).toMatchObject([{ kind: 'added' }])
    expect(Object.keys(tree)).toEqual(['api-reference/list-pets.mdx', 'docs.json', 'openapi-pages.lock.json', 'openapi.json'])
  })

  test('keeps a byte order mark of the file, which is no change', async () => {
    const { tree } = await settle({ ...docs, 'openapi.json': `\uFEFF${docs['openapi.json']}` })
    expect((await updateTree(tree, { stored: [store('openapi.json', docs['openapi.json'] ?? '')] })).changes).toEqual([])
  })

  test('is not written if the rules of the docs directory make it invalid', async () => {
    const { tree } = await settle({ ...docs, 'openapi-pages.config.yaml': 'rules: {unused-component: error}\n' })
    const text = JSON.stringify({ ...JSON.parse(tinyDocument('List cats')), components: { schemas: { Lonely: {} } } })
    const update = await updateTree(tree, { stored: [store('openapi.json', text)] })
    expect([update.changes, update.stored]).toEqual([[], []])
    expect(update.diagnostics).toMatchObject([{ code: 'unused-component', severity: 'error' }])
  })

  test('is not written while the configuration file has errors', async () => {
    const { tree } = await settle(docs)
    const broken = { ...tree, 'openapi-pages.config.yaml': 'materialized: true\n' }
    expect((await updateTree(broken, { stored: [store('openapi.json', tinyDocument('List cats'))] })).changes).toEqual([])
  })

  test('cannot replace a directory', async () => {
    const update = updateTree({ ...docs, 'api/x.json': '{}' }, { stored: [store('api', '{}')] })
    await expect(update).rejects.toThrow('Cannot store a document in `api`: it is a directory')
  })
})

describe('a document for another repository', () => {
  const prepare = async (tree: { readonly [path: string]: string }, entry: string, name = entry) => {
    const prepared = await prepareDocument(entry, toAccess(tree))
    return { ...prepared, text: prepared.isValid ? await prepared.toText(name) : undefined }
  }
  const yaml = `# A comment\nopenapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n`

  test('keeps its text if it is one file', async () => {
    expect((await prepare({ 'api.yaml': yaml }, 'api.yaml')).text).toBe(yaml)
    expect((await prepare({ 'api.yml': yaml }, 'api.yml', 'docs/x.yaml')).text).toBe(yaml)
    expect((await prepare({ 'api.json': tinyDocument('List pets') }, 'api.json')).text).toBe(tinyDocument('List pets'))
  })

  test('is bundled if it has several files, and keeps large numbers', async () => {
    const tree = {
      'api/openapi.yaml': `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /pets:\n    get:\n      responses:\n        '200': {$ref: '../shared/pets.yaml#/Pets'}\n`,
      'shared/pets.yaml': 'Pets:\n  description: All of them\n  x-id: 12345678901234567890\n',
    }
    const { text, files } = await prepare(tree, 'api/openapi.yaml')
    expect(text).toContain('$ref: "#/components/responses/Pets"')
    expect(text).toContain('x-id: 12345678901234567890')
    expect([...files].sort()).toEqual(['api/openapi.yaml', 'shared/pets.yaml'])
    expect((await prepare({ 'bundle.yaml': text ?? '' }, 'bundle.yaml')).diagnostics).toEqual([])
  })

  test('is converted if the target has another format', async () => {
    expect(JSON.parse((await prepare({ 'api.yaml': yaml }, 'api.yaml', 'api.json')).text ?? '')).toMatchObject({
      openapi: '3.1.0',
    })
    expect((await prepare({ 'api.json': tinyDocument() }, 'api.json', 'api.yaml')).text).toMatch(/^openapi: 3\.1\.0\n/)
    // JSON in a file that is called `.yaml` is YAML.
    expect((await prepare({ 'api.yaml': tinyDocument() }, 'api.yaml', 'x.yaml')).text).toBe(tinyDocument())
  })

  test('has no text if it has errors, by the rules of its repository', async () => {
    const broken = await prepare({ 'api.yaml': yaml.replace('title', 'titel') }, 'api.yaml')
    expect([broken.text, broken.report.valid]).toEqual([undefined, false])
    expect(broken.diagnostics[0]).toMatchObject({ severity: 'error', file: 'api.yaml' })
    const unused = yaml.replace(
      'paths: {}',
      "paths: {/a: {get: {responses: {'200': {description: Fine}}}}}\ncomponents: {schemas: {Lonely: {}}}",
    )
    const rules = { 'openapi-pages.config.yaml': 'rules: {unused-component: error}\n' }
    expect((await prepare({ 'api.yaml': unused, ...rules }, 'api.yaml')).text).toBeUndefined()
    expect((await prepare({ 'api.yaml': unused }, 'api.yaml')).text).toBe(unused)
    expect((await prepare({}, 'api.yaml')).diagnostics).toMatchObject([{ code: 'file-missing' }])
    const badConfig = await prepare({ 'api.yaml': yaml, 'openapi-pages.config.yaml': 'rulez: {}\n' }, 'api.yaml')
    expect([badConfig.text, badConfig.report.valid]).toEqual([undefined, false])
  })
})

const rule = 'title:\n    given: $.info\n    severity: error\n    then: { field: title, function: falsy }'
const strict = `rules:\n  ${rule}\n`

describe('a document that breaks a rule of its team', () => {
  const prepare = async (text: string, settings: Pick<CheckTerms, 'rulesets' | 'inlineIgnore'>) => {
    const files = { 'openapi.json': text, 'strict.yaml': strict, '.spectral.yaml': strict.replace('title:', 'found:') }
    const { isValid, diagnostics } = await prepareDocument('openapi.json', toAccess(files), settings)
    return { isValid, rules: diagnostics.flatMap(({ rule }) => rule?.name ?? []) }
  }
  const text = tinyDocument('List pets')

  test('is stored', async () => {
    expect(await prepare(text, {})).toEqual({ isValid: true, rules: ['found'] })
    expect(await prepare(text, { rulesets: ['strict.yaml'] })).toEqual({ isValid: true, rules: ['title'] })
    expect(await prepare(text, { rulesets: 'none' })).toEqual({ isValid: true, rules: [] })
  })

  test('can make an exception, unless exceptions are off', async () => {
    const excepted = JSON.stringify({ ...JSON.parse(text), 'x-lint-ignore': { found: 'old' } })
    expect((await prepare(excepted, {})).rules).toEqual([])
    expect((await prepare(excepted, { inlineIgnore: false })).rules).toEqual(['found'])
  })
})

describe('a clients file of another repository', () => {
  const follow = async (text: string, more: string, traffic = '') => {
    const config = `sources: [{ repository: acme/web, kind: clients, path: clients/checkout.yaml, ${more} }]\n${traffic}`
    const { files, fetchDocument } = toAccess({ 'docs/openapi-pages.config.yaml': config, 'docs/docs.json': '{}' })
    const { sources } = await listSources('docs', files)
    const repositories = {
      read: async () => ({ ...toAccess({ 'clients/checkout.yaml': text }).files, sha: origin.sha, ref: { name: 'main' } }),
      webUrl: (name: string) => `https://github.com/${name}`,
      howToAllow: () => '',
    }
    const { documents, failures } = await followSources('docs', sources, repositories, fetchDocument)
    return { copies: documents.map((one) => [one.path, one.text]), failures: failures.map(({ error }) => error.message) }
  }
  const secret = writeClientFile(emptyClient('checkout-secret'))

  test('has the name that this repository gives it, unless it is public', async () => {
    const copy = writeClientFile(emptyClient('partner'))
    expect(await follow(secret, 'to: partner.yaml')).toEqual({ copies: [['docs/clients/partner.yaml', copy]], failures: [] })
    expect(await follow(secret, 'public: true')).toEqual({ copies: [['docs/clients/checkout.yaml', secret]], failures: [] })
    expect(copy).not.toContain('secret')
  })

  test('is stored where clients files are read, without what a clients file does not have', async () => {
    const { copies } = await follow(
      '# A comment\nclient: checkout-secret\nmore: text\n',
      'public: true',
      'traffic: { clients: ../clients }',
    )
    expect(copies).toEqual([['clients/checkout.yaml', secret]])
  })

  test.each(['openapi: 3.1.0', 'client: "<b>a</b>"', '{'])('is not stored if it is something else: %s', async (text) => {
    expect(await follow(text, 'public: true')).toEqual({
      copies: [],
      failures: ['Cannot read `clients/checkout.yaml` in `acme/web`: it is no clients file'],
    })
  })
})
