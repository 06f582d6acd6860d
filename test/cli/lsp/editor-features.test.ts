import { describe, expect, test } from 'vitest'
import { completeDocsConfig, completeFrontmatter } from '../../../src/cli/lsp/completions.ts'
import { createEditorProject, Superseded } from '../../../src/cli/lsp/editor-project.ts'
import { explainField, explainProblem } from '../../../src/cli/lsp/explain.ts'
import { parseValueTree } from '../../../src/cli/lsp/locate-value.ts'
import { findRenamed, planRename } from '../../../src/cli/lsp/rename-operation.ts'
import { type DiagnosticCode, diagnosticCodes } from '../../../src/diagnostics/codes.ts'
import { changedFiles, type Files } from '../../../src/files/files.ts'
import { planUpdate } from '../../../src/update/plan-update.ts'
import { runUpdate } from '../../../src/update/run-update.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'

const fetchDocument = () => Promise.reject(new Error('Unexpected request'))

function openProject(files: Readonly<Record<string, string>>) {
  const memory = createMemoryFiles(files)
  return createEditorProject(() => ({ files: memory, fetchDocument }))
}

const document = `openapi: 3.1.0
info: {title: Zoo, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: Pets
          links:
            self: {operationId: listPets}
  /owners:
    $ref: '#/paths/~1pets'
`

describe('checks of open files', () => {
  const docs = JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })
  const part = 'get: {responses: {"200": {description: A}}}\n'
  const entry = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/a: {$ref: parts/a.yaml}}\n'

  test('use unsaved texts', async () => {
    const project = openProject({ 'docs.json': docs, 'openapi.yaml': document })
    const saved = await project.check(new Map([['openapi.yaml', document]]), () => true)
    expect(saved.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const edited = await project.check(new Map([['openapi.yaml', document.replace('title', 'titel')]]), () => true)
    expect(edited.diagnostics.map(({ code }) => code)).toContain('unknown-field')
  })

  test('find the document that references an open file', async () => {
    const project = openProject({ 'openapi.yaml': entry, 'parts/a.yaml': part })
    const { diagnostics } = await project.check(new Map([['parts/a.yaml', part.replace('get', 'gett')]]), () => true)
    expect(diagnostics).toMatchObject([{ file: 'parts/a.yaml', code: 'unknown-field' }])
  })

  test('report the binding of an unsaved page', async () => {
    const page = '---\ntitle: A\nopenapi: GET /petz\n---\n'
    const project = openProject({ 'docs.json': docs, 'openapi.yaml': document, 'a.mdx': page })
    const { diagnostics } = await project.check(new Map([['a.mdx', page]]), () => true)
    expect(diagnostics.find(({ file }) => file === 'a.mdx')?.hint).toContain('GET /pets')
  })

  test('stop if a newer text arrives', async () => {
    const project = openProject({ 'openapi.yaml': document })
    await expect(project.check(new Map([['openapi.yaml', document]]), () => false)).rejects.toThrow(Superseded)
  })
})

