import { describe, expect, test } from 'vitest'
import { checkFiles, checkValue, diagnosticLines } from '../support/check-text.ts'

const info = 'info: {title: Pets, version: 1.0.0}'

describe('reports each problem once, with what was found, what was expected and a hint', () => {
  test('a misspelled field', async () => {
    const lines = await diagnosticLines(
      `openapi: 3.1.0\n${info}\npaths:\n  /pets:\n    get:\n      sumary: List\n      responses: {'200': {description: OK}}\n`,
    )
    expect(lines).toEqual(['6:7 unknown-field Unexpected field `sumary` in an Operation Object · Did you mean `summary`?'])
  })

  test('missing fields, at the key of the object', async () => {
    const lines = await diagnosticLines(
      `openapi: 3.1.0\ninfo:\n  title: Pets\npaths:\n  /pets:\n    get:\n      responses:\n        '200':\n          content: {}\n`,
    )
    expect(lines).toEqual([
      '2:1 missing-field Missing `version` in the Info Object · Add `version: 1.0.0`',
      '8:9 missing-field Missing `description` in response `200` · Add `description: OK`',
    ])
  })

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

  test('misspelled values, without a second error about the path parameter', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0
${info}
paths:
  /pets/{id}:
    get:
      parameters:
        - name: id
          in: paht
          required: true
          schema: {type: strng}
`)
    expect(lines).toEqual([
      '8:15 wrong-value Unexpected `paht` for `in`, expected one of `path`, `query`, `header`, `cookie` · Did you mean `path`?',
      '10:26 wrong-value Unexpected `strng` for `type`, expected one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string` · Did you mean `string`?',
    ])
  })

  test('a number as the version, a mapping instead of a list, and a number as a status code', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0
info: {title: Pets, version: 1.0}
paths:
  /pets:
    get:
      parameters:
        name: limit
      responses:
        200: {description: OK}
`)
    expect(lines).toEqual([
      '2:30 wrong-type Unexpected number for `version`, expected a string · Quote the value: `version: "1.0"`',
      '7:9 wrong-type Unexpected mapping for `parameters`, expected a list · Put `- ` before each parameter',
      "9:9 info response-code-quotes Unexpected number for a response code, expected `'200'` · Quote response codes, or run `openapi-pages check --fix`",
    ])
  })

  test('a bracket with the indentation of its key', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0
info: {title: Pets, version: "1"}
tags: [
  {name: a},
]
paths: {}
x: 1
`)
    expect(lines).toEqual([
      '5:1 warning yaml-syntax Unexpected `]` with the indentation of its key, expected more: not all YAML parsers accept it · Indent the bracket',
      '7:1 unknown-field Unexpected field `x` in an OpenAPI Object · Remove it, or prefix extension fields with `x-`',
    ])
  })

  test('a quoted value that continues at the start of a line', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0
info:
  title: "Pets
of Cambridge"
  version: '1
0'
paths: {}
x: 1
`)
    expect(lines).toEqual([
      '4:1 warning yaml-syntax Unexpected line of a quoted value with the indentation of its key, expected more: not all YAML parsers accept it · Indent the line',
      '6:1 warning yaml-syntax Unexpected line of a quoted value with the indentation of its key, expected more: not all YAML parsers accept it · Indent the line',
      '8:1 unknown-field Unexpected field `x` in an OpenAPI Object · Remove it, or prefix extension fields with `x-`',
    ])
  })

  test('the same in JSON', async () => {
    const lines = await diagnosticLines({
      'openapi.json': '{"openapi": "3.1.0", "info": {"title": "Pets", "version": 1.0}, "paths": {"/pets": {"parameters": {}}}}',
    })
    expect(lines).toEqual([
      'openapi.json:1:59 wrong-type Unexpected number for `version`, expected a string · Quote the value: `"version": "1.0"`',
      'openapi.json:1:99 wrong-type Unexpected mapping for `parameters`, expected a list · Put the entries in `[ ]`',
    ])
  })

  test('a value with a colon', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0\n${info}\npaths:\n  /pets:\n    get:\n      summary: List: all pets\n`)
    expect(lines).toEqual([
      '6:20 yaml-syntax Cannot read the YAML: a value that contains `: ` needs quotes · Write `summary: "List: all pets"`',
    ])
  })

  test('a trailing comma in JSON', async () => {
    const lines = await diagnosticLines({ 'openapi.json': '{"openapi": "3.1.0", "paths": {},}' })
    expect(lines).toEqual(['openapi.json:1:33 json-syntax Cannot read the JSON: unexpected `,` before `}` · Remove it'])
  })

  test('a field of 3.1 in 3.0, an unused path parameter and a duplicate operationId', async () => {
    const lines = await diagnosticLines(`openapi: 3.0.3
${info}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: id, in: path, required: true, schema: {type: [string, "null"]}}
      responses: {'200': {description: OK}}
  /cats:
    get:
      operationId: listPets
      responses: {'200': {description: OK}}
`)
    expect(lines).toEqual([
      '8:11 path-parameter Unexpected path parameter `id`: `/pets` has no `{id}` · Add `{id}` to the path, or remove the parameter',
      '8:63 wrong-type Unexpected list for `type`: lists require OpenAPI 3.1, but this document uses 3.0.3 · Write `type: string` and `nullable: true`',
      '12:20 operation-id-unique Unexpected duplicate `operationId` `listPets`, expected a unique value · Rename one of the two',
    ])
  })

  test.each([
    [
      'webhooks: {}',
      '4:1 unknown-field Unexpected field `webhooks` in an OpenAPI Object: it requires OpenAPI 3.1, but this document uses 3.0.3 · Remove it, or change the document to `openapi: 3.1.1`',
    ],
    [
      'components: {schemas: {A: {const: 1}}}',
      '4:28 unknown-field Unexpected field `const` in a Schema Object: it requires OpenAPI 3.1, but this document uses 3.0.3 · In OpenAPI 3.0, write `enum` with one value',
    ],
    [
      'components: {schemas: {A: {exclusiveMinimum: 5}}}',
      '4:46 wrong-type Unexpected number for `exclusiveMinimum`, expected `true` or `false` · In OpenAPI 3.0, write `minimum: 5` and `exclusiveMinimum: true`',
    ],
    [
      'components: {schemas: {A: {required: true}}}',
      '4:38 wrong-type Unexpected `true` for `required`, expected a list · Add the property to the `required` list of its parent object',
    ],
    [
      'components: {schemas: {A: {description: }}}',
      '4:28 wrong-type Unexpected `null` for `description`, expected a string · Add a value or remove the key',
    ],
    [
      'components: {schemas: {A: {maxLength: "5"}}}',
      '4:39 wrong-type Unexpected string for `maxLength`, expected a non-negative integer · Remove the quotes',
    ],
    [
      'components: {schemas: {A: {type: file}}}',
      '4:34 wrong-value Unexpected `file` for `type`, expected one of `array`, `boolean`, `integer`, `number`, `object`, `string` · Write `type: string` and `format: binary`',
    ],
    [
      'components: {schemas: {A: {pattern: "("}}}',
      '4:37 warning pattern-syntax Unexpected `(` for `pattern`, expected a valid JavaScript regular expression',
    ],
    ['tags: [1]', '4:8 wrong-type Unexpected number for an entry of `tags`, expected a mapping (Tag Object)'],
    [
      'tags: [{name: a}, {name: a}]',
      '4:26 tag-unique Unexpected duplicate tag `a`, expected each name once · Remove one of the two',
    ],
    [
      'security: [{key: []}]',
      '4:13 security-scheme Unexpected security scheme `key`, expected a scheme declared in `components.securitySchemes` · Declare it in `components.securitySchemes`',
    ],
    [
      'servers: [{url: "https://{region}.example.com"}]',
      '4:17 warning server-variable Unexpected `{region}` in a server URL, expected a name declared in `variables` · Add `region` with a `default` to `variables`',
    ],
    [
      'servers: [{url: "/{a}", variables: {a: {default: x, enum: [y]}}}]',
      '4:50 warning server-variable Unexpected `x` for `default` of server variable `a`, expected one of its `enum` values · Did you mean `y`?',
    ],
    [
      'components: {schemas: {"New Pet": {}}}',
      '4:24 warning wrong-name Unexpected `New Pet` for a name, expected only letters, digits, `.`, `-` and `_`',
    ],
  ])('%s', async (line, expected) => {
    expect(await diagnosticLines(`openapi: 3.0.3\n${info}\npaths: {}\n${line}\n`)).toEqual([expected])
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

  test('reads 1,000 levels of nesting and reports deeper nesting once', async () => {
    expect(await diagnosticLines({ 'a.json': schemaOf(nested(990)) })).toEqual([])
    const [line, ...more] = await diagnosticLines({ 'a.json': schemaOf(nested(100_000)) })
    expect(line).toMatch(
      /^a\.json:1:\d+ too-complex Unexpected nesting of more than 1000 levels · Move inner parts to `components` and refer to them with `\$ref`\. `limits\.nesting` is already at its maximum of 1000$/,
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

  test('stops after 100,000 problems and reports that', async () => {
    const info = {
      title: 'a',
      version: '1',
      ...Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`own${index}`, 1])),
    }
    const { findings } = await checkValue({ openapi: '3.1.0', info, paths: {} })
    expect(findings).toHaveLength(100_001)
    expect(findings.at(-1)).toMatchObject({ code: 'too-complex' })
  })

  test('a schema shared by an alias is checked at both places', async () => {
    const lines = await diagnosticLines(`openapi: 3.1.0\n${info}\ncomponents:\n  schemas:\n    A: &a {type: 5}\n    B: *a\n`)
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['wrong-type', 'wrong-type'])
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
