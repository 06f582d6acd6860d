import { expect, test } from 'vitest'
import { coreFunctions } from '../../../src/rules/functions/core-functions.ts'
import { readRulesets } from '../../../src/rules/read/read-rulesets.ts'
import { formatsOf, type Rule, type RulesetLoader, rulesetLimits } from '../../../src/rules/ruleset.ts'
import { joinPath, parentPath } from '../../../src/text/plain/paths.ts'
import { toSourceFile } from '../../../src/text/plain/source-file.ts'

type FileTexts = { readonly [path: string]: string }

function toLoader(files: FileTexts): RulesetLoader {
  return {
    loadFunction: async ({ file }) => ({ kind: 'failed', message: `Cannot read \`${file}\`` }),
    runWithin: (run) => run(),
    load: async (name, from) => loadText(files, joinPath(parentPath(from), name)),
  }
}

function loadText(files: FileTexts, path: string) {
  const text = files[path]
  if (text === undefined) return { kind: 'failed', message: `Cannot read \`${path}\`` } as const
  return { kind: 'file', source: toSourceFile(path, Buffer.from(text)) } as const
}

/** Reads `rules.yaml`, with a rule as one line. */
async function read(files: FileTexts | string, { document = 'openapi.yaml', version = '3.1.0' } = {}) {
  const texts = typeof files === 'string' ? { 'rules.yaml': files } : files
  const place = { file: 'rules.yaml', pointer: '' }
  const entry = { load: async () => loadText(texts, 'rules.yaml'), place, precedence: 0 }
  const { findings, rulesetFor, sources } = await readRulesets([entry], toLoader(texts))
  const ruleset = rulesetFor(document, formatsOf({ openapi: version }))
  return {
    problems: findings.map(({ file, pointer, message, hint, severity }) =>
      [`${file}#${pointer}`, severity, message, hint && `(${hint})`].filter(Boolean).join(' '),
    ),
    rules: [...ruleset.rules.values()].map(toLine),
    overrides: ruleset.overrides,
    ruleset,
    sources: [...sources.keys()],
  }
}

function toLine({ name, severity, given, formats }: Rule): string {
  return [name, severity, given.join(' | '), formats?.join(',')].filter(Boolean).join(' ')
}

const info = 'given: $.info\n    then: { field: title, function: truthy }'

test('reads the fields of a rule', async () => {
  const { ruleset, problems, sources } = await read(`
rules:
  contact:
    description: APIs need a contact
    message: '{{property}} is missing'
    documentationUrl: https://example.com/contact
    severity: error
    formats: [oas3.1]
    resolved: false
    given: [$.info, $.tags]
    then:
      - field: contact
        function: truthy
      - function: pattern
        functionOptions: { match: ^a }
    tags: [docs]
    type: style
    extensions: { owner: docs }
    x-note: kept
`)
  expect(problems).toEqual([])
  expect(sources).toEqual(['rules.yaml'])
  const rule = ruleset.rules.get('contact')
  expect(rule).toMatchObject({
    name: 'contact',
    severity: 'error',
    message: '{{property}} is missing',
    description: 'APIs need a contact',
    documentationUrl: 'https://example.com/contact',
    given: ['$.info', '$.tags'],
    formats: ['oas3_1'],
    resolved: false,
    place: { file: 'rules.yaml', pointer: '/rules/contact' },
  })
  const toPlace = (index: number) => ({ file: 'rules.yaml', pointer: `/rules/contact/then/${index}` })
  expect(rule?.then).toEqual([
    { field: 'contact', functionName: 'truthy', run: coreFunctions.get('truthy')?.run, options: undefined, place: toPlace(0) },
    {
      field: undefined,
      functionName: 'pattern',
      run: coreFunctions.get('pattern')?.run,
      options: { match: '^a' },
      place: toPlace(1),
    },
  ])
})

