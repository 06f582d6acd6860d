import { expect, test } from 'vitest'
import { callFunction, readFunction, toContext } from './call-function.ts'

/** A function whose result is one problem with the text of an expression. */
const say = (body: string) => `export default (value, options, context) => { ${body} }`
const sayText = (expression: string) => say(`return [{ message: String(${expression}) }]`)

test.each<[name: string, code: string]>([
  ['an ES module', "export default (value) => [{ message: 'is ' + value }]"],
  ['an ES module with a named function', "export default function check(value) { return [{ message: 'is ' + value }] }"],
  ['an ES module with a function that is exported by name', 'const f = (v) => [{ message: "is " + v }]\nexport { f as default }'],
  ['a CommonJS module', "module.exports = (value) => [{ message: 'is ' + value }]"],
  [
    'a compiled module',
    '"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.default = (value) => [{ message: "is " + value }];',
  ],
  [
    'a CommonJS module in sloppy mode',
    'var with_ = 010\nmodule.exports = function (value) { return [{ message: "is " + value }] }',
  ],
])('reads %s', (_, code) => {
  expect(callFunction(code, { value: 'x' })).toEqual([{ message: 'is x' }])
})

test.each<[name: string, code: string, files: Record<string, string>]>([
  [
    'ES modules',
    "import { f } from './shared/f.js'\nexport default f",
    { 'functions/shared/f.js': "export const f = () => [{ message: 'x' }]" },
  ],
  ['CommonJS modules', "const { f } = require('../f')\nmodule.exports = f", { 'f.js': "exports.f = () => [{ message: 'x' }]" }],
  [
    'an index file',
    "import f from './shared'\nexport default f",
    { 'functions/shared/index.js': "module.exports = () => [{ message: 'x' }]" },
  ],
  [
    'JSON',
    "const { text } = require('./a.json')\nmodule.exports = () => [{ message: text }]",
    { 'functions/a.json': '{ "text": "x" }' },
  ],
  [
    're-exports',
    "import * as all from './a.js'\nexport default all.f",
    {
      'functions/a.js': "export * from './b.js'\nexport { f } from './b.js'",
      'functions/b.js': "export const f = () => [{ message: 'x' }]",
    },
  ],
])('imports %s', (_, code, files) => {
  expect(callFunction(code, { files })).toEqual([{ message: 'x' }])
})

test('refuses a re-export of a name that does not exist', () => {
  const files = { 'functions/a.js': "export { none as f } from './b.js'", 'functions/b.js': 'export const g = 1' }
  expect(callFunction("import { f } from './a.js'\nexport default f", { files })).toContain(
    'imports `none` from `./b.js`, which does not export it',
  )
})

test.each<[name: string, readsPath: boolean, code: string, files?: Record<string, string>]>([
  ['reads it', true, 'export default (value, options, context) => [{ message: context.path.join() }]'],
  ['takes it apart', true, 'module.exports = (value, options, { path }) => []'],
  [
    'imports a file that reads it',
    true,
    "export { f as default } from './f.js'",
    { 'functions/f.js': 'export const f = (v, o, c) => c.path' },
  ],
  ['has other names', false, 'export default (value) => Object.keys(value.paths).map((pathKey) => ({ message: pathKey }))'],
])('says whether a function reads its path: %s', (_, readsPath, code, files) => {
  expect(readFunction(code, files)).toMatchObject({ kind: 'read', definition: { readsPath } })
})

test('passes the value, the options and the context', () => {
  const document = { info: { title: 'T' }, paths: { '/a': {} } }
  const code = say(
    'return [{ message: [value.title, options.most, context.path.join(), context.rule.name, Object.keys(context.document.data.paths)].join(" "), path: [...context.path, "title", 0] }]',
  )
  const context = toContext(document, ['info'])
  expect(callFunction(code, { value: document.info, options: { most: 3 }, context })).toEqual([
    { message: 'T 3 info my-rule /a', path: ['info', 'title', 0] },
  ])
})

