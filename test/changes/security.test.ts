import { expect, test } from 'vitest'
import { compareDocuments, summarize } from './compare-documents.ts'

/** A document whose only operation requires `security`. */
function toDocument(security: string, schemes: string): string {
  return `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {get: {security: ${security}, responses: {'200': {description: Pets}}}}}
components: {securitySchemes: {${schemes}}}`
}

const key = (name: string, rest = '') => `{type: apiKey, in: header, name: ${name}${rest}}`
const oauth = (token: string, scopes: string) =>
  `{type: oauth2, flows: {clientCredentials: {tokenUrl: '${token}', scopes: ${scopes}}}}`

const renamed = 'compatible []: security-scheme-renamed'
const refused = 'breaking get /pets: security-tightened'
const replaced = ['compatible []: security-scheme-removed', 'compatible []: security-scheme-added']

type Row = readonly [title: string, base: readonly [string, string], revision: readonly [string, string], expected: string[]]

const rows: readonly Row[] = [
  ['a new name', ['[{key: []}]', `key: ${key('X-Key')}`], ['[{apiKey: []}]', `apiKey: ${key('X-Key')}`], [renamed]],
  [
    'a new name and another description',
    ['[{key: []}]', `key: ${key('X-Key')}`],
    ['[{apiKey: []}]', `apiKey: ${key('x-key', ', description: Key')}`],
    [renamed],
  ],
  [
    'a new name and other credentials',
    ['[{key: []}]', `key: ${key('X-Key')}`],
    ['[{token: []}]', `token: ${key('X-Token')}`],
    [refused, ...replaced],
  ],
  [
    'a field that its type does not have',
    ['[{a: []}]', `a: ${key('X')}`],
    ['[{a: []}]', `a: ${key('X', ', scheme: basic')}`],
    [],
  ],
  ['a scope as a number', ['[{a: [1]}]', `a: ${oauth('/', '{1: ""}')}`], ['[{a: ["1"]}]', `a: ${oauth('/', '{1: ""}')}`], []],
  [
    'two schemes with new names',
    ['[{a: [], b: []}]', `a: ${key('X-A')}, b: ${key('X-B')}`],
    ['[{two: [], one: []}]', `two: ${key('X-B')}, one: ${key('X-A')}`],
    [renamed, renamed],
  ],
  [
    'two equal schemes with new names',
    ['[{user: []}]', 'user: {type: http, scheme: bearer}, admin: {type: http, scheme: bearer, description: Admins}'],
    ['[{users: []}]', 'admins: {type: http, scheme: Bearer, description: Admins}, users: {type: http, scheme: bearer}'],
    [renamed, renamed],
  ],
  [
    'a scheme whose name stays beside an equal one',
    ['[{user: []}]', 'user: {type: http, scheme: bearer}'],
    ['[{admin: []}]', 'user: {type: http, scheme: bearer}, admin: {type: http, scheme: bearer}'],
    ['risky get /pets: security-scheme-replaced', 'compatible []: security-scheme-added'],
  ],
  [
    'a new name and a further scope that is required',
    ['[{oauth: [read]}]', `oauth: ${oauth('https://a.test/token', '{read: ""}')}`],
    ['[{login: [read, write]}]', `login: ${oauth('https://a.test/token', '{read: "", write: ""}')}`],
    [refused, renamed, 'compatible []: security-scope-added'],
  ],
  [
    'a new name and another authority',
    ['[{oauth: [read]}]', `oauth: ${oauth('https://a.test/token', '{read: ""}')}`],
    ['[{login: [read]}]', `login: ${oauth('https://b.test/token', '{read: ""}')}`],
    [refused, ...replaced],
  ],
  ['the name of a header in another case', ['[{key: []}]', `key: ${key('X-Key')}`], ['[{key: []}]', `key: ${key('x-key')}`], []],
  [
    'the name of a query parameter in another case',
    ['[{key: []}]', 'key: {type: apiKey, in: query, name: key}'],
    ['[{key: []}]', 'key: {type: apiKey, in: query, name: Key}'],
    ['breaking []: security-scheme-changed'],
  ],
  [
    'a scheme that is not declared',
    ['[{none: []}]', `key: ${key('X-Key')}`],
    ['[{other: []}]', `key: ${key('X-Key')}`],
    [refused],
  ],
]

test.each(rows)('compares security schemes by their meaning: %s', async (_title, base, revision, expected) => {
  expect(summarize(await compareDocuments(toDocument(...base), toDocument(...revision))).sort()).toEqual(expected.toSorted())
})

test('names a refused scheme as the base does', async () => {
  const base = toDocument('[{oauth: [read]}]', `oauth: ${oauth('https://a.test/token', '{read: ""}')}`)
  const revision = toDocument('[{login: [write]}]', `login: ${oauth('https://a.test/token', '{read: ""}')}`)
  const messages = (await compareDocuments(base, revision)).map(({ message }) => message)
  expect(messages).toEqual([
    'Security changed: `oauth` (read) is no longer enough',
    'Security scheme `oauth` was renamed to `login`',
  ])
})

test('an operation with the security of the document has that of the renamed scheme', async () => {
  const toGlobal = (name: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
security: [{${name}: []}]
paths: {/pets: {get: {responses: {'200': {description: Pets}}}}}
components: {securitySchemes: {${name}: ${key('X-Key')}}}`
  expect(summarize(await compareDocuments(toGlobal('one'), toGlobal('two')))).toEqual([renamed])
})
