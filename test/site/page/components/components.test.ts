import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import katex from 'katex'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadLanguages } from '../../../../src/site/page/code/color-lines.ts'
import { addFormulaRenderer } from '../../../../src/site/page/components/latex.tsx'
import { renderMdx } from '../render-mdx.ts'

const folder = join(import.meta.dirname, '../../../fixtures/site/content')

// Other test files of the same process may have loaded them.
addFormulaRenderer(katex)
beforeAll(() => loadLanguages(['js', 'bash', 'json']))

describe('components', () => {
  // `vitest -u` updates `expected.html`. Review the changes.
  test.each(readdirSync(folder))('%s', async (name) => {
    const { lines, styles, findings } = renderMdx(readFileSync(join(folder, name, 'input.mdx'), 'utf8'))
    expect(findings).toEqual([])
    const styled = styles === '' ? '' : `\n<style>\n${styles}</style>`
    await expect(`${lines}${styled}\n`).toMatchFileSnapshot(join(folder, name, 'expected.html'))
  })

  test('a dark color of a page is lighter in the dark theme', () => {
    const { styles } = renderMdx('<Callout icon="star" color="#07361D">x</Callout>\n\n<Callout color="#FFC107">y</Callout>\n')
    expect(styles).toMatch(/--c:light-dark\(#07361D,#[0-9a-f]{6}\)/i)
    expect(styles).toMatch(/--c:#FFC107\}/i)
  })

  test('a snippet that is used twice has separate radio groups', () => {
    const snippet = '<Tabs><Tab title="a">1</Tab><Tab title="b">2</Tab></Tabs>'
    const { html } = renderMdx("import A from '/snippets/a.mdx'\n\n<A />\n\n<A />\n", { 'snippets/a.mdx': snippet })
    const names = Array.from(html.matchAll(/ name="([^"]+)"/g), ([, name]) => name)
    expect(names).toHaveLength(4)
    expect(new Set(names).size).toBe(2)
  })

  test('IDs of different components are unique', () => {
    const { html } = renderMdx(
      '## A\n\n<Accordion title="A">x</Accordion>\n\n<Update label="A">y</Update>\n\n<Steps><Step title="A">z</Step></Steps>\n',
    )
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    expect(ids).toEqual(['a', 'a-1', 'a-2', 'a-3'])
  })

  test('the table of contents includes steps and updates, but not accordions', () => {
    const { headings } = renderMdx(
      '<Update label="May">\n## In\n</Update>\n\n<Steps><Step title="One">z</Step></Steps>\n\n<Accordion title="A">x</Accordion>\n',
    )
    expect(headings.map(({ depth, id }) => `${depth} ${id}`)).toEqual(['2 may', '2 in', '3 one'])
  })

  test('an update shows no empty tag', () => {
    const { html } = renderMdx(`<Update label="May" tags={['', 'API']}>x</Update>`)
    expect(html.match(/class="tag/g)).toHaveLength(1)
  })

  test('too many tabs become collapsible sections', () => {
    const tabs = Array.from({ length: 25 }, (_, index) => `<Tab title="t${index}">x</Tab>`).join('\n')
    expect(renderMdx(`<Tabs>\n${tabs}\n</Tabs>`).html.match(/<details/g)).toHaveLength(25)
  })

  test('a page with a syntax error keeps its components', () => {
    const { html, findings } = renderMdx(
      '<Note>Kept</Note>\n\n<CardGroup cols={2}>\n\n<Card title="A">x</Card>\n\n</CardGroup>\n\nA brace {that} is {not closed\n',
    )
    expect(html).toContain('class="call note"')
    expect(html).toContain('cards of-2')
    expect(findings.map(({ code }) => code)).toEqual(['page-syntax'])
  })
})

const hostile = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'file:///etc/passwd',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  'red;}body{display:none',
  'url(https://evil.example/x)',
  'expression(alert(1))',
  '</textarea><img src=x onerror=alert(1)>',
  '{{constructor}}',
  '__proto__',
]

const places = [
  (text: string) => `<Card title={${text}} icon={${text}} href={${text}} img={${text}} cta={${text}} color={${text}}>x</Card>`,
  (text: string) => `<Note icon={${text}} title={${text}} className={${text}}>x</Note>`,
  (text: string) => `<Callout icon={${text}} color={${text}} type={${text}}>x</Callout>`,
  (text: string) => `<Tile href={${text}} title={${text}}>x</Tile>`,
  (text: string) => `<Tabs><Tab title={${text}} icon={${text}} id={${text}}>x</Tab></Tabs>`,
  (text: string) => `<Accordion title={${text}} id={${text}} icon={${text}}>x</Accordion>`,
  (text: string) =>
    `<Steps titleSize={${text}}><Step title={${text}} icon={${text}} id={${text}} stepNumber={${text}}>x</Step></Steps>`,
  (text: string) =>
    `<Frame caption={${text}}><img src={${text}} alt={${text}} style={${text}} className={${text}} srcSet={${text}} /></Frame>`,
  (text: string) => `<Update label={${text}} description={${text}} tags={[${text}]}>x</Update>`,
  (text: string) => `<Tooltip tip={${text}} headline={${text}} cta={${text}} href={${text}}>x</Tooltip>`,
  (text: string) => `<ParamField query={${text}} type={${text}} default={${text}} pre={[${text}]} required>x</ParamField>`,
  (text: string) =>
    `<Badge color={${text}} icon={${text}}>x</Badge><Button href={${text}}>x</Button><Link href={${text}}>x</Link>`,
  (text: string) => `<Icon icon={${text}} color={${text}} size={${text}} />`,
  (text: string) => `<Tree><Tree.Folder name={${text}}><Tree.File name={${text}} /></Tree.Folder></Tree>`,
  (text: string) => `<GitHub.Repo repo={${text}} className={${text}} />`,
  (text: string) => `<CodeBlock language={${text}} filename={${text}} icon={${text}} highlight={${text}}>{${text}}</CodeBlock>`,
  (text: string) =>
    `<Tree style={{ "--tree-highlight": ${text} }}><Tree.File name={${text}} comment={${text}} highlight /></Tree><Frame caption={${text}} hint={${text}} />`,
  (text: string) =>
    `<Prompt description={${text}} actions={["copy", "cursor"]}>{${text}}</Prompt><Card title="a" type={${text}} />`,
  (text: string) => `<Color><Color.Item name={${text}} value={${text}} /></Color>`,
  (text: string) =>
    `<Prompt description={${text}} icon={${text}}>{${text}}</Prompt><Mermaid chart={${text}} /><Latex>{${text}}</Latex>`,
  (text: string) =>
    `<div style={{ color: ${text}, background: ${text} }} className={${text}} id={${text}} onClick={${text}} dangerouslySetInnerHTML={{ __html: ${text} }}>x</div>`,
]

describe('hostile props', () => {
  test.each(hostile)('%j is always rendered as text', (text) => {
    for (const place of places) {
      const { html, styles } = renderMdx(`${place(JSON.stringify(text))}\n`)
      expect(html).not.toMatch(/<script|<img src=x|<svg onload/i)
      // All values are in double quotes, so attribute names follow whitespace outside of quotes.
      const bare = html.replace(/"[^"]*"/g, '""')
      expect(bare).not.toMatch(/<[^>]*\s(?:on\w+|style|srcdoc)=/i)
      for (const [, url = ''] of html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)) {
        expect(url.replace(/[\u0000-\u0020]/g, '')).not.toMatch(
          /^(?:java|vb)script:|^data:(?!image\/(?:png|jpe?g|gif|webp|avif))|^file:/i,
        )
      }
      for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g)) expect(names).toMatch(/^[a-z0-9 -]*$/)
      expect(styles).not.toMatch(/<|url\(|expression|body\{/i)
    }
  })
})

test('the copied text of a prompt keeps its paragraphs, lists and code', () => {
  const { html } = renderMdx(
    '<Prompt description="a">\nBe **brief**.\n\n- One `x`\n- Two\n  - Three\n\n```js\nlet a\n```\n\nEnd.\n</Prompt>\n',
  )
  const [, text = ''] = / data-copy="([^"]*)"/.exec(html) ?? []
  expect(text.replaceAll('&quot;', '"')).toBe('Be **brief**.\n\n- One `x`\n- Two\n  - Three\n\n```js\nlet a\n```\n\nEnd.')
})