test('passes `null` for missing options, and `undefined` for a missing value', () => {
  expect(callFunction(sayText('[options === null, value === undefined]'))).toEqual([{ message: 'true,true' }])
})

test.each<[name: string, body: string]>([
  ['nothing', ''],
  ['an empty list', 'return []'],
])('finds no problem if a function returns %s', (_, body) => {
  expect(callFunction(say(body))).toEqual([])
})

test.each<[name: string, expression: string, result: string]>([
  ['reads members of undefined with a chain', 'value.none?.x?.y ?? "d"', 'd'],
  [
    'counts with for … in and for … of',
    '(() => { let n = ""; for (const k in value) n += k; for (const i of value.list) n += i; return n })()',
    'alist12',
  ],
  ['assigns the variable of a loop', '(() => { let k; for (k of [1, 2]); return k })()', '2'],
  [
    'continues an outer loop',
    '(() => { let n = 0; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2]) { if (b === a) continue outer; n++ } } return n })()',
    '3',
  ],
  ['breaks an outer loop', '(() => { let n = 0; outer: while (true) { do { n++; break outer } while (true) } return n })()', '1'],
  ['knows `var` in the whole function', '(function () { if (false) { var x = 1 } return x })()', 'undefined'],
  ['calls a function expression by its own name', '(function f(n) { return n === 0 ? 0 : n + f(n - 1) })(4)', '10'],
  [
    'iterates over a generator while it runs',
    '(() => { function* g() { const o = {}; for (const i of [1, 2, 3]) { o.i = i; yield o } } let n = ""; for (const { i } of g()) { if (i === 3) break; n += i } return n })()',
    '12',
  ],
  ['spreads a generator', '(() => { function* g() { yield 1; yield* [2, 3] } return [...g()].join("") })()', '123'],
  ['catches a thrown string', '(() => { try { throw "x" } catch (e) { return e } })()', 'x'],
  [
    'catches an error',
    '(() => { try { throw new TypeError("x") } catch (e) { return [e instanceof Error, e instanceof TypeError, e.name, e.message, e].join() } })()',
    'true,true,TypeError,x,TypeError: x',
  ],
  [
    'catches an error of the language',
    '(() => { try { return value.none.x } catch (e) { return e.message } })()',
    "Cannot read properties of undefined (reading 'x')",
  ],
  ['runs finally after an error', '(() => { let n = 0; try { try { throw 1 } finally { n++ } } catch {} return n })()', '1'],
  ['reads the groups of a match', '"a-b".match(/(?<x>a)-(?=b)/).groups.x + "a-b".match(/-/).index', 'a1'],
  ['matches all', '[..."a1b2".matchAll(/[a-z](\\d)/g)].map((m) => m[1]).join()', '1,2'],
  ['replaces with a function', '"a1".replace(/\\d/, (d, at) => "$&" + at)', 'a$&1'],
  ['tests a pattern that can backtrack', '/^(([a-z]+)(_|-)*)+$/.test("some_name")', 'true'],
  [
    'reports an invalid pattern where it is made',
    '(() => { try { new RegExp("("); return "valid" } catch { return "invalid" } })()',
    'invalid',
  ],
  [
    'tests the class of values',
    '[[] instanceof Array, {} instanceof Array, new Set() instanceof Set, /x/ instanceof RegExp].join()',
    'true,false,true,true',
  ],
  ['tests members', '["a" in value, "b" in value, 1 in value.list, 2 in value.list].join()', 'true,false,true,false'],
  [
    'tests own members of lists and strings',
    '[value.list.hasOwnProperty(1), value.list.hasOwnProperty(2), "a".hasOwnProperty("length"), Object.hasOwn([], "x")].join()',
    'true,false,true,false',
  ],
  ['tests own members with the prototype', 'Object.prototype.hasOwnProperty.call(value, "a")', 'true'],
  ['orders numeric keys first', 'Object.keys({ b: 1, 200: 1, 100: 1 }).join()', '100,200,b'],
  [
    'keeps sets and maps of values',
    '(() => { const s = new Set([value.list]); const m = new Map([[value.list, 1]]); return [s.has(value.list), m.get(value.list), s.size].join() })()',
    'true,1,1',
  ],
  ['compares values of the document', 'value.list === value.list', 'true'],
  ['reads a member with the name of a class member', 'value.items?.constructor ?? "none"', 'none'],
  ['changes its own copy', '(() => { value.list.push(3); value.a = 2; return [value.list.length, value.a].join() })()', '3,2'],
  ['passes all arguments', '(function () { return arguments.length + arguments[1] })(1, "x")', '2x'],
  ['parses URLs', 'new URL("https://a.example/b?c").pathname', '/b'],
  ['writes JSON', 'JSON.stringify(value)', '{"a":1,"list":[1,2]}'],
])('%s', (_, expression, result) => {
  const value = { a: 1, list: [1, 2] }
  expect(callFunction(sayText(expression), { value })).toEqual([{ message: result }])
  expect(value).toEqual({ a: 1, list: [1, 2] })
})

