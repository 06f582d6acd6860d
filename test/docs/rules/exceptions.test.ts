import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../../src/diagnostics/finish-diagnostics.ts'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { applyExceptions } from '../../../src/docs/rules/exceptions.ts'
import { listExamples } from '../../diagnostics/documented-diagnostics.ts'
import { completeExample } from '../../openapi/complete-example.ts'
import { checkFiles } from '../../support/check-text.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'

const document = `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /pets:
    get:
      tags: [a]
      responses: { "200": { description: Fine } }
    post:
      tags: [b]
      responses: { "200": { description: Fine } }
tags: [{ name: c }]
`

/** Problems as `line code message`. */
async function check(tree: Tree, options: { readonly inlineIgnore?: boolean } = {}, entries = ['openapi.yaml']) {
  const { diagnostics, documents } = await runCheck({ entries }, toAccess(tree), options)
  const lines = diagnostics.map(({ file, range, code, message }) => {
    return `${file === 'openapi.yaml' ? '' : `${file}:`}${range.start.line} ${code} ${message}`
  })
  return { lines, documents }
}

const linesOf = async (text: string, more: Tree = {}) => (await check({ 'openapi.yaml': text, ...more })).lines

const codesOf = (lines: readonly string[]) => lines.map((line) => line.split(' ').slice(0, 2).join(' '))

test('the document has two problems without exceptions', async () => {
  expect(codesOf(await linesOf(document))).toEqual(['6 tag-undeclared', '9 tag-undeclared'])
})

describe('x-lint-ignore', () => {
  test('ignores the problems of its object and everything below', async () => {
    const text = document.replace('    get:\n', '    get:\n      x-lint-ignore: { tag-undeclared: Not yet }\n')
    expect(codesOf(await linesOf(text))).toEqual(['10 tag-undeclared'])
  })

  test('ignores all problems of a document', async () => {
    expect(await linesOf(`${document}x-lint-ignore: { tag-undeclared: Not yet }\n`)).toEqual([])
  })

  test('works in JSON', async () => {
    const value = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/pets': { get: { responses: { 200: { description: 'Fine' } } } } },
      components: {
        schemas: { A: { type: 'string', 'x-lint-ignore': { 'unused-component': 'Not yet' } }, B: { type: 'string' } },
      },
    }
    const { lines } = await check({ 'openapi.json': JSON.stringify(value) }, {}, ['openapi.json'])
    expect(lines).toEqual([expect.stringContaining('`B`')])
  })

  test('is reported if it ignores nothing', async () => {
    const text = `${document}x-lint-ignore: { tag-undeclared: Not yet, path-ambiguous: Not yet }\n`
    expect(await linesOf(text)).toEqual([
      '12 unused-exception Unexpected exception for `path-ambiguous`, which reports no problem here',
    ])
  })

  test.each([
    ['{ tag-undeclared: "" }', 'Missing reason of the exception for `tag-undeclared`'],
    ['{ tag-undeclared: true }', 'Missing reason of the exception for `tag-undeclared`'],
    ['[tag-undeclared]', 'Unexpected value for `x-lint-ignore`, expected a mapping from rules to reasons'],
    ['tag-undeclared', 'Unexpected value for `x-lint-ignore`, expected a mapping from rules to reasons'],
  ])('has no effect without a reason: %s', async (value, message) => {
    const lines = await linesOf(`${document}x-lint-ignore: ${value}\n`)
    expect(codesOf(lines)).toEqual(['6 tag-undeclared', '9 tag-undeclared', '12 exception-syntax'])
    expect(lines.at(-1)).toBe(`12 exception-syntax ${message}`)
  })

  test('is used if one of the objects that share it by an alias uses it', async () => {
    const text = document
      .replace('    get:\n', '    get: &get\n      x-lint-ignore: { tag-undeclared: Not yet }\n')
      .replace(
        '    post:\n      tags: [b]\n      responses: { "200": { description: Fine } }\n',
        '    put: { <<: *get, tags: [] }\n',
      )
    expect(await linesOf(text)).toEqual([])
  })

  test('is allowed in objects without extension fields', async () => {
    const text = document.replace('3.1.0', '3.0.4').concat(`components:
  schemas:
    Pet:
      x-lint-ignore: { unused-component: Not yet }
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind, x-lint-ignore: { discriminator-property: Not yet } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
`)
    const lines = await linesOf(text)
    expect(lines.filter((line) => line.includes('x-lint-ignore'))).toEqual([])
  })
})