test.each([
  ['error', 'error'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['hint', 'info'],
  ['0', 'error'],
  ['1', 'warning'],
  ['2', 'info'],
  ['3', 'info'],
])('reads the severity %s as %s', async (written, severity) => {
  const { rules } = await read(`rules:\n  a:\n    severity: ${written}\n    ${info}`)
  expect(rules).toEqual([`a ${severity} $.info`])
})

test('reads JSON with commas before brackets, as Spectral does', async () => {
  const { rules, problems } = await read('{ "rules": { "a": { "given": ["$.info",], "then": { "function": "truthy", }, }, }, }')
  expect({ rules, problems }).toEqual({ rules: ['a warning $.info'], problems: [] })
})

test.each(['severity: off', 'severity: -1', 'recommended: false'])('leaves out a rule with %s', async (field) => {
  const { rules, problems } = await read(`rules:\n  a:\n    ${field}\n    ${info}`)
  expect({ rules, problems }).toEqual({ rules: [], problems: [] })
})

const base = `
formats: [oas3]
documentationUrl: https://example.com/rules
rules:
  a:
    severity: error
    ${info}
  b:
    recommended: false
    ${info}
`

test.each([
  ['extends: base.yaml', ['a error $.info oas3']],
  ['extends: [base.yaml]', ['a error $.info oas3']],
  ['extends: [[base.yaml, recommended]]', ['a error $.info oas3']],
  ['extends: [[base.yaml, all]]', ['a error $.info oas3', 'b warning $.info oas3']],
  ['extends: [[base.yaml, off]]', []],
  ['extends: [[base.yaml, off]]\nrules: { a: true }', ['a error $.info oas3']],
  ['extends: [[base.yaml, off]]\nrules: { b: hint }', ['b info $.info oas3']],
  ['extends: base.yaml\nrules: { a: off }', []],
  ['extends: base.yaml\nrules: { a: false, b: true }', ['b warning $.info oas3']],
  ['extends: base.yaml\nrules: { a: warn }', ['a warning $.info oas3']],
  ['extends: base.yaml\nrules: { a: 2 }', ['a info $.info oas3']],
  // Only what is written changes.
  ['extends: base.yaml\nrules: { a: { severity: info } }', ['a info $.info oas3']],
  ['extends: base.yaml\nrules: { a: { given: $.tags, then: { function: truthy } } }', ['a error $.tags oas3']],
  ['extends: base.yaml\nrules: { b: { message: text } }', ['a error $.info oas3', 'b warning $.info oas3']],
  ['extends: base.yaml\nformats: [oas3_0]\nrules: { a: error }', ['a error $.info oas3']],
  ['extends: base.yaml\nrules: { a: { formats: [oas3_0] } }', ['a error $.info oas3_0']],
])('applies %j', async (text, rules) => {
  expect(await read({ 'rules.yaml': text, 'base.yaml': base })).toMatchObject({ rules, problems: [] })
})

test('applies the level of an extended ruleset to the rules that it extends itself', async () => {
  const files = { 'middle.yaml': 'extends: base.yaml', 'base.yaml': base }
  expect((await read({ ...files, 'rules.yaml': 'extends: middle.yaml' })).rules).toEqual(['a error $.info oas3'])
  expect((await read({ ...files, 'rules.yaml': 'extends: [[middle.yaml, all]]' })).rules).toHaveLength(2)
  expect((await read({ ...files, 'rules.yaml': 'extends: [[middle.yaml, off]]' })).rules).toEqual([])
  const changing = {
    ...files,
    'middle.yaml': 'extends: base.yaml\nrules: { a: off, b: error }',
    'rules.yaml': 'extends: [[middle.yaml, recommended]]',
  }
  expect((await read(changing)).rules).toEqual([])
})

test('lets the last of several extended rulesets define a rule', async () => {
  const other = `rules:\n  a:\n    ${info}`
  const files = { 'base.yaml': base, 'other.yaml': other }
  expect((await read({ ...files, 'rules.yaml': 'extends: [base.yaml, other.yaml]' })).rules).toEqual(['a warning $.info'])
  expect((await read({ ...files, 'rules.yaml': 'extends: [other.yaml, base.yaml]' })).rules).toEqual(['a error $.info oas3'])
})

test('derives the documentation of a rule from that of its ruleset', async () => {
  const { ruleset } = await read({ 'rules.yaml': 'extends: base.yaml', 'base.yaml': base })
  expect(ruleset.rules.get('a')?.documentationUrl).toBe('https://example.com/rules#a')
})

test('finds files relative to the ruleset that extends them', async () => {
  const files = { 'rules.yaml': 'extends: ./a/one.yaml', 'a/one.yaml': 'extends: ../b/two.yaml', 'b/two.yaml': base }
  expect(await read(files)).toMatchObject({ rules: ['a error $.info oas3'], sources: ['rules.yaml', 'a/one.yaml', 'b/two.yaml'] })
})

test('reports a ruleset that extends itself, and applies its rules', async () => {
  const files = { 'rules.yaml': `extends: a.yaml\n`, 'a.yaml': `extends: rules.yaml\nrules:\n  a:\n    ${info}` }
  expect(await read(files)).toMatchObject({
    rules: ['a warning $.info'],
    problems: ['a.yaml#/extends Ruleset `rules.yaml` extends itself (Remove this entry)'],
  })
})

test('reads a ruleset once that is extended through many paths', async () => {
  const levels = Array.from({ length: 30 }, (_, index) => [`${index}.yaml`, `extends: [${index + 1}.yaml, ${index + 1}.yaml]`])
  const files = { ...Object.fromEntries(levels), 'rules.yaml': 'extends: 0.yaml', '30.yaml': base }
  expect(await read(files)).toMatchObject({ rules: ['a error $.info oas3'], problems: [] })
})

const aliases = `
aliases:
  PathItem: ['$.paths[*]']
  Operation:
    - "#PathItem[get,put]"
    - "#PathItem.post"
  Text: $..description
  Parameter:
    description: Depends on the format
    targets:
      - { formats: [oas3_0], given: ["#Operation.parameters[*]"] }
      - { formats: [oas3_1, oas2], given: ['$.components.parameters[*]', $.parameters] }
`

test.each([
  ['#PathItem', '3.1.0', '$.paths[*]'],
  ['#Operation', '3.1.0', '$.paths[*][get,put] | $.paths[*].post'],
  ['#Operation.tags[0]', '3.1.0', '$.paths[*][get,put].tags[0] | $.paths[*].post.tags[0]'],
  ['#Text', '3.1.0', '$..description'],
  ['#Parameter.name', '3.0.3', '$.paths[*][get,put].parameters[*].name | $.paths[*].post.parameters[*].name'],
  ['#Parameter', '3.1.0', '$.components.parameters[*] | $.parameters'],
])('replaces the alias in %s for OpenAPI %s', async (given, version, expected) => {
  const text = `${aliases}rules:\n  a:\n    given: "${given}"\n    then: { function: truthy }`
  expect(await read(text, { version })).toMatchObject({ rules: [`a warning ${expected}`], problems: [] })
})

test('leaves out a rule whose alias has no target for the document', async () => {
  const text = `${aliases}rules:\n  a:\n    given: "#Parameter"\n    then: { function: truthy }`
  expect(await read(text, { version: '3.2.0' })).toMatchObject({ rules: [], problems: [] })
})

test('uses the aliases of the ruleset that writes `given`', async () => {
  const files = {
    'base.yaml': `${aliases}rules:\n  a:\n    given: "#PathItem"\n    then: { function: truthy }`,
    'rules.yaml': 'extends: base.yaml\naliases: { PathItem: [$.other] }\nrules: { a: error }',
  }
  expect(await read(files)).toMatchObject({ rules: ['a error $.paths[*]'], problems: [] })
  const rewritten = { ...files, 'rules.yaml': files['rules.yaml'].replace('a: error', 'a: { given: "#PathItem" }') }
  expect(await read(rewritten)).toMatchObject({ rules: ['a warning $.other'], problems: [] })
})

const overrides = `
extends: base.yaml
aliases: { Tags: ['$.tags[*]'] }
overrides:
  - files: ['v2/**/*.yaml']
    rules:
      a: off
      b: info
  - files: ['*.json', 'v3/**']
    aliases: { Names: ['#Tags.name'] }
    rules:
      c:
        given: '#Names'
        then: { function: truthy }
  - files: ['v3/**']
    rules: { c: error }
`

test.each([
  ['openapi.yaml', ['a error $.info oas3']],
  ['v2/pets/openapi.yaml', ['b info $.info oas3']],
  ['pets/openapi.json', ['a error $.info oas3', 'c warning $.tags[*].name']],
  ['v3/openapi.json', ['a error $.info oas3', 'c error $.tags[*].name']],
])('applies overrides to %s', async (document, rules) => {
  expect(await read({ 'rules.yaml': overrides, 'base.yaml': base }, { document })).toMatchObject({ rules, problems: [] })
})

test('lets an override extend other rulesets', async () => {
  const override = "overrides: [{ files: ['v2/*'], extends: [[other.yaml, all]], rules: { z: error } }]"
  const files = { 'base.yaml': base, 'other.yaml': `rules:\n  a:\n    ${info}\n  z:\n    recommended: false\n    ${info}` }
  const rulesOf = async (text: string) => (await read({ ...files, 'rules.yaml': text }, { document: 'v2/x.yaml' })).rules
  expect(await rulesOf(`extends: base.yaml\nrules: {}\n${override}`)).toEqual(['a error $.info oas3', 'z error $.info'])
  // Without `rules`, it replaces `extends`.
  expect(await rulesOf(`extends: base.yaml\n${override}`)).toEqual(['a warning $.info', 'z error $.info'])
})

test('ignores the overrides of an extended ruleset', async () => {
  const files = { 'rules.yaml': 'extends: middle.yaml', 'middle.yaml': overrides, 'base.yaml': base }
  expect((await read(files, { document: 'v2/openapi.yaml' })).rules).toEqual(['a error $.info oas3'])
})

test('returns overrides for parts of files, the nearest location last', async () => {
  const text = `
extends: base.yaml
overrides:
  - files: ['**/*.yaml#/paths/~1pets~1%7Bid%7D/get', '*.json#/info']
    rules: { a: off, b: error }
  - files: ['**/*.yaml#/paths']
    rules: { a: info }
`
  const { overrides: parts, problems } = await read({ 'rules.yaml': text, 'base.yaml': base }, { document: 'apis/pets.yaml' })
  expect(problems).toEqual([])
  expect(parts.map(({ pointer }) => pointer)).toEqual(['/paths', '/paths/~1pets~1{id}/get'])
  const [paths, operation] = parts
  expect([...(paths?.rules ?? [])]).toEqual([['a', 'info']])
  expect(operation?.rules.get('a')).toBe('off')
  // A rule that is off elsewhere comes with its definition.
  expect(operation?.rules.get('b')).toMatchObject({ name: 'b', severity: 'error', given: ['$.info'] })
  expect([paths?.appliesTo('apis/schemas/pet.yaml'), paths?.appliesTo('apis/pets.json')]).toEqual([true, false])
})

test('reads the exceptions of Spectral 5', async () => {
  const text = `
extends: base.yaml
except:
  'v2/pets.yaml': [a]
  'one.yaml#/info': [a]
  '#/tags': [a]
`
  const files = { 'rules.yaml': text, 'base.yaml': base }
  expect((await read(files, { document: 'v2/pets.yaml' })).rules).toEqual([])
  const { overrides: parts } = await read(files, { document: 'one.yaml' })
  expect(parts.map(({ pointer, rules }) => [pointer, rules.get('a')])).toEqual([
    ['/info', 'off'],
    ['/tags', 'off'],
  ])
})

test('reads the rules of Spectral 5 by their new names', async () => {
  const text =
    'extends: base.yaml\nrules: { operation-2xx-response: off, oas3-valid-oas-header-example: hint, oas3-valid-oas-parameter-example: warn }'
  const old = `rules:\n  operation-success-response:\n    ${info}\n  oas3-valid-media-example:\n    ${info}`
  expect(await read({ 'rules.yaml': text, 'base.yaml': old })).toMatchObject({
    rules: ['oas3-valid-media-example warning $.info'],
    problems: [],
  })
})

test.each([
  ['- a', ['# Unexpected ruleset, expected a mapping with `extends` or `rules`']],
  [
    'description: x',
    ['# Ruleset without rules, expected `extends` or `rules` (Add `extends: spectral:oas` for the rules of Spectral)'],
  ],
  ['', ['# Empty file, expected a ruleset (Add `extends: spectral:oas` for the rules of Spectral)']],
  ['rules: {}\nextend: x', ['#/extend Unknown key: `extend` (Did you mean `extends`?)']],
  ['rules: {}\n$schema: x\nx-team: docs', []],
  ['rules: []', ['#/rules Unexpected `rules`, expected a mapping from names to rules']],
  [
    'extends: 5',
    [
      '#/extends Unexpected `extends`, expected a name or a list of names (For example, `extends: [[spectral:oas, all], ./base.yaml]`)',
    ],
  ],
  ['extends: [5]', ['#/extends/0 Unexpected entry of `extends`, expected a name or a list such as `[spectral:oas, all]`']],
  [
    'extends: [[a.yaml, al]]',
    ['#/extends/0/1 Unexpected level of `a.yaml` in `extends`, expected `all`, `recommended` or `off` (Did you mean `all`?)'],
  ],
  ['extends: [[a.yaml]]', ['#/extends/0 Unexpected level of `a.yaml` in `extends`, expected `all`, `recommended` or `off`']],
  ['extends: missing.yaml', ['#/extends Cannot read `missing.yaml`']],
  [
    'extends: spectral:asyncapi',
    [
      '#/extends info `spectral:asyncapi` is not applied: its rules are for AsyncAPI documents (Lint these documents with Spectral)',
    ],
  ],
  ['rules: {}\nformats: [oas4]', ['#/formats/0 Unknown format `oas4` (Did you mean `oas3`?)']],
  ['rules: {}\nformats: [asyncapi2, json-schema-2020-12, OAS3_0]', []],
  ['rules: {}\ndocumentationUrl: rules.md', ['#/documentationUrl Unexpected `documentationUrl`, expected a URL with `https://`']],
  [
    'rules: {}\naliases: { 1a: [$] }',
    ['#/aliases/1a Unexpected alias `1a`, expected a letter and then letters, digits, `_` or `-`'],
  ],
  [
    'rules: {}\naliases: { A: {} }',
    ['#/aliases/A Unexpected alias, expected a list of expressions, or `targets` with `formats` and `given`'],
  ],
  [
    'rules: {}\naliases: { A: { targets: [{ given: [$] }] } }',
    ['#/aliases/A/targets/0 Unexpected target, expected `formats` and `given`'],
  ],
  ['rules: { a: error }', ['#/rules/a Unknown rule `a`, expected a rule of an extended ruleset']],
  [
    'rules: { a: { severity: error } }',
    ['#/rules/a Rule `a` without `given` or `then`, expected both in a rule that no extended ruleset has'],
  ],
  [
    'rules: { a: warning }',
    [
      '#/rules/a Unexpected value of the rule `a`, expected a rule with `given` and `then`, a severity (`error`, `warn`, `info`, `hint` or `off`), `true` or `false` (Did you mean `warn`?)',
    ],
  ],
  [
    'rules: {}\nparserOptions: { duplicateKeys: warn, incompatibleValues: off, other: 1 }',
    [
      '#/parserOptions/duplicateKeys info `duplicateKeys` has no effect: a duplicate key is always an error (`duplicate-key`)',
      '#/parserOptions/other Unknown key `other` in `parserOptions`',
    ],
  ],
  [
    'rules: {}\noverrides: {}',
    [
      '#/overrides Unexpected `overrides`, expected a list (For example, `overrides: [{ files: ["v2/**/*.yaml"], rules: { some-rule: off } }]`)',
    ],
  ],
  [
    'rules: {}\noverrides: [{ rules: {} }]',
    ['#/overrides/0 Missing `files`, expected a list of patterns (For example, `files: ["v2/**/*.yaml"]`)'],
  ],
  [
    'rules: {}\noverrides: [{ files: ["#/a"], rules: {} }]',
    ['#/overrides/0/files/0 Unexpected value in `files`, expected a pattern such as `v2/**/*.yaml` (Did you mean `**#/a`?)'],
  ],
  [
    'rules: {}\noverrides: [{ files: ["a#b"], rules: {} }]',
    ['#/overrides/0/files/0 Unexpected `#b`, expected `#/` (Write it as a JSON Pointer, for example `**#/paths/~1pets`)'],
  ],
  [
    'rules: {}\noverrides: [{ files: ["a"], rules: { x: off } }]',
    ['#/overrides/0/rules/x Unknown rule `x`, expected a rule of an extended ruleset'],
  ],
  [
    'rules: {}\noverrides: [{ files: ["a#/b"], rules: { x: true } }]',
    [
      '#/overrides/0/rules/x Unexpected value of the rule `x`, expected a severity for the JSON Pointers in `files`',
      '#/overrides/0/rules/x Unknown rule `x`, expected a rule of an extended ruleset',
    ],
  ],
  ['rules: {}\nexcept: { a: x }', ['#/except/a Unexpected value in `except`, expected a list of rules']],
  ['rules: {}\nfunctions: check', ['#/functions Unexpected `functions`, expected a list of names']],
  ['rules: {}\nfunctions: [check]\nfunctionsDir: ./fn', ['#/functions/0 Cannot read `fn/check.js`']],
])('reports the mistakes in %j', async (text, problems) => {
  expect((await read(text)).problems).toEqual(problems.map((line) => `rules.yaml${line}`))
})

test.each([
  ['given: $.info', ['/a Rule `a` without `given` or `then`, expected both in a rule that no extended ruleset has']],
  [
    'given: info\n    then: { function: truthy }',
    [
      '/a/given Unexpected expression, expected a JSONPath such as `$.paths[*]`, or an alias such as `#Operation` (Did you mean `$.info`?)',
    ],
  ],
  ['given: []\n    then: { function: truthy }', ['/a/given Empty list, expected at least one expression']],
  [
    'given: [$.a, "$.b["]\n    then: { function: truthy }',
    ['/a/given/1 Cannot read the JSONPath `$.b[`: expected a name, number, `*` or filter but found the end'],
  ],
  ['given: "#Op"\n    then: { function: truthy }', ['/a/given Unknown alias `Op`']],
  ['given: $\n    then: []', ['/a/then Empty list, expected at least one `function`']],
  ['given: $\n    then: truthy', ['/a/then Unexpected `then`, expected a mapping with `function`']],
  [
    'given: $\n    then: { field: a }',
    ['/a/then Missing `function`, expected the name of a function (For example, `function: truthy`)'],
  ],
  ['given: $\n    then: { functon: truthy }', ['/a/then/functon Missing `function`, found `functon` (Did you mean `function`?)']],
  ['givn: $\n    then: { function: truthy }', ['/a/givn Unknown key in the rule `a`: `givn` (Did you mean `given`?)']],
  ['given: $\n    than: { function: truthy }', ['/a/than Unknown key in the rule `a`: `than` (Did you mean `then`?)']],
  ['given: $\n    then: { function: truty }', ['/a/then/function Unknown function `truty` (Did you mean `truthy`?)']],
  [
    'given: $\n    then: { function: pattern }',
    [
      '/a/then/function Missing `functionOptions` of the function `pattern`, expected a mapping (For example, `functionOptions: { match: "^[a-z]+$" }`)',
    ],
  ],
  [
    'given: $\n    then: [{ function: pattern, functionOptions: { match: 1 } }]',
    [
      '/a/then/0/functionOptions/match Wrong option `match` of the function `pattern`, expected a regular expression as a string (For example, `functionOptions: { match: "^[a-z]+$" }`)',
    ],
  ],
  ['given: $\n    then: { function: truthy, field: 1 }', ['/a/then/field Unexpected `field`, expected a string']],
])('reports the rule with %j, and applies the others', async (rule, problems) => {
  const { rules, problems: found } = await read(`rules:\n  a:\n    ${rule}\n  b:\n    ${info}`)
  expect(found).toEqual(problems.map((line) => `rules.yaml#/rules${line}`))
  expect(rules).toEqual(['b warning $.info'])
})

test.each([
  ['severty: error', '/severty Unknown key in the rule `a`: `severty` (Did you mean `severity`?)'],
  ['severity: fatal', '/severity Unexpected `severity`, expected `error`, `warn`, `info`, `hint` or `off`'],
  ['recommended: 1', '/recommended Unexpected `recommended`, expected `true` or `false`'],
  ['message: [a]', '/message Unexpected `message`, expected a string'],
])('reports %s, and applies the rest of the rule', async (field, problem) => {
  const { rules, problems } = await read(`rules:\n  a:\n    ${field}\n    ${info}`)
  expect(problems).toEqual([`rules.yaml#/rules/a${problem}`])
  expect(rules).toEqual(['a warning $.info'])
})

test('accepts other keys in `then`, as Spectral does, and reports misspelt ones as warnings', async () => {
  const { rules, problems } = await read(
    'rules:\n  a:\n    given: $\n    then: { function: truthy, note: 1, functionoptions: {} }',
  )
  expect(problems).toEqual([
    'rules.yaml#/rules/a/then/functionoptions warning Missing `functionOptions`, found `functionoptions` (Did you mean `functionOptions`?)',
  ])
  expect(rules).toEqual(['a warning $'])
})

test.each([
  ['extends: missing.yaml\nrules: { any: off, other: { message: a } }', ['/extends Cannot read `missing.yaml`']],
  ['extends: spectral:asyncapi\nrules: { asyncapi-servers: off, other: off }', ['/extends', '/rules/other']],
  ['extends: middle.yaml\nrules: { arazzo-x: off, other: off }', ['/rules/other']],
])('does not report rules that an unread ruleset can have: %j', async (text, expected) => {
  const { problems } = await read({ 'rules.yaml': text, 'middle.yaml': 'extends: [spectral:arazzo]' })
  const own = problems.filter((problem) => problem.startsWith('rules.yaml#'))
  expect(own.map((problem) => problem.slice('rules.yaml#'.length))).toEqual(
    expected.map((start) => expect.stringContaining(start)),
  )
})

test('suggests rules and aliases with similar names', async () => {
  const text = `extends: base.yaml\naliases: { Operation: [$] }\nrules:\n  aa: off\n  c:\n    given: '#Operatoin'\n    then: { function: truthy }`
  const { problems } = await read({ 'rules.yaml': text, 'base.yaml': base.replace('  a:', '  aaa:') })
  expect(problems).toEqual([
    'rules.yaml#/rules/aa Unknown rule `aa`, expected a rule of an extended ruleset (Did you mean `aaa`?)',
    'rules.yaml#/rules/c/given Unknown alias `Operatoin` (Did you mean `Operation`?)',
  ])
})

test('reports invalid YAML, and reads a ruleset with duplicate keys', async () => {
  expect((await read('rules: {')).problems[0]).toMatch(/^rules\.yaml# /)
  expect(await read(`rules:\n  a:\n    ${info}\n  a:\n    ${info}`)).toMatchObject({
    rules: ['a warning $.info'],
    problems: ['rules.yaml# warning Unexpected duplicate key `a` (Remove or rename one of the two)'],
  })
})

test.each([
  ['A: ["#A"]', 'Alias `A` refers to itself: A → A'],
  ['A: ["#B"]\n  B: ["#A"]', 'Alias `A` refers to itself: A → B → A'],
])('reports circular aliases', async (circular, message) => {
  const { problems } = await read(`aliases:\n  ${circular}\nrules:\n  a:\n    given: "#A"\n    then: { function: truthy }`)
  expect(problems).toEqual([`rules.yaml#/rules/a/given ${message}`])
})

test('ends aliases that stand for any number of expressions', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `  A${index}: ["#A${index + 1}", "#A${index + 1}"]`)
  const text = `aliases:\n${names.join('\n')}\n  A20: [$]\nrules:\n  a:\n    given: "#A0"\n    then: { function: truthy }`
  expect((await read(text)).problems).toEqual([
    'rules.yaml#/rules/a/given Aliases stand for more than 1000 expressions, or for one that is too long',
  ])
})

