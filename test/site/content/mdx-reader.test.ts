import { expect, test } from 'vitest'
import { markdownToNodes } from '../../../src/site/content/mdx-reader.ts'
import { readMdx, toMarkup } from './read-mdx.ts'

test.each<[name: string, text: string, markup: string]>([
  ['a heading with an id', '## Hi *you*', '<h2 id="hi-you">Hi <em>you</em></h2>'],
  ['two headings of one text', '# A\n\n# A', '<h1 id="a">A</h1><h1 id="a-1">A</h1>'],
  ['a paragraph', 'a **b** `c`', '<p>a <strong>b</strong> <code>c</code></p>'],
  ['frontmatter', '---\ntitle: x\n---\n\na', '<p>a</p>'],
  ['a name of the frontmatter', '---\ntitle: x\n---\n\na {frontmatter.title}', '<p>a x</p>'],
  ['code', '```js a.js {1,3}\nx()\n```', '<pre js|a.js {1,3}>x()</pre>'],
  ['a tight list', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['a loose list', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['tasks', '- [x] a', '<ul><li checked=true>a</li></ul>'],
  ['a list that starts at 3', '3. a', '<ol start=3><li>a</li></ol>'],
  [
    'a table',
    '|a|b|\n|-|-:|\n|1|2|',
    '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
  ],
  ['a link by reference', '[a][b]\n\n[b]: /c "d"', '<p><a href="/c" title="d">a</a></p>'],
  ['an image', '![a](b.png)', '<p><img src="b.png" alt="a"></img></p>'],
  ['an alert of GitHub', '> [!NOTE]\n> a', '<Note><p>a</p></Note>'],
  [
    'a footnote',
    'a[^1]\n\n[^1]: b',
    '<p>a<sup id="note-ref-1"><a href="#note-1">1</a></sup></p><hr></hr><ol><li id="note-1"><p>b</p></li></ol>',
  ],
  ['a component', '<Card title="a" n={2} on>\n  b\n</Card>', '<Card title="a" n=2 on=true><p>b</p></Card>'],
  ['a component with a dot', '<Tree.Folder name="a" />', '<Tree.Folder name="a"></Tree.Folder>'],
  ['components on one line', '<Card title="a" /> <Card title="b" />', '<Card title="a"></Card><Card title="b"></Card>'],
  ['an icon in a line', 'a <Icon icon="x" /> b', '<p>a <Icon icon="x"></Icon> b</p>'],
  [
    'props with lists, objects and JSX',
    '<Card a={[1, "b"]} b={{ c: -1 }} d={<b>e</b>} />',
    '<Card a=[1,"b"] b={c:-1} d=(<b>e</b>)></Card>',
  ],
  ['an exported constant', "export const a = 'b'\n\n{a} and <Card title={a} />", '<p>b and </p><Card title="b"></Card>'],
  ['an exported component', 'export const A = ({ b, c = 1 }) => <b>{b}{c}</b>\n\n<A b="x" />', '<b>x1</b>'],
  ['an exported function', 'export function A(props) { return <>{props.children}!</> }\n\n<A>x</A>', '<p>x!</p>'],
  [
    'conditional text',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: page source
    'export const a = true\n\n{a ? "b" : "c"} {a && <b>d</b>} {`e ${1 + 1}`}',
    '<p>b <b>d</b> e 2</p>',
  ],
  ['a comment', 'a {/* b */}', '<p>a </p>'],
  [
    'an HTML comment',
    '<!-- a\n\n{b -->\n<Card title="c" /> `<!-- d -->`\n\n```\n<!-- e -->\n```',
    '<Card title="c"></Card><p> <code>&lt;!-- d --></code></p><pre |><!-- e --></pre>',
  ],
  ['theme={null}', '<Card theme={null} />', '<Card theme=null></Card>'],
  [
    'HTML',
    '<div className="a" style={{ maxWidth: 300, color: "red" }}>\n  b\n</div>',
    '<div class="a" style="max-width:300px;color:red"><p>b</p></div>',
  ],
  ['text of JSX over lines', '<div>\n  {<p>\n    a\n    b\n  </p>}\n</div>', '<div><p>a b</p></div>'],
])('shows %s', (_, text, markup) => {
  const page = readMdx(text)
  expect(page.found).toEqual([])
  expect(page.markup).toBe(markup)
})

test('expands snippets with their props, including nested snippets', () => {
  const files = {
    'docs/snippets/a.mdx': '---\ntitle: no\n---\nimport B from "./b.mdx"\n\nHello {name}\n\n<B><i>c</i></B>',
    'docs/snippets/b.mdx': '<Card>{children}</Card>',
    'docs/snippets/c.mdx': "export const c = 'see'\nexport const D = ({ e }) => <b>{e}</b>",
  }
  const page = readMdx(
    'import A from "/snippets/a.mdx"\nimport { c, D as F } from "./snippets/c.mdx"\n\n<A name="you" />\n\n{c} <F e="f" />',
    files,
  )
  expect(page.found).toEqual([])
  expect(page.markup).toBe('<p>Hello you</p><Card><i>c</i></Card>see<b>f</b>')
  expect(page.uses).toEqual(['docs/snippets/a.mdx', 'docs/snippets/b.mdx', 'docs/snippets/c.mdx'])
})

test('knows a snippet by its import, whatever the case of its name', () => {
  const page = readMdx('import s3Need from "/snippets/need.mdx"\n\n<s3Need />\n\n<sub>a</sub>', {
    'docs/snippets/need.mdx': 'Text',
  })
  expect([page.found, page.markup]).toEqual([[], '<p>Text</p><p><sub>a</sub></p>'])
})

test('shows an image whose data is long', () => {
  const url = `data:image/png;base64,${'A'.repeat(220_000)}`
  const page = readMdx(`<p><img src="${url}" alt="x"/></p>`)
  expect(page.found).toEqual([])
  expect(page.markup === `<p><img src="${url}" alt="x"></img></p>`).toBe(true)
})

test('lists the headings of the page and of its snippets in reading order', () => {
  const page = readMdx('import A from "/a.mdx"\n\n# One\n\n<A />\n\n#### Four\n\n### Three `x`', { 'docs/a.mdx': '## Two' })
  expect(page.headings).toEqual([
    { depth: 1, id: 'one', text: 'One' },
    { depth: 2, id: 'two', text: 'Two' },
    { depth: 3, id: 'three-x', text: 'Three x' },
  ])
})

test('replaces variables from docs.json', () => {
  expect(readMdx('a {{b}} `{{ b }}` {{"c"}}', {}, { b: 'x' }).markup).toContain('<p>a x <code>x</code>')
})

test.each<[name: string, text: string, markup: string, found: string[]]>([
  [
    'an unknown component',
    '<Crad title="a">b</Crad>',
    '<p>b</p>',
    ['1:1 unknown-component Unexpected component `<Crad>`: only its content is shown'],
  ],
  [
    'panels of tabs with another name',
    '<Tabs><TabItem value="js" label="JavaScript">a</TabItem><TabsContent value="py">b</TabsContent></Tabs>',
    '<Tabs><Tab title="JavaScript">a</Tab><Tab title="py">b</Tab></Tabs>',
    [
      '1:7 unknown-component Unexpected component `<TabItem>`: it is shown as a `<Tab>`',
      '1:57 unknown-component Unexpected component `<TabsContent>`: it is shown as a `<Tab>`',
    ],
  ],
  [
    'panels of tabs from a package',
    'import { LanguageTab } from "x"\n\n<LanguageTab title="A">a</LanguageTab>',
    '<Tab title="A">a</Tab>',
    ['1:1 unread-import Cannot use `x`: npm packages are not available'],
  ],
  ['a call', 'a {fetch("x")} b', '<p>a  b</p>', ['1:4 unread-expression Cannot show this expression: it uses `fetch`']],
  ['a spread', '<Card {...x} />', '<Card></Card>', ['1:11 unread-expression Cannot show these props: it uses `x`']],
  [
    'the prototype',
    '{"".constructor.constructor("x")()} {frontmatter.__proto__} {frontmatter.constructor}',
    '<p>  </p>',
    [
      '1:2 unread-expression Cannot show this expression: it uses `constructor`',
      '1:38 unread-expression Cannot show this expression: it uses `__proto__`',
      '1:62 unread-expression Cannot show this expression: it uses `constructor`',
    ],
  ],
  [
    'a missing file',
    'import A from "/a.mdx"\n\n<A>b</A>',
    '<Unavailable name="A" from="/a.mdx">b</Unavailable>',
    ['1:1 unread-import Cannot find `/a.mdx`'],
  ],
  [
    'a file outside the docs directory',
    'import A from "../../x.mdx"',
    '',
    ['1:1 unread-import Cannot use `../../x.mdx`: it is outside the docs directory'],
  ],
  [
    'code from a package',
    'import { useState } from "react"\nimport { A } from "x"',
    '',
    ['2:1 unread-import Cannot use `x`: npm packages are not available'],
  ],
  [
    'a component that needs the network',
    'export const A = () => { const x = fetch("/x"); return <b>{x}</b> }\n\n<A>c</A>',
    '<Unavailable name="A" from="docs/page.mdx">c</Unavailable>',
    ['1:36 unread-expression Cannot show `<A>`: it uses `fetch`'],
  ],
  ['a script', 'a\n\n<script>alert(1)</script>', '<p>a</p>', ['3:1 refused-html Unsupported `<script>`: it is not shown']],
  ['a form', '<form action="x">a</form>', '<p>a</p>', ['1:1 refused-html Unsupported `<form>`: only its content is shown']],
  [
    'an unknown iframe',
    '<iframe src="https://evil.example/x" />',
    '',
    ['1:1 refused-html Unsupported `<iframe>` with `https://evil.example/x`: it is not shown'],
  ],
])('omits and reports %s', (_, text, markup, found) => {
  const page = readMdx(text)
  expect(page.markup).toBe(markup)
  expect(page.found).toEqual(found)
})

test('reports the first of equal unsupported elements', () => {
  const { found } = readMdx('<form>a</form>\n\n<form>b</form>\n\n<dialog>c</dialog>')
  expect(found).toEqual([
    '1:1 refused-html Unsupported `<form>`: only its content is shown',
    '5:1 refused-html Unsupported `<dialog>`: only its content is shown',
  ])
})

test('shows a page with invalid MDX as Markdown, with one diagnostic', () => {
  const page = readMdx('# A\n\nfrom 1 <5 {x')
  expect(page.markup).toBe('<h1 id="a">A</h1><p>from 1 &lt;5 {x</p>')
  expect(page.found).toHaveLength(1)
  expect(page.found[0]).toMatch(/^3:\d+ page-syntax Cannot read the MDX: /)
})

test('stops recursive and growing snippets', () => {
  const loop = readMdx('import A from "/a.mdx"\n\n<A />', { 'docs/a.mdx': 'import A from "/a.mdx"\n\nx <A />' })
  expect(loop.found.filter((line) => line.includes('too-complex'))).toHaveLength(1)
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `docs/s${index}.mdx`,
      `import A from "/s${index + 1}.mdx"\n\n<A /><A /><A /><A />\n\nx`,
    ]),
  )
  const bomb = readMdx('import A from "/s0.mdx"\n\n<A />', files)
  expect(bomb.found.some((line) => line.includes('too-complex The page has more than 200,000 elements'))).toBe(true)
})

