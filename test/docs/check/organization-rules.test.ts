import { describe, expect, test } from 'vitest'
import { openOrganizationRules } from '../../../src/docs/check/organization-rules.ts'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import type { OrganizationCheck } from '../../../src/docs/types.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { toAccess } from '../../support/memory-tree.ts'

type Contents = { readonly [path: string]: string }

const ruleset = `rules:
  contact:
    severity: error
    message: Missing contact
    given: $.info
    then: { field: contact, function: truthy }
`
const document = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths: {}
`

async function open(organization: Contents) {
  return await openOrganizationRules(createMemoryFiles(organization), '.spectral.yaml', '`.spectral.yaml` of `acme/.github`')
}

/** The problems that a check reports, and the number of all problems with rules of the organization. */
async function check(files: Contents, organization: OrganizationCheck) {
  const entries = Object.keys(files).filter((path) => path.startsWith('openapi'))
  const report = await runCheck({ entries }, toAccess(files), { organization })
  return {
    problems: report.diagnostics.map(({ rule, code, severity, range: { start } }) => {
      return `${start.line}:${start.column} ${severity} ${rule?.name ?? code}`
    }),
    counts: report.documents.map(({ errorCount, warningCount, infoCount }) => [errorCount, warningCount, infoCount]),
    found: report.organizationFindings ?? [],
    report,
  }
}

async function checkWith(files: Contents, organization: Contents) {
  const rules = await open(organization)
  return await check(files, rules.toCheck([]))
}

describe('the rules of an organization', () => {
  test('apply in addition to those of the repository', async () => {
    const own = `rules:\n  description:\n    given: $.info\n    then: { field: description, function: truthy }\n`
    const { problems, counts, report } = await checkWith(
      { 'openapi.yaml': document, '.spectral.yaml': own },
      { '.spectral.yaml': ruleset },
    )
    expect(problems).toEqual(['2:1 error contact', '2:1 warning description'])
    expect(counts).toEqual([[1, 1, 0]])
    expect(report.documents[0]?.valid).toBe(true)
    expect(report.diagnostics[0]).toMatchObject({
      message: 'Missing contact',
      hint: 'The organization requires this in `.spectral.yaml` of `acme/.github`',
    })
  })

  test.each([
    ['a rule of the repository', { '.spectral.yaml': ruleset.replace('severity: error', 'severity: off') }],
    ['`rules`', { 'openapi-pages.config.yaml': 'rules: { contact: off }' }],
    ['`ignore`', { 'openapi-pages.config.yaml': 'ignore: [{ rule: contact, reason: later }]' }],
    [
      'a baseline',
      {
        'openapi-pages.config.yaml': 'baseline: known.json',
        'known.json': '{"version":1,"problems":[["openapi.yaml","contact","/info","Missing contact",1]]}',
      },
    ],
  ])('are not turned off by %s', async (_name, settings) => {
    const { problems } = await checkWith({ 'openapi.yaml': document, ...settings }, { '.spectral.yaml': ruleset })
    expect(problems).toContain('2:1 error contact')
  })

  test('allow exceptions in the document with a reason', async () => {
    const excepted = document.replace("version: '1'", "version: '1', x-lint-ignore: { contact: Only internal clients }")
    const { problems, found } = await checkWith({ 'openapi.yaml': excepted }, { '.spectral.yaml': ruleset })
    expect([problems, found]).toEqual([[], []])
  })

  test.each([
    ['a warning', 'warn', ['2:1 error contact']],
    ['an error', 'error', ['2:1 error contact']],
  ])('are reported once if the repository has the same rule as %s', async (_name, severity, expected) => {
    const own = ruleset.replace('severity: error', `severity: ${severity}`)
    const { problems } = await checkWith({ 'openapi.yaml': document, '.spectral.yaml': own }, { '.spectral.yaml': ruleset })
    expect(problems).toEqual(expected)
  })

  test('are reported once if a check finds the same', async () => {
    const repeated = `${document}tags: [{ name: a }, { name: a }]\n`
    const rules = { '.spectral.yaml': 'extends: [[spectral:oas, off]]\nrules: { openapi-tags-uniqueness: warn }\n' }
    const { problems, found } = await checkWith({ 'openapi.yaml': repeated }, rules)
    expect(problems).toEqual(['4:29 error tag-unique'])
    // The scorecard counts the rule.
    expect(found).toHaveLength(1)
  })

  test('extend other files of their repository, and use functions in JavaScript', async () => {
    const { problems } = await checkWith(
      { 'openapi.yaml': document },
      {
        '.spectral.yaml':
          'extends: [./rules/base.yaml]\nfunctions: [upper]\nrules:\n  upper: { given: $.info.title, then: { function: upper } }\n',
        'rules/base.yaml': ruleset,
        'functions/upper.js': `export default (input) => (input === input.toUpperCase() ? [] : [{ message: 'Write it in capitals' }])`,
      },
    )
    expect(problems).toEqual(['2:1 error contact', '2:16 warning upper'])
  })

  test('do not read files of the repository or URLs', async () => {
    const rules = await open({ '.spectral.yaml': 'extends: [../secret.yaml, ./own.yaml, https://example.com/a.yaml]' })
    const { problems } = await check({ 'openapi.yaml': document, 'own.yaml': ruleset }, rules.toCheck([]))
    expect(problems).toEqual([])
    expect((await rules.finish()).problems).toHaveLength(3)
  })

  test('keep their own mistakes out of the check', async () => {
    const rules = await open({ '.spectral.yaml': `${ruleset}  wrong: { given: $.info, then: { function: truty } }\n` })
    const { problems } = await check({ 'openapi.yaml': document }, rules.toCheck([]))
    expect(problems).toEqual(['2:1 error contact'])
    expect(await rules.finish()).toMatchObject({
      ruleCount: 1,
      problems: [{ code: 'ruleset-problem', file: '.spectral.yaml', range: { start: { line: 7 } } }],
    })
  })

  test.each([
    ['no YAML', '[', 0],
    ['no rules', '', 0],
  ])('are none if the file has %s', async (_name, text, ruleCount) => {
    const rules = await open({ '.spectral.yaml': text })
    const { problems } = await check({ 'openapi.yaml': document }, rules.toCheck([]))
    const end = await rules.finish()
    expect([problems, end.ruleCount, end.problems.length]).toEqual([[], ruleCount, 1])
  })
})

describe('new problems only', () => {
  const withDate = (date: string) => `x-new-problems-only-until: ${date}\n${ruleset}`

  test.each([
    ['2027-03-31', '2027-03-30', true],
    ['2027-03-31', '2027-03-31', false],
    ["'2027-03-31'", '2027-03-30', true],
  ])('until %s: on %s %s', async (date, today, expected) => {
    const rules = await open({ '.spectral.yaml': withDate(date) })
    expect([rules.reportsOnlyNew(today), rules.newOnlyUntil]).toEqual([expected, '2027-03-31'])
  })

  test('is off without a date', async () => {
    expect((await open({ '.spectral.yaml': ruleset })).reportsOnlyNew('2026-01-01')).toBe(false)
  })

  test.each(['31 March', '2027-02-31', '[]'])('stays on if the date is %s, which is reported', async (date) => {
    const rules = await open({ '.spectral.yaml': withDate(date) })
    expect(rules.reportsOnlyNew('9999-01-01')).toBe(true)
    const [problem] = (await rules.finish()).problems
    expect(problem).toMatchObject({ range: { start: { line: 1, column: 28 } }, hint: 'Write the date as `2027-03-31`' })
  })

  test('leaves out the problems that the base has, also after other changes', async () => {
    const byPath = `rules:
  summary:
    message: An operation needs a summary
    severity: error
    given: $.paths.*.get
    then: { field: summary, function: truthy }
`
    const paths = (...names: string[]) =>
      `${document.replace('{}\n', '\n')}${names.map((name) => `  /${name}:\n    get: { responses: { '200': { description: OK } } }\n`).join('')}`
    const rules = await open({ '.spectral.yaml': byPath })
    const base = await check({ 'openapi.yaml': paths('pets', 'cats') }, rules.toCheck('all'))
    expect([base.problems, base.found.length, base.counts]).toEqual([[], 2, [[0, 0, 0]]])
    const { problems, found, counts } = await check({ 'openapi.yaml': paths('dogs', 'cats', 'pets') }, rules.toCheck(base.found))
    expect([problems, found.length, counts]).toEqual([['5:5 error summary'], 3, [[1, 0, 0]]])
  })
})