describe('comments', () => {
  const withComment = (line: string, comment: string) => document.replace(line, `${comment}\n${line}`)
  const marker = '      # openapi-pages-ignore-next-line'

  test('ignore the problems of the next line', async () => {
    expect(codesOf(await linesOf(withComment('      tags: [a]', `${marker} tag-undeclared: Not yet`)))).toEqual([
      '10 tag-undeclared',
    ])
  })

  test('name several rules', async () => {
    const lines = await linesOf(withComment('      tags: [a]', `${marker} path-ambiguous, tag-undeclared: Not yet`))
    expect(codesOf(lines)).toEqual(['6 unused-exception', '10 tag-undeclared'])
  })

  test.each([
    ['tag-undeclared', 'Missing reason of the exception for `tag-undeclared`'],
    ['tag-undeclared:', 'Missing reason of the exception for `tag-undeclared`'],
    ['', 'Missing rule of the exception'],
    [': Not yet', 'Missing rule of the exception'],
  ])('have no effect without rule and reason: %j', async (comment, message) => {
    const lines = await linesOf(withComment('      tags: [a]', `${marker} ${comment}`))
    expect(codesOf(lines)).toEqual(['6 exception-syntax', '7 tag-undeclared', '10 tag-undeclared'])
    expect(lines[0]).toBe(`6 exception-syntax ${message}`)
  })

  test('are text in a description', async () => {
    const text = document.replace('title: T,', 'title: T, description: "# openapi-pages-ignore-next-line tag-undeclared: x",')
    expect(codesOf(await linesOf(text))).toEqual(['6 tag-undeclared', '9 tag-undeclared'])
  })
})

describe('errors that make a document invalid', () => {
  const invalid = document.replace('      tags: [a]\n', '      sumary: A\n      tags: []\n').replace('tags: [b]', 'tags: []')

  test('are not ignored', async () => {
    const { lines, documents } = await check({ 'openapi.yaml': `${invalid}x-lint-ignore: { unknown-field: Not yet }\n` })
    expect(codesOf(lines)).toEqual(['6 unknown-field', '13 unused-exception'])
    expect(lines[1]).toBe(
      '13 unused-exception Cannot make an exception for `unknown-field`: the error makes the document invalid',
    )
    expect(documents).toMatchObject([{ valid: false, errorCount: 1, warningCount: 1 }])
  })

  test('hide unused exceptions, because checks may not have run', async () => {
    expect(codesOf(await linesOf(`${invalid}x-lint-ignore: { path-ambiguous: Not yet }\n`))).toEqual(['6 unknown-field'])
  })

  test('are ignored as warnings', async () => {
    const text = `${document.replaceAll(/tags: \[.\]/g, 'operationId: same')}x-lint-ignore: { operation-id-unique: Not yet }\n`
    const rules = 'rules: { operation-id-unique: warning }\n'
    expect(await linesOf(text, { 'openapi-pages.config.yaml': rules })).toEqual([])
  })
})

test('an exception from a rule that is off is not reported', async () => {
  const text = `${document}x-lint-ignore: { tag-undeclared: Not yet, path-ambiguous: Not yet }\n`
  const rules = 'rules: { tag-undeclared: off, path-ambiguous: off }\n'
  expect(await linesOf(text, { 'openapi-pages.config.yaml': rules })).toEqual([])
})

test('the configuration changes the severity of problems of exceptions', async () => {
  const text = `${document}x-lint-ignore: { tag-undeclared: Not yet, path-ambiguous: Not yet, array-items: "" }\n`
  const rules = 'rules: { unused-exception: off, exception-syntax: off }\n'
  expect(await linesOf(text, { 'openapi-pages.config.yaml': rules })).toEqual([])
})