test('reads a document that contains itself, with references at the places that close a circle', () => {
  const node: Record<string, unknown> = { type: 'object' }
  node['child'] = { next: node }
  const code = say(
    'const walk = (one, path) => [path.join("/") + (one.$ref ?? ""), ...Object.entries(one).flatMap(([k, v]) => (v && typeof v === "object" ? walk(v, [...path, k]) : []))]; return walk(value, []).map((message) => ({ message }))',
  )
  const context = toContext({ node }, ['node'])
  expect(callFunction(code, { value: node, context })).toEqual([
    { message: '' },
    { message: 'child' },
    { message: 'child/next#/node' },
  ])
})

test('keeps variables of the module during a walk with one context, and starts again with another', () => {
  const read = readFunction(
    'const seen = new Set()\nexport default (value) => { if (seen.has(value)) return [{ message: "again" }]; seen.add(value) }',
  )
  if (read.kind === 'refused') throw new Error(read.finding.message)
  const { run } = read.definition
  const context = toContext({})
  expect([run('a', undefined, context), run('a', undefined, context), run('a', undefined, toContext({}))]).toEqual([
    [],
    [{ message: 'again' }],
    [],
  ])
})

test.each<[name: string, code: string]>([
  [
    'an ES module',
    "import { pattern } from '@stoplight/spectral-functions'\nexport default (value) => pattern(value, { match: 'x' })",
  ],
  [
    'a CommonJS module',
    "const { pattern } = require('@stoplight/spectral-functions')\nmodule.exports = (value) => pattern(value, { match: 'x' })",
  ],
])('calls core functions in %s', (_, code) => {
  expect(callFunction(code, { value: 'y' })).toEqual([{ message: 'must match x' }])
  expect(callFunction(code, { value: 'x' })).toEqual([])
})

test.each([
  'export default async function (value) { return [{ message: value }] }',
  'module.exports = async (value) => [{ message: value }]',
  "import { createRulesetFunction } from '@stoplight/spectral-core'\nexport default createRulesetFunction({ input: null, options: null }, async (value) => [{ message: value }])",
])('calls an asynchronous function that waits for nothing: %s', (code) => {
  expect(callFunction(code, { value: 'x' })).toEqual([{ message: 'x' }])
})

test('tests the value and the options of a function with schemas', () => {
  const create = (options: string) =>
    `import { createRulesetFunction } from '@stoplight/spectral-core'\nexport default createRulesetFunction({ input: { type: 'string' }, options: ${options} }, (value) => [{ message: value }])`
  expect(callFunction(create('null'), { value: 'x' })).toEqual([{ message: 'x' }])
  expect(callFunction(create('null'), { value: 1 })).toEqual([])
  const check = (options: string, given: unknown) => {
    const read = readFunction(create(options))
    return read.kind === 'read' ? read.definition.checkOptions(given) : read.finding
  }
  expect(check('null', undefined)).toBeUndefined()
  expect(check('null', { a: 1 })?.message).toBe('The function does not accept options')
  expect(check("{ type: 'object' }", { a: 1 })).toBeUndefined()
  expect(check("{ type: 'object' }", 1)).toEqual({ message: 'must be object', pointer: '' })
})

