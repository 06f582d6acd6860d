import { expect, test } from 'vitest'
import { findSimplePath, placeExample } from '../../../src/rules/run/rule-examples.ts'

test.each([
  ['$', []],
  ['$.info', ['info']],
  ['$.paths[*]', ['paths', '/example']],
  ['$.paths[*][get,put]', ['paths', '/example', 'get']],
  ['$.paths[*][*].responses[*]', ['paths', '/example', 'get', 'responses', '200']],
  ['$.tags[*].name', ['tags', 0, 'name']],
  ['$.components.parameters[*]', ['components', 'parameters', 'Example']],
  ['$.paths[*].parameters[0]', ['paths', '/example', 'parameters', 0]],
])('finds a path for %s', (expression, path) => {
  expect(findSimplePath(expression)).toEqual(path)
})

test.each([['$..parameters'], ['$.paths[?(@.get)]'], ['$.paths[*]~'], ['$.paths[*].get^'], ['$['], ['#Operation']])(
  'finds no path for %s',
  (expression) => {
    expect(findSimplePath(expression)).toBeUndefined()
  },
)

const info = { title: 'Example', version: '1.0.0' }

test.each([
  [
    'a part below `given`',
    { summary: 'List' },
    ['$.paths[*][get]'],
    { info, paths: { '/example': { get: { summary: 'List' } } } },
  ],
  ['a scalar', 'pets', ['$.tags[*].name'], { info, paths: {}, tags: [{ name: 'pets' }] }],
  ['a document with the first key of `given`', { paths: {} }, ['$.paths[*]'], { paths: {} }],
  ['a document for the root', { info: {} }, ['$'], { info: {} }],
  ['a document for an expression that is not simple', { components: {} }, ['$..schemas'], { components: {} }],
  ['the first simple expression', { title: 'Pets' }, ['$..info', '$.info'], { info: { title: 'Pets' }, paths: {} }],
])('makes a document of %s', (_, value, given, document) => {
  expect(placeExample(value, given, '3.1.1')).toEqual({ kind: 'placed', document: { openapi: '3.1.1', ...document } })
})

test('keeps the version of a document', () => {
  expect(placeExample({ openapi: '3.0.4' }, ['$.info'], '3.1.1')).toEqual({ kind: 'placed', document: { openapi: '3.0.4' } })
})

test.each([
  [{ name: 'limit' }, ['$..parameters[*]'], 'expected a document, because `given` is no simple path such as `$.paths[*]`'],
  ['pets', ['$'], 'expected a mapping, because `given` selects the document'],
  [{}, [], 'the rule selects nothing in this version of OpenAPI'],
])('says why %j cannot be placed at %j', (value, given, reason) => {
  expect(placeExample(value, given, '3.1.1')).toEqual({ kind: 'failed', reason })
})