test('ends rules with too many expressions together', async () => {
  const expressions = Array.from({ length: 900 }, (_, index) => `$.a${index}`)
  const rules = Array.from({ length: 20 }, (_, index) => `  r${index}: { given: '#A', then: { function: truthy } }`)
  const { ruleset, problems } = await read(`aliases:\n  A: [${expressions.join(', ')}]\nrules:\n${rules.join('\n')}`)
  expect(ruleset.rules.size).toBe(11)
  expect(problems).toEqual([
    expect.stringContaining('rules.yaml#/rules/r11 The rules can have at most 10000 expressions together'),
  ])
})

test('ends patterns with too many alternatives together', async () => {
  const files = Array.from({ length: 100 }, () => `'${'{a,b}'.repeat(7)}'`)
  const { problems } = await read(`rules: {}\noverrides: [{ files: [${files.join(', ')}], rules: {} }]`)
  expect(problems).toEqual([
    'rules.yaml#/overrides/0/files/18 The patterns in `files` can have at most 20000 characters together',
  ])
})

test('ends a ruleset with too many rules', async () => {
  const rules = Array.from({ length: 10_000 }, (_, index) => `  r${index}: { given: $, then: { function: truthy } }`)
  const { ruleset, problems } = await read(`rules:\n${rules.join('\n')}`)
  expect(ruleset.rules.size).toBe(rulesetLimits.rules)
  expect(problems).toEqual([
    'rules.yaml#/rules/r2000 A ruleset can have at most 2000 rules (The rules from here on are not applied. Remove rules that no document needs)',
  ])
})

