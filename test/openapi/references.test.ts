import { describe, expect, test } from 'vitest'
import { checkFiles, diagnosticLines } from '../support/check-text.ts'

describe('lead to', () => {
  test('other files, relative to the file they stand in, encoded or not', async () => {
    const files = {
      'api/openapi.yaml': `openapi: 3.0.3
info: {title: Pets, version: 1.0.0}
paths:
  /pets: {$ref: './paths/all%20pets.yaml'}
`,
      'api/paths/all pets.yaml': `get:
  responses:
    '200': {$ref: '../../shared/responses.json#/Pets'}
`,
      'shared/responses.json':
        '{"Pets": {"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/Pet"}}}}, "Pet": {"type": "objekt"}}',
      'unused.yaml': 'a: b',
    }
    const { diagnostics, description, sources } = await checkFiles(files)
    expect([...sources.keys()]).toEqual(['api/openapi.yaml', 'api/paths/all pets.yaml', 'shared/responses.json'])
    expect(description?.operations).toMatchObject([{ file: 'api/paths/all pets.yaml', pointer: '/get', pathTemplate: '/pets' }])
    expect(diagnostics).toMatchObject([
      { file: 'shared/responses.json', code: 'wrong-value', pointer: '/Pet/type', hint: 'Did you mean `object`?' },
    ])
  })
})

describe('outside of the specification', () => {
  test('in place of an operation, a mapping or the content of one are followed, with a warning', async () => {
    const { diagnostics, description } = await checkFiles({
      'openapi.yaml': `openapi: 3.0.3
info: {$ref: info.yaml}
paths: {$ref: paths.yaml}
tags:
  - name: pets
    description: {$ref: pets.md}
`,
      'info.yaml': 'title: Pets\nversion: 1.0.0\n',
      'paths.yaml': '/pets:\n  get: {$ref: list.yaml}\n',
      'list.yaml': 'summary: List\nresponses: {}\n',
    })
    expect(diagnostics.map(({ file, code, severity, pointer }) => `${file}${pointer} ${severity} ${code}`)).toEqual([
      'list.yaml/responses error missing-field',
      'openapi.yaml/info/$ref warning reference-misplaced',
      'openapi.yaml/paths/$ref warning reference-misplaced',
      'openapi.yaml/tags/0/description/$ref warning reference-misplaced',
      'paths.yaml/~1pets/get/$ref warning reference-misplaced',
    ])
    expect(description).toMatchObject({
      title: 'Pets',
      operations: [{ pathTemplate: '/pets', file: 'list.yaml', summary: 'List' }],
    })
  })
})

test('an API description can have at most 10,000 files', async () => {
  const names = Array.from({ length: 10_001 }, (_, index) => `f${index}.json`)
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: name }]))
  const entry = { openapi: '3.1.0', info: { title: 'a', version: '1' }, components: { schemas: { A: { properties } } } }
  const files = Object.fromEntries(names.map((name) => [name, '{}']))
  const { diagnostics } = await checkFiles({ 'openapi.json': JSON.stringify(entry), ...files })
  expect(diagnostics.map(({ code }) => code)).toEqual(['too-complex', 'too-complex'])
})

test('reports examples and samples that refer to nothing, at their place', async () => {
  const found = await diagnosticLines({
    'openapi.yaml': `openapi: 3.1.0
info: {title: T, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    post:
      operationId: createPet
      summary: Create
      description: Creates.
      tags: [t]
      x-codeSamples:
        - {lang: php, source: {$ref: missing.php}}
        - {lang: go, source: {$ref: pets.go}}
      requestBody:
        content:
          application/json:
            examples:
              one: {value: {$ref: missing.json}}
              two: {value: {$ref: pet.json}}
              three: {externalValue: missing-external.json}
              four: {externalValue: pet.json}
              five: {externalValue: 'https://example.com/pet.json'}
              six: {externalValue: /pet.json}
              data: {value: {$ref: '#/definitions/pet', type: object}}
          application/xml:
            example: {$ref: '#/components/examples/none/value'}
      responses: {"200": {description: Fine}}
tags: [{name: t}]
`,
    'pet.json': '{"name": "Rex"}',
    'pets.go': 'package pets',
  })
  const lost = found.filter((line) => line.includes('reference-unresolved'))
  expect(lost.map((line) => line.replace(/ · .*/, ''))).toEqual([
    '12:38 warning reference-unresolved Cannot find `missing.php`, which an example or a code sample refers to',
    '18:35 warning reference-unresolved Cannot find `missing.json`, which an example or a code sample refers to',
    '20:38 warning reference-unresolved Cannot find `missing-external.json`, which an example or a code sample refers to',
    '26:29 warning reference-unresolved Cannot find `#/components/examples/none/value`, which an example or a code sample refers to',
  ])
})
