import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const files = {
  'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n',
  '.spectral.yaml': `rules:
  contact:
    description: Every API has a \`contact\` {and} a name.
    documentationUrl: https://example.com/contact
    severity: error
    given: $.info
    then: { field: contact, function: truthy }
    x-tests:
      - valid: { contact: { name: API team } }
      - invalid: { title: Pets }
  summary:
    given: $.paths[*][get]
    then: { field: summary, function: truthy }
`,
}
const failing = { ...files, '.spectral.yaml': files['.spectral.yaml'].replace('invalid: {', 'invalid: { contact: true, ') }

async function rules(args: readonly string[], contents: { readonly [path: string]: string } = files) {
  return await runInFolder(makeTemporaryFolder(contents), ['rules', ...args])
}

test('lists the rules that apply to a document', async () => {
  const { exitCode, stdout } = await rules(['list', 'openapi.yaml'])
  expect([exitCode, stdout]).toEqual([
    0,
    `Rules for openapi.yaml (OpenAPI 3.1.0), from .spectral.yaml

error    contact  .spectral.yaml:2   Every API has a \`contact\` {and} a name.
warning  summary  .spectral.yaml:11  \`summary\` must be present and not empty, \`false\`, \`0\` or \`null\`

2 rules: 1 error, 1 warning
`,
  ])
})

test('lists the rules of the working directory without arguments', async () => {
  const { stdout } = await rules([])
  expect(stdout).toMatch(/^Rules for documents in this directory, from \.spectral\.yaml\n/)
})

test('lists rules as JSON', async () => {
  const { stdout } = await rules(['list', 'openapi.yaml', '--format', 'json'])
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    document: 'openapi.yaml',
    rulesets: ['.spectral.yaml'],
    rules: [
      {
        name: 'contact',
        severity: 'error',
        description: 'Every API has a `contact` {and} a name.',
        documentationUrl: 'https://example.com/contact',
        file: '.spectral.yaml',
        line: 2,
        openapi: ['3.1'],
        given: [{ expression: '$.info', meaning: '`info`' }],
        requires: ['`contact` must be present and not empty, `false`, `0` or `null`'],
      },
      expect.objectContaining({ name: 'summary', severity: 'warning', line: 11 }),
    ],
    diagnostics: [],
  })
})

test('explains a rule with its examples', async () => {
  const { exitCode, stdout } = await rules(['explain', 'contact'])
  expect([exitCode, stdout]).toEqual([
    0,
    `contact (error)

Every API has a \`contact\` {and} a name.

From:           .spectral.yaml:2
Applies to:     OpenAPI 3.0, 3.1, 3.2
Documentation:  https://example.com/contact

Selects:

  $.info
    \`info\`

Requires:

  \`contact\` must be present and not empty, \`false\`, \`0\` or \`null\`

Wrong: Every API has a \`contact\` {and} a name.

  title: Pets

Right:

  contact:
    name: API team
`,
  ])
})

test('explains a rule as JSON', async () => {
  const { rule } = JSON.parse((await rules(['explain', 'contact', '--format', 'json'])).stdout)
  expect(rule).toMatchObject({
    name: 'contact',
    applies: true,
    examples: [{ valid: false, text: 'title: Pets\n' }, { valid: true }],
  })
})

test('explains a rule of spectral:oas that does not apply', async () => {
  const { exitCode, stdout } = await rules(['explain', 'operation-singular-tag'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain('From:           spectral:oas\n')
  expect(stdout).toContain('\nThe rule does not apply here.')
  const { rule } = JSON.parse((await rules(['explain', 'operation-singular-tag', '--format', 'json'])).stdout)
  expect([rule.applies, rule.examples]).toEqual([false, []])
})

test('runs the tests of a ruleset', async () => {
  const { exitCode, stdout } = await rules(['test'])
  expect([exitCode, stdout]).toEqual([0, '✔ contact: 2 examples\n\n✔ 1 rule passed, 1 rule without tests\n'])
})

test('ends with 1 if a test fails', async () => {
  const { exitCode, stdout } = await rules(['test', '.spectral.yaml'], failing)
  expect([exitCode, stdout]).toEqual([
    1,
    `✖ contact: 1 of 2 examples failed
  .spectral.yaml:10 invalid example: expected a problem, found none

✖ 1 of 1 rule failed, 1 rule without tests
`,
  ])
  const json = JSON.parse((await rules(['test', '--format', 'json'], failing)).stdout)
  expect(json).toMatchObject({ passed: false, untested: ['summary'], diagnostics: [] })
  expect(json.rules[0].failures).toEqual([
    { valid: false, file: '.spectral.yaml', line: 10, message: 'expected a problem, found none' },
  ])
})

test('reports problems of the ruleset', async () => {
  const broken = { ...files, '.spectral.yaml': files['.spectral.yaml'].replaceAll('truthy', 'truty') }
  const { exitCode, stdout } = await rules(['list'], broken)
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringContaining('.spectral.yaml:7:39 error ruleset-problem\n  Unknown function `truty`'),
  ])
})

test('says that there is no ruleset', async () => {
  const none = { 'openapi.yaml': files['openapi.yaml'] }
  expect(await rules(['list', 'openapi.yaml'], none)).toMatchObject({
    exitCode: 0,
    stdout:
      'No ruleset for openapi.yaml\n  Create `.spectral.yaml` with `extends: spectral:oas`, or name a ruleset with --ruleset\n',
  })
  expect((await rules(['test'], none)).exitCode).toBe(0)
})

test.each([
  [['openapi.yaml'], 'unknown action openapi.yaml, expected `list`, `explain` or `test`', 'rules list openapi.yaml'],
  [['tset'], 'unknown action tset', 'Did you mean `test`?'],
  [['explain'], 'missing name of a rule', 'List the rules with `openapi-pages rules`'],
  [['explain', 'contct'], 'unknown rule contct: no rule of this name applies', 'Did you mean `contact`?'],
  [['explain', 'security-scheme'], 'unknown rule security-scheme', '`openapi-pages explain security-scheme`'],
  [['list', 'a.yaml', 'b.yaml'], 'unexpected argument', 'rules --help'],
  [['list', 'missing.yaml'], 'cannot read missing.yaml: no such file', ''],
])('rejects %j', async (args, message, hint) => {
  const { exitCode, stderr } = await rules(args)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).toContain(hint)
})

test('explain points to the rules of rulesets', async () => {
  const { stderr } = await runInFolder(makeTemporaryFolder(files), ['explain', 'operation-tags-xyz'])
  expect(stderr).toContain('`openapi-pages rules explain operation-tags-xyz`')
})

test('finds spectral:oas from a subdirectory', async () => {
  const folder = makeTemporaryFolder({ ...files, '.git/HEAD': '', 'apis/openapi.yaml': files['openapi.yaml'] })
  const { stdout } = await runInFolder(`${folder}/apis`, ['rules', 'list', 'openapi.yaml', '--ruleset', 'spectral:oas'])
  expect(stdout).toMatch(/^Rules for openapi\.yaml \(OpenAPI 3\.1\.0\), from spectral:oas\n/)
})
