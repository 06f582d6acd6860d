import { describe, expect, test } from 'vitest'
import { checkFiles, checkValue, diagnosticLines } from '../../support/check-text.ts'

const info = 'info: {title: Pets, version: 1.0.0}'

describe('reports each problem once, with what was found, what was expected and a hint', () => {
  test('a reference to a misspelled name, with the location of the right one', async () => {
    const text = `openapi: 3.1.0
${info}
components:
  responses:
    Pets:
      description: OK
      content:
        application/json:
          schema: {$ref: '#/components/schemas/Pett'}
  schemas:
    Pet: {type: object}
`
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
    expect(diagnostics).toMatchObject([
      {
        code: 'reference-unresolved',
        message: 'Cannot find `#/components/schemas/Pett`: `components.schemas` has no `Pett`',
        hint: 'Did you mean `Pet`?',
        range: { start: { line: 9, column: 26 } },
        related: [{ range: { start: { line: 11, column: 5 } }, message: '`Pet` is here' }],
      },
    ])
  })
})

describe('the version', () => {
  test.each([
    [
      'swagger: "2.0"',
      '1:10 unsupported-version Unexpected Swagger 2.0 document, expected OpenAPI 3.0, 3.1 or 3.2 · Convert it with `npx swagger2openapi <file> --outfile openapi.yaml`',
    ],
    [
      'openapi: 4.0.0',
      '1:10 unsupported-version Unexpected version `4.0.0` for `openapi`, expected 3.0.x, 3.1.x or 3.2.x · Use OpenAPI 3.0, 3.1 or 3.2',
    ],
    [
      'openapi: 3.3.0',
      '1:10 unsupported-version Unexpected version `3.3.0` for `openapi`, expected 3.0.x, 3.1.x or 3.2.x · Write `openapi: 3.2.0` until this version is released',
    ],
    [
      'openapi: 3.3.0-draft.1',
      '1:10 unsupported-version Unexpected version `3.3.0-draft.1` for `openapi`, expected 3.0.x, 3.1.x or 3.2.x · Write `openapi: 3.2.0` until this version is released',
    ],
    [
      'openapi: 3.3',
      '1:10 wrong-type Unexpected number for `openapi`, expected a string · Write `openapi: 3.2.0` until this version is released',
    ],
    ['openapi: 5', '1:10 wrong-type Unexpected number for `openapi`, expected a string · Use OpenAPI 3.0, 3.1 or 3.2'],
    ['openapi: {}', '1:10 wrong-type Unexpected value for `openapi`, expected a version such as `3.1.1`'],
    [`${info}\npaths: {}`, '1:1 not-openapi Missing `openapi` in the OpenAPI Object · Add `openapi: 3.1.1`'],
    ['opanapi: 3.0.0', '1:1 not-openapi Missing `openapi` in the OpenAPI Object, found `opanapi` · Did you mean `openapi`?'],
    ['- 1', '1:1 not-openapi Unexpected content, expected an OpenAPI document: a mapping with `openapi`, `info` and `paths`'],
    ['{"name": "x"}', '1:1 not-openapi Unexpected content, expected an OpenAPI document: the `openapi` field is missing'],
    ['asyncapi: 2.0.0', '1:1 not-openapi Unexpected AsyncAPI document, expected an OpenAPI document'],
    ['', '1:1 empty-document Unexpected empty file, expected an OpenAPI document'],
  ])('%s: reports nothing else', async (text, expected) => {
    const checked = await checkFiles({ 'openapi.yaml': text })
    expect(checked.description).toBeUndefined()
    expect(await diagnosticLines(text)).toEqual([expected])
  })

  test('reports an incomplete version and still checks the rest', async () => {
    const text = `openapi: 3.0\n${info}\npaths: {/pets: {gett: {}}}\n`
    expect(await diagnosticLines(text)).toEqual([
      '1:10 wrong-type Unexpected number for `openapi`, expected a string · Write all three numbers: `openapi: 3.0.4`',
      '3:17 unknown-field Unexpected field `gett` in a Path Item Object · Did you mean `get`?',
    ])
    expect((await checkFiles({ 'openapi.yaml': text })).description).toMatchObject({ release: '3.0', title: 'Pets' })
  })

  test('an entry document that is not there', async () => {
    const checked = await checkFiles({ '../openapi.yaml': '' })
    expect(checked.description).toBeUndefined()
    expect(checked.diagnostics).toMatchObject([
      { code: 'file-outside-boundary', message: 'Cannot read `../openapi.yaml`: it is outside the boundary' },
    ])
  })
})