test('a warning that the configuration makes an error is ignored, so the document is valid', async () => {
  const tree = {
    'openapi.yaml': `${document}x-lint-ignore: { tag-undeclared: Not yet }\n`,
    'openapi-pages.config.yaml': 'rules: { tag-undeclared: error }\n',
  }
  const { lines, documents } = await check(tree)
  expect(lines).toEqual([])
  expect(documents).toMatchObject([{ valid: true, errorCount: 0 }])
})

describe('exceptions have no effect and are not checked', () => {
  const text = `${document}x-lint-ignore: { tag-undeclared: Not yet, path-ambiguous: Not yet }\n`

  test('with `--no-inline-ignore`', async () => {
    const { lines } = await check({ 'openapi.yaml': text }, { inlineIgnore: false })
    expect(codesOf(lines)).toEqual(['6 tag-undeclared', '9 tag-undeclared'])
  })

  test('with `inlineIgnore: false`', async () => {
    const lines = await linesOf(text, { 'openapi-pages.config.yaml': 'inlineIgnore: false\n' })
    expect(codesOf(lines)).toEqual(['6 tag-undeclared', '9 tag-undeclared'])
  })
})

describe('in files that a document references', () => {
  const pet = 'Pet:\n  x-lint-ignore: { default-mismatch: Not yet }\n  type: string\n  default: 1\nCat:\n'
  const using = document
    .replace(
      '"200": { description: Fine }',
      '"200": { description: Fine, content: { text/plain: { schema: { $ref: "s.yaml#/Pet" } } } }',
    )
    .replaceAll(/tags: \[.\]/g, 'tags: []')

  test('they apply', async () => {
    expect(await linesOf(using, { 's.yaml': `${pet}  type: string\n` })).toEqual([])
  })

  test('unused parts are not checked, so their exceptions are not reported', async () => {
    const cat = '  # openapi-pages-ignore-next-line array-items: Not yet\n  type: array\n'
    expect(await linesOf(using, { 's.yaml': pet + cat })).toEqual([])
  })
})

test.each([
  ['a.yaml', 'b.yaml'],
  ['b.yaml', 'a.yaml'],
])('an exception in a file that several documents share is used if one of them uses it: %s, %s', async (...entries) => {
  const toDocument = (path: string) => `openapi: 3.1.0
info: { title: T, version: "1" }
paths: { ${path}: { $ref: "shared.yaml#/pets" } }
tags: [{ name: ${path === '/a' ? 'a' : 'c'} }]
`
  const shared = document.slice(document.indexOf('    get:'), document.indexOf('tags: [{')).replaceAll(/^ {2}/gm, '')
  const tree = {
    'a.yaml': toDocument('/a'),
    'b.yaml': toDocument('/b'),
    'shared.yaml': `pets:\n  x-lint-ignore: { path-ambiguous: Not yet }\n${shared}`
      .replace('tags: [b]', 'tags: []')
      .replace('    tags: [a]', '    x-lint-ignore: { tag-undeclared: Not yet }\n    tags: [a]'),
  }
  const { lines, documents } = await check(tree, {}, entries)
  expect(codesOf(lines)).toEqual(['shared.yaml:2 unused-exception'])
  expect(documents.map(({ warningCount }) => warningCount)).toEqual([1, 1])
})

test('an overlay can add an exception', async () => {
  const overlay = `overlay: 1.1.0
info: { title: O, version: "1" }
actions:
  - target: $
    update: { x-lint-ignore: { tag-undeclared: Not yet, path-ambiguous: Not yet } }
`
  const { diagnostics } = await runCheck(
    { entries: ['openapi.yaml'] },
    toAccess({ 'openapi.yaml': document, 'overlay.yaml': overlay }),
    { overlays: ['overlay.yaml'] },
  )
  expect(diagnostics.map(({ file, range, code }) => `${file}:${range.start.line} ${code}`)).toEqual([
    'overlay.yaml:5 unused-exception',
  ])
})

