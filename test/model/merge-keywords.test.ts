import { expect, test } from 'vitest'
import { mergeKeywords, readKeywords } from '../../src/model/schema.ts'

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
  [
    'takes the stricter of two kinds of limits',
    [{ minimum: 5, exclusiveMinimum: 0 }, { exclusiveMaximum: 9 }],
    { minimum: 5, exclusiveMaximum: 9 },
  ],
  ['takes the limit that excludes more of two equal ones', [{ maximum: 5 }, { exclusiveMaximum: 5 }], { exclusiveMaximum: 5 }],
  ['reads a flag of 3.0 with the limit beside it', [{ minimum: 5, exclusiveMinimum: true }, { minimum: 10 }], { minimum: 10 }],
  ['is not nullable with values without null', [{ nullable: true, enum: ['a'] }], { enum: ['a'] }],
  ['is nullable with null among its values', [{ nullable: true, enum: ['a', null] }], { nullable: true, enum: ['a', null] }],
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
  [
    'ignores values of a wrong type',
    [
      { format: 5, deprecated: 'no', minLength: '1', enum: 'a', xml: [] },
      { format: 'uuid', minLength: 2 },
    ],
    { format: 'uuid', minLength: 2 },
  ],
  ['leaves out what callers collect', [{ $ref: '#/a', allOf: [], properties: {}, required: [] }], {}],
  [
    'keeps the key __proto__',
    [JSON.parse('{"__proto__": {"type": "string"}}'), JSON.parse('{"__proto__": 1}')],
    JSON.parse('{"__proto__": {"type": "string"}}'),
  ],
])('%s', (_, schemas, expected) => {
  const keywords: { [key: string]: unknown } = {}
  for (const schema of schemas) mergeKeywords(keywords, readKeywords(schema))
  expect(keywords).toStrictEqual(expected)
})