describe('operations', () => {
  test('stand in page order with what pages need', async () => {
    const { description } = await checkFiles({
      'openapi.yaml': `openapi: 3.2.0
info: {title: Pets, version: 1.0.0}
tags: [{name: pets, x-group: Animals}, {description: nameless}, {name: stores}]
paths:
  /pets:
    additionalOperations:
      LOCK: {summary: Lock}
    query: {summary: Query}
    post: {summary: Create, x-hidden: true, x-excluded: false, deprecated: true}
    get: {summary: List, operationId: list, tags: [pets, 5], description: All, x-hidden: null, x-mint: {href: /a, content: 5}}
  /stores: {$ref: 'stores.yaml#/item'}
  x-own: {get: {}}
webhooks:
  petAdded: {post: {summary: Added}, get: {x-excluded: ''}}
components:
  schemas: {Pet: {}, Cat: {}}
`,
      'stores.yaml': 'item: {delete: {summary: Close}, parameters: []}\n',
    })
    expect(description).toMatchObject({
      release: '3.2',
      version: '3.2.0',
      title: 'Pets',
      tags: [
        { name: 'pets', group: 'Animals' },
        { name: 'stores', group: undefined },
      ],
      schemas: [{ name: 'Pet' }, { name: 'Cat' }],
      webhooks: [
        {
          name: 'petAdded',
          operations: [
            { method: 'get', excluded: true },
            { method: 'post', summary: 'Added' },
          ],
        },
      ],
    })
    expect(description?.operations).toEqual([
      {
        method: 'get',
        pathTemplate: '/pets',
        file: 'openapi.yaml',
        pointer: '/paths/~1pets/get',
        operationId: 'list',
        summary: 'List',
        description: 'All',
        tags: ['pets'],
        deprecated: undefined,
        hidden: false,
        excluded: false,
        parameters: [],
        mint: { metadata: undefined, content: undefined, href: '/a' },
        labels: [],
      },
      expect.objectContaining({ method: 'post', hidden: true, excluded: false, deprecated: true }),
      expect.objectContaining({ method: 'query' }),
      expect.objectContaining({ method: 'LOCK', pointer: '/paths/~1pets/additionalOperations/LOCK' }),
      expect.objectContaining({ method: 'delete', pathTemplate: '/stores', file: 'stores.yaml', pointer: '/item/delete' }),
    ])
  })

  test('of a 3.0 document have no webhooks', async () => {
    const { description } = await checkFiles({
      'openapi.yaml': `openapi: 3.0.3\n${info}\npaths: {}\nwebhooks: {a: {get: {}}}\n`,
    })
    expect(description?.webhooks).toEqual([])
  })
})

