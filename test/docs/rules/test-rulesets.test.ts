import { expect, test } from 'vitest'
import { testRulesets } from '../../../src/docs/rules/list-rules.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

async function run(files: Tree, path = '') {
  const { tested, untested, findings, rulesets } = await testRulesets(path, toAccess(files))
  return {
    rules: tested.map(({ name, count, failures }) => `${name} ${count - failures.length}/${count}`),
    failures: tested.flatMap(({ failures }) => failures.map(({ message, place }) => `${place.pointer} ${message}`)),
    untested,
    rulesets,
    messages: findings.map(({ message, file }) => `${file} ${message}`),
  }
}

/** A ruleset with a rule for operations. */
const toRuleset = (tests: string, rest = '') => `rules:
  summary:
    ${rest}
    given: $.paths[*][get]
    then: { field: summary, function: truthy }
    x-tests: ${tests}
`

test('runs examples that are parts of documents, and documents', async () => {
  const tests = `
      - valid: { summary: List }
      - invalid: {}
      - valid: { openapi: 3.0.4, paths: { /pets: { get: { summary: List } } } }
      - invalid: { paths: { /pets: { get: {} } } }`
  expect(await run({ '.spectral.yaml': toRuleset(tests) })).toEqual({
    rules: ['summary 4/4'],
    failures: [],
    untested: [],
    rulesets: ['.spectral.yaml'],
    messages: [],
  })
})

test.each([
  ['[{ invalid: { summary: List } }]', 'expected a problem, found none'],
  ['[{ invalid: { paths: {} } }]', 'expected a problem, found none: `given` selects nothing in this example'],
  [
    '[{ valid: {} }]',
    'expected no problem, found “`summary` must be present and not empty, `false`, `0` or `null`” at `#/paths/~1example/get`',
  ],
  [
    '[{ valid: { openapi: 4.0.0 } }]',
    'cannot run: it is no OpenAPI document: Unexpected version `4.0.0` for `openapi`, expected 3.0.x, 3.1.x or 3.2.x',
  ],
])('says what was expected and found in %s', async (tests, message) => {
  const { failures, rules } = await run({ '.spectral.yaml': toRuleset(tests) })
  expect([rules, failures]).toEqual([['summary 0/1'], [expect.stringMatching(/^\/rules\/summary\/x-tests\/0\/(?:in)?valid /)]])
  expect(failures[0]?.replace(/^\S+ /, '')).toBe(message)
})

test('names a document that does not suit an expression', async () => {
  const files = { '.spectral.yaml': toRuleset('[{ invalid: { name: limit } }]').replace('$.paths[*][get]', '$..parameters[*]') }
  expect((await run(files)).failures).toEqual([
    expect.stringContaining('cannot run: expected a document, because `given` is no simple path'),
  ])
})

test('runs the tests of extended rulesets and of rules that are not recommended, and counts rules without tests', async () => {
  const files = {
    '.spectral.yaml': `extends: [[spectral:oas, off], [base.yaml, off]]
rules:
  untested:
    given: $.info
    then: { field: contact, function: truthy }
`,
    'base.yaml': toRuleset('[{ invalid: {} }]', 'recommended: false'),
  }
  expect(await run(files)).toMatchObject({ rules: ['summary 1/1'], untested: ['untested'] })
  expect(await run(files, 'base.yaml')).toMatchObject({ rules: ['summary 1/1'], untested: [], rulesets: ['base.yaml'] })
})

test('runs a rule for one version on that version', async () => {
  const tests = '[{ invalid: {} }, { valid: { openapi: 3.1.0 } }]'
  expect((await run({ '.spectral.yaml': toRuleset(tests, 'formats: [oas3.0]') })).failures).toEqual([
    '/rules/summary/x-tests/1/valid the rule does not apply to the version in `openapi`',
  ])
})

test('reports mistakes in tests and rulesets that cannot be read', async () => {
  const tests = '[{ vaild: {} }, text]'
  expect((await run({ '.spectral.yaml': toRuleset(tests) })).messages).toEqual([
    '.spectral.yaml Unknown key `vaild` in `x-tests`, expected `valid` or `invalid`',
    '.spectral.yaml Unexpected entry of `x-tests`, expected `valid` or `invalid`',
  ])
  expect((await run({ '.spectral.yaml': toRuleset('{ valid: {} }') })).messages).toEqual([
    '.spectral.yaml Unexpected `x-tests`, expected a list of examples',
  ])
  expect((await run({}, 'rules.yaml')).messages).toEqual(['rules.yaml Cannot read the ruleset `rules.yaml`: no such file'])
  expect(await run({})).toMatchObject({ rules: [], rulesets: [] })
})

test('ends when the tests take too long', async () => {
  const files = { '.spectral.yaml': toRuleset('[{ valid: { summary: List } }]') }
  const { tested } = await testRulesets('', toAccess(files), undefined, 0)
  expect(tested[0]?.failures.map(({ message }) => message)).toEqual(['did not run: the tests take too long'])
})
