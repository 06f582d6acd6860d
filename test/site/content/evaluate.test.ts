import { describe, expect, test } from 'vitest'
import { readMdx } from './read-mdx.ts'

/** Shows `<A>` of a snippet `/a.jsx` in a page. */
function showSnippet(code: string, use = '<A />', files: Readonly<Record<string, string>> = {}) {
  return readMdx(`import { A } from "/a.jsx"\n\n${use}`, { ...files, 'docs/a.jsx': code })
}

const component = (body: string, props = 'props') => `export const A = (${props}) => { ${body} }`
const list = "const rows = [{ n: 'b', v: 2 }, { n: 'a', v: 1 }, { n: 'c', v: 3, on: true }]\n"

test.each<[name: string, code: string, use: string, markup: string]>([
  [
    'props with defaults and rest',
    component('return <b id={x} {...rest}>{y}</b>', "{ x, y = 'd', ...rest }"),
    '<A x="i" title="t" />',
    '<b id="i" title="t">d</b>',
  ],
  [
    'children',
    component('return <div>{children}</div>', '{ children }'),
    '<A>\n  **x**\n</A>',
    '<div><p><strong>x</strong></p></div>',
  ],
  ['children as a string', component('return <b>{children.toUpperCase()}</b>', '{ children }'), '<A>x</A>', '<p><b>X</b></p>'],
  [
    'the props of its children',
    component('return React.Children.map(children, (c) => <b>{c.props.title}</b>)', '{ children }'),
    '<A>\n  <Card title="x" />\n  <Card title="y" />\n</A>',
    '<b>x</b><b>y</b>',
  ],
  ['a constant of the module', `const x = { y: ['z'] }\n${component('return <b>{x.y[0]}</b>')}`, '<A />', '<b>z</b>'],
  [
    'a template, a ternary and conditions',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a snippet
    component('return <b className={`a-${on ? 1 : 2}`}>{on && "x"}{off || "y"}{none ?? "z"}</b>', '{ on, off, none }'),
    '<A on off={false} />',
    '<b class="a-1">xyz</b>',
  ],
  [
    'a list',
    `${list}${component('return <ul>{rows.map((r, i) => <li key={r.n}>{i}{r.n}</li>)}</ul>')}`,
    '<A />',
    '<ul><li>0b</li><li>1a</li><li>2c</li></ul>',
  ],
  [
    'filter, sort, slice and join',
    `${list}${component('return <b>{[...rows].sort((a, b) => a.n.localeCompare(b.n)).filter((r) => !r.on).slice(0, 2).map(({ n }) => n).join(", ")}</b>')}`,
    '<A />',
    '<b>a, b</b>',
  ],
  [
    'find, some, every, includes and flatMap',
    `${list}${component('return <b>{rows.find((r) => r.v > 1).n}{String(rows.some((r) => r.on))}{String(rows.every((r) => r.on))}{rows.flatMap((r) => [r.n, r.v]).includes(3) ? 1 : 0}</b>')}`,
    '<A />',
    '<b>btruefalse1</b>',
  ],
  [
    'reduce',
    `${list}${component('const by = rows.reduce((all, r) => ({ ...all, [r.n]: r.v }), {}); return <b>{JSON.stringify(by)}</b>')}`,
    '<A />',
    '<b>{"b":2,"a":1,"c":3}</b>',
  ],
  [
    'the entries of an object',
    component('return Object.entries({ a: 1, b: 2 }).map(([k, v]) => <b>{k}={v}</b>)'),
    '<A />',
    '<b>a=1</b><b>b=2</b>',
  ],
  ['Array.from', component('return Array.from({ length: 3 }, (_, i) => <b>{i + 1}</b>)'), '<A />', '<b>1</b><b>2</b><b>3</b>'],
  ['optional chains', component('return <b>{a?.b?.c.d}{a?.["b"]}{a?.f()}x</b>', '{ a }'), '<A />', '<b>x</b>'],
  [
    'functions with if, const, for … of and switch',
    `function kind(n) { switch (n) { case 1: return 'one'; default: return 'many' } }\nfunction sum(list) { let total = 0; for (const n of list) { if (n < 0) continue; total += n } return total }\n${component('return <b>{kind(1)}{kind(5)}{sum([1, -2, 3])}</b>')}`,
    '<A />',
    '<b>onemany4</b>',
  ],
  [
    'a list filled by a loop',
    component('const out = []; for (let i = 0; i < 3; i++) out.push(<i>{i}</i>); return <>{out}</>'),
    '<A />',
    '<i>0</i><i>1</i><i>2</i>',
  ],
  [
    'inline styles',
    component('return <div style={{ maxWidth: 300, color: c }}>x</div>', "{ c = 'red' }"),
    '<A />',
    '<div style="max-width:300px;color:red">x</div>',
  ],
  [
    'the first render of state',
    `import { useState } from 'react'\n${component("const [tab, setTab] = useState('x'); const [n] = useState(() => 2); return <b>{tab}{n}</b>")}`,
    '<A />',
    '<b>x2</b>',
  ],
  [
    'the styles of both themes for a state that tells which one is used',
    component(
      "const [isDark, setIsDark] = useState(false); useEffect(() => { setIsDark(isDarkNow()) }, []); return <div style={{ color: isDark ? '#fff' : '#111', margin: 1 }}><b style={{ margin: 2 }}>{isDark ? 'dark' : 'light'}</b><i className={isDark ? 'x' : 'y'} /></div>",
    ),
    '<A />',
    '<div style="color:#111;margin:1px" dark-style="color:#fff;margin:1px"><b style="margin:2px">light</b><i class="y"></i></div>',
  ],
  [
    'the images of both themes',
    `const useDark = () => { const [isDarkMode] = React.useState(false); return isDarkMode }\n${component("const dark = useDark(); return <p><img src={dark ? '/d.png' : '/l.png'} /></p>")}`,
    '<A />',
    '<p><img src="/l.png" dark-style="display:none"></img><img src="/d.png" style="display:none" dark-style="display:block"></img></p>',
  ],
  [
    'the light theme if the dark one cannot be evaluated',
    component("const [isDark] = useState(false); return <b style={{ color: isDark ? readColor() : 'red' }}>x</b>"),
    '<A />',
    '<b style="color:red">x</b>',
  ],
  [
    'other hooks',
    component(
      'const a = useMemo(() => 1, []); const b = useRef(2); const c = React.useCallback((x) => x + 1, []); useEffect(() => { fetch("/x") }, []); return <b>{a}{b.current}{c(2)}</b>',
    ),
    '<A />',
    '<b>123</b>',
  ],
  [
    'a default outside of browsers',
    component("return <b>{typeof window === 'undefined' ? 'x' : window.name}</b>"),
    '<A />',
    '<b>x</b>',
  ],
  [
    'an error that the component catches',
    component("try { localStorage.getItem('a') } catch { return <b>x</b> }"),
    '<A />',
    '<b>x</b>',
  ],
  [
    'icons',
    `import { ChevronRight, IconX } from 'lucide-react'\n${component('return <div><ChevronRight size={3} /><IconX /><Icon icon="y" /></div>')}`,
    '<A />',
    '<div><Icon size=3 icon="chevron-right"></Icon><Icon icon="x"></Icon><Icon icon="y"></Icon></div>',
  ],
  [
    'elements by a variable name',
    component("const Tag = href ? 'a' : 'div'; const Box = Card; return <Tag href={href}><Box title='t' /></Tag>", '{ href }'),
    '<A href="/x" />',
    '<a href="/x"><Card title="t"></Card></a>',
  ],
  [
    'numbers and strings',
    component(
      "return <b>{(1234.5).toLocaleString()} {(1 / 3).toFixed(2)} {Math.max(1, 2)} {'a-b'.split('-').map((s) => s.charAt(0).toUpperCase() + s.slice(1)).join(' ')} {Number('7') + parseInt('8px', 10)}</b>",
    ),
    '<A />',
    '<b>1,234.5 0.33 2 A B 15</b>',
  ],
  [
    'regular expressions',
    component(
      "return <b>{'Ab  Cd!'.toLowerCase().replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '')}{/x/.test('axb') ? 1 : 0}{'k: v'.replace(/(\\w): (\\w)/, '$2=$1')}</b>",
    ),
    '<A />',
    '<b>ab-cd1v=k</b>',
  ],
  [
    'sets and maps',
    component("const m = new Map([['a', 1]]); return <b>{[...new Set([1, 2, 1])].length}{m.get('a')}</b>"),
    '<A />',
    '<b>21</b>',
  ],
  [
    'parts of a component',
    `const Tabs = ({ children }) => <div>{children}</div>\nTabs.Item = ({ name }) => <b>{name}</b>\n${component('return <Tabs><Tabs.Item name="x" /></Tabs>')}`,
    '<A />',
    '<div><b>x</b></div>',
  ],
  [
    'memo and forwardRef',
    `const B = React.memo(({ x }) => <b>{x}</b>)\nconst C = React.forwardRef((props, ref) => <i>{props.x}</i>)\n${component('return <div><B x="1" /><C x="2" /></div>')}`,
    '<A />',
    '<div><b>1</b><i>2</i></div>',
  ],
  [
    'encoded text',
    component('return <b>{encodeURIComponent("a b")}{btoa("ab")}{atob("YWI=")}</b>'),
    '<A />',
    '<b>a%20bYWI=ab</b>',
  ],
  [
    'the allowed part of HTML',
    component('return <div dangerouslySetInnerHTML={{ __html: "<b onclick=alert(1)>x</b>" }} />'),
    '<A />',
    '<div><b>x</b></div>',
  ],
  [
    'functions as props',
    `const B = ({ render }) => render('x')\n${component('return <B render={(x) => <b>{x}</b>} />')}`,
    '<A />',
    '<b>x</b>',
  ],
])('evaluates %s', (_, code, use, markup) => {
  const page = showSnippet(code, use)
  expect(page.found).toEqual([])
  expect(page.markup).toBe(markup)
})

