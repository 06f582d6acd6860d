import { describe, expect, test } from 'vitest'
import { checkFiles, diagnosticLines } from '../support/check-text.ts'

/** The diagnostics of a document with the given components. */
function findingsOf(components: string, files: { readonly [path: string]: string } = {}, version = '3.1.0'): Promise<string[]> {
  const text = `openapi: ${version}\ninfo: {title: Pets, version: 1.0.0}\npaths: {}\ncomponents:\n${components}\n`
  return diagnosticLines({ 'openapi.yaml': text, ...files })
}

const schema = (value: string) => `  schemas:\n    A: ${value}`

describe('lead to', () => {
  test.each([
    ['an escaped pointer', '  schemas: {A: {$ref: "#/x-parts/a~1b~0c"}}\nx-parts: {a/b~c: {type: string}}'],
    ['an encoded pointer', '  schemas: {A: {$ref: "#/x-parts/a%20b%7B%7D"}}\nx-parts: {"a b{}": {type: string}}'],
    ['an entry of a list', '  schemas: {A: {$ref: "#/x-parts/0"}}\nx-parts: [{type: string}]'],
    ['the document itself by its name', '  schemas: {A: {$ref: "openapi.yaml#/components/schemas/B"}, B: {}}'],
    ['an anchor', '  schemas: {A: {$ref: "#b"}, B: {$anchor: b}}'],
    ['a dynamic anchor', '  schemas: {A: {$ref: "#b"}, B: {$dynamicAnchor: b}}'],
    ['a schema by its id', '  schemas: {A: {$ref: "https://example.com/b"}, B: {$id: "https://example.com/b"}}'],
    [
      'a schema by its id, with a pointer',
      '  schemas: {A: {$id: "https://example.com/a/a", $ref: "b"}, B: {$id: "https://example.com/a/b"}}',
    ],
    [
      'a part of the schema with an id around it',
      '  schemas: {A: {$id: "https://example.com/a", $ref: "#/$defs/c", $defs: {c: {}}}}',
    ],
    ['a schema that contains it', '  schemas: {A: {properties: {a: {$ref: "#/components/schemas/A"}}}}'],
    ['true', '  schemas: {A: {$ref: "#/components/schemas/B"}, B: true}'],
    [
      'a place beyond another reference',
      '  schemas: {A: {$ref: "#/components/schemas/B/properties/c"}, B: {$ref: "#/components/schemas/C"}, C: {properties: {c: {}}}}',
    ],
  ])('%s', async (_, components) => {
    expect(await findingsOf(components)).toEqual([])
  })

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

  test('each part once, however often it is referred to', async () => {
    const files = { 'parts.yaml': 'Pet: {type: 5, properties: {a: {type: 6}}}\n' }
    const lines = await findingsOf(
      '  schemas:\n    A: {$ref: "parts.yaml#/Pet"}\n    B: {$ref: "./parts.yaml#/Pet"}\n    C: {$ref: "parts.yaml#/Pet/properties/a"}',
      files,
    )
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'parts.yaml:1:13 wrong-type',
      'parts.yaml:1:39 wrong-type',
    ])
  })
})

describe('are data in', () => {
  test.each([
    ['example', '{example: {$ref: "#/none"}}'],
    ['default', '{default: {$ref: 5}}'],
    ['enum', '{enum: [{$ref: "#/none"}]}'],
    ['const', '{const: {$ref: "#/none", $id: 5}}'],
    ['examples', '{examples: [{$ref: "#/none"}]}'],
    ['an extension', '{x-own: {$ref: "#/none"}}'],
    ['a property of that name', '{properties: {$ref: {type: string}}}'],
  ])('%s', async (_, value) => {
    expect(await findingsOf(schema(value))).toEqual([])
  })

  test('an example value, where an id names nothing either', async () => {
    const lines = await findingsOf(
      '  schemas:\n    A: {$ref: "https://example.com/a"}\n  examples:\n    One: {value: {$id: "https://example.com/a"}}',
    )
    expect(lines).toEqual([
      '6:15 warning remote-reference Cannot check `https://example.com/a`: remote references are not read · Save a copy of the file next to the document and refer to the copy',
    ])
  })
})

