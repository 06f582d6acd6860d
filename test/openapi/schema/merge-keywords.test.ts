import { expect, test } from 'vitest'
import { mergeKeywords } from '../../../src/openapi/schema/json-schema.ts'

test.each([
  ['keeps the first value of a keyword', [{ title: 'A', format: 'int32' }, { title: 'B' }], { title: 'A', format: 'int32' }],
  [
    'takes the narrowest limits',
    [
      { minimum: 1, maxLength: 9 },
      { minimum: 5, maxLength: 20 },
    ],
    { minimum: 5, maxLength: 9 },
  ],
  ['takes the highest exclusive minimum', [{ exclusiveMinimum: 1 }, { exclusiveMinimum: 2 }], { exclusiveMinimum: 2 }],
  ['narrows a number to an integer', [{ type: 'number' }, { type: 'integer' }], { type: ['integer'] }],
  [
    'narrows a list of types',
    [{ type: ['number', 'string', 'null'] }, { type: ['integer', 'null'] }],
    { type: ['null', 'integer'] },
  ],
  ['keeps the first type if no type is in both', [{ type: 'string' }, { type: 'integer' }], { type: 'string' }],
  [
    'sets flags that one schema sets',
    [{ readOnly: false }, { readOnly: true, deprecated: true }],
    { readOnly: true, deprecated: true },
  ],
  ['is nullable only if the first schema is', [{ nullable: false }, { nullable: true }], { nullable: false }],
  [
    'keeps a closed object closed',
    [{ additionalProperties: false }, { additionalProperties: true }],
    { additionalProperties: false },
  ],
  ['leaves out what callers collect', [{ $ref: '#/a', allOf: [], properties: {}, required: [] }], {}],
  [
    'keeps the key __proto__',
    [JSON.parse('{"__proto__": {"type": "string"}}'), JSON.parse('{"__proto__": 1}')],
    JSON.parse('{"__proto__": {"type": "string"}}'),
  ],
])('%s', (_, schemas, expected) => {
  const keywords: { [key: string]: unknown } = {}
  for (const schema of schemas) mergeKeywords(keywords, schema)
  expect(keywords).toStrictEqual(expected)
})
