import { expect, test } from 'vitest'
import { describeBriefly, listRules } from '../../../src/docs/rules/list-rules.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

const toDocument = (version: string) => `openapi: ${version}\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n`

const ruleset = `extends: base.yaml
rules:
  contact: error
  summary:
    given: $.paths[*][get]
    then: { field: summary, function: truthy }
  old:
    formats: [oas3.0]
    given: $.info
    then: { field: description, function: truthy }
overrides:
  - files: [openapi.yaml]
    rules: { summary: info }
`
const base = `rules:
  contact:
    description: Every API has a contact.
    given: $.info
    then: { field: contact, function: truthy }
  extra:
    recommended: false
    given: $.info
    then: { field: license, function: truthy }
`
const tree: Tree = {
  'openapi.yaml': toDocument('3.1.0'),
  'old.yaml': toDocument('3.0.3'),
  'swagger.yaml': 'swagger: "2.0"\n',
  '.spectral.yaml': ruleset,
  'base.yaml': base,
}

async function list(path: string, files: Tree = tree) {
  const { rules, rulesets, version, findings } = await listRules(path, toAccess(files))
  return {
    rules: rules.map(({ rule, severity, releases }) => `${severity} ${rule.name} ${rule.place.file} ${releases.join(' ')}`),
    rulesets,
    version,
    messages: findings.map(({ message }) => message),
  }
}

test('lists the rules that apply to a document, with overrides', async () => {
  expect(await list('openapi.yaml')).toEqual({
    rules: ['error contact base.yaml 3.1', 'info summary .spectral.yaml 3.1'],
    rulesets: ['.spectral.yaml'],
    version: '3.1.0',
    messages: [],
  })
})

test('lists the rules for all versions below a folder', async () => {
  const { 'openapi.yaml': _, ...others } = tree
  expect((await list('', { ...others, 'apis/openapi.yaml': toDocument('3.1.0') })).rules).toEqual([
    'error contact base.yaml 3.0 3.1 3.2',
    'info summary .spectral.yaml 3.0 3.1 3.2',
    'warning old .spectral.yaml 3.0',
  ])
})

test('applies the severities of the configuration file', async () => {
  const config = { 'openapi-pages.config.yaml': 'rules: { contact: off, summary: error }' }
  expect((await list('openapi.yaml', { ...tree, ...config })).rules).toEqual(['error summary .spectral.yaml 3.1'])
})

test('reports what cannot be read', async () => {
  const broken = { ...tree, '.spectral.yaml': ruleset.replace('base.yaml', 'bse.yaml') }
  expect((await list('openapi.yaml', broken)).messages).toEqual(['Cannot read the ruleset `bse.yaml`: no such file'])
  expect((await list('missing.yaml')).messages).toEqual(['Cannot read `missing.yaml`: no such file'])
  expect((await list('swagger.yaml')).messages).toEqual(['Not an OpenAPI document of version 3.0, 3.1 or 3.2, so no rules apply'])
  expect(await list('openapi.yaml', { 'openapi.yaml': toDocument('3.1.0') })).toMatchObject({ rules: [], rulesets: [] })
})

test.each([
  ['description: "Paths are in kebab case.\\n\\nThey are easy to read."', 'Paths are in kebab case.'],
  ['message: Add a contact', 'Add a contact'],
  ['message: "{{property}} is missing"', 'defined'],
])('describes a rule with %s on one line', async (text, expected) => {
  const own = `rules:\n  own:\n    ${text}\n    given: $.info\n    then: { field: contact, function: defined }\n`
  const [listed] = (await listRules('openapi.yaml', toAccess({ ...tree, '.spectral.yaml': own }))).rules
  expect(listed && describeBriefly(listed)).toBe(expected)
})