test('shows deeply nested elements as plain text, with one warning', () => {
  const { markup, found } = readMdx(`${'<Card>\n'.repeat(300)}deep\n${'</Card>\n'.repeat(300)}`)
  expect(markup).toContain('deep')
  expect(found).toEqual([
    '1:1 markdown-too-complex The page is too complex to parse as Markdown and is shown as plain text from here on',
  ])
})

test.each([
  ['quotes', `${'> '.repeat(2_000)}deep`],
  ['very many quotes', `${'> '.repeat(20_000)}deep`],
  ['lists', Array.from({ length: 205 }, (_, level) => `${'  '.repeat(level)}- deep`).join('\n')],
])('shows deeply nested %s as plain text, with one warning', (_, text) => {
  const { markup, found } = readMdx(text)
  expect(markup).toContain('deep')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/markdown-too-complex/)
})

test('shows a page over 4 MiB as plain text, with one diagnostic', () => {
  const { markup, found } = readMdx('## A part\n\nText.\n\n'.repeat(250_000))
  expect(markup).toMatch(/^<pre \|>## A part/)
  expect(found).toEqual(['1:1 too-complex The page has more than 4,194,304 characters and is shown as plain text'])
})

test('reads a page over 500,000 characters completely', () => {
  const section = `## A part\n\n<div>\n${'<span class="a">b</span> <img src="c" />\n'.repeat(3)}</div>\n\n${'Text. '.repeat(2_000)}\n\n`
  const { markup, found } = readMdx(section.repeat(45))
  expect(markup.match(/<h2 /g)).toHaveLength(45)
  expect(markup.match(/<img /g)).toHaveLength(135)
  expect(found).toEqual([])
})

// These took more than a minute before, in quadratic time.
test.each([
  ['comments that never end', `<b>\n${'<!--'.repeat(100_000)}`],
  ['a formula that never ends', `<b>\n$a${'^'.repeat(300_000)}`],
  ['backticks that never end', `<b>\n<!-- -->\n${'`'.repeat(200_000)}${'x'.repeat(200_000)}`],
])('reads a page of %s', (_, text) => {
  expect(readMdx(text).found).toHaveLength(1)
})

test('cuts a description without a diagnostic', () => {
  expect(
    markdownToNodes(`${'> '.repeat(2_000)}deep`)
      .map(toMarkup)
      .join(''),
  ).toMatch(/^<p>(?:> )+deep<\/p>$/)
  expect(markdownToNodes('**b** '.repeat(100_000)).map(toMarkup).join('')).toMatch(/^<p>\*\*b/)
})
