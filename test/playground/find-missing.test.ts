import { expect, test } from 'vitest'
import { findMissing } from '../../src/playground/find-missing.ts'
import { toResolve } from '../../src/playground/to-resolve.ts'
import type { FieldValue } from '../../src/playground/types.ts'

const schemas = {
  Pet: {
    type: 'object',
    required: ['id', 'name', 'owner'],
    properties: { id: { readOnly: true }, name: { type: 'string' }, owner: { $ref: '#/components/schemas/Owner' }, age: {} },
  },
  Owner: {
    type: 'object',
    required: ['mail'],
    properties: { mail: {}, pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
  },
}
const pet = { $ref: '#/components/schemas/Pet' }

test.each<[string, FieldValue, unknown, readonly (readonly (string | number)[])[]]>([
  ['what comes back from the server is not needed', { name: 'a', owner: { mail: 'a' } }, pet, []],
  ['at the top', {}, pet, [['name'], ['owner']]],
  ['inside', { name: 'a', owner: {} }, pet, [['owner', 'mail']]],
  ['in a list', [{ name: 'a' }, null], { items: pet }, [[0, 'owner']]],
  ['in a circle', { name: 'a', owner: { mail: 'a', pets: [{ owner: { mail: 'b' } }] } }, pet, [['owner', 'pets', 0, 'name']]],
  ['of a part of it', { a: 1 }, { allOf: [pet, { required: ['a'] }] }, [['name'], ['owner']]],
  ['of another kind', 'text', pet, []],
  ['null is something', { name: null, owner: null }, pet, []],
])('what a value needs and does not have: %s', (_case, value, schema, expected) => {
  expect(findMissing(value, schema, toResolve({ components: { schemas } }))).toEqual(expected)
})
