import { describe, expect, test } from 'vitest'
import { compareBodies } from './compare-documents.ts'

type Row = readonly [title: string, base: string, revision: string, ...expected: string[]]

const object = (properties: string, rest = '') => `{type: object, properties: {${properties}}${rest}}`

/** An alternative without a name. */
const rule = (name: string) => `{allOf: [${object(`${name}: {type: string}`)}, ${object('id: {type: integer}')}]}`
const kind = (name: string) => object(`kind: {enum: [${name}]}, name: {type: string}`)

const constants = (...alternatives: readonly string[]) => `{type: integer, oneOf: [${alternatives.join(', ')}]}`

/** An object that must not have some properties. */
function excluding(...names: readonly string[]): string {
  return object('a: {}', `, not: {anyOf: [${names.map((name) => `{required: [${name}]}`).join(', ')}]}`)
}

/** An object in both versions whose first alternative changes. */
function inAlternative(properties: string, base: string, revision: string): [base: string, revision: string] {
  const toSchema = (one: string) => `{allOf: [${object(properties)}, {oneOf: [${one}, ${object('c: {}', ', required: [c]')}]}]}`
  return [toSchema(base), toSchema(revision)]
}

const noEffect = 'composition-changed compatible compatible'

const rows: { readonly [family: string]: readonly Row[] } = {
  types: [
    ['integer to number', '{type: integer}', '{type: number}', 'type-widened compatible breaking'],
    ['number to integer', '{type: number}', '{type: integer}', 'type-narrowed breaking compatible'],
    ['string to integer', '{type: string}', '{type: integer}', 'type-changed breaking breaking'],
    ['a type for any value', '{}', '{type: string}', 'type-narrowed breaking compatible'],
    ['a second type', '{type: string}', '{type: [string, integer]}', 'type-widened compatible breaking'],
    ['alternatives of types', '{type: string}', '{oneOf: [{type: string}, {type: integer}]}', 'type-widened compatible breaking'],
    ['the same types as alternatives', '{type: [string, integer]}', '{anyOf: [{type: integer}, {type: string}]}'],
    [
      'only one finding for another type',
      object('a: {}', ', required: [a]'),
      '{type: array, items: {}}',
      'type-changed breaking breaking',
    ],
    ['a wider format', '{type: integer, format: int32}', '{type: integer, format: int64}', 'format-widened compatible breaking'],
    ['a new format', '{type: string}', '{type: string, format: email}', 'format-narrowed breaking compatible'],
    ['another format', '{type: string, format: uuid}', '{type: string, format: email}', 'format-changed breaking breaking'],
    ['null as a type', '{type: string}', "{type: [string, 'null']}", 'became-nullable compatible breaking'],
    [
      'null as an alternative',
      '{type: string}',
      "{oneOf: [{type: 'null'}, {type: string}]}",
      'became-nullable compatible breaking',
    ],
    ['two spellings of null', "{type: [string, 'null']}", "{anyOf: [{type: string}, {type: 'null'}]}"],
    ['null removed', "{type: [string, 'null']}", '{type: string}', 'became-not-nullable breaking compatible'],
    [
      'other types among alternatives',
      '{anyOf: [{type: string}, {type: boolean}]}',
      '{anyOf: [{type: string}, {type: integer}]}',
      'type-changed breaking breaking',
    ],
    [
      'types beside other alternatives',
      '{anyOf: [{type: string}, {type: boolean}]}',
      '{anyOf: [{type: string}, {type: [boolean, "null"]}, {type: number, minimum: 1}]}',
      'alternative-added compatible breaking',
      'became-nullable compatible breaking',
    ],
    ['one alternative', '{oneOf: [{type: string}]}', '{type: string}'],
    [
      'null beside a schema that excludes it',
      "{type: [number, 'null'], not: {type: 'null'}}",
      "{anyOf: [{type: [number, 'null'], not: {type: 'null'}}, {type: 'null'}]}",
      'constraint-changed risky risky',
    ],
    ['the type of the listed values', '{type: string}', '{enum: [a, b]}', 'enum-added breaking compatible'],
    ['a number that is an integer', '{type: integer}', '{type: number, multipleOf: 1}', 'limit-added risky compatible'],
  ],
  'properties removed from closed objects': [
    [
      'an optional property',
      object('a: {}, b: {}', ', additionalProperties: false'),
      object('a: {}', ', additionalProperties: false'),
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a required property',
      object('a: {}, b: {}', ', required: [b], additionalProperties: false'),
      object('a: {}', ', additionalProperties: false'),
      'property-removed-from-closed-object breaking -',
      'required-property-removed - breaking',
    ],
    [
      'an object that is closed at the same time',
      object('a: {}, b: {}'),
      object('a: {}', ', additionalProperties: false'),
      'additional-properties-forbidden breaking compatible',
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a branch of an object that allows no unevaluated properties',
      `{unevaluatedProperties: false, allOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      `{unevaluatedProperties: false, allOf: [${object('a: {}')}, ${object('')}]}`,
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a property that a pattern still allows',
      object('x1: {}', ', additionalProperties: false, patternProperties: {"^x": {}}'),
      object('', ', additionalProperties: false, patternProperties: {"^x": {}}'),
      'optional-property-removed risky risky',
    ],
    [
      'a property that another branch did not allow',
      `{allOf: [${object('a: {}, b: {}')}, ${object('a: {}', ', additionalProperties: false')}]}`,
      `{allOf: [${object('a: {}')}, ${object('a: {}', ', additionalProperties: false')}]}`,
      'optional-property-removed risky risky',
    ],
    [
      'a property that clients do not send',
      object('a: {}, b: {readOnly: true}', ', additionalProperties: false'),
      object('a: {}', ', additionalProperties: false'),
      'optional-property-removed - risky',
      'property-removed-from-closed-object compatible -',
    ],
    ['an open object', object('a: {}, b: {}'), object('a: {}'), 'optional-property-removed risky risky'],
  ],
  'formats of numbers': [
    [
      'a format around the limits',
      '{type: integer, minimum: 0, maximum: 21600}',
      '{type: integer, minimum: 0, maximum: 21600, format: int32}',
      'format-narrowed compatible compatible',
    ],
    [
      'no format around the limits',
      '{type: integer, minimum: 0, exclusiveMaximum: 2147483648, format: int32}',
      '{type: integer, minimum: 0, exclusiveMaximum: 2147483648}',
      'format-widened compatible compatible',
    ],
    [
      'a format that only one limit is in',
      '{type: integer, maximum: 100}',
      '{type: integer, maximum: 100, format: int32}',
      'format-narrowed breaking compatible',
    ],
    [
      'a format that the limits are larger than',
      '{type: integer, minimum: 0, maximum: 2147483648}',
      '{type: integer, minimum: 0, maximum: 2147483648, format: int32}',
      'format-narrowed breaking compatible',
    ],
    [
      'a format of integers around the limits of a number',
      '{type: number, minimum: 0, maximum: 10}',
      '{type: number, minimum: 0, maximum: 10, format: int32}',
      'format-narrowed breaking compatible',
    ],
    [
      'a format around the limits in OpenAPI 3.1 with null',
      "{type: [integer, 'null'], minimum: 1, maximum: 9}",
      "{type: [integer, 'null'], minimum: 1, maximum: 9, format: uint8}",
      'format-narrowed compatible compatible',
    ],
    [
      'a format around the listed values',
      '{type: integer, enum: [1, 2, 3]}',
      '{type: integer, enum: [1, 2, 3], format: int32}',
      'format-narrowed compatible compatible',
    ],
    [
      'a wider format with the same limits',
      '{type: integer, format: int32, minimum: 0, maximum: 100}',
      '{type: integer, format: int64, minimum: 0, maximum: 100}',
      'format-changed compatible compatible',
    ],
    [
      'a wider format without a sign',
      '{type: integer, format: uint8}',
      '{type: integer, format: int16}',
      'format-widened compatible breaking',
    ],
    [
      'a format with a sign instead of one without',
      '{type: integer, format: uint32}',
      '{type: integer, format: int32}',
      'format-changed breaking breaking',
    ],
    [
      'a format without a sign for values that have none',
      '{type: integer, format: int32, minimum: 0}',
      '{type: integer, format: uint32, minimum: 0}',
      'format-widened compatible breaking',
    ],
    ['a format of texts', '{type: string, format: int32}', '{type: string, format: int64}', 'format-widened compatible breaking'],
    [
      'a wider format of fractions',
      '{type: number, format: float}',
      '{type: number, format: double}',
      'format-widened compatible breaking',
    ],
    [
      'a format of fractions for small integers',
      '{type: integer, minimum: 0, maximum: 100, format: int32}',
      '{type: integer, minimum: 0, maximum: 100, format: float}',
      'format-changed compatible compatible',
    ],
    [
      'a format of fractions for any integers',
      '{type: integer}',
      '{type: integer, format: double}',
      'format-narrowed compatible compatible',
    ],
    [
      'a format that is wider than the one of more types',
      '{type: number, format: uint8}',
      '{type: integer, format: int8}',
      'format-changed breaking breaking',
      'type-narrowed breaking compatible',
    ],
    [
      'a format that is narrower than the one of fewer types',
      '{type: string, format: uuid}',
      '{type: [string, integer], format: email}',
      'format-changed breaking breaking',
      'type-widened compatible breaking',
    ],
    [
      'integers with a format',
      '{type: number, format: double}',
      '{type: integer, format: int32}',
      'type-narrowed breaking compatible',
    ],
    [
      'fractions with a format',
      '{type: integer, format: int32}',
      '{type: number, format: float}',
      'type-widened compatible breaking',
    ],
    [
      'limits in place of the format',
      '{type: integer, format: int8}',
      '{type: integer, minimum: -128, maximum: 127}',
      'format-widened compatible compatible',
      'limit-added compatible compatible',
    ],
    [
      'the limits of the format',
      '{type: integer, format: int8}',
      '{type: integer, format: int8, minimum: -128, maximum: 127}',
      'limit-added compatible compatible',
    ],
    [
      'narrower limits than the format',
      '{type: integer, format: int8}',
      '{type: integer, format: int8, minimum: -127}',
      'limit-added risky compatible',
    ],
    [
      'a higher limit outside of the format',
      '{type: integer, format: int8, maximum: 200}',
      '{type: integer, format: int8, maximum: 300}',
      'limit-loosened compatible compatible',
    ],
    [
      'a format inside `not`',
      '{not: {type: integer, minimum: 0, maximum: 9}}',
      '{not: {type: integer, minimum: 0, maximum: 9, format: int32}}',
      'format-narrowed compatible compatible',
    ],
    [
      'a limit in another branch of `allOf`',
      '{allOf: [{type: integer, minimum: 0}, {maximum: 9}]}',
      '{allOf: [{type: integer, minimum: 0, format: int32}, {maximum: 9}]}',
      'format-narrowed compatible compatible',
    ],
  ],
  values: [
    ['an enum value added', '{enum: [a]}', '{enum: [a, b]}', 'enum-value-added compatible risky'],
    ['an enum value removed', '{enum: [a, b]}', '{enum: [b]}', 'enum-value-removed breaking compatible'],
    ['an enum in another order', '{enum: [a, b]}', '{enum: [b, a]}'],
    ['values beside null', '{type: "null"}', '{anyOf: [{type: "null"}, {enum: [a]}]}', 'type-widened compatible breaking'],
    ['a constant that null is not', '{type: "null"}', '{allOf: [{type: "null"}, {const: 1}]}', 'const-added breaking compatible'],
    ['a constant that null is', '{type: "null"}', '{type: "null", const: null}'],
    ['a new enum', '{type: string}', '{type: string, enum: [a]}', 'enum-added breaking compatible'],
    ['a constant for an enum of one value', '{enum: [a]}', '{const: a}'],
    [
      'alternatives of the same values',
      '{type: string, enum: [a, b]}',
      '{oneOf: [{type: string, const: a}, {type: string, enum: [b]}]}',
    ],
    ['another constant', '{const: a}', '{const: b}', 'const-changed breaking breaking'],
    ['a lower maximum', '{maximum: 5}', '{maximum: 4}', 'limit-tightened breaking compatible'],
    ['a higher maximum', '{maximum: 5}', '{maximum: 6}', 'limit-loosened compatible breaking'],
    ['an exclusive maximum', '{maximum: 5}', '{exclusiveMaximum: 5}', 'limit-tightened breaking compatible'],
    ['a new maximum', '{type: number}', '{type: number, maximum: 5}', 'limit-added risky compatible'],
    ['no minimum', '{minimum: 0}', '{}', 'limit-removed compatible breaking'],
    ['a new minimum length', '{type: string}', '{type: string, minLength: 1}', 'limit-added risky compatible'],
    ['a higher minimum length', '{minLength: 1}', '{minLength: 2}', 'limit-tightened breaking compatible'],
    ['no minimum length', '{minLength: 1}', '{}', 'limit-removed compatible breaking'],
    ['a new minimum number of items', '{type: array}', '{type: array, minItems: 1}', 'limit-added risky compatible'],
    ['a minimum number of items of 0', '{type: array}', '{type: array, minItems: 0}'],
    ['a minimum length of 0', '{type: string}', '{type: string, minLength: 0}'],
    ['unique items', '{type: array}', '{type: array, uniqueItems: true}', 'limit-added risky compatible'],
    ['a new factor', '{type: number}', '{type: number, multipleOf: 0.5}', 'limit-added risky compatible'],
    ['a multiple of a multiple', '{multipleOf: 5}', '{multipleOf: 10}', 'limit-tightened breaking compatible'],
    ['a new pattern', '{type: string}', "{type: string, pattern: '^a'}", 'pattern-added breaking compatible'],
    ['another pattern', "{pattern: '^a'}", "{pattern: '^b'}", 'pattern-changed risky risky'],
    ['a pattern that allows any string', "{pattern: '^a'}", "{pattern: '.*'}", 'pattern-widened compatible risky'],
    ['a length of all listed values', '{enum: [a, b]}', '{enum: [a, b], maxLength: 1}', 'limit-added compatible compatible'],
    ['a length of some listed values', '{enum: [a, bc]}', '{enum: [a, bc], maxLength: 1}', 'limit-added risky compatible'],
    ['no length beside values of it', '{enum: [ab], minLength: 2}', '{enum: [ab]}', 'limit-removed compatible compatible'],
    [
      'no length beside another value',
      '{enum: [ab], maxLength: 2}',
      '{enum: [ab, abc]}',
      'enum-value-added compatible risky',
      'limit-removed compatible breaking',
    ],
    [
      'another length beside values of both',
      '{const: abc, minLength: 2}',
      '{const: abc, minLength: 3}',
      'limit-tightened compatible compatible',
    ],
    [
      'another length beside values of one',
      '{enum: [ab, abc], minLength: 2}',
      '{enum: [ab, abc], minLength: 3}',
      'limit-tightened breaking compatible',
    ],
    ['a pattern of all listed values', '{enum: [a]}', "{enum: [a], pattern: '^a'}", 'pattern-added compatible compatible'],
    ['a pattern of no listed value', '{enum: [a]}', "{enum: [a], pattern: '^b'}", 'pattern-added breaking compatible'],
    [
      'a pattern that is not tried on listed values',
      '{enum: [a]}',
      "{enum: [a], pattern: '^(a+)+$'}",
      'pattern-added breaking compatible',
    ],
    ['no pattern beside values of it', "{enum: [a], pattern: '^a'}", '{enum: [a]}', 'pattern-removed compatible compatible'],
    ['another default', object('a: {default: 1}'), object('a: {default: 2}'), 'default-changed risky compatible'],
    ['a default', object('a: {}'), object('a: {default: 1}'), 'default-changed risky compatible'],
    ['no default', object('a: {default: 1}'), object('a: {}'), 'default-changed risky compatible'],
    ['another default of a body that is always sent', '{default: 1}', '{default: 2}', 'default-changed compatible compatible'],
    [
      'another default of a required property',
      object('a: {default: 1}', ', required: [a]'),
      object('a: {default: 2}', ', required: [a]'),
      'default-changed compatible compatible',
    ],
    [
      'another default of an optional property in a required one',
      object(`a: ${object('b: {default: 1}')}`, ', required: [a]'),
      object(`a: ${object('b: {default: 2}')}`, ', required: [a]'),
      'default-changed risky compatible',
    ],
    [
      'another default of a required property in an optional one',
      object(`a: ${object('b: {default: 1}', ', required: [b]')}`),
      object(`a: ${object('b: {default: 2}', ', required: [b]')}`),
      'default-changed compatible compatible',
    ],
    [
      'another default of items',
      object('a: {type: array, items: {default: 1}}'),
      object('a: {type: array, items: {default: 2}}'),
      'default-changed compatible compatible',
    ],
    ['another encoding', '{contentEncoding: base64}', '{contentEncoding: base32}', 'content-encoding-changed breaking breaking'],
    ['a pattern without an effect', '{type: string}', "{type: string, pattern: '.*'}"],
    ['another constant in a branch', '{const: 1}', '{allOf: [{const: 1}, {const: 2}]}', 'enum-value-removed breaking compatible'],
  ],
  properties: [
    [
      'a required property',
      object('a: {}'),
      object('a: {}, b: {}', ', required: [b]'),
      'required-property-added breaking compatible',
    ],
    ['an optional property', object('a: {}'), object('a: {}, b: {}'), 'optional-property-added compatible compatible'],
    ['no optional property', object('a: {}, b: {}'), object('a: {}'), 'optional-property-removed risky risky'],
    [
      'no required property',
      object('b: {}', ', required: [b]'),
      object('a: {}'),
      'optional-property-added compatible compatible',
      'required-property-removed risky breaking',
    ],
    ['required', object('a: {}'), object('a: {}', ', required: [a]'), 'property-became-required breaking compatible'],
    ['optional', object('a: {}', ', required: [a]'), object('a: {}'), 'property-became-optional compatible breaking'],
    [
      'a read-only required property',
      object('a: {}'),
      object('a: {}, b: {readOnly: true}', ', required: [b]'),
      'required-property-added compatible compatible',
    ],
    [
      'a required property that is no longer read-only',
      object('a: {readOnly: true}', ', required: [a]'),
      object('a: {}', ', required: [a]'),
      'required-property-no-longer-read-only breaking compatible',
    ],
    [
      'a property that another one requires and that is no longer read-only',
      object('a: {readOnly: true}, b: {}', ', dependentRequired: {b: [a]}'),
      object('a: {}, b: {}', ', dependentRequired: {b: [a]}'),
      'required-property-no-longer-read-only breaking compatible',
    ],
    [
      'a required name whose read-only property is removed',
      object('a: {readOnly: true}, b: {}', ', required: [a]'),
      object('b: {}', ', required: [a]'),
      'optional-property-removed compatible risky',
      'required-property-no-longer-read-only breaking compatible',
    ],
    [
      'a required name whose property becomes read-only',
      object('b: {}', ', required: [a]'),
      object('a: {readOnly: true}, b: {}', ', required: [a]'),
      'required-property-added compatible compatible',
    ],
    [
      'no write-only property',
      object('a: {}, b: {writeOnly: true}'),
      object('a: {}'),
      'optional-property-removed risky compatible',
    ],
    [
      'a closed object',
      object('a: {}'),
      object('a: {}', ', additionalProperties: false'),
      'additional-properties-forbidden breaking compatible',
    ],
    [
      'a property in a closed object',
      object('a: {}', ', additionalProperties: false'),
      object('a: {}, b: {}', ', additionalProperties: false'),
      'property-added-to-closed-object compatible risky',
    ],
    [
      'a property that a closed branch no longer describes',
      `{allOf: [${object('a: {}')}, ${object('a: {}, b: {}', ', unevaluatedProperties: false')}]}`,
      `{allOf: [${object('a: {}')}, ${object('b: {}', ', unevaluatedProperties: false')}]}`,
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a pattern for names in a closed object',
      object('a: {}', ', additionalProperties: false'),
      object('a: {}', ', additionalProperties: false, patternProperties: {"^x": {type: string}}'),
      'additional-properties-allowed compatible risky',
    ],
    [
      'no pattern for names in a closed object',
      object('a: {}', ', unevaluatedProperties: false, patternProperties: {"^x": {type: string}}'),
      object('a: {}', ', unevaluatedProperties: false'),
      'additional-properties-forbidden breaking compatible',
    ],
    [
      'a branch that allows only its own properties',
      `{unevaluatedProperties: false, allOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      `{unevaluatedProperties: false, allOf: [${object('a: {}', ', unevaluatedProperties: false')}, ${object('b: {}')}]}`,
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a branch that no longer allows only its own properties',
      `{unevaluatedProperties: false, allOf: [${object('a: {}', ', additionalProperties: false')}, ${object('b: {}')}]}`,
      `{unevaluatedProperties: false, allOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      'property-added-to-closed-object compatible risky',
    ],
    [
      'another branch that allows only its own properties',
      `{allOf: [${object('a: {}', ', unevaluatedProperties: false')}, ${object('b: {}')}]}`,
      `{allOf: [${object('a: {}')}, ${object('b: {}', ', unevaluatedProperties: false')}]}`,
      'optional-property-removed - risky',
      'property-added-to-closed-object compatible risky',
      'property-removed-from-closed-object breaking -',
    ],
    [
      'a branch with a pattern that another branch no longer allows',
      `{allOf: [{patternProperties: {"^x": {}}, additionalProperties: false}, {patternProperties: {"^x": {}}}]}`,
      `{allOf: [{patternProperties: {"^x": {}}, additionalProperties: false}, {patternProperties: {"^x": {}}}, {additionalProperties: false}]}`,
      'additional-properties-forbidden breaking compatible',
    ],
    [
      'a branch with a schema for the properties of the others',
      `{allOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      `{allOf: [${object('a: {}', ', unevaluatedProperties: {type: integer}')}, ${object('b: {}')}]}`,
      'constraint-added breaking compatible',
      'type-narrowed breaking compatible',
    ],
    [
      'a closed schema around a branch that describes all properties',
      `{allOf: [${object('a: {}', ', additionalProperties: {type: integer}')}]}`,
      `{unevaluatedProperties: false, allOf: [${object('a: {}', ', additionalProperties: {type: integer}')}]}`,
    ],
    [
      'a property for a required name',
      object('a: {}', ', required: [c]'),
      object('a: {}, c: {}'),
      'optional-property-added compatible compatible',
      'property-became-optional compatible breaking',
    ],
    [
      'a required name for a property',
      object('a: {}, c: {}'),
      object('a: {}', ', required: [c]'),
      'optional-property-removed risky risky',
      'property-became-required breaking compatible',
    ],
    [
      'a property for a required name in a schema that becomes closed',
      '{type: object, required: [b]}',
      object('b: {}, c: {}', ', unevaluatedProperties: false'),
      'constraint-added breaking compatible',
      'optional-property-added compatible compatible',
      'property-became-optional compatible breaking',
    ],
    [
      'a read-only property for a required name',
      object('a: {}', ', required: [c]'),
      object('a: {}, c: {readOnly: true}'),
      'optional-property-added compatible compatible',
      'property-became-optional compatible breaking',
    ],
    [
      'a write-only property for a required name',
      object('a: {}', ', required: [c]'),
      object('a: {}, c: {writeOnly: true}', ', required: [c]'),
      'required-property-added breaking compatible',
      'write-only-changed compatible compatible',
    ],
    [
      'a property with any value for a name that stays required',
      object('a: {}', ', required: [c]'),
      object('a: {}, c: {description: C}', ', required: [c]'),
      'required-property-added compatible compatible',
    ],
    [
      'a property with a type for a name that stays required',
      object('a: {}', ', required: [c]'),
      object('a: {}, c: {type: string}', ', required: [c]'),
      'required-property-added breaking compatible',
    ],
    ['a deprecated property', object('a: {}'), object('a: {deprecated: true}'), 'property-deprecated compatible compatible'],
    [
      'a property moved into allOf',
      object('a: {type: string}'),
      '{allOf: [{type: object}, {properties: {a: {type: string}}}]}',
      'composition-changed compatible compatible',
    ],
    [
      'a property in a schema without unevaluated properties',
      object('a: {}', ', unevaluatedProperties: false'),
      object('a: {}, b: {}', ', unevaluatedProperties: false'),
      'property-added-to-closed-object compatible risky',
    ],
    [
      'a required property in a closed object',
      object('a: {}', ', additionalProperties: false'),
      object('a: {}, b: {}', ', required: [b], additionalProperties: false'),
      'property-added-to-closed-object compatible risky',
      'required-property-added breaking compatible',
    ],
    [
      'a property that had the schema of all others',
      object('', ', additionalProperties: {type: integer}'),
      object('b: {type: string}', ', additionalProperties: {type: integer}'),
      'optional-property-added compatible compatible',
      'type-changed breaking breaking',
    ],
    [
      'a required property without a schema',
      object('a: {}', ', required: [a]'),
      object('', ', required: [a]'),
      'optional-property-removed risky risky',
    ],
  ],
  alternatives: [
    [
      'an alternative',
      '{oneOf: [{title: A, type: object}, {title: B, type: array}]}',
      '{oneOf: [{title: B, type: array}, {title: C, type: string, minLength: 2}, {title: A, type: object}]}',
      'alternative-added compatible breaking',
    ],
    [
      'no alternative',
      '{anyOf: [{type: object}, {type: string, minLength: 2}]}',
      '{anyOf: [{type: object}]}',
      'alternative-removed breaking compatible',
    ],
    [
      'a change inside an alternative',
      '{oneOf: [{type: object}, {type: string, maxLength: 2}]}',
      '{oneOf: [{type: string, maxLength: 1}, {type: object}]}',
      'limit-tightened breaking compatible',
    ],
    [
      'an alternative between others that differ in their `allOf`',
      `{oneOf: [${rule('a')}, ${rule('b')}]}`,
      `{oneOf: [${rule('a')}, ${rule('c')}, ${rule('b')}]}`,
      'alternative-added compatible breaking',
    ],
    [
      'an alternative between others that differ in a constant',
      `{oneOf: [${kind('a')}, ${kind('b')}]}`,
      `{oneOf: [${kind('c')}, ${kind('b')}, ${kind('a')}]}`,
      'alternative-added compatible breaking',
    ],
    [
      'alternatives around a schema',
      object('a: {}'),
      `{oneOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      'alternative-added compatible breaking',
    ],
    [
      'nullable alternatives around a nullable schema',
      "{type: [string, 'null'], minLength: 1}",
      "{type: [string, object, 'null'], oneOf: [{type: string, minLength: 1}, {type: object, required: [a]}]}",
      'alternative-added compatible breaking',
    ],
    [
      'no null around alternatives',
      `{oneOf: [{type: 'null'}, ${constants('{title: A, const: 1}', '{title: B, const: 2}')}]}`,
      constants('{title: A, const: 1}', '{title: B, const: 2}'),
      'became-not-nullable breaking compatible',
    ],
    [
      'null around alternatives that gain one',
      constants('{title: A, const: 1}', '{title: B, const: 2}'),
      `{anyOf: [${constants('{title: A, const: 1}', '{title: B, const: 2}', '{title: C, const: 3}')}, {type: 'null'}]}`,
      'alternative-added compatible breaking',
      'became-nullable compatible breaking',
    ],
    [
      'null around alternatives without a type',
      `{oneOf: [${object('a: {}')}, {anyOf: [{type: string}, ${object('b: {}')}]}]}`,
      `{oneOf: [{oneOf: [${object('a: {}')}, {anyOf: [{type: string}, ${object('b: {}')}]}]}, {type: 'null'}]}`,
      'became-nullable compatible breaking',
    ],
    [
      'null around alternatives that allow it',
      `{oneOf: [${object('a: {}')}, {type: [string, 'null']}]}`,
      `{oneOf: [{oneOf: [${object('a: {}')}, {type: [string, 'null']}]}, {type: 'null'}]}`,
    ],
    [
      'null among alternatives instead of around them',
      `{oneOf: [{type: 'null'}, {oneOf: [${object('a: {}')}, ${object('b: {}')}]}]}`,
      `{oneOf: [${object('a: {}')}, ${object('b: {}')}, {type: 'null'}]}`,
    ],
    [
      'only alternatives and null left of several alternatives',
      `{anyOf: [{type: string}, {oneOf: [${object('a: {}')}, ${object('b: {}')}]}, {type: 'null'}]}`,
      `{anyOf: [{oneOf: [${object('a: {}')}, ${object('b: {}')}]}, {type: 'null'}]}`,
      'alternative-removed breaking compatible',
    ],
    [
      'one alternative of an open choice in place of all',
      `{type: object, additionalProperties: true, oneOf: [${object('a: {}')}, ${object('b: {}')}]}`,
      object('a: {}'),
      'alternative-removed breaking compatible',
    ],
    [
      'an alternative that another one covers',
      '{oneOf: [{type: string, minLength: 2}, {type: string}, {type: boolean}]}',
      '{oneOf: [{type: string}, {type: boolean}]}',
      'composition-changed compatible compatible',
    ],
    [
      'another constant of an alternative',
      '{type: integer, oneOf: [{title: A, const: 1}, {title: B, const: 2}]}',
      '{type: integer, oneOf: [{title: A, const: 1}, {title: C, const: 3}]}',
      'alternative-added compatible breaking',
      'alternative-removed breaking compatible',
    ],
    [
      'another title of an alternative with the same constant',
      '{type: integer, oneOf: [{title: A, const: 1}, {title: B, const: 2}]}',
      '{type: integer, oneOf: [{title: A, const: 1}, {title: C, const: 2}]}',
    ],
    [
      'no property in an alternative that had one',
      `{oneOf: [${object('a: {}', ', required: [a]')}, ${object('b: {}')}]}`,
      `{oneOf: [${object('a: {}', ', required: [a]')}, ${object('')}]}`,
      'optional-property-removed risky risky',
    ],
    [
      'one of many properties left in an alternative',
      `{oneOf: [${object('a: {}, b: {}, c: {}, d: {}')}, {type: string}]}`,
      `{oneOf: [${object('b: {}')}, {type: string}]}`,
      'optional-property-removed risky risky',
    ],
    [
      'many properties in an alternative that had one',
      `{oneOf: [${object('a: {}')}, {type: string}]}`,
      `{oneOf: [${object('a: {}, b: {}, c: {}, d: {}')}, {type: string}]}`,
      'optional-property-added compatible compatible',
    ],
    [
      'an alternative at the position of one with other properties',
      `{oneOf: [${object('a: {}', ', required: [a]')}, {type: string}]}`,
      `{oneOf: [${object('b: {}', ', required: [b]')}, {type: string}]}`,
      'alternative-added compatible breaking',
      'alternative-removed breaking compatible',
    ],
    [
      'an object that another one covers',
      `{anyOf: [${object('a: {enum: [x]}, b: {type: integer}', ', required: [a, b]')}, ${object('a: {type: string}', ', required: [a]')}]}`,
      `{anyOf: [${object('a: {type: string}', ', required: [a]')}]}`,
      'composition-changed compatible compatible',
    ],
    [
      'an object that another one covers only in part',
      `{anyOf: [${object('a: {type: string}')}, ${object('a: {type: integer}')}, ${object('a: {enum: [x]}', ', required: [a]')}]}`,
      `{anyOf: [${object('a: {type: integer}')}, ${object('a: {enum: [x]}', ', required: [a]')}]}`,
      'alternative-removed breaking compatible',
    ],
    [
      'an object with any other text that another one limits',
      `{oneOf: [${object('a: {}', ', additionalProperties: {type: string}')}, ${object("c: {pattern: '^a'}")}]}`,
      `{oneOf: [${object("c: {pattern: '^a'}")}]}`,
      'alternative-removed breaking compatible',
    ],
    [
      'an object without properties beside one that limits a property around them',
      `{allOf: [${object('b: {type: string}')}, {anyOf: [${object('b: {const: x}')}, {type: "null"}]}]}`,
      `{allOf: [${object('b: {type: string}')}, {anyOf: [${object('b: {const: x}')}, {type: "null"}, ${object('')}]}]}`,
      'alternative-added compatible breaking',
    ],
    [
      'an object with a property in `allOf` whose schema another one limits',
      `{anyOf: [{type: string}, ${object("c: {pattern: '^a'}")}]}`,
      `{anyOf: [{type: string}, ${object("c: {pattern: '^a'}")}, ${object('', ', allOf: [{properties: {c: {type: integer}}}]')}]}`,
      'alternative-added compatible breaking',
    ],
    [
      'an alternative with a name that another one covers',
      '{oneOf: [{title: Short, type: string, maxLength: 2}, {type: string}, {type: boolean}]}',
      '{oneOf: [{type: string}, {type: boolean}]}',
      'alternative-removed breaking compatible',
    ],
    [
      'an alternative that a discriminator tells apart',
      `{discriminator: {propertyName: a}, oneOf: [${object('a: {enum: [x]}')}, ${object('a: {type: string}')}, {type: boolean}]}`,
      `{discriminator: {propertyName: a}, oneOf: [${object('a: {type: string}')}, {type: boolean}]}`,
      'alternative-removed breaking compatible',
    ],
    [
      'an alternative of `anyOf` that the old required names imply',
      object('a: {}, b: {}', ', required: [a]'),
      object('a: {}, b: {}', ', anyOf: [{required: [a]}, {required: [b]}]'),
      'composition-changed compatible compatible',
      'property-became-optional compatible breaking',
    ],
    [
      'an alternative for each value of a property in place of a schema',
      object('kind: {enum: [a, b]}, name: {type: string}, size: {type: integer}', ', required: [kind]'),
      `{oneOf: [${object('kind: {const: a}, name: {type: string}', ', required: [kind]')}, ${object('kind: {const: b}, size: {type: integer}', ', required: [kind]')}]}`,
      'constraint-changed risky risky',
    ],
    [
      'an alternative for some values of a property in place of a schema',
      object('kind: {enum: [a, b, c]}, name: {type: string}'),
      `{oneOf: [${object('kind: {const: a}, name: {type: string}', ', required: [kind]')}, ${object('kind: {const: b}', ', required: [kind]')}]}`,
      'alternatives-replaced breaking -',
      'constraint-changed - risky',
    ],
    [
      'an alternative with another property for a value in place of a schema',
      object('kind: {enum: [a, b]}, name: {type: string}', ', required: [kind]'),
      `{oneOf: [${object('kind: {const: a}, name: {type: integer}', ', required: [kind]')}, ${object('kind: {const: b}', ', required: [kind]')}]}`,
      'alternatives-replaced breaking breaking',
    ],
    [
      'components for the values of a property in place of a schema',
      object('kind: {enum: [a, b]}', ', required: [kind]'),
      `{oneOf: [{title: A, ${object('kind: {const: a}', ', required: [kind]').slice(1)}, {title: B, ${object('kind: {const: b}', ', required: [kind]').slice(1)}]}`,
      'alternatives-replaced breaking breaking',
    ],
    [
      'alternatives in place of a schema',
      object('a: {}', ', required: [a]'),
      `{oneOf: [${object('c: {}', ', required: [c]')}, ${object('b: {}', ', required: [b]')}]}`,
      'alternatives-replaced breaking breaking',
    ],
    [
      'alternatives with other optional properties in place of a schema',
      object('a: {}'),
      `{oneOf: [${object('c: {}')}, ${object('b: {}')}]}`,
      'constraint-changed risky risky',
    ],
  ],
  constraints: [
    ['not', '{}', '{not: {type: string}}', 'constraint-added breaking compatible'],
    ['not with less than everything', '{not: {}}', '{not: {type: string}}', 'type-narrowed compatible breaking'],
    [
      'a narrower schema inside not',
      '{not: {type: string, maxLength: 5}}',
      '{not: {type: string, maxLength: 4}}',
      'limit-tightened compatible breaking',
    ],
    ['a condition', '{}', '{if: {type: string}, then: {minLength: 2}}', 'constraint-added breaking compatible'],
    [
      'another condition',
      '{if: {const: a}, then: {minLength: 2}}',
      '{if: {const: b}, then: {minLength: 2}}',
      'constraint-changed risky risky',
    ],
    [
      'a dependent property',
      '{dependentRequired: {a: [b]}}',
      '{dependentRequired: {a: [b, c]}}',
      'constraint-added breaking compatible',
    ],
    [
      'a type of items',
      '{type: array, items: {type: string}}',
      '{type: array, items: {type: integer}}',
      'type-changed breaking breaking',
    ],
    [
      'an item of a tuple',
      '{prefixItems: [{type: string}]}',
      '{prefixItems: [{type: string}, {type: string}]}',
      'constraint-added breaking compatible',
    ],
    [
      'an item of a tuple that all items matched before',
      '{type: array, items: {type: string}}',
      '{type: array, items: {type: string}, prefixItems: [{type: string}]}',
    ],
    [
      'an item of a tuple with another type than the items',
      '{type: array, items: {type: string}}',
      '{type: array, items: {type: string}, prefixItems: [{type: integer}]}',
      'type-changed breaking breaking',
    ],
    [
      'no tuple',
      '{type: array, items: {type: string}, prefixItems: [{type: integer}]}',
      '{type: array, items: {type: string}}',
      'type-changed breaking breaking',
    ],
    [
      'an item of a closed tuple',
      '{prefixItems: [{type: string}], items: false}',
      '{prefixItems: [{type: string}, {type: string}], items: false}',
      'tuple-item-added compatible breaking',
    ],
    [
      'a schema that allows nothing',
      '{properties: {a: true}}',
      '{properties: {a: false}}',
      'constraint-added breaking compatible',
    ],
    ['a schema that excludes only other types', '{type: integer}', '{type: integer, not: {type: string}}'],
    [
      'a property in a condition',
      '{if: {}, then: {properties: {}}}',
      '{if: {}, then: {properties: {a: {type: string}}}}',
      'constraint-changed risky risky',
    ],
    [
      'a branch without items after its own',
      '{type: array, allOf: [{prefixItems: [{}]}, {prefixItems: [{}, {}]}]}',
      '{type: array, allOf: [{prefixItems: [{}], unevaluatedItems: false}, {prefixItems: [{}, {}]}]}',
      'constraint-added breaking compatible',
    ],
    [
      'a second branch without items after its own',
      '{type: array, allOf: [{prefixItems: [{}]}, {prefixItems: [{}, {}]}], unevaluatedItems: false}',
      '{type: array, allOf: [{prefixItems: [{}], unevaluatedItems: false}, {prefixItems: [{}, {}]}], unevaluatedItems: false}',
      'constraint-added breaking compatible',
    ],
    [
      'contained items beside unevaluated items',
      '{type: array, unevaluatedItems: false}',
      '{type: array, unevaluatedItems: false, contains: {type: string}}',
      'constraint-added breaking compatible',
      'constraint-changed risky risky',
    ],
    [
      'items in place of unevaluated items',
      '{type: array, prefixItems: [{}], unevaluatedItems: false}',
      '{type: array, prefixItems: [{}], items: {type: string}}',
      'constraint-removed compatible breaking',
    ],
    [
      'contained items with a maximum',
      '{contains: {minimum: 1}, maxContains: 2}',
      '{contains: {minimum: 0}, maxContains: 2}',
      'constraint-changed risky risky',
    ],
    ['any item in place of none', '{type: array, contains: {}}', '{type: array}', 'constraint-removed compatible breaking'],
    ['a property that needs itself', '{}', '{dependentRequired: {a: [a]}}'],
    [
      'a dependent property that is required anyway',
      '{required: [b], dependentRequired: {a: [b]}}',
      '{required: [b], dependentRequired: {a: [c]}}',
      'constraint-added breaking compatible',
    ],
  ],
  'properties that `not` excludes': [
    ['one more that the base does not describe', excluding('b', 'c'), excluding('b', 'c', 'x'), noEffect],
    ['one less that the revision does not describe', excluding('b', 'c', 'x'), excluding('b', 'c'), noEffect],
    ['a second one that the base does not describe', excluding('b'), excluding('x', 'b'), noEffect],
    ['the first ones, which the base does not describe', object('a: {}'), excluding('x', 'y'), noEffect],
    ['the last ones, which the revision does not describe', excluding('x', 'y'), object('a: {}'), noEffect],
    ['another one that neither describes', excluding('b', 'x'), excluding('b', 'y'), noEffect],
    ['one more that the base describes', excluding('b'), excluding('b', 'a'), 'constraint-added breaking compatible'],
    ['one less that the revision describes', excluding('b', 'a'), excluding('b'), 'constraint-removed compatible breaking'],
    ['two of which the base describes one', object('a: {}'), excluding('x', 'a'), 'constraint-added breaking compatible'],
    [
      'another one, and the base describes both',
      object('a: {}, b: {}', ', not: {required: [a]}'),
      object('a: {}, b: {}', ', not: {anyOf: [{required: [b]}, {required: [c]}]}'),
      'composition-changed compatible compatible',
      'constraint-added breaking compatible',
      'constraint-removed compatible breaking',
    ],
    [
      'one that the base describes together with one that it does not describe',
      object('a: {}'),
      object('a: {}', ', not: {required: [a, x]}'),
      noEffect,
    ],
    [
      'one more in an object that was closed',
      object('a: {}', ', additionalProperties: false'),
      object('a: {}', ', additionalProperties: false, not: {required: [x]}'),
      noEffect,
    ],
    ...[', additionalProperties: {type: string}', ', patternProperties: {"^x": {type: string}}', ', required: [x]'].map(
      (rest): Row => [
        `one more that the base describes by \`${rest.slice(2)}\``,
        object('a: {}', rest),
        object('a: {}', `${rest}, not: {required: [x]}`),
        'constraint-added breaking compatible',
      ],
    ),
    [
      'one more that a condition of the base describes',
      object('a: {}', ', if: {required: [a]}, then: {properties: {x: {type: string}}}'),
      object('a: {}', ', if: {required: [a]}, then: {properties: {x: {type: string}}}, not: {required: [x]}'),
      'constraint-added breaking compatible',
    ],
    [
      'one more, and values that are not objects',
      '{properties: {a: {}}}',
      '{properties: {a: {}}, not: {required: [x]}}',
      'constraint-added breaking compatible',
    ],
    [
      'one more that a schema around a condition can describe',
      object('x: {}', ', if: {required: [a]}, then: {type: object, minProperties: 1}'),
      object('x: {}', ', if: {required: [a]}, then: {type: object, minProperties: 1, not: {required: [x]}}'),
      'constraint-added breaking compatible',
    ],
    ['one more in an alternative', ...inAlternative('a: {}', excluding('b'), excluding('b', 'x')), noEffect],
    ['one less in an alternative', ...inAlternative('a: {}', excluding('b', 'x'), excluding('b')), noEffect],
    [
      'one more in an alternative, which the schema around it describes',
      ...inAlternative('x: {}', excluding('b'), excluding('b', 'x')),
      noEffect,
      'constraint-added breaking compatible',
    ],
    [
      'one less in an alternative, which the schema around it describes',
      ...inAlternative('x: {}', excluding('b', 'x'), excluding('b')),
      noEffect,
      'constraint-removed compatible breaking',
    ],
    [
      'one more in an alternative of an alternative, and the schema around them describes it',
      ...inAlternative(
        'x: {}',
        `{oneOf: [${excluding('b')}, {required: [c]}]}`,
        `{oneOf: [${excluding('b', 'x')}, {required: [c]}]}`,
      ),
      noEffect,
      'constraint-added breaking compatible',
    ],
  ],
  branches: [
    [
      'other items in a branch of allOf',
      '{type: array, items: {type: string}}',
      '{allOf: [{type: array, items: {type: string}}, {items: {maxLength: 3}}]}',
      'limit-added risky compatible',
    ],
    [
      'items that contradict each other',
      '{type: array, items: {type: boolean}}',
      '{allOf: [{type: array, items: {type: boolean}}, {type: array, items: {const: a}}]}',
      'const-added breaking compatible',
    ],
    [
      'another pattern in a branch',
      '{allOf: [{type: string, pattern: "^a"}, {pattern: "b$"}]}',
      '{allOf: [{type: string, pattern: "^a"}, {pattern: "c$"}]}',
      'pattern-changed risky risky',
    ],
    [
      'another factor in a branch',
      '{allOf: [{type: integer, multipleOf: 2}, {multipleOf: 3}]}',
      '{allOf: [{type: integer, multipleOf: 2}, {multipleOf: 9}]}',
      'limit-tightened breaking compatible',
    ],
    ['branches in another order', '{allOf: [{pattern: a}, {pattern: b}]}', '{allOf: [{pattern: b}, {pattern: a}]}'],
    [
      'a second schema that is excluded',
      '{allOf: [{not: {const: a}}]}',
      '{allOf: [{not: {const: a}}, {not: {const: b}}]}',
      'constraint-added breaking compatible',
    ],
    [
      'a condition in a second branch',
      '{allOf: [{if: {required: [a]}, then: {required: [b]}}]}',
      '{allOf: [{if: {required: [a]}, then: {required: [b]}}, {if: {required: [c]}, then: {required: [d]}}]}',
      'constraint-added breaking compatible',
    ],
    [
      'a pattern for names in a second branch',
      '{allOf: [{patternProperties: {"^x": {type: string}}}]}',
      '{allOf: [{patternProperties: {"^x": {type: string}}}, {patternProperties: {"^x": {maxLength: 3}}}]}',
      'limit-added risky compatible',
    ],
    [
      'an item of a tuple in a second branch',
      '{allOf: [{prefixItems: [{type: string}]}]}',
      '{allOf: [{prefixItems: [{type: string}]}, {prefixItems: [{maxLength: 3}]}]}',
      'limit-added risky compatible',
    ],
    [
      'a schema for additional properties in a second branch',
      object('a: {type: integer}'),
      `{allOf: [${object('a: {type: integer}')}, {additionalProperties: {type: integer, maximum: 5}}]}`,
      'constraint-added breaking compatible',
      'limit-added risky compatible',
    ],
    [
      'a second closed branch',
      '{allOf: [{properties: {a: {}}}, {properties: {b: {}}, additionalProperties: false}]}',
      '{allOf: [{properties: {a: {}}, additionalProperties: false}, {properties: {b: {}}, additionalProperties: false}]}',
      'optional-property-removed - risky',
      'property-removed-from-closed-object breaking -',
    ],
    ['one alternative in place of allOf', '{allOf: [{minLength: 1}], maxLength: 9}', '{anyOf: [{minLength: 1}], maxLength: 9}'],
    [
      'a change in the only alternative',
      '{oneOf: [{type: string}]}',
      '{oneOf: [{type: integer}]}',
      'type-changed breaking breaking',
    ],
    [
      'another keyword around the only alternative',
      '{oneOf: [{type: string}]}',
      '{anyOf: [{type: string, maxLength: 3}]}',
      'limit-added risky compatible',
    ],
    [
      'a second alternative',
      '{oneOf: [{type: string, minLength: 1}]}',
      '{oneOf: [{type: string, minLength: 1}, {type: array}]}',
      'alternative-added compatible breaking',
    ],
    [
      'the only alternative beside others',
      '{oneOf: [{minLength: 1}], anyOf: [{pattern: a}, {pattern: b}]}',
      '{oneOf: [{minLength: 2}], anyOf: [{pattern: a}, {pattern: b}]}',
      'limit-tightened breaking compatible',
    ],
  ],
  cases: [
    [
      'a property that a condition describes',
      '{type: object, if: {required: [b]}, then: {properties: {a: {minimum: 1}}}}',
      '{type: object, if: {required: [b]}, then: {properties: {a: {minimum: 1}}}, properties: {a: {type: array}}}',
      'constraint-changed risky risky',
    ],
    [
      'a property that an alternative describes',
      `{type: object, oneOf: [${object('a: {type: string}')}, ${object('b: {type: string}')}]}`,
      `{type: object, oneOf: [${object('a: {type: string}')}, ${object('b: {type: string}')}], properties: {a: {maxLength: 3}}}`,
      'constraint-changed risky risky',
    ],
    [
      'a property of the whole object in an alternative',
      `{type: object, properties: {a: {}}, oneOf: [${object('b: {}')}, ${object('c: {}')}]}`,
      `{type: object, properties: {a: {}}, oneOf: [${object('b: {}, a: {type: string}')}, ${object('c: {}')}]}`,
      'constraint-changed risky risky',
      'optional-property-added compatible compatible',
    ],
    [
      'a property of an alternative in a closed object',
      `{type: object, unevaluatedProperties: false, oneOf: [${object('b: {}')}, ${object('c: {}')}]}`,
      `{type: object, unevaluatedProperties: false, oneOf: [${object('b: {}, a: {}')}, ${object('c: {}')}]}`,
      'optional-property-added compatible compatible',
      'property-added-to-closed-object compatible risky',
    ],
    [
      'a property whose name matches a pattern',
      object('', ', patternProperties: {"^x": {type: string}}'),
      object('x1: {type: integer}', ', patternProperties: {"^x": {type: string}}'),
      'optional-property-added compatible compatible',
      'type-narrowed breaking compatible',
    ],
    [
      'no property where the others have a schema',
      object('b: {type: string}', ', additionalProperties: {type: integer}'),
      object('', ', additionalProperties: {type: integer}'),
      'optional-property-removed risky risky',
      'type-changed breaking breaking',
    ],
  ],
}

/** Keywords that have no effect on values of a type. */
const withoutEffect: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['integer', 'format: email', 'format: date-time'],
  ['string', 'items: {type: string}', 'contains: {const: a}', 'prefixItems: [{type: string}], items: false'],
  ['string', 'required: [a]', 'properties: {a: {type: string}}', 'patternProperties: {"^x": {type: string}}'],
  ['boolean', 'additionalProperties: false', 'unevaluatedProperties: false', 'propertyNames: {pattern: "^x"}'],
  ['array', 'dependentRequired: {a: [b]}', 'dependentSchemas: {a: {required: [b]}}'],
  ['object', 'items: {type: string}', 'format: date'],
]

describe('keywords for values of another type', () => {
  const cases = withoutEffect.flatMap(([type, ...keywords]) => keywords.map((keyword) => [keyword, type] as const))

  test.each(cases)('have no effect: %s of %s', async (keyword, type) => {
    const [plain, limited] = [`{type: ${type}}`, `{type: ${type}, ${keyword}}`]
    expect(await compareBodies(plain, limited)).toEqual([])
    expect(await compareBodies(limited, plain)).toEqual([])
  })

  test.each(['items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems'])(
    'have no effect if only the schema in them changes: %s of a string',
    async (keyword) => {
      const [one, other] = ['{type: string}', '{type: integer}'].map((inner) => `{type: string, ${keyword}: ${inner}}`)
      expect(await compareBodies(one ?? '', other ?? '')).toEqual([])
    },
  )

  test('have one if the schema allows this type too', async () => {
    for (const types of ['type: [integer, string], ', '']) {
      const changes = await compareBodies(`{${types}minimum: 1}`, `{${types}minimum: 1, format: email}`)
      expect(changes).toEqual(['format-narrowed breaking compatible'])
    }
    const items = await compareBodies('{items: {type: string}}', '{type: [array, boolean], items: {type: integer}}')
    expect(items).toEqual(['type-changed breaking breaking', 'type-narrowed breaking compatible'])
  })
})

describe.each(Object.entries(rows))('%s', (_family, cases) => {
  test.each(cases)('%s', async (_title, base, revision, ...expected) => {
    expect(await compareBodies(base, revision)).toEqual(expected)
  })
})

describe('discriminators', () => {
  const refer = (name: string) => `{$ref: '#/components/schemas/${name}'}`
  const choice = (names: readonly string[], mapping: string) =>
    `{oneOf: [${names.map(refer).join(', ')}], discriminator: {propertyName: kind, mapping: {${mapping}}}}`
  const kind = (name: string, values = '{type: string}') => `${name}: ${object(`kind: ${values}, ${name}: {type: string}`)}`
  const components = (...schemas: string[]) => `components: {schemas: {${schemas.join(', ')}}}`
  const both = components(kind('Cat'), kind('Dog'))

  const cases: readonly (readonly [
    title: string,
    base: string,
    revision: string,
    rest: readonly [string, string],
    expected: readonly string[],
  ])[] = [
    [
      'a value removed',
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      choice(['Cat', 'Dog'], 'cat: Cat'),
      [both, both],
      ['discriminator-value-removed breaking risky'],
    ],
    [
      'a value added',
      choice(['Cat', 'Dog'], 'cat: Cat'),
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      [both, both],
      ['discriminator-value-added compatible risky'],
    ],
    [
      'a value renamed',
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      choice(['Cat', 'Dog'], "cat: Cat, hound: '#/components/schemas/Dog'"),
      [both, both],
      ['discriminator-value-renamed breaking risky'],
    ],
    [
      'a value for another schema',
      choice(['Cat', 'Dog'], 'pet: Cat'),
      choice(['Cat', 'Dog'], 'pet: Dog'),
      [both, both],
      ['discriminator-target-changed risky risky'],
    ],
    [
      'a value that is the name of the schema',
      choice(['Cat', 'Dog'], 'Cat: Cat, Dog: Dog'),
      choice(['Cat', 'Dog'], 'Cat: Cat'),
      [both, both],
      ['discriminator-changed compatible compatible'],
    ],
    [
      'a value with its alternative',
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      choice(['Cat'], 'cat: Cat'),
      [both, both],
      ['alternative-removed breaking compatible', 'discriminator-changed compatible compatible'],
    ],
    [
      'a renamed schema',
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      choice(['Cat', 'Hound'], 'cat: Cat, dog: Hound'),
      [both, components(kind('Cat'), `Hound: ${object('kind: {type: string}, Dog: {type: string}')}`)],
      ['discriminator-changed compatible compatible'],
    ],
    [
      'a value that the property excludes too',
      choice(['Cat', 'Dog'], 'cat: Cat, dog: Dog'),
      choice(['Cat', 'Dog'], 'cat: Cat, hound: Dog'),
      [components(kind('Cat'), kind('Dog', '{enum: [dog]}')), components(kind('Cat'), kind('Dog', '{enum: [hound]}'))],
      [
        'discriminator-changed compatible compatible',
        'enum-value-added compatible risky',
        'enum-value-removed breaking compatible',
      ],
    ],
    [
      'a value of components without a list',
      '{type: object, discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}}',
      '{type: object, discriminator: {propertyName: kind, mapping: {cat: Cat}}}',
      [both, both],
      ['discriminator-value-removed breaking risky'],
    ],
    [
      'a renamed schema that its name selects',
      choice(['Cat', 'Dog'], ''),
      choice(['Cat', 'Hound'], ''),
      [both, components(kind('Cat'), `Hound: ${object('kind: {type: string}, Dog: {type: string}')}`)],
      ['discriminator-value-renamed breaking risky'],
    ],
    [
      'a value for a schema that its name selected',
      choice(['Cat', 'Dog'], ''),
      choice(['Cat', 'Dog'], 'dog: Dog'),
      [both, both],
      ['discriminator-value-added compatible risky'],
    ],
    [
      'a schema whose name selects nothing else',
      `{oneOf: [${refer('Cat')}, ${refer('Dog')}]}`,
      `{oneOf: [${refer('Cat')}, ${refer('Hound')}]}`,
      [both, components(kind('Cat'), `Hound: ${object('kind: {type: string}, Dog: {type: string}')}`)],
      [],
    ],
    [
      'no discriminator',
      choice(['Cat', 'Dog'], 'cat: Cat'),
      `{oneOf: [${refer('Cat')}, ${refer('Dog')}]}`,
      [both, both],
      ['discriminator-changed compatible compatible'],
    ],
  ]

  test.each(cases)('%s', async (_title, base, revision, rest, expected) => {
    expect(await compareBodies(base, revision, rest)).toEqual(expected)
  })
})

describe('properties by pattern in a schema that contains itself', () => {
  const tree = (pattern: string, value: string) => {
    const keyword = pattern === '' ? '' : `patternProperties: {${pattern}: {$ref: '#/components/schemas/Tree'}}, `
    return `components: {schemas: {Tree: {type: object, ${keyword}properties: {name: {type: ${value}}}}}}`
  }

  test.each([
    ['a property inside', tree('^c', 'string'), tree('^c', 'integer'), ['type-changed breaking breaking']],
    ['no pattern', tree('^c', 'string'), tree('', 'string'), ['constraint-removed compatible breaking']],
    ['a pattern', tree('', 'string'), tree('^c', 'string'), ['constraint-added breaking compatible']],
    [
      'another pattern',
      tree('^c', 'string'),
      tree('^d', 'string'),
      ['constraint-added breaking compatible', 'constraint-removed compatible breaking'],
    ],
  ])('%s', async (_title, base, revision, expected) => {
    const reference = "{$ref: '#/components/schemas/Tree'}"
    expect(await compareBodies(reference, reference, [base, revision])).toEqual(expected)
  })
})

describe('components', () => {
  test.each([
    ['a schema', "{$ref: '#/components/schemas/None'}", '{type: string, enum: [a]}'],
    ['a branch of `allOf`', `{allOf: [{$ref: '#/components/schemas/None'}]}`, object('name: {type: string}')],
    ['a file that does not exist', '{$ref: none.yaml}', '{type: string}'],
  ])('are not compared if the reference of %s cannot be resolved', async (_title, unresolved, schema) => {
    const inside = (one: string) => object(`pet: ${one}, id: {type: integer}`)
    expect(await compareBodies(unresolved, schema)).toEqual([])
    expect(await compareBodies(inside(schema), inside(unresolved))).toEqual([])
  })

  const component = (schema: string) =>
    `components: {schemas: {Pet: ${schema}, Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}`

  test('lists a change of a component once', async () => {
    const schema = "{$ref: '#/components/schemas/Pets'}"
    const changes = await compareBodies(schema, schema, [component('{type: string}'), component('{type: integer}')])
    expect(changes).toEqual(['type-changed breaking breaking'])
  })

  test('compares a schema that contains itself', async () => {
    const node = (rest: string) =>
      `components: {schemas: {Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}${rest}}}}}`
    const schema = "{$ref: '#/components/schemas/Node'}"
    expect(await compareBodies(schema, schema, [node(''), node(', name: {type: string}')])).toEqual([
      'optional-property-added compatible compatible',
    ])
  })

  test('compares 10,000 alternatives and schemas that contain each other', async () => {
    const count = 10_000
    const names = Array.from({ length: count }, (_value, index) => `S${index}`)
    const toSchemas = (last: string) => {
      const schemas = names.map((name, index) => {
        const next = `{$ref: '#/components/schemas/S${(index + 1) % count}'}`
        return `    ${name}: {type: object, properties: {next: ${next}, all: {$ref: '#/components/schemas/All'}${index === count - 1 ? last : ''}}}`
      })
      const all = names.map((name) => `{$ref: '#/components/schemas/${name}'}`).join(', ')
      return `components:\n  schemas:\n    All: {oneOf: [${all}]}\n${schemas.join('\n')}`
    }
    const schema = "{$ref: '#/components/schemas/All'}"
    expect(await compareBodies(schema, schema, [toSchemas(''), toSchemas(', added: {type: string}')])).toEqual([
      'optional-property-added compatible compatible',
    ])
  })
})
