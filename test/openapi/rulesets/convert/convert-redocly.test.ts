import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertRedocly } from '../../../../src/openapi/rulesets/convert/convert-redocly.ts'
import { redoclyRules } from '../../../../src/openapi/rulesets/convert/redocly-rules.ts'
import { isObject } from '../../../../src/source/is-object.ts'

async function convert(text: string, files: Readonly<Record<string, string>> = {}) {
  const value: unknown = parse(text)
  if (!isObject(value)) throw new Error('Expected a mapping')
  const conversion = await convertRedocly(value, 'redocly.yaml', async (path) => {
    return files[path] === undefined ? undefined : parse(files[path])
  })
  const { rules, overrides, settings, leftOut } = conversion
  return {
    rules: Object.fromEntries(rules.map(({ name, severity }) => [name, severity])),
    overrides: overrides.map(({ file, rules: changed }) => [
      file,
      Object.fromEntries(changed.map(({ name, severity }) => [name, severity])),
    ]),
    severities: Object.fromEntries(settings.severities),
    ignored: settings.ignored,
    leftOut: leftOut.map(({ file, pointer, what, reason }) => `${file}#${pointer} ${what}: ${reason}`),
    conversion,
  }
}

test.each([
  ['rules: { tag-description: warn }', { 'tag-description': 'warn' }, {}],
  ['rules: { info-contact: { severity: error } }', { 'info-contact': 'error' }, {}],
  ['rules: { operation-summary: {} }', { 'operation-summary': 'error' }, {}],
  ['rules: { operation-summary: off }', {}, {}],
  ['rules: { no-path-trailing-slash: error }', { 'path-keys-no-trailing-slash': 'error' }, {}],
  ['rules: { no-unused-components: error }', {}, { 'unused-component': 'error' }],
  ['rules: { no-unused-components: off }', {}, { 'unused-component': 'off' }],
  ['rules: { no-ambiguous-paths: warn }', {}, {}],
  ['rules: { operation-operationId-unique: off }', {}, { 'operation-id-unique': 'warning' }],
  ['rules: { operation-tag-defined: warn }', { 'operation-tag-defined': 'warn' }, { 'tag-undeclared': 'warning' }],
  ['rules: { info-license-url: warn }', { 'info-license-strict': 'warn' }, {}],
  ['rules: { rule/typed-enum: { subject: { type: Tag }, assertions: { required: [a] } } }', { 'rule-typed-enum': 'error' }, {}],
  ['styleguide: { rules: { tag-description: warn } }', { 'tag-description': 'warn' }, {}],
  ['lint: { rules: { tag-description: warn } }', { 'tag-description': 'warn' }, {}],
])('converts `%s`', async (text, rules, severities) => {
  expect(await convert(text)).toMatchObject({ rules, severities })
})

describe('presets', () => {
  test('`recommended` has warnings and errors', async () => {
    const { rules, severities, leftOut } = await convert('extends: [recommended]')
    expect(rules).toMatchObject({ 'operation-summary': 'error', 'operation-operationId': 'warn', 'info-license': 'warn' })
    expect(rules).not.toHaveProperty('operation-description')
    expect(severities).toMatchObject({ 'unused-component': 'warning', 'enum-mismatch': 'error' })
    expect(leftOut).toEqual([
      'redocly.yaml#/extends/0 no-illogical-composition-keywords: no rule can compare the schemas of `oneOf`, `anyOf` and `allOf`',
      'redocly.yaml#/extends/0 warnings of recommended: these stay errors: tag-unique',
    ])
  })

  test('`recommended-strict` has only errors', async () => {
    const { rules } = await convert('extends: recommended-strict')
    expect(new Set(Object.values(rules))).toEqual(new Set(['error']))
  })

  test('`all` turns on each rule', async () => {
    const { rules } = await convert('extends: [all]')
    expect(rules).toMatchObject({ 'operation-description': 'error', 'info-contact': 'error' })
  })

  test('turn off no check of openapi-pages', async () => {
    expect(Object.values((await convert('extends: [spec]')).severities)).not.toContain('off')
  })

  test('a rule changes the severity of a preset', async () => {
    const { rules } = await convert('extends: [recommended]\nrules: { operation-summary: off, operation-operationId: error }')
    expect(rules).not.toHaveProperty('operation-summary')
    expect(rules).toMatchObject({ 'operation-operationId': 'error' })
  })
})

test('keeps the messages and documentation of rules', async () => {
  const own =
    'rule/own: { subject: { type: Tag }, assertions: { required: [a] }, message: "{{nodeType}} {{problems}}", reference: https://a.b }'
  const { conversion } = await convert(`rules: { operation-summary: { message: 'Add it: {{message}}' }, ${own} }`)
  expect(conversion.rules.map(({ written }) => written)).toMatchObject([
    { message: 'Add it: {{error}}' },
    { message: 'Tag {{error}}', documentationUrl: 'https://a.b' },
  ])
})