test('reports functions that would run after the page is shown, and shows their elements', () => {
  const page = showSnippet(component('return <b onClick={() => 1} title="a">x</b>'), '<A />')
  expect(page.found).toEqual([expect.stringContaining('unread-expression Cannot run `onClick` of `<b>`: pages run no code')])
  expect(page.markup).toBe('<b title="a">x</b>')
})

describe('inline expressions', () => {
  test.each<[text: string, markup: string]>([
    ['{[1, 2].map((n) => <b key={n}>{n}</b>)}', '<b>1</b><b>2</b>'],
    ['export const rows = [["a", 1]]\n\n{rows.map(([k, v]) => <Card title={k} n={v} />)}', '<Card title="a" n=1></Card>'],
    ['<Card {...{ title: "a" }} n={[1, 2].length} />', '<Card title="a" n=2></Card>'],
    ['a {Math.round(1.6)} b', '<p>a 2 b</p>'],
    ['export const { a, b: [c] } = { a: 1, b: [2] }\n\n{a}{c}', '<p>12</p>'],
  ])('evaluates %j', (text, markup) => {
    const page = readMdx(text)
    expect(page.found).toEqual([])
    expect(page.markup).toBe(markup)
  })
})

describe('modules', () => {
  test('reads default, named, renamed and star exports, TypeScript, and files without extension', () => {
    const page = readMdx(
      'import A, { b as B, C, D } from "/snippets/all"\nimport * as all from "./snippets/all"\n\n<A /><B /><C n={1} /><D />{all.text}',
      {
        'docs/snippets/all.tsx':
          "import type { X } from './types'\nexport { B as b } from './b.jsx'\nexport * from './c'\nexport default function A(): JSX.Element { return <b>a</b> }\nexport const text: string = ('t' as string)!\nenum Skip { A }\ninterface Y { a: number }\n",
        'docs/snippets/b.jsx': 'const B = () => <i>b</i>\nexport { B }',
        'docs/snippets/c/index.ts':
          // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a snippet
          "import { e } from '../e.js'\nexport const C = ({ n }: { n?: number }) => `${n! + e}` satisfies string\nexport { D } from '../d.mdx'",
        'docs/snippets/d.mdx': 'export const D = () => <u>d</u>',
        'docs/snippets/e.js': 'export const e = 1',
      },
    )
    expect(page.found).toEqual([])
    expect(page.markup).toBe('<b>a</b><i>b</i>2<u>d</u>t')
    expect(page.uses).toContain('docs/snippets/e.js')
  })

  test('supports modules that import each other', () => {
    const files = { 'docs/b.jsx': "import { name } from './a.jsx'\nexport const B = () => <b>{name}</b>" }
    const page = showSnippet("import { B } from './b.jsx'\nexport const name = 'x'\nexport const A = () => <B />", '<A />', files)
    expect([page.markup, page.found]).toEqual(['<b>x</b>', []])
  })

  test('reports values that need each other', () => {
    const files = { 'docs/b.jsx': "import { a } from './a.jsx'\nexport const b = a + 1" }
    const page = showSnippet(
      "import { b } from './b.jsx'\nexport const a = b + 1\nexport const A = () => <b>{a}</b>",
      '<A>x</A>',
      files,
    )
    expect(page.found).toEqual([
      expect.stringContaining(
        'unread-expression Cannot show `<A>`: it needs itself, for example because two snippets import each other',
      ),
    ])
  })

  test('reports a missing export, a package and a syntax error', () => {
    expect(readMdx('import { Aa } from "/a.jsx"\n\n<Aa>x</Aa>', { 'docs/a.jsx': 'export const Ab = 1' }).found).toEqual([
      '1:10 unread-import Cannot find `Aa` in `/a.jsx`',
    ])
    expect(showSnippet("import { m } from 'motion'\nexport const A = () => <m.div>{m.x}</m.div>", '<A>x</A>').found).toEqual([
      'docs/a.jsx:1:1 unread-import Cannot use `motion`: npm packages are not available',
    ])
    expect(showSnippet('export const A = () => <b>', '<A>x</A>').found).toEqual([
      expect.stringContaining('docs/a.jsx:1:27 page-syntax Cannot read the snippet: unexpected token'),
    ])
  })
})

