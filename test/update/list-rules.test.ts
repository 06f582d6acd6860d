import { expect, test } from 'vitest'
import { placeExample } from '../../src/openapi/rulesets/examples/place-example.ts'
import { runExample } from '../../src/openapi/rulesets/examples/run-example.ts'
import {
  describeBriefly,
  exampleReleases,
  findRuleExamples,
  limitExamples,
  listBuiltInRules,
  listRules,
} from '../../src/update/list-rules.ts'
import { type Tree, toEnvironment } from '../support/memory-tree.ts'

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
  const { rules, rulesets, version, findings } = await listRules(path, toEnvironment(files))
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

test('every rule of spectral:oas has a failing and a passing example that do what they say', async () => {
  const runWithin = limitExamples()
  const wrong: string[] = []
  for (const listed of await listBuiltInRules(toEnvironment({}))) {
    const { rule } = listed
    // The checks of openapi-pages replace it.
    if (rule.name === 'oas3-schema') continue
    const examples = await findRuleExamples(listed, runWithin)
    if (examples.map(({ isValid }) => isValid).join() !== 'false,true') wrong.push(`${rule.name}: ${examples.length} examples`)
    for (const { isValid, value } of examples) {
      const release = exampleReleases.get(listed.releases.includes('3.1') ? '3.1' : (listed.releases[0] ?? '')) ?? ''
      const placed = placeExample(value, rule.given, release)
      const result = placed.kind === 'placed' ? await runExample(rule, placed.document, runWithin) : placed
      if (result.kind !== 'run' || (result.problems.length === 0) !== isValid) wrong.push(`${rule.name}: ${isValid}`)
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  ['{ function: truthy, field: summary }'],
  ['{ function: casing, field: operationId, functionOptions: { type: kebab } }'],
  ['{ function: length, field: tags, functionOptions: { min: 2 } }'],
  ['{ function: enumeration, field: x-audience, functionOptions: { values: [public] } }'],
  ['{ function: pattern, field: summary, functionOptions: { notMatch: "\\\\.$" } }'],
  ['{ function: falsy, field: x-old }'],
  ['{ function: xor, functionOptions: { properties: [summary, description] } }'],
  ['{ function: alphabetical, field: tags }'],
  ['{ function: schema, field: tags, functionOptions: { schema: { type: array, minItems: 1 } } }'],
])('makes examples for %s', async (then) => {
  const files = { ...tree, '.spectral.yaml': `rules:\n  own:\n    given: $.paths[*][get]\n    then: ${then}\n` }
  const [listed] = (await listRules('openapi.yaml', toEnvironment(files))).rules
  const examples = listed ? await findRuleExamples(listed, limitExamples()) : []
  expect(examples.map(({ isValid, messages }) => [isValid, messages.length > 0])).toEqual([
    [false, true],
    [true, false],
  ])
})

test('makes an example without a field that two functions check', async () => {
  const then = '[{ function: truthy, field: summary }, { function: length, field: summary, functionOptions: { max: 40 } }]'
  const files = { ...tree, '.spectral.yaml': `rules:\n  own:\n    given: $.paths[*][get]\n    then: ${then}\n` }
  const [listed] = (await listRules('openapi.yaml', toEnvironment(files))).rules
  const examples = listed ? await findRuleExamples(listed, limitExamples()) : []
  expect(examples.map(({ value }) => value)).toEqual([
    { paths: { '/example': { get: {} } } },
    { paths: { '/example': { get: { summary: 'List pets' } } } },
  ])
})

test.each([
  [
    '$.info',
    '{ field: version, function: pattern, functionOptions: { match: "^\\\\d+\\\\.\\\\d+\\\\.\\\\d+$" } }',
    { info: { version: '1.0' } },
  ],
  [
    '$.servers[*].url',
    '{ function: pattern, functionOptions: { match: "^https:" } }',
    { servers: [{ url: 'http://api.example.com' }] },
  ],
  [
    '$.paths[*][get].responses',
    '{ field: "@key", function: enumeration, functionOptions: { values: ["200"] } }',
    { paths: { '/example': { get: { responses: { other: {} } } } } },
  ],
  [
    '$.paths[*][get].responses',
    '{ field: "@key", function: pattern, functionOptions: { match: "^200$" } }',
    { paths: { '/example': { get: { responses: { 404: {} } } } } },
  ],
  [
    '$.info',
    '{ field: description, function: length, functionOptions: { min: 20 } }',
    { info: { description: 'Lists the pets of' } },
  ],
  [
    '$.components.schemas[*]',
    '{ function: schema, functionOptions: { schema: { type: object, required: [description] } } }',
    { components: { schemas: { Example: { type: 'object' } } } },
  ],
])('makes a failing example that people could write, for %s and %s', async (given, then, expected) => {
  const files = { ...tree, '.spectral.yaml': `rules:\n  own:\n    given: ${given}\n    then: ${then}\n` }
  const [listed] = (await listRules('openapi.yaml', toEnvironment(files))).rules
  const examples = listed ? await findRuleExamples(listed, limitExamples()) : []
  expect(examples.map(({ isValid, value }) => [isValid, value])).toEqual([
    [false, expected],
    [true, expect.anything()],
  ])
})

test.each([
  ['description: "Paths are in kebab case.\\n\\nThey are easy to read."', 'Paths are in kebab case.'],
  ['message: Add a contact', 'Add a contact'],
  ['message: "{{property}} is missing"', '`contact` must be present'],
])('describes a rule with %s on one line', async (text, expected) => {
  const own = `rules:\n  own:\n    ${text}\n    given: $.info\n    then: { field: contact, function: defined }\n`
  const [listed] = (await listRules('openapi.yaml', toEnvironment({ ...tree, '.spectral.yaml': own }))).rules
  expect(listed && describeBriefly(listed)).toBe(expected)
})

test('leaves out examples in x-tests that do not do what they say', async () => {
  const own = `rules:
  own:
    given: $.info
    then: { field: contact, function: truthy }
    x-tests: [{ valid: {} }, { invalid: { title: Pets } }]
`
  const [listed] = (await listRules('openapi.yaml', toEnvironment({ ...tree, '.spectral.yaml': own }))).rules
  expect(listed && (await findRuleExamples(listed, limitExamples()))).toEqual([
    { isValid: false, value: { title: 'Pets' }, messages: [expect.stringContaining('`contact` must be present')] },
  ])
})
