import { expect, test } from 'vitest'
import { formatsOf, toFormat } from '../../src/rules/ruleset.ts'

test.each([
  [{ openapi: '3.0.3' }, ['oas3', 'oas3_0']],
  [{ openapi: '3.1.0' }, ['oas3', 'oas3_1']],
  [{ openapi: '3.2.0' }, ['oas3', 'oas3_2']],
  [{ openapi: 3.1 }, ['oas3', 'oas3_1']],
  [{ openapi: '3.1' }, ['oas3', 'oas3_1']],
  [{ openapi: '3.1.0-rc1' }, ['oas3']],
  [{ swagger: '2.0' }, []],
  [{ openapi: '4.0.0' }, []],
  [[], []],
  [undefined, []],
])('the formats of %j are %j', (document, formats) => {
  expect([...formatsOf(document)]).toEqual(formats)
})

test.each([
  ['oas3', 'oas3'],
  ['oas3.1', 'oas3_1'],
  ['oas3_1', 'oas3_1'],
  ['OAS3-1', 'oas3_1'],
  ['oas3.2', 'oas3_2'],
  ['oas2', 'oas2'],
  ['asyncapi2', 'asyncapi2'],
  ['arazzo1.0', 'arazzo1_0'],
  ['json-schema-draft-2020-12', 'jsonSchemaDraft2020_12'],
  ['json-schema-2019-09', 'jsonSchema2019_09'],
  ['openapi', undefined],
  ['constructor', undefined],
])('reads the format %s as %s', (written, format) => {
  expect(toFormat(written)).toBe(format)
})