describe('that cannot be followed', () => {
  test.each([
    [
      '{$ref: "#/components/schema/A"}',
      '6:15 reference-unresolved Cannot find `#/components/schema/A`: `components` has no `schema` · Did you mean `schemas`?',
    ],
    [
      '{$ref: "#/definitions/A"}',
      '6:15 reference-unresolved Cannot find `#/definitions/A`: the document has no `definitions` · Move the schemas to `components.schemas`, and refer to `#/components/schemas/`',
    ],
    [
      '{$ref: "#/components/schemas/A/type/x", type: object}',
      '6:15 reference-unresolved Cannot find `#/components/schemas/A/type/x`: `components.schemas.A.type` is not a mapping and has no `x`',
    ],
    ['{$ref: "#/constructor"}', '6:15 reference-unresolved Cannot find `#/constructor`: the document has no `constructor`'],
    ['{$ref: "A"}', '6:15 reference-unresolved Cannot find `A`: no such file · Write `#/components/schemas/A`'],
    ['{$ref: "#A"}', '6:15 reference-unresolved Cannot find `#A`: no `$anchor` is named `A` · Write `#/components/schemas/A`'],
    ['{$ref: "../secret.yaml"}', '6:15 file-outside-boundary Cannot read `../secret.yaml`: it is outside the boundary'],
    [
      '{$ref: "//example.com/a"}',
      '6:15 warning remote-reference Cannot check `//example.com/a`: remote references are not read · Save a copy of the file next to the document and refer to the copy',
    ],
    ['{$ref: "#/info"}', '6:15 reference-kind Unexpected reference to an Info Object, expected a Schema Object'],
    ['{$ref: "#/info/title"}', '6:15 reference-kind Unexpected reference to a string, expected a Schema Object'],
    ['{$ref: ""}', '6:15 reference-kind Unexpected reference to an OpenAPI Object, expected a Schema Object'],
    [
      '{$ref: "#/components/schemas/A"}',
      '6:15 reference-circular Unexpected circular `$ref`: it only refers to itself · Replace one of the references with the object itself',
    ],
    [
      '{$ref: "#/components/schemas/B/x y", B: 1}',
      '6:15 reference-unresolved Cannot find `#/components/schemas/B/x y`: `components.schemas` has no `B`',
    ],
  ])('%s', async (value, expected) => {
    const lines = await findingsOf(schema(value))
    expect(lines.filter((line) => !line.includes('reference-syntax'))).toEqual([expected])
  })

  test('name the file that lacks the target', async () => {
    expect(await findingsOf(schema('{$ref: "parts.yaml#/a/Pett"}'), { 'parts.yaml': 'a: {Pet: {}}\n' })).toEqual([
      '6:15 reference-unresolved Cannot find `parts.yaml#/a/Pett`: `a` in `parts.yaml` has no `Pett` · Did you mean `Pet`?',
    ])
    expect(await findingsOf(schema('{$ref: "parts.yaml#/Pett"}'), { 'parts.yaml': 'Pet: {}\n' })).toEqual([
      '6:15 reference-unresolved Cannot find `parts.yaml#/Pett`: `parts.yaml` has no `Pett` · Did you mean `Pet`?',
    ])
  })

  test('because their file is broken: that is said once, in the file', async () => {
    const lines = await findingsOf('  schemas:\n    A: {$ref: "parts.json#/a"}\n    B: {$ref: "parts.json#/b"}', {
      'parts.json': '{"a": }',
    })
    expect(lines).toEqual(['parts.json:1:7 json-syntax Cannot read the JSON: unexpected `}`, expected a value'])
  })

  test('are reported at each use', async () => {
    const lines = await findingsOf(
      '  schemas:\n    A: {$ref: "b.yaml"}\n    B: {$ref: "b.yaml"}\n    C: {$ref: "#/none"}\n    D: {$ref: "#/none"}',
    )
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['6:15', '7:15', '8:15', '9:15'])
  })

  test('reports a cycle across files once', async () => {
    const lines = await findingsOf(schema('{$ref: "b.yaml#/b"}'), {
      'b.yaml': 'b: {$ref: "c.yaml#/c"}\nc: {$ref: "#/b"}\n',
      'c.yaml': 'c: {$ref: "b.yaml#/b"}\n',
    })
    expect(lines).toEqual([
      'b.yaml:1:11 reference-circular Unexpected circular `$ref`: it only refers to itself through `c.yaml#/c` and `b.yaml#/b` · Replace one of the references with the object itself',
    ])
  })

  test('one kind of component for another', async () => {
    expect(
      await findingsOf(
        '  schemas: {A: {$ref: "#/components/parameters/P"}}\n  parameters: {P: {name: a, in: query, schema: {}}}',
      ),
    ).toEqual(['5:23 reference-kind Unexpected reference to a Parameter Object, expected a Schema Object'])
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

  test('with characters that need encoding are followed, with a warning', async () => {
    const lines = await findingsOf('  schemas: {A: {$ref: "#/x-parts/a b{}"}}\nx-parts: {"a b{}": {type: string}}')
    expect(lines).toEqual([
      '5:23 warning reference-syntax Unexpected characters in `#/x-parts/a b{}`, expected percent-encoding · Write `#/x-parts/a%20b%7B%7D`',
    ])
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
