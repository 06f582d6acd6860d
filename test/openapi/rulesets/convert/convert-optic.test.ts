import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertOptic } from '../../../../src/openapi/rulesets/convert/convert-optic.ts'
import { isObject } from '../../../../src/source/is-object.ts'

function convert(text: string) {
  const value: unknown = parse(text)
  if (!isObject(value)) throw new Error('Expected a mapping')
  const { rules, rulesets, settings, leftOut } = convertOptic(value, 'optic.yml')
  return {
    rules: rules.map(({ name, severity }) => `${name}: ${severity}`),
    given: rules.flatMap(({ written }) => written?.given ?? []),
    rulesets,
    failOn: settings.failOn,
    severities: Object.fromEntries(settings.severities),
    leftOut: leftOut.map(({ pointer, what, reason }) => `${pointer} ${what}: ${reason}`),
  }
}

test('breaking changes fail the check', () => {
  expect(convert('ruleset: [breaking-changes]')).toMatchObject({
    failOn: 'breaking',
    leftOut: [expect.stringMatching(/^\/ruleset\/0 breaking-changes: also in a new major version/)],
  })
  expect(convert('ruleset: [{ breaking-changes: { severity: warn } }]').failOn).toBeUndefined()
  const kept = 'ruleset: [{ breaking-changes: { skip_when_major_version_changes: false } }]'
  expect(convert(kept)).toMatchObject({ failOn: 'breaking', leftOut: [] })
})

test('naming becomes a rule for each kind of name', () => {
  const text =
    'ruleset: [{ naming: { queryParameters: snake_case, properties: camelCase, operationId: PascalCase, severity: warn } }]'
  expect(convert(text)).toMatchObject({
    rules: ['query-parameter-naming: warn', 'operation-id-naming: warn', 'property-naming: warn'],
    leftOut: [],
  })
})

test('documentation and examples become rules', () => {
  const text = `
ruleset:
  - documentation: { require_operation_summary: true, require_operation_id: false }
  - examples: { require_response_examples: true }
`
  expect(convert(text)).toMatchObject({
    rules: ['operation-summary: error', 'response-example: error'],
    severities: { 'example-mismatch': 'error' },
  })
})

test.each([
  ['x-legacy', "@['x-legacy'] !== true && @['x-legacy'] !== 'true'"],
  ['[x-a, x-b]', "@['x-a'] !== true && @['x-a'] !== 'true' && @['x-b'] !== true"],
  ['[{ x-stability: [beta] }]', "@['x-stability'] !== 'beta'"],
])('leaves out operations with the extension %s', (extension, condition) => {
  const options = `require_operation_summary: true, exclude_operations_with_extension: ${extension}`
  const { given } = convert(`ruleset: [{ documentation: { ${options} } }]`)
  expect(given.join('')).toContain(condition)
})

test('Spectral rulesets are extended', () => {
  const { rulesets, leftOut } = convert(
    'ruleset: [{ spectral: { always: [style.yaml, ./a.js], added: [https://example.com/a.yaml] } }]',
  )
  expect(rulesets).toEqual(['./style.yaml'])
  expect(leftOut).toEqual([
    '/ruleset/0/spectral/always always: ./a.js is JavaScript, which is not run',
    expect.stringMatching(/^\/ruleset\/0\/spectral\/added added: the rules apply to all operations/),
    expect.stringMatching(/^\/ruleset\/0\/spectral\/added added: https:\/\/example.com\/a.yaml is a URL/),
  ])
})

test.each([
  ['ruleset: [lintgpt]', '/ruleset/0 lintgpt: there are no rules in natural language'],
  ['ruleset: ["@acme/rules"]', '/ruleset/0 @acme/rules: rulesets of Optic Cloud are not read'],
  ['ruleset: [./own]', '/ruleset/0 ./own: JavaScript is not run. Write it as a rule of the ruleset'],
  [
    'ruleset: [{ naming: { required_on: added } }]',
    '/ruleset/0/naming/required_on required_on: the rules apply to all operations',
  ],
  ['ruleset: [{ naming: { docs_link: a } }]', '/ruleset/0/naming/docs_link docs_link: add it to the ruleset'],
  ['ruleset: [{ naming: { properties: Upper } }]', '/ruleset/0/naming/properties properties: the convention Upper is unknown'],
  ['capture: { openapi.yaml: {} }', '/capture capture: traffic is not captured'],
])('lists `%s` as not carried over', (text, expected) => {
  expect(convert(text).leftOut).toEqual([expect.stringContaining(expected)])
})
