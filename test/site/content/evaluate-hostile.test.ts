import { expect, test } from 'vitest'
import { parseScript } from '../../../src/script/parse/parse-script.ts'
import type { MdxNode } from '../../../src/script/values/values.ts'
import { readMdx } from './read-mdx.ts'

const show = (code: string, use = '<A>x</A>') => readMdx(`import { A } from "/a.jsx"\n\n${use}`, { 'docs/a.jsx': code })
const inside = (body: string) => `export const A = (props) => { ${body} }`
const doubled = (start: string, step: string) =>
  inside(`let a = ${start}; for (let i = 0; i < 60; i++) { ${step} } return <b>{a}</b>`)

/** Snippets that never end, or make far more than they contain. */
const bombs: readonly (readonly [name: string, code: string])[] = [
  ['an endless loop', inside('while (true) {}')],
  ['an endless loop without a body', inside('for (;;);')],
  ['a loop that catches everything', inside('while (true) { try { throw 1 } catch { continue } finally {} }')],
  ['endless recursion', `const f = (n) => f(n + 1)\n${inside('return f(0)')}`],
  [
    'recursion that catches everything',
    `const f = (n) => { try { return f(n + 1) } catch { return f(n + 1) } }\n${inside('return f(0)')}`,
  ],
  ['exponential recursion', `const f = (n) => n === 0 ? 1 : f(n - 1) + f(n - 1)\n${inside('return f(40)')}`],
  ['a list that grows while it is mapped', inside('const a = [1, 2]; while (a.length) a.push(...a)')],
  ['a string that doubles', doubled('"ab"', 'a = a + a')],
  ['a template that doubles', doubled('"ab"', 'a = `$' + '{a}$' + '{a}`')],
  ['a joined list that doubles', doubled('"ab"', 'a = [a, a].join(a)')],
  ['a replacement that doubles', doubled('"ab"', 'a = a.replaceAll("a", a)')],
  ['a pattern that doubles', doubled('"ab"', 'a = a.replace(/a/g, "$&$&$&")')],
  ['a repeated string', inside('return "ab".repeat(1e9)')],
  ['a padded string', inside('return "ab".padEnd(1e9)')],
  ['a list that doubles', doubled('[1]', 'a = [...a, ...a]')],
  ['a list that doubles with concat', doubled('[1]', 'a = a.concat(a)')],
  ['a list of the same list', doubled('[1]', 'a = [a, a]')],
  ['an object of the same object', inside('let a = {}; for (let i = 0; i < 60; i++) a = { a, b: a }; return <Card data={a} />')],
  ['JSON of the same object', inside('let a = {}; for (let i = 0; i < 60; i++) a = { a, b: a }; return JSON.stringify(a)')],
  [
    'a flattened list of the same list',
    inside('let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a.flat(1e9).length'),
  ],
  ['a long list', inside('return Array.from({ length: 1e9 }).length')],
  ['an endless list', inside('return Array.from({ length: Infinity }).length')],
  ['a long array', inside('return Array(1e9).fill(1)')],
  ['a list with a large index', inside('const a = []; a[999999999] = 1; return a')],
  ['deeply nested elements', inside('let a = "x"; for (let i = 0; i < 50000; i++) a = <b>{a}</b>; return a')],
  ['deeply nested lists', inside('let a = "x"; for (let i = 0; i < 50000; i++) a = [a]; return a')],
  ['deeply nested lists as a string', inside('let a = "x"; for (let i = 0; i < 50000; i++) a = [a]; return String(a)')],
  ['deeply nested objects as a prop', inside('let a = {}; for (let i = 0; i < 50000; i++) a = { a }; return <Card data={a} />')],
  ['a list that contains itself', inside('const a = []; a.push(a); return a')],
  ['a list that contains itself as a string', inside('const a = []; a.push(a); return `$' + '{a}`')],
  ['an object that contains itself', inside('const a = {}; a.a = a; return JSON.stringify(a)')],
  ['an object that contains itself as a prop', inside('const a = {}; a.a = a; return <Card a={a} />')],
  ['deeply nested JSON', inside('return <Card data={JSON.parse("[".repeat(50000) + "]".repeat(50000))} />')],
  ['a pattern in exponential time', inside('return /^(a+)+$/.test("a".repeat(50) + "b")')],
  ['a pattern with overlapping alternatives', inside('return /^(a|a)*$/.test("a".repeat(50) + "b")')],
  ['a pattern with many repetitions', inside('return /a*a*a*a*a*a*a*b/.test("a".repeat(5000))')],
  [
    'a pattern with many choices',
    inside(
      'return /(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b/.test("a".repeat(5000))',
    ),
  ],
  ['a pattern with many optional parts', inside(`return /${'a?'.repeat(40)}${'a'.repeat(40)}/.test("a".repeat(40))`)],
  ['a pattern with references', inside('return /(a*)\\1\\1\\1b/.test("a".repeat(5000))')],
  ['a pattern with a lookahead', inside('return /(?=(a+))a*b/.test("a".repeat(50000))')],
  ['a pattern from a string', inside('return new RegExp("(x+x+)+y").test("x".repeat(50))')],
  ['a slow search', inside('return ("a".repeat(150000) + "b").indexOf("b" + "a".repeat(75000))')],
  [
    'a slow comparison',
    inside('const a = Array.from({ length: 40000 }, (_, i) => i); return a.sort((x, y) => a.indexOf(x) - a.indexOf(y)).length'),
  ],
]