describe('limits', () => {
  const nested = (depth: number) => `${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`
  const schemaOf = (schema: string) =>
    `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"components":{"schemas":{"A":${schema}}}}`

  test('reads 250 levels of nesting and reports deeper nesting once', async () => {
    expect(await diagnosticLines({ 'a.json': schemaOf(nested(240)) })).toEqual([])
    const [line, ...more] = await diagnosticLines({ 'a.json': schemaOf(nested(100_000)) })
    expect(line).toMatch(
      /^a\.json:1:\d+ too-complex Unexpected nesting of more than 250 levels · Move inner parts to `components` and refer to them with `\$ref`\. `limits\.nesting` is already at its maximum of 250$/,
    )
    expect(more).toEqual([])
  })

  test('reports aliases that expand too far once', async () => {
    const levels = Array.from({ length: 30 }, (_, level) => `x-${level + 1}: &a${level + 1} [*a${level}, *a${level}]`)
    const lines = await diagnosticLines(`openapi: 3.1.0\n${info}\nx-0: &a0 [1, 2]\n${levels.join('\n')}\n`)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('too-complex')
  })

  test('checks long chains of references and many unresolved ones quickly', async () => {
    const count = 50_000
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`S${index}`, { $ref: `#/components/schemas/S${index + 1}` }]),
    )
    const pathItems = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`P${index}`, { $ref: `#/components/pathItems/Q${index}` }]),
    )
    const document = { openapi: '3.1.0', info: { title: 'a', version: '1' }, components: { schemas, pathItems } }
    const { findings } = await checkValue(document)
    expect(findings).toHaveLength(count + 1)
  })
})

describe('schemas in another dialect', () => {
  const draft4 = 'http://json-schema.org/draft-04/schema#'
  const known = 'https://json-schema.org/draft/2020-12/schema'
  const bounds = 'exclusiveMaximum: true'

  test.each([
    [`components: {schemas: {A: {${bounds}}}}`, 1],
    [`components: {schemas: {A: {$schema: "${known}", ${bounds}}}}`, 1],
    [`components: {schemas: {A: {$schema: "${draft4}", ${bounds}}}}`, 0],
    [`jsonSchemaDialect: "${draft4}"\ncomponents: {schemas: {A: {${bounds}}}}`, 0],
    [`jsonSchemaDialect: "${draft4}"\ncomponents: {schemas: {A: {$schema: "${known}", items: {${bounds}}}}}`, 1],
  ])('%s: %d findings, since only 2020-12 is known', async (line, count) => {
    expect(await diagnosticLines(`openapi: 3.1.0\n${info}\npaths: {}\n${line}\n`)).toHaveLength(count)
  })
})

test.each(['<!doctype html>\n<html><body>Log in</body></html>', '<html>\n<head></head></html>'])(
  '%j is a page, not a document',
  async (text) => {
    const { diagnostics } = await checkFiles({ 'openapi.json': text })
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'not-openapi',
        'Unexpected HTML page, expected an OpenAPI document',
        'Name the OpenAPI document itself, not the page that shows it',
      ],
    ])
  },
)

test.each(['arazzo', 'overlay', 'asyncapi'])('a document with `%s` is of another specification', async (key) => {
  const { diagnostics } = await checkFiles({ 'openapi.yaml': `${key}: 1.0.0\ninfo: { title: A, version: '1' }\n` })
  expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
    [
      expect.stringMatching(/^Unexpected (?:Arazzo|Overlay|AsyncAPI) document, expected an OpenAPI document$/),
      key === 'overlay' ? 'Name the document that it changes, and this file with `--overlay`' : undefined,
    ],
  ])
})

test('suggests replacements for fields of Swagger 2.0', async () => {
  const text = `openapi: 3.0.3
info: { title: A, version: '1' }
host: example.com
basePath: /v1
schemes: [https]
definitions: { A: { type: object } }
securityDefinitions: { key: { type: apiKey, in: header, name: Key } }
consumes: [application/json]
paths:
  /a:
    get:
      produces: [application/json]
      responses: { '200': { description: OK } }
`
  const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
  expect(diagnostics.map(({ range, hint }) => `${range.start.line} ${hint}`)).toEqual([
    '3 Use `servers` instead: `- url: https://api.example.com/v1`',
    '4 Use `servers` instead: `- url: https://api.example.com/v1`',
    '5 Use `servers` instead: `- url: https://api.example.com/v1`',
    '6 Move the schemas to `components.schemas`',
    '7 Move them to `components.securitySchemes`',
    '8 Use the media types as keys of `content` in a `requestBody`',
    '12 Use the media types as keys of `content` in a response',
  ])
})
