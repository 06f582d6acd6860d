const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (more: object) => ({ type: 'array', ...more })
// Written as JSON, because an object with the key `then` looks like a promise.
const condition = (text: string) => JSON.parse(text) as object

/** Schemas of 3.1 for which it is not obvious what a valid value is. All have one. */
export const trickySchemas: Readonly<Record<string, object>> = {
  'a condition that applies': condition(
    '{"type":"object","properties":{"k":{"enum":["a","b"]}},"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"],"properties":{"x":{"type":"string"}}}}',
  ),
  'a condition that does not apply': condition(
    '{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"b"}}},"then":false,"else":{"required":["y"]}}',
  ),
  'a condition for a scalar': condition('{"type":"integer","if":{"maximum":10},"then":{"minimum":5},"else":false}'),
  'a condition in allOf': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['card', 'bank'] } },
    allOf: [
      condition(
        '{"if":{"properties":{"kind":{"const":"card"}}},"then":{"required":["number"],"properties":{"number":{"type":"string","minLength":8}}}}',
      ),
      condition('{"if":{"properties":{"kind":{"const":"bank"}}},"then":{"required":["iban"]}}'),
    ],
  },
  'a condition in a property': object({
    inner: condition('{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]}}'),
  }),
  'several that contain': list({ contains: integer, minContains: 2 }),
  'contained and other items': list({ items: { type: ['integer', 'string'] }, contains: text }),
  'contained items with limits': list({ items: integer, contains: { minimum: 10 }, minItems: 2 }),
  'few that contain': list({ items: integer, contains: { minimum: 0 }, minItems: 3, maxContains: 1 }),
  'contained after a tuple': list({ prefixItems: [text], contains: integer }),
  'contained nowhere': list({ items: text, contains: integer, minContains: 0 }),
  'more keys than properties': object({ a: text }, { minProperties: 2 }),
  'more keys than properties, of a type': object({ a: text }, { minProperties: 3, additionalProperties: integer }),
  'more keys than properties, by pattern': object(
    { a: text },
    { minProperties: 2, additionalProperties: false, patternProperties: { '^x-': integer } },
  ),
  'fewer keys than properties': object({ a: text, b: text, c: text }, { maxProperties: 1, required: ['c'] }),
  'keys by pattern': { type: 'object', patternProperties: { '^S_': text }, additionalProperties: false, minProperties: 1 },
  'keys by two patterns': {
    type: 'object',
    patternProperties: { '^a': { type: 'integer', minimum: 5 }, z$: { maximum: 3 } },
    minProperties: 1,
  },
  'keys with names in a form': {
    type: 'object',
    additionalProperties: integer,
    propertyNames: { pattern: '^[A-Z]{3}$' },
    minProperties: 1,
  },
  'keys with long names': { type: 'object', additionalProperties: integer, propertyNames: { minLength: 12 }, minProperties: 3 },
  'a property that also matches a pattern': object(
    { aa: text },
    { patternProperties: { '^a': { minLength: 9 } }, required: ['aa'] },
  ),
  'one of two required fields': object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  'one of three required fields in an array': list({
    items: object({ a: text, b: text, c: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] }),
    minItems: 1,
  }),
  'any of two required fields': object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  'not both fields': object({ a: text, b: text }, { not: { required: ['a', 'b'] } }),
  'no such field': object({ a: text, b: text }, { not: { required: ['b'] } }),
  'not a value': { type: 'string', not: { const: 'string' } },
  'not a number': { type: 'integer', not: { maximum: 4 } },
  'fields that need others': object({ a: text, b: text }, { dependentRequired: { a: ['c'] } }),
  'fields that need schemas': object({ a: text }, { dependentSchemas: { a: { required: ['d'], properties: { d: integer } } } }),
  'closed fields': object({ a: text }, { unevaluatedProperties: false, allOf: [object({ b: text })] }),
  'closed options': {
    oneOf: [
      object({ a: text }, { additionalProperties: false, required: ['a'] }),
      object({ a: text, b: text }, { additionalProperties: false, required: ['a', 'b'] }),
    ],
  },
  'options that overlap': { oneOf: [integer, { type: 'number', minimum: 5 }] },
  'options of numbers': {
    oneOf: [
      { type: 'integer', maximum: 3 },
      { type: 'integer', minimum: 2 },
    ],
  },
  'options with a base': object(
    { kind: text },
    {
      required: ['kind'],
      oneOf: [{ properties: { kind: { const: 'x' } } }, { properties: { kind: { const: 'y' }, y: integer }, required: ['y'] }],
    },
  ),
  'options in options': {
    anyOf: [
      {
        oneOf: [
          { type: 'string', minLength: 20 },
          { type: 'string', maxLength: 3 },
        ],
      },
    ],
  },
  'two choices': {
    allOf: [
      { oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })] },
      { oneOf: [object({ c: text }, { required: ['c'] }), object({ d: text }, { required: ['d'] })] },
    ],
  },
  'unique booleans': list({ items: { type: 'boolean' }, minItems: 2, uniqueItems: true }),
  'unique objects': list({ items: object({ id: integer, name: text }, { required: ['id'] }), minItems: 3, uniqueItems: true }),
  'unique numbers up to a limit': list({ items: { type: 'integer', minimum: 1, maximum: 3 }, minItems: 3, uniqueItems: true }),
  'a tuple without more': list({ prefixItems: [text, integer], items: false, minItems: 2 }),
  'a tuple with more of another type': list({ prefixItems: [text], items: integer, minItems: 3 }),
  'a small open interval': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
  'a negative interval': { type: 'number', exclusiveMinimum: -1, exclusiveMaximum: -0.5 },
  'a multiple in an interval': { type: 'integer', minimum: 10, maximum: 15, multipleOf: 7 },
  'a negative multiple': { type: 'integer', maximum: -1, multipleOf: 5 },
  'a multiple of a fraction': { type: 'number', minimum: 0.25, multipleOf: 0.1 },
  'a multiple above an exclusive limit': { type: 'integer', exclusiveMinimum: 10, multipleOf: 5 },
  'limits of several schemas': {
    allOf: [{ type: 'number', minimum: 2 }, { exclusiveMinimum: 2 }, { type: 'integer', maximum: 9 }],
  },
  'multiples of several schemas': { allOf: [{ type: 'integer', multipleOf: 4, minimum: 1 }, { multipleOf: 6 }] },
  'a long text of a form': { type: 'string', pattern: '^[a-z]+$', minLength: 12 },
  'a text of two forms': { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'z$' }] },
  'a short text of a format': { type: 'string', format: 'date', maxLength: 10 },
  'a text of a form and a length': { type: 'string', pattern: '^(?:ab)*$', minLength: 3, maxLength: 4 },
  'values of several schemas': { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'd'] }] },
  'a value and a limit': { type: 'string', enum: ['a', 'bb', 'ccc'], minLength: 3 },
  'an invalid default': { type: 'integer', default: 'x', minimum: 1 },
  'an invalid example in a field': object({ a: { type: 'integer', minimum: 3, example: 1 } }, { required: ['a'] }),
  'an example without a required field': { ...object({ a: text, b: text }, { required: ['a', 'b'] }), example: { a: 'x' } },
  'a required field without a schema': object({ a: text }, { required: ['b'] }),
  'a required field of the other keys': object(
    { a: text },
    { required: ['b'], additionalProperties: { type: 'integer', minimum: 7 } },
  ),
  'a required field in a choice': {
    type: 'object',
    required: ['b'],
    anyOf: [object({ b: { type: 'integer', minimum: 2 } }), object({ b: text })],
  },
  'no type': { minimum: 3, multipleOf: 2 },
  'several types': { type: ['integer', 'object'], minimum: 8, required: ['a'] },
  'types of two schemas': { allOf: [{ type: ['string', 'integer'] }, { type: ['integer', 'null'] }], minimum: 1 },
  'a constant object': { const: { a: [1, { b: null }] } },
  'nested limits': object(
    { a: object({ b: list({ items: { type: 'string', minLength: 3 }, minItems: 2 }) }, { required: ['b'] }) },
    { required: ['a'] },
  ),
}
