import { describe, expect, test } from 'vitest'
import { createEditorProject, Superseded } from '../../../src/cli/editors/editor-project.ts'
import { explainProblem } from '../../../src/cli/editors/language-server.ts'
import { type DiagnosticCode, diagnosticCodes } from '../../../src/diagnostics/diagnostic.ts'
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

  test('report the syntax of open pages, and of pages that include an open file', async () => {
    const wrong = 'Faster than <100 ms'
    const page = "import S from '/snippets/s.mdx'\n\n<S />\n"
    const files = { 'docs.json': docs, 'openapi.yaml': document, 'a.mdx': page, 'b.mdx': wrong, 'snippets/s.mdx': 'x' }
    const listOf = async (path: string, text: string) => {
      const { diagnostics } = await openProject(files).check(new Map([[path, text]]), () => true)
      return diagnostics.filter(({ code }) => code === 'page-syntax').map(({ file }) => file)
    }
    expect(await listOf('a.mdx', wrong)).toEqual(['a.mdx'])
    expect(await listOf('snippets/s.mdx', wrong)).toEqual(['snippets/s.mdx'])
    expect(await listOf('docs.json', docs)).toEqual([])
  })

  test('repeat only what depends on the changed file, the newest first', async () => {
    const wrong = (name: string) => `${entry.replace('title', 'titel').replace('/a:', `/${name}:`)}`
    const texts = new Map([
      ['a.yaml', wrong('a')],
      ['b.yaml', wrong('b')],
      ['c.yaml', document.replace('title', 'titel')],
    ])
    const project = openProject({ ...Object.fromEntries(texts), 'parts/a.yaml': part })
    const check = async (newest: string) => {
      const shown: string[] = []
      const show = ({ diagnostics }: { diagnostics: readonly { file: string }[] }) =>
        void shown.push(diagnostics.at(-1)?.file ?? '')
      const { diagnostics } = await project.check(texts, () => true, { newest, show })
      return { diagnostics, shown }
    }
    const first = await check('b.yaml')
    expect(first.shown).toEqual(['b.yaml', 'a.yaml', 'c.yaml'])
    const listRepeated = async (newest: string) => {
      const { diagnostics } = await check(newest)
      return [...new Set(diagnostics.filter((one) => !first.diagnostics.includes(one)).map(({ file }) => file))].sort()
    }
    expect(await listRepeated('a.yaml')).toEqual([])
    texts.set('parts/a.yaml', part.replace('A', 'B'))
    expect(await listRepeated('parts/a.yaml')).toEqual(['a.yaml', 'b.yaml'])
    texts.set('c.yaml', `${texts.get('c.yaml')}\n`)
    expect(await listRepeated('c.yaml')).toEqual(['a.yaml', 'b.yaml', 'c.yaml'])
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
})