test.each<[name: string, code: string, message: string]>([
  ['a syntax error', 'export default (value => 1', 'Cannot read the function `check`: it has a syntax error: unexpected token'],
  ['no function', 'export const f = 1', 'Cannot read the function `check`: its file does not export a function'],
  [
    'an asynchronous generator',
    'export default async function* (value) {}',
    'Cannot read the function `check`: it uses `async` at async function* (value) {} (Remove `async`',
  ],
  [
    'a module of Node.js',
    "import fs from 'node:fs'\nexport default () => []",
    "Cannot read the function `check`: it imports `node:fs`, which is not available at 'node:fs'",
  ],
  [
    'a package',
    "const _ = require('lodash')\nmodule.exports = () => []",
    "Cannot read the function `check`: it imports `lodash`, which is not available at require('lodash')",
  ],
  [
    'a missing file',
    "import x from './x.js'\nexport default x",
    "Cannot read the function `check`: it imports `./x.js`, which cannot be found at './x.js'",
  ],
  [
    'a circle of imports',
    "import x from './check.js'\nexport default x",
    'Cannot read the function `check`: it imports `./check.js`',
  ],
  [
    'an error at the top level',
    'throw new Error("no")',
    'Cannot read the function `check`: it throws an error: no at throw new Error("no")',
  ],
  [
    'an asynchronous inner function',
    say('const f = async () => 1; return f()'),
    'Cannot run the function `check`: it uses `async` at async () => 1',
  ],
  ['await', 'export default async () => { await 1 }', 'Cannot run the function `check`: it uses `await` at await 1 (Remove'],
  ['an unknown name', say('return fetch("x")'), 'Cannot run the function `check`: it uses `fetch` at fetch'],
  ['a process', say('return process.env'), 'Cannot run the function `check`: it uses `process` at process'],
  ['a date', say('return new Date()'), 'Cannot run the function `check`: it uses `new Date` at new Date()'],
  ['a class', 'class A {}\nexport default () => []', 'Cannot read the function `check`: it uses a class at class A {}'],
  ['this', 'export default function () { return this.x }', 'Cannot run the function `check`: it uses `this` at'],
  [
    'a way to a class',
    say('return value.list.constructor'),
    'Cannot run the function `check`: it uses `constructor` at value.list.constructor',
  ],
  [
    'an unsupported method',
    say('return value.list.copyWithin(0)'),
    'Cannot run the function `check`: it uses `.copyWithin()` at value.list.copyWithin',
  ],
  [
    'an unsupported part of the context',
    say('return context.document.source'),
    'Cannot run the function `check`: it uses `context.document.source` at context.document.source',
  ],
  [
    'a thrown error',
    say('throw new Error("no")'),
    'Cannot run the function `check`: it throws an error: no at throw new Error("no") (Correct the function',
  ],
  [
    'a member of undefined',
    say('return value.none.x'),
    'Cannot run the function `check`: it reads `x` of `undefined` at value.none.x (Correct',
  ],
  [
    'a result that is no list',
    say('return false'),
    'Cannot run the function `check`: it returns a boolean instead of a list of problems',
  ],
  [
    'a problem without a message',
    say('return [{}]'),
    'Cannot run the function `check`: it returns a problem whose `message` is `undefined` instead of a string',
  ],
  [
    'a path that is no list',
    say('return [{ message: "x", path: "a" }]'),
    'Cannot run the function `check`: it returns a problem whose `path` is a string instead of a list of keys',
  ],
  ['an endless loop', say('while (true);'), 'Cannot run the function `check`: it needs more than 1,000,000 steps'],
  [
    'endless recursion',
    say('const f = (n) => f(n + 1); return f(0)'),
    'Cannot run the function `check`: it nests more than 800 calls and expressions',
  ],
])('refuses %s', (_, code, message) => {
  const result = callFunction(code, { value: { list: [1] } })
  expect(result).toEqual(expect.stringContaining(message))
})

