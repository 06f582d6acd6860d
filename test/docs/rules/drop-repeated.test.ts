import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/diagnostics/diagnostic.ts'
import { dropRepeated, sameAsOwnChecks } from '../../../src/docs/rules/drop-repeated.ts'

const toFinding = (code: Finding['code'], pointer: string, severity?: Finding['severity']): Finding => {
  return { code, message: code, file: 'openapi.yaml', pointer, ...(severity && { severity }) }
}
const toRuleFinding = (name: string, pointer: string, severity: Finding['severity'] = 'warning'): Finding => {
  return { ...toFinding('ruleset', pointer, severity), rule: { name } }
}
const nothingOff = { turnedOff: new Set<string>(), severities: new Map() }
/** What is left, as `code pointer`. */
const rest = (...findings: readonly Finding[]) =>
  dropRepeated(findings, nothingOff).findings.map(({ code, rule, pointer }) => `${rule?.name ?? code} ${pointer}`)

test('drops the problem of a rule that a check reports at the same location', () => {
  expect(rest(toFinding('tag-unique', '/tags/1/name'), toRuleFinding('openapi-tags-uniqueness', '/tags/1/name'))).toEqual([
    'tag-unique /tags/1/name',
  ])
})

test.each([
  ['info', 'error', 'error'],
  ['error', 'info', 'error'],
  ['warning', 'warning', 'warning'],
] as const)('the problem of a check with severity %s and that of a rule with %s have %s', (own, ofRule, expected) => {
  const check = toFinding('tag-undeclared', '/paths/~1pets/get/tags/0', own)
  const { findings, raised } = dropRepeated([check, toRuleFinding('operation-tag-defined', check.pointer, ofRule)], nothingOff)
  expect(findings).toEqual([{ ...check, severity: expected }])
  expect(raised.size).toBe(own === expected ? 0 : 1)
})

test.each([
  ['inside', '/components/schemas/Pet/example/name'],
  ['around', '/components/schemas'],
])('drops a problem that a check reports %s the location of a rule', (_, pointer) => {
  const rule = toRuleFinding('oas3-valid-schema-example', '/components/schemas/Pet/example')
  expect(rest(toFinding('example-mismatch', pointer), rule)).toEqual([`example-mismatch ${pointer}`])
})

test('keeps problems of other rules, in other locations and files', () => {
  const check = toFinding('tag-unique', '/tags/1/name')
  const findings = [
    check,
    toRuleFinding('my-tags', '/tags/1/name'),
    toRuleFinding('openapi-tags-uniqueness', '/tags/2/name'),
    { ...toRuleFinding('openapi-tags-uniqueness', '/tags/1/name'), file: 'other.yaml' },
  ]
  expect(dropRepeated(findings, nothingOff).findings).toEqual(findings)
})

test.each<[what: string, code: Finding['code'], turnedOff: string[], kept: boolean]>([
  ['drops a check whose rule is off', 'tag-undeclared', ['operation-tag-defined'], false],
  [
    'drops a check all of whose rules are off',
    'example-mismatch',
    ['oas3-valid-media-example', 'oas3-valid-schema-example'],
    false,
  ],
  ['keeps a check with another rule', 'example-mismatch', ['oas3-valid-media-example'], true],
  ['keeps errors that make the document invalid', 'tag-unique', ['openapi-tags-uniqueness'], true],
  ['keeps a check without a rule', 'path-ambiguous', ['operation-tag-defined'], true],
])('%s', (_, code, turnedOff, kept) => {
  const findings = [toFinding(code, '/tags/1/name')]
  expect(dropRepeated(findings, { ...nothingOff, turnedOff: new Set(turnedOff) }).findings).toEqual(kept ? findings : [])
})

test('keeps a check whose rule is off if the configuration sets its severity', () => {
  const findings = [toFinding('tag-undeclared', '/paths/~1pets/get/tags/0', 'warning')]
  const options = { turnedOff: new Set(['operation-tag-defined']), severities: new Map([['tag-undeclared', 'warning' as const]]) }
  expect(dropRepeated(findings, options).findings).toEqual(findings)
})

test('docs/rules.md has the codes of each rule that checks replace', async () => {
  const page = await readFile(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Rules that our checks replace\n')
  const rows = section.matchAll(/^- `([\w-]+)`: (\[`.*)$/gm)
  const documented = Object.fromEntries([...rows].map(([, rule, codes = '']) => [rule, codes.match(/(?<=\[`)[\w-]+/g)]))
  expect(documented).toEqual(Object.fromEntries(Object.entries(sameAsOwnChecks).map(([rule, { codes }]) => [rule, codes])))
})