test('a document with very many exceptions has the first of them', async () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `rule-${index}`)
  const exceptions = names.map((name) => `${name}: x`).join(', ')
  const { lines } = await check({
    'openapi.yaml': `${document}x-lint-ignore: { tag-undeclared: x, ${exceptions}, path-ambiguous: x }\n`,
  })
  expect(lines).toContain('12 exception-syntax More than 20,000 exceptions. The rest have no effect')
  expect(lines.filter((line) => / tag-undeclared |path-ambiguous/.test(line))).toEqual([])
})

test('very many comments before a line with very many values take little time', async () => {
  const comments = '# openapi-pages-ignore-next-line tag-undeclared: x\n'.repeat(15_000)
  const { lines } = await check({ 'openapi.yaml': `${document}${comments}x-values: [${'a, '.repeat(15_000)}a]\n` })
  expect(lines.filter((line) => line.includes('unused-exception'))).toHaveLength(15_000)
})

describe('rules of a ruleset', () => {
  const broken = (name: string, pointer: string, severity: Finding['severity'] = 'error'): Finding => {
    return { code: 'ruleset', rule: { name }, severity, message: 'Broken', file: 'openapi.yaml', pointer }
  }

  async function apply(text: string, findings: readonly Finding[], rules?: readonly string[]) {
    const checked = await checkFiles({ 'openapi.yaml': text })
    const use = { findings, severities: new Map(), rules: rules && new Set(rules) }
    const applied = await applyExceptions(use, checked)
    const left = [...applied.findings, ...applied.problems, ...applied.unused.map(({ finding }) => finding)]
    const diagnostics = await finishDiagnostics(left, (file) => checked.sources.get(file))
    return diagnostics.map(({ range, code, rule, message, hint }) => [range.start.line, rule?.name ?? code, message, hint])
  }

  const name = 'owasp:api1:2023-no-numeric-ids'
  const get = '/paths/~1pets/get'

  test('are ignored by name, also as errors, and names can contain colons', async () => {
    const text = document
      .replace('    get:\n', `    # openapi-pages-ignore-next-line ${name}: Old clients\n    get:\n`)
      .replace('    post:\n', `    post:\n      x-lint-ignore: { ${name}: Old clients }\n`)
    const findings = [broken(name, get), broken('other', get), broken(name, '/paths/~1pets/post/tags/0')]
    expect(await apply(text, findings, [name, 'other'])).toEqual([[7, 'other', 'Broken', undefined]])
  })

  test('have a hint if no rule has the name of an exception', async () => {
    const text = `${document}x-lint-ignore: { owasp:api1:2023-no-numeric-id: Old clients }\n`
    expect(await apply(text, [], [name])).toEqual([
      [
        12,
        'unused-exception',
        'Unexpected exception for `owasp:api1:2023-no-numeric-id`, which reports no problem here',
        `Did you mean \`${name}\`?`,
      ],
    ])
  })

  test('are not reported as unused if not all rules have run', async () => {
    expect(await apply(`${document}x-lint-ignore: { ${name}: Old clients }\n`, [])).toEqual([])
  })

  test('do not hide problems in a property or an example with the name of the field', async () => {
    const text = `${document}components:
  schemas:
    A:
      type: object
      example: { x-lint-ignore: { type: string } }
      properties: { x-lint-ignore: { type: string } }
`
    const findings = [
      broken(name, '/components/schemas/A/properties/x-lint-ignore'),
      broken('other', '/components/schemas/A/example/x-lint-ignore/type'),
    ]
    expect(await apply(text, findings, [name, 'other'])).toEqual([
      [16, 'other', 'Broken', undefined],
      [17, name, 'Broken', undefined],
    ])
  })

  test('do not apply to the field itself', async () => {
    const text = document.replace('    get:\n', '    get:\n      x-lint-ignore: { other: Old clients }\n')
    const findings = [broken(name, `${get}/x-lint-ignore/other`), broken('other', get)]
    expect(await apply(text, findings, [name, 'other'])).toEqual([])
  })
})

test.each(listExamples('exception'))('$code: the $verdict example', async ({ code, verdict, text }) => {
  const lines = await linesOf(completeExample(text))
  const ofExceptions = codesOf(lines).filter((line) => /exception/.test(line))
  expect(ofExceptions.map((line) => line.split(' ')[1])).toEqual(verdict === 'wrong' ? [code] : [])
})
