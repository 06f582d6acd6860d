import { describe, expect, test } from 'vitest'
import { checkDescription, findAffected } from '../../src/checks/check-description.ts'
import { bytesOf } from '../../src/text/plain/source-file.ts'
import { checkFiles, checkValue, diagnosticLines } from '../support/check-text.ts'

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
  test.each(['swagger: "2.0"', 'openapi: 3.3.0', 'openapi: {}', 'paths: {}', '- 1', ''])(
    '%j: has no description',
    async (text) => {
      expect((await checkFiles({ 'openapi.yaml': text })).description).toBeUndefined()
    },
  )

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
        position: 3,
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

test('the text of a valid document is never decoded as a whole and kept, because it can have tens of megabytes', async () => {
  const bytes = new TextEncoder().encode(`{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}`)
  const { sources } = await checkDescription('openapi.json', async (path) => ({ kind: 'loaded', path, bytes }))
  const [source] = sources.values()
  // Its own bytes, unless the text was read.
  expect(source && bytesOf(source).buffer).toBe(bytes.buffer)
})

test('an error affects the operations that reach it, and none that share their security with one of those', async () => {
  const text = `openapi: 3.1.1
${info}
security: [{key: []}]
paths:
  /broken: {get: {responses: {'200': {$ref: '#/components/responses/Broken'}}}}
  /also: {get: {responses: {'200': {$ref: '#/components/responses/Broken'}}}}
  /fine: {get: {responses: {'200': {description: OK}}}}
components:
  responses: {Broken: {description: OK, content: {application/json: {schema: {type: strin}}}}}
  securitySchemes: {key: {type: apiKey, in: header, name: key}}
`
  const checked = await checkFiles({ 'openapi.yaml': text })
  const affected = findAffected(
    checked,
    checked.findings.filter(({ code }) => code === 'wrong-value'),
  )
  const paths = ['/broken', '/also', '/fine']
  expect(paths.filter((path) => affected.kind === 'parts' && affected.operation('get', path))).toEqual(['/broken', '/also'])
})
