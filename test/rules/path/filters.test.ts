import { describe, expect, test } from 'vitest'
import { listMatches } from './select.ts'

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
    .map(({ key }) => key)
    .join(' ')
}

describe('a filter with the syntax of JavaScript', () => {
  test.each([
    // Truth, as in JavaScript
    ['(@)', 'text number yes list one object'],
    ['(!@)', 'empty zero no nothing'],
    ['(@.in)', 'object'],
    // A member of `null` has no value, so that neither condition is fulfilled.
    ['(!@.in)', 'text empty zero number yes no list one'],
    ['(@ && !@.in)', 'text number yes list one'],
    ['(@?.in === undefined)', 'text empty zero number yes no nothing list one'],
    ['(@.in === void 0)', 'text empty zero number yes no list one'],
    ['(@.flag)', ''],
    // Comparison
    ["(@ === 'pet-id')", 'text'],
    ["(@.in == 'query' || @ == 404)", 'number object'],
    ['(@.in || @.length == 6)', 'text object'],
    ['(@.in.length > 1 && @.flag == 0)', 'object'],
    ['(@ == "404")', 'number'],
    ['(@ === "404")', ''],
    ['(@ >= 400 && @ < 500)', 'number'],
    ['(@ == null)', 'nothing'],
    ['(@ != null && !@)', 'empty zero no'],
    // JavaScript compares a list as text.
    ['(@ == "array")', 'one'],
    ['(@.type == "array")', 'object'],
    ['(@ == "a,b")', 'list'],
    ['(@ < 10)', 'empty zero yes no nothing'],
    // Keys
    ["(@property === 'text')", 'text'],
    ["(@property !== 'text' && @ && @.in)", 'object'],
    ['(@property[0] == "n")', 'number no nothing'],
    ['(@property.match(/^(no|yes)$/))', 'yes no'],
    ['(@property.match("O$"))', ''],
    ['(@property.match(/O$/i))', 'zero no'],
    ['(@path === "$[\'zero\']")', 'zero'],
    ['(@root.object.in && @property == "one")', 'one'],
    // Members and methods
    ['(@.length)', 'text list one'],
    ['(@.length > 1)', 'text list'],
    ['(@.match && @.match(/id$/))', 'text'],
    ['(@.startsWith && @.startsWith("pet"))', 'text'],
    ["(@.includes && @.includes('b'))", 'list'],
    ["(@['in'] == 'query')", 'object'],
    ['(@[0] == "a")', 'list'],
    ['(@.constructor.name === "Array")', 'list one'],
    ['(@.constructor === Object)', 'object'],
    ['(@ && @.type && @.type.constructor.name === "String" && @.type.includes("array"))', 'object'],
    ['(@.toUpperCase && @.toUpperCase().indexOf("ID") === 4)', 'text'],
    ['(/^pet/.test(@))', 'text'],
    ['(/t/g.test(@property))', 'text empty nothing list object'],
    ['(@.hasOwnProperty("flag"))', 'object'],
    ['(Array.isArray(@))', 'list one'],
    ['(typeof @ === "boolean")', 'yes no'],
    ['(Object.keys(@).length === 4)', 'object'],
    // Operators of nimma
    ['(@ ~= "^pet")', 'text'],
    ['(@ in ["pet-id", 404])', 'text number'],
    ['(@property in ["one", "two"])', 'one'],
    // Types
    ['(@string())', 'text empty'],
    ['(@number())', 'zero number'],
    ['(@boolean())', 'yes no'],
    ['(@integer())', 'zero number'],
    ['(@null())', 'nothing'],
    ['(@array())', 'list one'],
    ['(@object() && !@array())', 'object'],
    ['(@scalar() && @)', 'text number yes'],
    // Precedence and grouping
    ['(@ === 0 || @ === false && @ === true)', 'zero'],
    ['((@ === 0 || @ === false) && @ === true)', ''],
    ['(@ === 400 + 2 * 2)', 'number'],
    ['(@ % 2 === 0 && @ > 0)', 'number'],
    ['(@ === 404 ? true : false)', 'number'],
    ['( @  ===  -(-404) )', 'number'],
    // Brackets and quotes inside
    ["(@property.match(/[)\\]']|zero/))", 'zero'],
    ['(@property === "a]b" || @property === "no")', 'no'],
  ])('%s', (condition, keys) => {
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
  test.each([
    // Existence, not truth
    ['@.flag', 'object'],
    ['@', 'text empty zero number yes no nothing list one object'],
    ['!@.in', 'text empty zero number yes no nothing list one'],
    ["@.in == 'query' && @.flag == false", 'object'],
    ["(@.in == 'query' || @ == 404)", 'number object'],
    ['@ == "404"', ''],
    ['@ > 400', 'number'],
    ['@.unknown == @.missing', 'text empty zero number yes no nothing list one object'],
    ['@ == $.list', 'list'],
    ['length(@) == 2', 'list'],
    ['(length(@) == 2)', 'list'],
    ['count(@.*) > 1', 'list object'],
    ['count($..type) == 1 && @ == true', 'yes'],
    ['match(@, "pet")', ''],
    ['match(@, "pet-.*")', 'text'],
    ['search(@, "id")', 'text'],
    ['value(@..flag) == false', 'object'],
    ['@[?@ == "b"]', 'list'],
  ])('%s', (condition, keys) => {
    expect(select(condition)).toBe(keys)
  })
})