describe('explanations', () => {
  test.each(Object.keys(diagnosticCodes) as DiagnosticCode[])('exist for %s', (code) => {
    expect(explainProblem({ code })).toMatch(/^\*\*.+\*\* · \[`/)
  })

  test('link to the documentation of a rule of the ruleset', () => {
    const rule = { name: 'tag-`description', documentationUrl: 'https://example.com/tags' }
    expect(explainProblem({ code: 'ruleset', rule })).toMatch(
      /^\*\*Rule of the ruleset\*\* · \[`tag-'description`\]\(https:\/\/example\.com\/tags\)/,
    )
  })

  test('name the type of a field and its object in the specification', () => {
    const explain = (needle: string) => {
      const tree = parseValueTree(document)
      const place = tree?.at(document.indexOf(needle) + 1)
      return tree && place && explainField(tree, place)
    }
    expect(explain('info')).toBe(
      '`info`: Info Object, required\n\n[OpenAPI Object](https://spec.openapis.org/oas/v3.1.1.html#openapi-object), OpenAPI 3.1.1',
    )
    expect(explain('operationId: listPets\n')).toContain('`operationId`: string\n\n[Operation Object]')
    expect(explain('description: Pets')).toContain('`description`: string, required\n\n[Response Object]')
    expect(explain('/pets')).toBeUndefined()
  })
})

describe('completion', () => {
  const sources = {
    pages: ['start', 'guides/a'],
    documents: ['openapi.yaml'],
    bindings: [{ text: 'GET /pets', summary: 'List pets' }],
  }
  /** `|` is the cursor. */
  const complete = (text: string) => {
    const offset = text.indexOf('|')
    const plain = text.replace('|', '')
    const found = text.startsWith('---')
      ? completeFrontmatter(plain, offset, sources)
      : completeDocsConfig(plain, offset, sources)
    return found.map(({ newText, offsets }) => plain.slice(0, offsets.start) + newText + plain.slice(offsets.end))
  }

  test.each([
    ['{"nav|"}', '{"navigation"}'],
    ['{"navigation": {"|"}}', '{"navigation": {"tabs"}}'],
    ['{"navigation": {"tabs": [{"|"}]}}', '{"navigation": {"tabs": [{"openapi"}]}}'],
    ['{"navigation": {"pages": [{"|"}]}}', '{"navigation": {"pages": [{"group"}]}}'],
    ['{"navigation": {"pages": ["|"]}}', '{"navigation": {"pages": ["guides/a"]}}'],
    ['{"navigation": {"pages": ["st|art", "x"]}}', '{"navigation": {"pages": ["GET /pets", "x"]}}'],
    ['{"navigation": {"tabs": [{"openapi": "|"}]}}', '{"navigation": {"tabs": [{"openapi": "openapi.yaml"}]}}'],
    ['---\nopenapi: |\n---\n', '---\nopenapi: GET /pets\n---\n'],
    ['---\nopenapi:|\ntitle: A\n---\n', '---\nopenapi: GET /pets\ntitle: A\n---\n'],
    ['---\nopenapi: GET /p|x\n---\n', '---\nopenapi: GET /pets\n---\n'],
  ])('of %s', (text, expected) => {
    expect(complete(text)).toContain(expected)
  })

  test.each(['{"name": "|"}', '---\ntitle: |\n---\n', '---\ntitle: A\n---\nopenapi: |\n'])('offers nothing in %s', (text) => {
    expect(complete(text)).toEqual([])
  })
})

describe('rename', () => {
  const config = {
    name: 'Zoo',
    navigation: {
      tabs: [
        { tab: 'API', openapi: 'openapi.yaml' },
        { tab: 'More', pages: ['hand'] },
      ],
    },
  }
  const files = {
    'docs.json': JSON.stringify(config, null, 2),
    'openapi.yaml': document,
    'hand.mdx': '---\ntitle: Hand\nopenapi: "openapi.yaml GET /pets"\n---\nText\n',
  }

  /** Generates the pages, renames, and returns the files before and after with the edited paths. */
  async function rename(at: string, newName: string, more = '') {
    const before = createMemoryFiles({ ...files, 'openapi.yaml': document + more })
    const options = { root: '', documents: [], directory: 'api-reference', materialize: true }
    const generated = changedFiles(before, (await runUpdate(options, { files: before, fetchDocument })).changes)
    const text = await readText(generated, 'openapi.yaml')
    const place = parseValueTree(text)?.at(text.indexOf(at) + 1)
    const renamed = place && findRenamed(text, place)
    if (!renamed) throw new Error(`Nothing to rename at ${at}`)
    const plan = await planUpdate(options, { files: generated, fetchDocument })
    const documents = plan.survey.bindableDocuments
    const changes = await planRename(renamed, 'openapi.yaml', newName, { root: '', documents, files: generated })
    const next: Record<string, string> = {}
    for (const path of await generated.list('')) next[path] = await readText(generated, path)
    for (const { file, offsets, newText } of changes.toSorted((a, b) => b.offsets.start - a.offsets.start)) {
      const old = next[file] ?? ''
      next[file] = old.slice(0, offsets.start) + newText + old.slice(offsets.end)
    }
    const after = await runUpdate(options, { files: createMemoryFiles(next), fetchDocument })
    return { next, edited: [...new Set(changes.map(({ file }) => file))].sort(), after }
  }

  test('of a path changes references, bindings, entries and the lock file, and leaves nothing to update', async () => {
    const { next, edited, after } = await rename('/pets:', '/animals')
    expect(edited).toEqual(
      ['api-reference/get-pets.mdx', 'hand.mdx', 'openapi-pages.lock.json', 'openapi.yaml'].filter((path) => path in next),
    )
    expect(next['openapi.yaml']).toBe(document.replace('/pets:', '/animals:').replace('~1pets', '~1animals'))
    expect(next['hand.mdx']).toContain('openapi: "openapi.yaml GET /animals"')
    expect(JSON.stringify(next)).not.toContain('GET /pets')
    expect(after.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(after.pages.filter(({ kind }) => kind === 'added' || kind === 'removed')).toEqual([])
  })

  test('of an operationId changes links to it and the lock file', async () => {
    const { next, after } = await rename('listPets\n', 'findPets')
    expect(next['openapi.yaml']).toBe(document.replaceAll('listPets', 'findPets'))
    expect(JSON.stringify(next)).not.toContain('listPets')
    expect(after.changes).toEqual([])
  })

  test.each([
    ['/pets:', 'animals', 'must begin with /'],
    ['/pets:', '/owners', 'already exists'],
    ['/pets:', '/my pets', 'no spaces'],
    ['listPets\n', ' ', 'no spaces'],
    ['listPets\n', 'list pets', 'no spaces'],
    ['listPets\n', 'listCats', 'GET /cats already has the operationId listCats'],
    ['listPets\n', 'petArrived', 'another operation already has the operationId petArrived'],
    ['listPets\n', 'petGone', 'another operation already has the operationId petGone'],
  ])('of %s to %j is rejected', async (at, newName, message) => {
    const good = "responses: {'200': {description: Good}}"
    const callback = `callbacks: {gone: {'{$url}': {post: {operationId: petGone, ${good}}}}}`
    const more = `  /cats: {get: {operationId: listCats, ${callback}, ${good}}}
webhooks: {arrived: {post: {operationId: petArrived, ${good}}}}\n`
    await expect(rename(at, newName, more)).rejects.toThrow(message)
  })

  test('to the same name changes nothing', async () => {
    expect((await rename('listPets\n', 'listPets')).edited).toEqual([])
  })

  test('works without a docs.json, also in a file that a document references', async () => {
    const part = 'get:\n  operationId: listPets\n  responses: {"200": {description: Good}}\n'
    const entry = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/pets: {$ref: parts/pets.yaml}}\n'
    const project = openProject({ 'api/openapi.yaml': entry, 'api/parts/pets.yaml': part, 'other/openapi.yaml': document })
    const path = 'api/parts/pets.yaml'
    const place = parseValueTree(part)?.at(part.indexOf('listPets') + 1)
    const renamed = place && findRenamed(part, place)
    if (!renamed) throw new Error('Nothing to rename')
    const documents = await project.documentsOf(path, new Map())
    const { files: read } = project.environment(new Map())
    const changes = await planRename(renamed, path, 'findPets', { root: undefined, documents, files: read })
    expect(changes).toMatchObject([{ file: path, newText: 'findPets' }])
  })
})

async function readText(files: Files, path: string): Promise<string> {
  const result = await files.read(path)
  return result.kind === 'file' ? new TextDecoder().decode(result.bytes) : ''
}