test('ends a ruleset with too many files, problems and overrides', async () => {
  const many = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join('\n')
  const files = { 'rules.yaml': `extends:\n${many(101, () => '- base.yaml')}`, 'base.yaml': base }
  expect((await read(files)).problems).toEqual([
    'rules.yaml#/extends/100 A ruleset can have at most 100 files (Merge some of the files)',
  ])
  const { problems } = await read(`rules: {}\naliases:\n${many(1_500, (index) => `  ${index}: [$]`)}`)
  expect([problems.length, problems.at(-1)]).toEqual([
    1_001,
    'rules.yaml# More than 1000 problems in rulesets, the others are not reported',
  ])
  const { problems: tooMany } = await read(
    `rules: {}\noverrides:\n${many(201, (index) => `- { files: [f${index}], rules: {} }`)}`,
  )
  expect(tooMany).toEqual(['rules.yaml#/overrides/200 A ruleset can have at most 200 entries of `overrides`'])
})

test('reads no names from the prototype of objects', async () => {
  const text =
    'rules:\n  constructor: off\n  a: { given: "#toString", then: { function: valueOf } }\n  b: { given: "#toString", then: { function: truthy } }'
  expect((await read(text)).problems).toEqual([
    'rules.yaml#/rules/a/then/function Unknown function `valueOf` (List your functions in `functions`)',
    'rules.yaml#/rules/constructor Unknown rule `constructor`, expected a rule of an extended ruleset',
    'rules.yaml#/rules/b/given Unknown alias `toString`',
  ])
})