test.each(bombs)('stops %s and shows the children', (_, code) => {
  const page = show(code)
  expect(page.markup).toContain('x')
  expect(page.markup.length).toBeLessThan(1000)
  expect(page.found).toHaveLength(1)
  expect(page.found[0]).toMatch(/(?:too-complex|unread-expression) Cannot show `<A>`: /)
})

test.each([
  ['a component that contains itself twice', 'export const A = () => <b><A /><A /></b>'],
  ['an element of the same element', inside('let a = <i>x</i>; for (let i = 0; i < 60; i++) a = <b>{a}{a}</b>; return a')],
])('cuts %s', (_, code) => {
  const page = show(code)
  expect(page.markup.length).toBeLessThan(2_000_000)
  expect(page.found.join()).toContain('too-complex')
})

test('reports a used-up budget once, and shows the rest of the page', () => {
  const page = show(inside('while (true) {}'), '<A>\n  a\n</A>\n\n<A>\n  b\n</A>\n\n# c {1 + 1}')
  expect(page.markup).toMatch(/a<\/p>.*b<\/p>.*<h1 id="c-2">c 2/)
  expect(page.found).toEqual([expect.stringContaining('too-complex Cannot show `<A>`: it needs more than 1,000,000 steps')])
})

test.each([
  ['parentheses', '('.repeat(20_000)],
  ['lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['elements', `${'<b>'.repeat(20_000)}${'</b>'.repeat(20_000)}`],
  ['arrow functions', 'a => '.repeat(20_000)],
  ['templates', '`${'.repeat(5_000)],
  ['conditions that could be arrow functions', `x = ${'a ? (b) : '.repeat(2_000)}1`],
  ['parentheses that could be parameters', `x = ${'a ? (('.repeat(30)}b${')) : c'.repeat(30)}`],
  ['calls that could have type arguments', `x = ${'a<'.repeat(2_000)}`],
  ['type arguments in functions', `x = ${'<T,>(a = '.repeat(40)}1${') => a'.repeat(40)}`],
  ['nested types', `type X = ${'A<'.repeat(2_000)}B${'>'.repeat(2_000)}`],
])('parses %s in linear time', (_, text) => {
  for (const file of ['a.jsx', 'a.tsx']) parseScript(file, text)
})

test('does not parse a snippet that is too long', () => {
  expect(parseScript('a.jsx', ' '.repeat(500_001)).fault?.message).toBe('it has more than 500,000 characters')
})

/** Ways to reach the host, or to change the objects that all JavaScript shares. */
const escapes = [
  'return "".constructor.constructor("return process")()',
  'return [].map.constructor("return process")()',
  'return (() => 1).constructor("return process")()',
  'return (() => 1)["const" + "ructor"]("return process")()',
  'return Math.max.constructor("return process")()',
  'return useState.constructor("return process")()',
  'return Object.getPrototypeOf({})',
  'return Object.prototype',
  'return Array.prototype.map',
  'return Function("return process")()',
  'return new Function("return process")()',
  'return eval("process")',
  'return globalThis.process',
  'return process.env.HOME',
  'return require("fs").readFileSync("/etc/passwd")',
  'return import("fs")',
  'return this.process',
  'return arguments.callee.caller',
  'return Reflect.ownKeys({})',
  'return new Proxy({}, {})',
  'return Symbol.iterator',
  'const a = {}; a.__proto__.polluted = 1; return a',
  'const a = {}; a["__proto__"]["polluted"] = 1; return a',
  'const a = {}; a["__pro" + "to__"] = { polluted: 1 }; return a.polluted',
  'const a = { ["__proto__"]: { polluted: 1 } }; return a.polluted',
  'const a = { __proto__: { polluted: 1 } }; return a.polluted',
  'const { constructor } = {}; return constructor',
  'const { __proto__: p } = {}; p.polluted = 1; return p',
  'const { prototype } = Object; prototype.polluted = 1; return prototype',
  'Object.assign({}.__proto__, { polluted: 1 }); return 1',
  'return Object.fromEntries([["__proto__", { polluted: 1 }]])',
  'Math.max = 1; return Math.max',
  'Object.keys.x = 1; return 1',
  'JSON.parse = () => 1; return 1',
  'React.useState = 1; return 1',
  'return { get x() { return 1 } }.x',
  'class X { static { process.exit(1) } } return 1',
]

test.each(escapes)('does not evaluate %j', (body) => {
  const page = show(inside(body))
  expect(page.markup).toMatch(/^<p?>?<?Unavailable name="A"/)
  expect(page.found).toHaveLength(1)
  expect(page.found[0]).toMatch(/ (?:unread-expression|page-syntax) /)
  expect('polluted' in {}).toBe(false)
})

test.each([
  [
    'parsed JSON',
    inside(
      'const a = JSON.parse(\'{"__proto__": {"polluted": 1}, "b": 2}\'); return <Card data={a} {...a}>{String(a.polluted)}</Card>',
    ),
  ],
  ['props', inside('return <Card {...props} data={props}>{String(props.polluted)}</Card>')],
  [
    'a loop over names',
    inside('const a = {}; for (const k in { polluted: 1 }) a[k + "_"] = 1; return <Card a={a}>undefined</Card>'),
  ],
])('passes no prototype on in %s', (_, code) => {
  const page = show(code, '<A __proto__={{ polluted: 1 }} constructor="x" prototype={{ polluted: 1 }} />')
  expect(page.markup).toContain('undefined</Card>')
  expect(page.markup).not.toMatch(/__proto__|constructor=|prototype=/)
  expect('polluted' in {}).toBe(false)
  const check = (nodes: readonly MdxNode[]): void => {
    for (const node of nodes) {
      if (node.kind !== 'element') continue
      expect(Object.getPrototypeOf(node.props)).toBeNull()
      check(node.children)
    }
  }
  check(page.nodes)
})

test.each([
  '<Card title={<b>{{ a: 1 }}</b>}>x</Card>',
  '<div {...{ children: { a: 1 } }}>x</div>',
  '<div title={{ toString: 1 }}>x</div>',
  '{{ a: 1 }} x',
  'export const F = () => 1\n\nexport const G = () => 2\n\n<F.G.H>x</F.G.H>',
  'export const F = nope.nope\n\n<F>x</F>',
  'export const { a, b: { c } } = null\n\nx {a}{c}',
  'export class A {}\n\n<A>x</A>',
  'import * as all from "./page.mdx"\n\nexport const y = all.y\n\nx {y}',
  '<div dangerouslySetInnerHTML={{ __html: "<b>".repeat(2000) }} /> x',
])('reads a page with %j without an exception', (text) => {
  const page = readMdx(text)
  expect(page.markup).toContain('x')
  expect(page.found.length).toBeLessThan(4)
})

test.each([
  '<script>{"alert(1)"}</script>',
  '<a href={"java" + "script:alert(1)"}>x</a>',
  '<img src="x" onError={() => alert(1)} {...{ onload: "alert(1)" }} />',
  '<div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />',
  '<div dangerouslySetInnerHTML={{ __html: "<img src=x onerror=alert(1)><a href=javascript:alert(1)>x</a><style>a{}</style>" }} />',
  '<iframe srcDoc={"<script>alert(1)</script>"} />',
  '<div style={{ backgroundImage: "url(" + "https://evil.example)" }}>x</div>',
  '{React.createElement("script", null, "alert(1)")}',
  '{React.createElement("a", { href: "javascript:alert(1)" }, "x")}',
  '{React.cloneElement(<a>x</a>, { href: "javascript:alert(1)", onClick: "alert(1)" })}',
])('cleans the HTML that %j makes', (jsx) => {
  const { markup } = show(`export const A = () => <div>${jsx}</div>`)
  expect(markup).not.toMatch(/<script|javascript:|alert\(1\)|<iframe|url\(|on(?:Error|load|Click)/)
})
