import { expect, test } from 'vitest'
import { fixPlaces } from '../../../src/cli/open/fix-places.ts'

const nullable = (text: string, ...pointers: string[]) => fixPlaces(text, [{ code: 'nullable-ignored', pointers }])

test.each([
  ['a flow mapping', '{type: string, nullable: true}', '{type: [string, "null"]}'],
  ['the first key of a flow mapping', '{nullable: true, type: string}', '{type: [string, "null"]}'],
  ['JSON', '{ "type": "string", "nullable": true }', '{ "type": ["string", "null"] }'],
  [
    'formatted JSON',
    '{\n\t"nullable": true,\n\t"type": ["string", "integer"]\n}\n',
    '{\n\t"type": ["string", "integer", "null"]\n}\n',
  ],
  ['the last key of formatted JSON', '{\n  "type": "string",\n  "nullable": true\n}\n', '{\n  "type": ["string", "null"]\n}\n'],
  ['a block mapping', 'type: string\nnullable: true\nformat: date\n', 'type: [string, "null"]\nformat: date\n'],
  ['a comment', 'type: string # A\nnullable: true # B\n', 'type: [string, "null"] # A\n# B\n'],
  ['Windows line ends', 'type: string\r\nnullable: true\r\n', 'type: [string, "null"]\r\n'],
  ['no line end at the end', 'type: string\nnullable: true', 'type: [string, "null"]\n'],
  ['a list of types', 'nullable: true\ntype: [string, integer]\n', 'type: [string, integer, "null"]\n'],
  ['a block list of types', 'type:\n  - string\nnullable: true\n', 'type:\n  - string\n  - "null"\n'],
  ['a list with null', 'type: [string, "null"]\nnullable: true\n', 'type: [string, "null"]\n'],
  ['a quoted type', 'type: "string"\nnullable: true\n', 'type: ["string", "null"]\n'],
  ['a reference', '$ref: "#/a"\nnullable: true\n', 'anyOf: [{$ref: "#/a"}, {type: "null"}]\n'],
  ['a reference in JSON', '{"$ref": "#/a", "nullable": true}', '{"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}'],
  ['one branch of allOf', 'allOf:\n  - $ref: "#/a"\nnullable: true\n', 'anyOf:\n  - $ref: "#/a"\n  - type: "null"\n'],
  ['one branch of allOf in a line', '{allOf: [{$ref: "#/a"}], nullable: true}', '{anyOf: [{$ref: "#/a"}, {type: "null"}]}'],
  [
    'alternatives',
    '{oneOf: [{type: string}, {type: integer}], nullable: true}',
    '{oneOf: [{type: string}, {type: integer}, {type: "null"}]}',
  ],
])('makes a schema nullable: %s', (_title, text, expected) => {
  expect(nullable(text, '')).toEqual({ text: expected, fixed: 1 })
})

test.each([
  ['several branches of allOf', 'allOf: [{$ref: "#/a"}, {$ref: "#/b"}]\nnullable: true\n'],
  ['a reference beside alternatives', '$ref: "#/a"\nanyOf: [{}]\nnullable: true\n'],
  ['no type', 'description: A\nnullable: true\n'],
  ['an anchor', 'a: &a {type: string, nullable: true}\nb: *a\n'],
  ['invalid YAML', 'type: string\nnullable: true\n a: [\n'],
])('leaves %s', (_title, text) => {
  expect(nullable(text, text.startsWith('a:') ? '/b' : '')).toEqual({ text, fixed: 0 })
})

test('edits a schema in a list, and one inside another', () => {
  const text = 'oneOf:\n  - nullable: true\n    type: object\n    properties:\n      a: {type: string, nullable: true}\n'
  expect(nullable(text, '/oneOf/0', '/oneOf/0/properties/a')).toEqual({
    text: 'oneOf:\n  - type: [object, "null"]\n    properties:\n      a: {type: [string, "null"]}\n',
    fixed: 2,
  })
})

test('quotes response codes', () => {
  const text = 'responses:\n  200: {description: OK}\n  default: {description: 404}\n  404:\n    description: A\n'
  const pointers = ['/responses/200', '/responses/404']
  expect(fixPlaces(text, [{ code: 'response-code-quotes', pointers }])).toEqual({
    text: "responses:\n  '200': {description: OK}\n  default: {description: 404}\n  '404':\n    description: A\n",
    fixed: 2,
  })
})
