import { expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

const tree = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /pets:
    get: { summary: List, responses: { "200": { description: Fine } } }
  /shops:
    get: { summary: List, responses: { "200": { description: Fine } } }
`,
  '.spectral.yaml': `rules:
  operation-id:
    severity: error
    given: $.paths[*].get
    then: { field: operationId, function: truthy }
  short-summary:
    severity: warn
    given: $.paths[*].get.summary
    then: { function: falsy }
`,
}

/** The pointers of problems by rule or code, with their severity. */
async function check(more: Tree = {}) {
  const { diagnostics } = await runCheck({ entries: ['openapi.yaml'] }, toAccess({ ...tree, ...more }))
  return diagnostics.map(({ code, rule, severity, pointer }) => `${severity} ${rule?.name ?? code} ${pointer}`)
}

const withConfig = (text: string) => check({ 'openapi-pages.config.yaml': text })

const pets = '/paths/~1pets/get'
const shops = '/paths/~1shops/get'

test('rules have the severity of the ruleset', async () => {
  expect(await check()).toEqual([
    `error operation-id ${pets}`,
    `warning short-summary ${pets}/summary`,
    `error operation-id ${shops}`,
    `warning short-summary ${shops}/summary`,
  ])
})

test('the configuration changes the severity of rules', async () => {
  expect(await withConfig('rules: { operation-id: info, short-summary: off }')).toEqual([
    `info operation-id ${pets}`,
    `info operation-id ${shops}`,
  ])
  expect(await withConfig('rules: { ruleset: off }')).toEqual([])
})

test('the configuration ignores rules', async () => {
  const ignore = '[{ rule: operation-id }, { rule: short-summary, path: openapi.yaml, pointer: /paths/~1pets }]'
  expect(await withConfig(`ignore: ${ignore}`)).toEqual([`warning short-summary ${shops}/summary`])
})

test.each<[rule: string, found: string[]]>([
  ['operation-tag-defined: off', []],
  ['operation-tag-defined: false', []],
  ['operation-tag-defined: hint', [`info tag-undeclared ${pets}/tags/0`]],
  ['operation-tags: off', [`info tag-undeclared ${pets}/tags/0`]],
])('with `%s`, the check for declared tags finds %j', async (rule, found) => {
  const openapi = `${tree['openapi.yaml'].replace('summary: List', 'tags: [pets]')}tags: [{ name: shops }]\n`
  const files = { 'openapi.yaml': openapi, '.spectral.yaml': `extends: [[spectral:oas, off]]\nrules: { ${rule} }\n` }
  expect(await check(files)).toEqual(found)
})

test('a name that the ruleset does not have is an error of the configuration', async () => {
  expect((await withConfig('rules: { ruleset: off, operation-ids: off }'))[0]).toBe('error unknown-field /rules/operation-ids')
})

test('names are not checked if the ruleset cannot be read', async () => {
  const found = await check({
    'openapi-pages.config.yaml': 'rules: { operation-id: off }',
    '.spectral.yaml': 'extends: ./missing.yaml',
  })
  expect(found).toEqual([expect.stringMatching(/^error ruleset-problem /)])
})

test('documents make exceptions from rules', async () => {
  const text = tree['openapi.yaml']
    .replace('  /pets:', '  /pets:\n    x-lint-ignore: { operation-id: Old clients, short-summary: Old clients }')
    .replace('  /shops:', '  /shops:\n    # openapi-pages-ignore-next-line operation-id, short-summary: Old clients')
  expect(await check({ 'openapi.yaml': text })).toEqual([])
})

test('of a check and a rule that report the same problem, an exception needs to name only one', async () => {
  const ruleset = 'extends: [[spectral:oas, off]]\nrules: { operation-tag-defined: warn }\n'
  const tagged = tree['openapi.yaml'].replace('{ summary', '{ tags: [a], summary').concat('tags: [{ name: b }]\n')
  expect(await check({ '.spectral.yaml': ruleset, 'openapi.yaml': tagged })).toEqual([`warning tag-undeclared ${pets}/tags/0`])
  for (const name of ['operation-tag-defined', 'tag-undeclared']) {
    const text = tagged.replace('  /pets:', `  /pets:\n    x-lint-ignore: { ${name}: Not yet }`)
    expect(await check({ '.spectral.yaml': ruleset, 'openapi.yaml': text })).toEqual([])
  }
})

test('a baseline lists problems by rule', async () => {
  const first = await runCheck({ entries: ['openapi.yaml'], baseline: 'known.json' }, toAccess(tree))
  const baseline = first.baselines[0]?.next ?? ''
  expect(baseline).toContain('["openapi.yaml","operation-id","/paths/~1pets/get"')
  const other = tree['.spectral.yaml'].replace('short-summary:', 'no-summary:')
  const second = await runCheck(
    { entries: ['openapi.yaml'], baseline: 'known.json' },
    toAccess({ ...tree, '.spectral.yaml': other, 'known.json': baseline }),
  )
  expect(second.diagnostics.map(({ code, rule }) => rule?.name ?? code)).toEqual([
    'baseline-fixed',
    'baseline-known',
    'no-summary',
    'no-summary',
  ])
})