test.each([
  ['{ type: Operation, property: operationId }, assertions: { casing: camelCase }', '{{value}} is not in camelCase'],
  ['{ type: Paths }, assertions: { casing: kebab-case }', '{{property}} is not in kebab-case'],
  ['{ type: Tag, property: name }, assertions: { nonEmpty: true }', '`name` must not be empty'],
  ['{ type: Tag }, assertions: { mutuallyExclusive: [a, b] }', 'Use only one of `a`, `b`'],
  ['{ type: Tag, property: name }, assertions: { minLength: 2 }', undefined],
])('the message of `%s` names the value and not a schema', async (subject, message) => {
  const { conversion } = await convert(`rules: { rule/own: { subject: ${subject} } }`)
  expect(conversion.rules[0]?.written?.message).toBe(message)
})

test('extends other files', async () => {
  const files = {
    'style/base.yaml': 'extends: [./more.yaml]\nrules: { info-contact: warn, plugin/own: warn }',
    'style/more.yaml': 'rules: { info-contact: error, tag-description: error }',
  }
  const { rules, leftOut } = await convert('extends: [./style/base.yaml]', files)
  expect(rules).toEqual({ 'info-contact': 'warn', 'tag-description': 'error' })
  expect(leftOut).toEqual([
    'style/base.yaml#/rules/plugin~1own plugin/own: rules of plugins are not run. Write it as a rule of the ruleset',
  ])
})

test.each([
  ['extends: [https://example.com/rules.yaml]', '/extends/0', 'URLs are not read'],
  ['extends: [./missing.yaml]', '/extends/0', 'the file cannot be read'],
  ['extends: [./redocly.yaml]', '/extends/0', 'it extends itself'],
  ['extends: [plugin/all]', '/extends/0', 'configurations of plugins are not run'],
  ['extends: [none]', '/extends/0', 'this preset is unknown'],
  [
    'rules: { path-segment-plural: { severity: warn, exceptions: [a] } }',
    '/rules/path-segment-plural',
    'no rule can tell singular from plural',
  ],
  ['rules: { constructor: warn }', '/rules/constructor', 'this rule is unknown'],
  ['rules: { no-such-rule: warn }', '/rules/no-such-rule', 'this rule is unknown'],
  ['rules: { tag-description: high }', '/rules/tag-description', 'its severity is not error, warn or off'],
  ['rules: { tags-alphabetical: { ignoreCase: true } }', '/rules/tags-alphabetical/ignoreCase', 'the option ignoreCase'],
  ['rules: { info-contact: { severity: warn, message: Add it } }', '/rules/info-contact/message', 'the option message'],
  ['rules: { request-mime-type: error }', '/rules/request-mime-type', 'its options have no equivalent'],
  ['rules: { no-invalid-schema-examples: warn }', '/rules/no-invalid-schema-examples', 'examples may have properties'],
  ['rules: { struct: warn }', '/rules/struct', 'stays an error'],
  ['rules: { operation-operationId-unique: off }', '/rules/operation-operationId-unique', 'stays a warning'],
  ['plugins: [./plugin.js]', '/plugins', 'the JavaScript of plugins is not run'],
  ['decorators: { remove-x-internal: on }', '/decorators', 'overlay'],
  ['theme: { openapi: {} }', '/theme', '`docs.json`'],
])('lists `%s` as not carried over', async (text, pointer, reason) => {
  const { leftOut } = await convert(text)
  expect(leftOut.length).toBeGreaterThan(0)
  for (const entry of leftOut) expect(entry).toContain(`redocly.yaml#${pointer} `)
  expect(leftOut.join('\n')).toContain(reason)
})

test.each(['rules: { path-segment-plural: off, plugin/own: off }', 'organization: acme\ntelemetry: off', 'theme: {}'])(
  'lists nothing for `%s`',
  async (text) => {
    expect((await convert(text)).leftOut).toEqual([])
  },
)

describe('rules of single documents', () => {
  test('become overrides, with the rules that differ', async () => {
    const text = `
extends: [minimal]
rules: { operation-summary: error }
apis:
  public@v1: { root: ./openapi/public.yaml, rules: { operation-summary: off, info-contact: warn, tag-description: warn } }
  internal: { root: openapi/internal.yaml }
`
    expect((await convert(text)).overrides).toEqual([
      ['openapi/public.yaml', { 'operation-summary': 'off', 'info-contact': 'warn' }],
    ])
  })

  test('turn off a check as an exception', async () => {
    const text = 'apis: { a: { root: a.yaml, rules: { no-unused-components: off } } }'
    expect((await convert(text)).ignored).toEqual([{ code: 'unused-component', path: 'a.yaml' }])
  })

  test('cannot give a check another severity', async () => {
    const text = 'apis: { a: { root: a.yaml, rules: { no-unused-components: error } } }'
    expect((await convert(text)).leftOut).toEqual([
      'redocly.yaml#/apis/a unused-component: a check has the same severity in all documents',
    ])
  })

  test('need a file in the directory', async () => {
    const text = 'apis: { a: { root: ../a.yaml, rules: { info-contact: error } } }'
    expect((await convert(text)).leftOut).toEqual(['redocly.yaml#/apis/a rules of a: its `root` is no file in this directory'])
  })
})

test('each rule of Redocly has a replacement or a reason', () => {
  for (const [name, { codes = [], spectral, written, none }] of Object.entries(redoclyRules)) {
    expect([codes.length > 0, spectral, written, none].some(Boolean), name).toBe(true)
  }
})