test.each<[reason: string, body: string]>([
  ['uses `fetch`', 'const x = fetch("/x"); return <b>{x}</b>'],
  ['uses `window`', 'return <b>{window.innerWidth}</b>'],
  ['uses `new Date`', 'return <b>{new Date().getFullYear()}</b>'],
  ['uses `Math.random`', 'return <b>{Math.random()}</b>'],
  ['uses `await`', 'return (await x)'],
  ['uses `useEffect`', 'const [x, set] = useState(); useEffect(() => { set(1) }, []); if (!x) return null; return <b>{x}</b>'],
  ['changes its state while it renders', 'const [x, set] = useState(0); set(1); return <b>{x}</b>'],
  ['reads `y` of `undefined`', 'return <b>{props.x.y}</b>'],
  ['calls `.nope()`', 'return "x".nope()'],
  ['throws an error', 'throw new Error("x")'],
  ['uses `this`', 'return <b>{this.x}</b>'],
])('shows the children of a component that %s, and reports it once', (reason, body) => {
  const isAsync = body.includes('await') ? 'async ' : ''
  const page = showSnippet(`export const A = ${isAsync}(props) => { ${body} }`, '<A>\n  x\n</A>\n\n<A>\n  y\n</A>')
  expect(page.markup).toBe(
    '<Unavailable name="A" from="docs/a.jsx"><p>x</p></Unavailable><Unavailable name="A" from="docs/a.jsx"><p>y</p></Unavailable>',
  )
  expect(page.found).toHaveLength(1)
  if (!isAsync) expect(page.found[0]).toMatch(/^docs\/a\.jsx:1:\d+ /)
  expect(page.found[0]).toContain(`Cannot show \`<A>\`: it ${isAsync ? 'uses `async`' : reason}`)
})
