import { describe, expect, test } from 'vitest'
import { type Diagnostic, type Finding, ruleUrlOf } from '../../src/diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../src/diagnostics/finish-diagnostics.ts'
import { formatCheckstyle, formatGitlab, formatJunit, formatSarif, formatUnix } from '../../src/diagnostics/format-ci.ts'
import { formatGithub, formatJson, formatText, plainPalette, toCheckJson } from '../../src/diagnostics/format-text.ts'
import { formatBaseline, matchBaseline, parseBaseline, toBaseline } from '../../src/docs/baseline.ts'
import { problemSections } from '../../src/github/report/markdown.ts'
import { toAnnotations } from '../../src/github/repositories/check-runs.ts'
import { checkJsonOutput } from '../support/check-json-output.ts'
import { exampleDiagnostic, hostileText } from './example-diagnostic.ts'

const documentationUrl = 'https://example.com/rules/kebab'
const page = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#ruleset'

const broken = (rule: Diagnostic['rule'], fields: Parameters<typeof exampleDiagnostic>[0] = {}) =>
  exampleDiagnostic({
    code: 'ruleset',
    severity: 'warning',
    message: 'Paths are in kebab case',
    ...(rule && { rule }),
    ...fields,
  })

const kebab = broken({ name: 'paths-kebab-case', documentationUrl })
const named = broken({ name: 'owasp:api1:2023-no-numeric-ids' })

const show = (diagnostics: readonly Diagnostic[]) =>
  formatText(diagnostics, { palette: plainPalette, sourceOf: () => undefined, all: false, lineWidth: 100 })

const feedback = { webUrl: 'https://github.com/acme/api', headSha: 'a'.repeat(40) }
const report = (diagnostics: readonly Diagnostic[]) =>
  problemSections({ diagnostics, ...feedback }, { folded: 0, whereAll: 'elsewhere' }).flatMap(({ rows }) => rows)

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly Record<string, unknown>[] } }
  readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[]
}

