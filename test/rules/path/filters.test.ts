import { describe, expect, test } from 'vitest'
import { listMatches, readCases } from './select.ts'

const values = {
  text: 'pet-id',
  empty: '',
  zero: 0,
  number: 404,
  yes: true,
  no: false,
  nothing: null,
  list: ['a', 'b'],
  one: ['array'],
  object: { type: 'array', in: 'query', match: 'own', flag: false },
}

/** The keys of the selected values. */
function select(condition: string): string {
  return listMatches(values, `$[?${condition}]`)
    .map(({ path }) => path.at(-1))
    .join(' ')
}

describe('a filter with the syntax of JavaScript', () => {
  test.each(Object.entries(readCases('javascript')))('%s', (condition, keys) => {
    expect(select(condition)).toBe(keys)
  })
})

test('@parent is the object around the object with the value, as in jsonpath-plus', () => {
  const document = { bar: { user: { name: 'Eva' } }, foo: { user: { name: 'John' } } }
  const select = (expression: string) => listMatches(document, expression).map(({ value }) => value)
  expect(select("$..[?(@parent && @parent.user && @parent.user.name === 'Eva')]")).toEqual(['Eva'])
  expect(select("$..[?(@parentProperty === 'foo' && @.name)]")).toEqual([{ name: 'John' }])
})

describe('a filter that only RFC 9535 defines', () => {
  test.each(Object.entries(readCases('rfc9535')))('%s', (condition, keys) => {
    expect(select(condition)).toBe(keys)
  })
})
