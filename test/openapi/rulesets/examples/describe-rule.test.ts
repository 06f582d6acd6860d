import { expect, test } from 'vitest'
import { describeActions, describeGiven } from '../../../../src/openapi/rulesets/examples/describe-rule.ts'

test.each([
  ['$', 'the document'],
  ['$.info', '`info`'],
  ['$.paths[*][get,put]', '`paths`, then each entry, then `get` or `put`'],
  ['$..parameters[*]', 'at any depth `parameters`, then each entry'],
  ['$.paths[*]~', 'the keys of: `paths`, then each entry'],
  ['$.paths[?(@.get)]', undefined],
])('describes %s', (expression, words) => {
  expect(describeGiven(expression)).toBe(words)
})

test.each([
  ['truthy', 'summary', undefined, '`summary` must be present and not empty, `false`, `0` or `null`'],
  ['undefined', undefined, undefined, 'The value must be absent'],
  ['pattern', '@key', { match: '^/v1' }, 'Each key must match the pattern `^/v1`'],
  ['casing', 'name', { type: 'kebab' }, '`name` must be in kebab case'],
  ['length', 'tags', { max: 1 }, '`tags` must have at most 1 characters, entries or keys'],
  ['enumeration', 'type', { values: ['a', 'b'] }, '`type` must be one of `a`, `b`'],
  ['xor', undefined, { properties: ['value', 'externalValue'] }, 'The value must have exactly one of `value` or `externalValue`'],
  ['schema', 'tags', { schema: { type: 'array' } }, '`tags` must match the JSON Schema `{"type":"array"}`'],
  ['myFunction', undefined, { a: 1 }, 'The value is checked by the function `myFunction` with the options `{"a":1}`'],
])('describes %s', (functionName, field, options, words) => {
  const place = { file: '.spectral.yaml', pointer: '' }
  // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
  expect(describeActions({ then: [{ functionName, field, options, run: () => [], place }] })).toEqual([words])
})