describe('a problem that a rule of the ruleset found', () => {
  test('has the name and documentation of the rule in text', () => {
    expect(show([kebab])).toBe(
      `openapi.yaml:1:1 warning paths-kebab-case\n  Paths are in kebab case\n  docs: ${documentationUrl}\n`,
    )
  })

  test('links to the page about rulesets without documentation', () => {
    expect(show([named])).toContain(`  docs: ${page}\n`)
  })

  test('is listed ten times per rule in text, like ten times per code', () => {
    const many = Array.from({ length: 12 }, (_, index) => broken({ name: 'many' }, { at: [index + 1, 1] }))
    expect(show([...many, kebab])).toContain('… and 2 more `many` in openapi.yaml')
    expect(show([...many, kebab])).toContain('warning paths-kebab-case')
  })

  test('keeps the code in JSON, next to the rule', () => {
    const [diagnostic] = toCheckJson([kebab]).diagnostics
    expect(diagnostic).toMatchObject({ code: 'ruleset', rule: { name: 'paths-kebab-case', documentationUrl } })
    checkJsonOutput('check', formatJson([kebab, named]))
  })

  test('has a descriptor per rule in SARIF', () => {
    const run: SarifRun = JSON.parse(formatSarif([kebab, named, kebab, exampleDiagnostic()])).runs[0]
    expect(run.tool.driver.rules.map(({ id, helpUri, defaultConfiguration }) => [id, helpUri, defaultConfiguration])).toEqual([
      ['owasp:api1:2023-no-numeric-ids', page, { level: 'warning' }],
      ['paths-kebab-case', documentationUrl, { level: 'warning' }],
      ['unknown-field', page.replace('ruleset', 'unknown-field'), { level: 'error' }],
    ])
    expect(run.results.map(({ ruleId, ruleIndex }) => [ruleId, ruleIndex])).toEqual([
      ['paths-kebab-case', 1],
      ['owasp:api1:2023-no-numeric-ids', 0],
      ['paths-kebab-case', 1],
      ['unknown-field', 2],
    ])
  })

  test('has the description of the rule in SARIF', () => {
    const described = (description: string) => broken({ name: 'kebab', description })
    const rules = (diagnostic: Diagnostic) => JSON.parse(formatSarif([diagnostic])).runs[0].tool.driver.rules
    expect(rules(described('Paths are in kebab case.\nThey are easy to read.\n'))).toMatchObject([
      {
        shortDescription: { text: 'Paths are in kebab case.' },
        fullDescription: { text: 'Paths are in kebab case.\nThey are easy to read.' },
      },
    ])
    expect(rules(broken({ name: 'kebab' }))[0].shortDescription.text).toMatch(/: kebab$/)
    expect(rules(described('a'.repeat(5000)))[0].fullDescription.text).toHaveLength(1024)
  })

  test('has another ID in SARIF than the code with the same name', () => {
    const log = formatSarif([broken({ name: 'unknown-field', documentationUrl }), exampleDiagnostic()])
    const run: SarifRun = JSON.parse(log).runs[0]
    expect(run.tool.driver.rules.map(({ id, helpUri }) => [id, helpUri])).toEqual([
      ['ruleset/unknown-field', documentationUrl],
      ['unknown-field', page.replace('ruleset', 'unknown-field')],
    ])
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual(['ruleset/unknown-field', 'unknown-field'])
  })

  test('has no description in JSON, where it would be repeated', () => {
    const { diagnostics } = toCheckJson([broken({ name: 'kebab', description: 'Paths are in kebab case.' })])
    expect(diagnostics[0]?.rule).toEqual({ name: 'kebab' })
  })

  test('has the name of the rule in the formats of CI systems', () => {
    expect(formatUnix([kebab])).toContain('[warning/paths-kebab-case]')
    expect(formatCheckstyle([kebab])).toContain('source="openapi-pages.paths-kebab-case"')
    const junit = formatJunit([{ ...kebab, severity: 'error' }], [])
    expect(junit).toContain('type="paths-kebab-case"')
    expect(junit).toContain(documentationUrl)
    expect(JSON.parse(formatGitlab([kebab]))).toMatchObject([{ check_name: 'paths-kebab-case' }])
    expect(formatGithub([kebab])).toBe(
      `::warning file=openapi.yaml,line=1,endLine=1,col=1,endColumn=2,title=paths-kebab-case::Paths are in kebab case%0A${documentationUrl}\n`,
    )
  })

  test('has another fingerprint than the same problem of another rule', () => {
    const [first, second] = JSON.parse(formatGitlab([kebab, named]))
    expect(first.fingerprint).not.toBe(second.fingerprint)
  })

  test('has the name of the rule in checks and comments of GitHub', () => {
    expect(toAnnotations([kebab])).toMatchObject([{ title: 'paths-kebab-case' }])
    expect(report([kebab])).toEqual([expect.stringContaining(`[\`paths-kebab-case\`](${documentationUrl})`)])
  })

  test('is counted by rule in comments with many problems', () => {
    const many = Array.from({ length: 21 }, () => named)
    const [first, second] = report([...many, kebab])
    expect(first).toContain('`owasp:api1:2023-no-numeric-ids`')
    expect(first).toContain('| 21 |')
    expect(second).toContain('`paths-kebab-case`')
  })
})

test.each([
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['http://example.com/', 'http://example.com/'],
  ['javascript:alert(1)', page],
  ['docs/rules.md', page],
  ['', page],
])('links to the documentation of a rule only if it is a web page: %j', (url, expected) => {
  expect(ruleUrlOf({ code: 'ruleset', rule: { name: 'a', documentationUrl: url } })).toBe(expected)
})

test('escapes the name of a rule', () => {
  const hostile = broken({ name: hostileText })
  const outputs = [
    show([hostile]),
    formatUnix([hostile]),
    formatGithub([hostile]),
    formatSarif([hostile]),
    formatJunit([hostile], []),
  ]
  for (const output of outputs) {
    expect(output).not.toMatch(/[\x1b\r\u202e]|^::error file=x|##\[/m)
  }
})

describe('problems of two rules at the same place', () => {
  const finding = (name: string): Finding => ({
    code: 'ruleset',
    rule: { name },
    severity: 'error',
    message: 'Missing description',
    file: 'openapi.yaml',
    pointer: '/info',
  })

  test('are both reported, in the order of their names', async () => {
    const diagnostics = await finishDiagnostics([finding('b'), finding('a'), finding('b')], () => undefined)
    expect(diagnostics.map(({ code, severity, rule }) => [code, severity, rule?.name])).toEqual([
      ['ruleset', 'error', 'a'],
      ['ruleset', 'error', 'b'],
    ])
  })

  test('are separate problems of a baseline', () => {
    const baseline = parseBaseline(formatBaseline(toBaseline([finding('a')]), 'b.json'), 'b.json') ?? []
    expect(baseline).toMatchObject([{ file: 'openapi.yaml', code: 'a' }])
    const { isKnown } = matchBaseline([finding('a'), finding('b')], baseline, { covers: () => true, exists: () => true })
    expect([finding('a'), finding('b')].map(isKnown)).toEqual([true, false])
  })
})