test.each([
  'eval("1")',
  'Function("return 1")()',
  'globalThis',
  'import("x")',
  'import.meta.url',
  '(() => 1)["con" + "structor"]',
  'value.__proto__',
  'Object.prototype.x',
  'Object.prototype.constructor',
  'Array.prototype.map.constructor',
  'Reflect',
  'new Proxy({}, {})',
])('does not reach the host with %s', (expression) => {
  expect(callFunction(say(`return ${expression}`), { value: {} })).toEqual(
    expect.stringMatching(/^Cannot (?:read|run) the function/),
  )
})

const hostile: readonly (readonly [name: string, code: string])[] = [
  ['many objects in a call', say('const all = []; while (true) all.push({})')],
  ['many lists in a call', say('const all = []; while (true) all.push([], [], [], [])')],
  ['many functions in a call', say('const all = []; while (true) all.push(() => all)')],
  ['a string that doubles', say('let a = "ab"; while (true) a += a')],
  ['a list that doubles', say('let a = [1]; while (true) a = [...a, ...a]')],
  ['deep recursion in a callback', say('const f = (n) => [n].map((one) => f(one + 1)); return f(0)')],
  ['deep recursion in a replacement', say('const f = (n) => "a".replace(/a/, () => f(n + 1)); return f(0)')],
  ['deep recursion in a generator', say('function* f(n) { yield* f(n + 1) } return [...f(0)]')],
  ['deep recursion in a sort', say('const f = (n) => [2, 1].sort(() => f(n + 1)); return f(0)')],
  ['deep recursion in a default', say('const f = (n, x = f(n + 1)) => x; return f(0)')],
  ['a list that contains itself', say('const a = []; a.push(a); return [{ message: String(a) }]')],
  ['an object that contains itself', say('const a = {}; a.a = a; return [{ message: JSON.stringify(a) }]')],
]

test.each(hostile)('stops %s', (_, code) => {
  expect(callFunction(code)).toEqual(
    expect.stringMatching(/^Cannot run the function `check`: it (?:needs|makes|nests|joins|is nested)/),
  )
})

test('limits the values that a function keeps between calls', () => {
  const code = 'const all = []\nexport default () => { for (let i = 0; i < 10_000; i++) all.push({ i }) }'
  const read = readFunction(code)
  if (read.kind === 'refused') throw new Error(read.finding.message)
  const context = toContext({})
  const call = () => {
    for (let i = 0; i < 100; i++) read.kind === 'read' && read.definition.run({}, undefined, context)
  }
  expect(call).toThrow('it keeps more than 500,000 values between its calls')
})

test('keeps values of the document between calls within the limit', () => {
  const document = { list: Array.from({ length: 1000 }, (_, i) => ({ i })) }
  const read = readFunction(
    'const all = []\nexport default (value) => { all.push(...value.list); for (let i = 0; i < 50_000; i++); return all.length === 10_000 ? [{ message: "all" }] : [] }',
  )
  if (read.kind === 'refused') throw new Error(read.finding.message)
  const { run } = read.definition
  const context = toContext(document)
  const results = Array.from({ length: 10 }, () => run(document, undefined, context))
  expect(results.at(-1)).toEqual([{ message: 'all' }])
})

test('counts the steps of calls', () => {
  let steps = 0
  const context = { ...toContext({}), spend: (count: number) => (steps += count) }
  callFunction(say('for (let i = 0; i < 1000; i++);'), { context })
  expect(steps).toBeGreaterThan(1000)
  expect(steps).toBeLessThan(20_000)
})
