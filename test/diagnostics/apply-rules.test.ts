import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/diagnostics/diagnostic.ts'
import { applyRules, type IgnoreSetting, noRules } from '../../src/diagnostics/finish-diagnostics.ts'

const place = { file: 'openapi-pages.config.yaml', pointer: '/ignore/0' }
const finding = (code: Finding['code'], parts: Partial<Finding> = {}): Finding => ({
  code,
  message: 'm',
  file: 'api/pets.yaml',
  pointer: '/components/schemas/Pet',
  ...parts,
})
const ignoring = (setting: Partial<IgnoreSetting>) => ({
  ...noRules,
  ignores: [{ code: undefined, rule: undefined, path: undefined, pointer: undefined, place, ...setting }],
})
const unused = finding('unused-component')

test('sets severities by code, also for a diagnostic with its own severity, and drops codes that are off', () => {
  const severities = new Map([
    ['unused-component', 'error'],
    ['tag-undeclared', 'off'],
    ['server-variable', 'warning'],
  ] as const)
  const findings = [
    unused,
    finding('tag-undeclared'),
    finding('server-variable', { severity: 'error' }),
    finding('path-ambiguous'),
  ]
  expect(applyRules(findings, { ...noRules, severities }).map(({ code, severity }) => [code, severity])).toEqual([
    ['unused-component', 'error'],
    ['server-variable', 'warning'],
    ['path-ambiguous', undefined],
  ])
})

describe('ignores where all that is given holds', () => {
  test.each<[Partial<IgnoreSetting>, boolean]>([
    [{ code: 'unused-component' }, true],
    [{ code: 'tag-undeclared' }, false],
    [{ path: /^api\// }, true],
    [{ path: /^docs\// }, false],
    [{ pointer: '/components/schemas/Pet' }, true],
    [{ pointer: '/components/schemas' }, true],
    [{ pointer: '/components/*/Pet' }, true],
    [{ pointer: '/components/schemas/Pet/type' }, false],
    [{ pointer: '/components/schemas/Pe' }, false],
    [{ code: 'unused-component', path: /^docs\// }, false],
  ])('%j: %s', (setting, ignored) => {
    expect(applyRules([unused], ignoring(setting))).toEqual(ignored ? [] : [unused])
  })
})

test('keeps errors that make a document invalid, and reports each setting that would ignore them once', () => {
  const wrong = finding('unknown-field')
  const found = applyRules([wrong, finding('missing-field'), unused], ignoring({ path: /^api\// }))
  expect(found.map(({ code, file, pointer }) => [code, file, pointer])).toEqual([
    ['unknown-field', wrong.file, wrong.pointer],
    ['missing-field', wrong.file, wrong.pointer],
    ['wrong-value', place.file, place.pointer],
  ])
})

test('lowers errors that do not change what a page shows to warnings, which can be ignored', () => {
  const error = finding('security-scheme')
  const severities = new Map([
    ['security-scheme', 'warning'],
    ['unknown-field', 'warning'],
  ] as const)
  const found = applyRules([error, finding('unknown-field')], { ...noRules, severities })
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([
    ['security-scheme', 'warning'],
    ['unknown-field', undefined],
  ])
  expect(applyRules([error], { ...ignoring({ code: 'security-scheme' }), severities })).toEqual([])
})

describe('rules of a ruleset', () => {
  const named = (name: string) => finding('ruleset', { rule: { name }, severity: 'error' })

  test.each<[Record<string, 'off' | 'info'>, string, string]>([
    [{ 'operation-description': 'off' }, '', 'tag-description error'],
    [{ ruleset: 'info' }, 'operation-description info', 'tag-description info'],
    [{ ruleset: 'off', 'operation-description': 'info' }, 'operation-description info', ''],
  ])('have the severity of their name, else that of `ruleset`: %j', (severities, ...expected) => {
    const found = applyRules([named('operation-description'), named('tag-description')], {
      ...noRules,
      severities: new Map(Object.entries(severities)),
    })
    expect(found.map(({ rule, severity }) => `${rule?.name} ${severity}`)).toEqual(expected.filter((line) => line !== ''))
  })

  test('are ignored by name, also if they are errors', () => {
    const found = applyRules([named('operation-description'), named('tag-description')], ignoring({ rule: 'tag-description' }))
    expect(found.map(({ rule }) => rule?.name)).toEqual(['operation-description'])
  })
})

test('ignores a warning with a code of errors', () => {
  const warning = finding('path-template', { severity: 'warning' })
  expect(applyRules([warning], ignoring({ code: 'path-template' }))).toEqual([])
})
