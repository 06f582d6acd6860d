import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = 'openapi: 3.2.0\ninfo: { title: T, version: "1" }\npaths: {}\n'

/** A rule that requires a field of `info`. */
const requires = (field: string) =>
  `rules:\n  needs-${field}:\n    message: "Add {{property}}"\n    given: $.info\n    then: { field: ${field}, function: truthy }\n`

const files = {
  'openapi.yaml': document,
  '.spectral.yaml': requires('contact'),
  'style.yaml': requires('license'),
  'more.yaml': requires('summary'),
}

async function check(contents: { readonly [path: string]: string }, ...args: string[]) {
  const folder = makeTemporaryFolder(contents)
  const { exitCode, stdout, stderr } = await runInFolder(folder, ['check', 'openapi.yaml', '--format', 'unix', ...args])
  return { exitCode, problems: stdout.trim().split('\n').filter(Boolean), stderr }
}

test.each([
  [[], ['needs-contact']],
  [['--ruleset', 'style.yaml'], ['needs-license']],
  [
    ['--ruleset', 'style.yaml', '--ruleset', 'more.yaml'],
    ['needs-license', 'needs-summary'],
  ],
  [['--no-ruleset'], []],
])('check %j applies %j', async (args, rules) => {
  const { problems, exitCode } = await check(files, ...args)
  expect(problems.map((line) => /\/([\w-]+)\]$/.exec(line)?.[1])).toEqual(rules)
  expect(exitCode).toBe(0)
})

test('applies the rulesets of the configuration file', async () => {
  const configured = { ...files, 'openapi-pages.config.yaml': 'rulesets: [more.yaml]' }
  expect((await check(configured)).problems).toEqual([expect.stringContaining('needs-summary')])
  const none = { ...files, 'openapi-pages.config.yaml': 'rulesets: false' }
  expect((await check(none)).problems).toEqual([])
})

test('reports a mistake in a ruleset at its line', async () => {
  const { problems, exitCode } = await check({ ...files, '.spectral.yaml': requires('contact').replace('truthy', 'truty') })
  expect(problems).toEqual([
    expect.stringMatching(/^\.spectral\.yaml:5:\d+: Unknown function `truty`.* \[error\/ruleset-problem\]$/),
  ])
  expect(exitCode).toBe(1)
})

test('does not read a ruleset outside the boundary', async () => {
  const { stderr, exitCode } = await check(files, '--ruleset', '../style.yaml')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('cannot read ../style.yaml: it is outside')
})

test('applies functions in JavaScript without running them', async () => {
  const ruleset = `functions: [check-title]\nrules:\n  title:\n    given: $.info.title\n    then: { function: check-title, functionOptions: { least: 2 } }\n`
  const script = `import { describe } from './describe.js'
export default (title, { least }) => (title.length < least ? [{ message: describe(title, least) }] : [])
`
  const describe = "export const describe = (title, least) => title + ' has less than ' + least + ' characters'\n"
  const scripts = { 'functions/check-title.js': script, 'functions/describe.js': describe }
  expect((await check({ ...files, ...scripts, '.spectral.yaml': ruleset })).problems).toEqual([
    expect.stringContaining('T has less than 2 characters [warning/title]'),
  ])
})

test('names the rulesets and the number of rules that apply', async () => {
  const old = `${requires('contact')}  old:\n    formats: [oas3.0]\n    given: $\n    then: { function: truthy }\n`
  const more = { ...files, 'old/openapi.yaml': document, 'old/.spectral.yaml': old, 'broken.yaml': `${document}\tx: 1\n` }
  const run = async (...args: string[]) => (await runInFolder(makeTemporaryFolder(more), ['check', ...args])).stdout
  expect(await run('openapi.yaml')).toContain('\nRuleset: .spectral.yaml (1 rule)\n✔ openapi.yaml is valid')
  // The rule for OpenAPI 3.0 does not count.
  expect(await run('openapi.yaml', 'old/openapi.yaml')).toContain(
    'Ruleset: .spectral.yaml (1 rule)\nRuleset: old/.spectral.yaml (1 rule)\n',
  )
  expect(await run('openapi.yaml', '-r', 'style.yaml', '-r', 'more.yaml')).toContain('Ruleset: style.yaml, more.yaml (2 rules)\n')
  expect(await run('openapi.yaml', '-r', 'spectral:oas')).toMatch(/^Ruleset: spectral:oas \(\d+ rules\)$/m)
  expect(await run('openapi.yaml', '--no-ruleset')).not.toContain('Ruleset')
  expect(await run('openapi.yaml', '--quiet')).not.toContain('Ruleset')
  // No rule applies to a document that cannot be read.
  expect(await run('broken.yaml')).not.toContain('Ruleset')
  expect(JSON.parse(await run('openapi.yaml', '--format', 'json')).rulesets).toEqual([{ files: ['.spectral.yaml'], rules: 1 }])
  expect(JSON.parse(await run('openapi.yaml', '--no-ruleset', '--format', 'json'))).not.toHaveProperty('rulesets')
})
