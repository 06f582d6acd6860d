import { expect, test } from 'vitest'
import type { MdxNode, MdxValue } from '../../../src/script/values/values.ts'
import { markdownToNodes } from '../../../src/site/content/mdx-reader.ts'
import { isAllowedUrl } from '../../../src/text/plain/paths.ts'
import { readMdx } from './read-mdx.ts'

/** Known XSS payloads in Markdown, HTML and JSX. */
const hostile = [
  '<script>alert(1)</script>',
  '<ScRiPt src="//evil.example/x.js"></ScRiPt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)" />',
  '<img src={"x"} onError={() => alert(1)} />',
  '<svg onload="alert(1)"><script>alert(1)</script></svg>',
  '<svg><a href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zy8+#x" /></svg>',
  '<svg><foreignObject><iframe src="javascript:alert(1)" /></foreignObject></svg>',
  '<svg><animate attributeName="href" values="javascript:alert(1)" /></svg>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java&#10;script:alert(1))',
  '[a](&#x6A;avascript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](vbscript:msgbox(1))',
  '[a]\n\n[a]: javascript:alert(1)',
  '![a](javascript:alert(1))',
  '![a](data:image/svg+xml,<svg onload=alert(1)>)',
  '<javascript:alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<a href=" javascript:alert(1)">a</a>',
  '<a href={"java\\u0000script:alert(1)"}>a</a>',
  '<a xlink:href="javascript:alert(1)">a</a>',
  '<iframe src="javascript:alert(1)" />',
  '<iframe srcDoc="<script>alert(1)</script>" />',
  '<iframe srcdoc="<script>alert(1)</script>" src="https://www.youtube.com/embed/x" />',
  '<iframe src="https://www.youtube.com.evil.example/" />',
  '<iframe src="https://www.youtube.com@evil.example/" />',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)" />',
  '<base href="https://evil.example/" />',
  '<meta httpEquiv="refresh" content="0;url=javascript:alert(1)" />',
  '<link rel="stylesheet" href="https://evil.example/x.css" />',
  '<style>{`body { background: url(https://evil.example) }`}</style>',
  '<form action="https://evil.example"><input name="a" /><button formAction="javascript:alert(1)">x</button></form>',
  '<div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />',
  '<div style="background:url(https://evil.example/x);position:fixed;inset:0">a</div>',
  '<div style={{ backgroundImage: "url(//evil.example)", color: "red;position:fixed" }}>a</div>',
  '<p style="width: expression(alert(1))">a</p>',
  '<details open ontoggle="alert(1)">a</details>',
  '<video><source onerror="alert(1)" /></video>',
  '<video poster="javascript:alert(1)" />',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea></textarea><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<a href="https://a.example" onclick="alert(1)" formaction="x" ping="https://evil.example">a</a>',
  '{process.exit(1)}',
  '{globalThis.process.env}',
  '{(() => { throw 1 })()}',
  '{[].constructor.constructor("return process")()}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: page source
  '{`${{}.constructor}`}',
  'export const x = await fetch("https://evil.example")\n\n{x}',
  'export const x = import("node:fs")\n\n{x}',
  'import x from "node:fs"\n\n<x.readFileSync />',
  '<Card href="javascript:alert(1)" onClick={() => 1} __proto__={{ a: 1 }} constructor="x" />',
  '</p></div><script>alert(1)</script>',
]

const shownInNodes =
  /^(?:script|style|object|embed|base|meta|link|form|input|button|textarea|noscript|math|foreignobject|animate|use|template)$/

function check(nodes: readonly MdxNode[]): void {
  for (const node of nodes) {
    if (node.kind !== 'element') continue
    if (/^[a-z]/.test(node.name)) {
      expect(node.name).not.toMatch(shownInNodes)
      for (const [name, value] of Object.entries(node.props)) checkProp(node.name, name, value)
    }
    check(node.children)
  }
}

function checkProp(element: string, name: string, value: MdxValue): void {
  expect(name).not.toMatch(/^on|srcdoc|dangerously|action|ping|xlink/i)
  const text = String(value).replace(/[\u0000- ]/g, '')
  if (/^(?:href|src|poster)$/i.test(name)) expect(text).not.toMatch(/^(?:javascript|vbscript|data:(?!image\/(?!svg)))/i)
  if (name === 'style') expect(text).not.toMatch(/url|fixed|expression|[<>"]/i)
  if (element === 'iframe' && name === 'src') expect(text).toMatch(/^https:\/\/www\.youtube\.com\//)
}

test.each(hostile)('neutralizes %j in a page and in a description', (text) => {
  check(readMdx(text).nodes)
  check(markdownToNodes(text))
})

test('keeps harmless HTML in descriptions and removes the rest', () => {
  const nodes = markdownToNodes(
    'a<br>b <b onclick="x">c</b>\n\n<table><tr><td style="color:red" width=3>d\n\n<pre><code class="language-json">{}</code></pre>',
  )
  check(nodes)
  expect(JSON.stringify(nodes)).toContain('"color:red"')
  expect(nodes.some((node) => JSON.stringify(node).includes('"language":"json"'))).toBe(true)
})

test('checks attributes in any case', () => {
  const [node] = readMdx(
    '<div STYLE="position:fixed;color:red" CLASS="a" HREF="javascript:alert(1)" SRC="javascript:alert(1)">a</div>',
  ).nodes
  expect(node).toMatchObject({ name: 'div' })
  expect(node?.kind === 'element' && { ...node.props }).toEqual({ style: 'position:absolute;color:red', class: 'a' })
})

test('keeps allowed attributes as written', () => {
  const [node] = readMdx('<td colSpan={2} aria-label="b" data-x="1" width="3" title="c" />').nodes
  expect(node?.kind === 'element' && { ...node.props }).toEqual({ colSpan: 2, 'aria-label': 'b', width: '3', title: 'c' })
})

test.each([
  ['https://a.example', true, true],
  ['HTTPS://a.example', true, true],
  [' https://a.example', true, true],
  ['/a:b', true, true],
  ['a?b=c:d', true, true],
  ['#a:b', true, true],
  ['mailto:a@b.example', true, false],
  ['vscode:x', false, false],
  ['tel:+1', true, false],
  ['HTTP://a.example', true, true],
  ['http:a.example', false, false],
  ['https:\\\\a.example', false, false],
  ['/\\a.example', false, false],
  ['\\\\a.example', false, false],
  ['a?b=\\', true, true],
  ['data:image/png;base64,AA', false, true],
  ['data:image/svg+xml,x', false, false],
  ['data:text/html,x', false, false],
  ['java\nscript:x', false, false],
  ['\u0001javascript:x', false, false],
  ['blob:x', false, false],
])('%j is allowed as a link: %s, as an image: %s', (url, isLink, isMedia) => {
  expect([isAllowedUrl(url, 'link'), isAllowedUrl(url, 'media')]).toEqual([isLink, isMedia])
})
