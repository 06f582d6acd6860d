import { expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import type { CheckTerms } from '../../../src/docs/types.ts'
import { runUpdate } from '../../../src/docs/update/run-update.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

const ruleset = `rules:
  contact:
    given: $.info
    severity: error
    then: { field: contact, function: truthy }
  summary:
    documentationUrl: https://example.com/rules#summary
    given: $.paths[*][get]
    message: "{{property}} is required"
    then: { field: summary, function: truthy }
`
const document = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: { $ref: paths.yaml#/pets }
`
const paths = `pets:
  get:
    operationId: listPets
    responses: { '200': { description: OK } }
`
const docsJson = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })

async function check(tree: Tree, ...entries: string[]) {
  const { diagnostics, documents } = await runCheck({ entries }, toAccess(tree))
  return {
    lines: diagnostics.map(({ severity, rule, code, file, range, message }) => {
      return `${severity} ${rule?.name ?? code} ${file}:${range.start.line} ${message}`
    }),
    documents,
    diagnostics,
  }
}

const contact = 'error contact openapi.yaml:2 `contact` must be present and not empty, `false`, `0` or `null`'
const summary = 'warning summary paths.yaml:2 get.summary is required'

test('applies the ruleset of a document, also to the files that it references', async () => {
  const { lines, diagnostics } = await check(
    { '.spectral.yaml': ruleset, 'openapi.yaml': document, 'paths.yaml': paths },
    'openapi.yaml',
  )
  expect(lines).toEqual([contact, summary])
  expect(diagnostics[1]?.rule).toEqual({ name: 'summary', documentationUrl: 'https://example.com/rules#summary' })
})

test('applies the ruleset to the documents of a docs directory', async () => {
  const tree = { '.spectral.yaml': ruleset, 'docs/docs.json': docsJson, 'docs/openapi.yaml': document, 'docs/paths.yaml': paths }
  const { lines } = await check(tree, 'docs')
  expect(lines).toEqual([contact.replace('openapi', 'docs/openapi'), summary.replace('paths', 'docs/paths')])
})

test('generates the pages of documents that break rules', async () => {
  const tree = { '.spectral.yaml': ruleset, 'docs.json': docsJson, 'openapi.yaml': document, 'paths.yaml': paths }
  const { documents, changes, diagnostics } = await runUpdate(
    { root: '', documents: [], directory: 'api-reference' },
    toAccess(tree),
  )
  expect(documents).toMatchObject([{ valid: true, errorCount: 1, warningCount: 1 }])
  expect(changes.map(({ path }) => path)).toContain('api-reference/get-pets.mdx')
  expect(diagnostics.map(({ rule }) => rule?.name)).toEqual(['contact', 'summary'])
})

test('reports problems of a ruleset once', async () => {
  const tree = {
    '.spectral.yaml': 'rules:\n  broken: { given: $.info, then: { function: none } }\n',
    'openapi.yaml': document,
    'other.yaml': document,
    'paths.yaml': paths,
  }
  const { lines } = await check(tree, 'openapi.yaml', 'other.yaml')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^error ruleset-problem \.spectral\.yaml:2 /)
})

test('reports that the time for all documents is over, once and at the ruleset', async () => {
  // The pattern takes exponential time for the title.
  const slow = 'rules:\n  slow: { given: $.info.title, then: { function: pattern, functionOptions: { match: "^(a+)+$" } } }\n'
  const long = document.replace('Pets', `${'a'.repeat(40)}!`)
  const names = ['first.yaml', 'second.yaml', 'docs/third.yaml', 'docs/fourth.yaml']
  const tree = {
    '.spectral.yaml': slow,
    'paths.yaml': paths,
    'docs/paths.yaml': paths,
    ...Object.fromEntries(names.map((name) => [name, long])),
  }
  const { diagnostics } = await runCheck({ entries: names }, { ...toAccess(tree), rulesetTime: { leftMs: 50 } })
  const problems = diagnostics.filter(({ code }) => code === 'ruleset-problem')
  expect(problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
    '.spectral.yaml The rules did not run in `second.yaml` and the documents after it: all documents together take longer than 5 minutes',
    expect.stringMatching(/^\.spectral\.yaml Rule `slow` takes too long in `first\.yaml`/),
  ])
})

test('reports a problem once that a check and a rule find both', async () => {
  const twice = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: { get: { operationId: same, responses: { '200': { description: OK } } } }
  /cats: { get: { operationId: same, responses: { '200': { description: OK } } } }
`
  const rules = 'extends: [[spectral:oas, off]]\nrules: { operation-operationId-unique: SEVERITY }\n'
  const linesOf = async (severity: string) =>
    (await check({ '.spectral.yaml': rules.replace('SEVERITY', severity), 'openapi.yaml': twice }, 'openapi.yaml')).lines.map(
      (line) => line.split(' ').slice(0, 3).join(' '),
    )
  expect(await linesOf('error')).toEqual(['error operation-id-unique openapi.yaml:5'])
  expect(await linesOf('warn')).toEqual(['error operation-id-unique openapi.yaml:5'])
})

test('applies rules to the values of an overlay, and locates problems in it', async () => {
  const overlay = `overlay: 1.0.0
info: { title: Contact, version: 1.0.0 }
actions:
  - target: $.info
    update: { contact: { name: "" } }
`
  const rules = 'rules: { name: { given: $.info.contact, then: { field: name, function: truthy } } }\n'
  const tree = { '.spectral.yaml': rules, 'openapi.yaml': document, 'paths.yaml': paths, 'overlay.yaml': overlay }
  const { diagnostics } = await runCheck({ entries: ['openapi.yaml'] }, toAccess(tree), { overlays: ['overlay.yaml'] })
  expect(diagnostics).toMatchObject([{ rule: { name: 'name' }, file: 'overlay.yaml', range: { start: { line: 5 } } }])
})

test('does not apply rules to parts that only some readers may see', async () => {
  const secret = document.replace('info:', 'x-mint: {}\ninfo:').concat(`  /secret:
    get:
      x-mint: { groups: [admin] }
      responses: { '200': { description: OK } }
`)
  const tree = { '.spectral.yaml': ruleset, 'openapi.yaml': secret, 'paths.yaml': paths }
  const publicOnly = { hides: () => false, hidesSome: false }
  const rulesOf = async (terms: CheckTerms) => {
    const { diagnostics } = await runCheck({ entries: ['openapi.yaml'] }, toAccess(tree), terms)
    return diagnostics.map(({ rule, pointer }) => `${rule?.name} ${pointer}`)
  }
  expect(await rulesOf({})).toContain('summary /paths/~1secret/get')
  expect((await rulesOf({ publicOnly })).join()).not.toContain('secret')
})

test.each([
  ['a document that is not OpenAPI', 'swagger: "2.0"\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n'],
  ['a document with syntax errors', 'openapi: 3.1.0\ninfo: {\n'],
])('does not apply rules to %s', async (_, text) => {
  const { diagnostics } = await check({ '.spectral.yaml': ruleset, 'openapi.yaml': text }, 'openapi.yaml')
  expect(diagnostics.length).toBeGreaterThan(0)
  expect(diagnostics.filter(({ rule }) => rule)).toEqual([])
})
