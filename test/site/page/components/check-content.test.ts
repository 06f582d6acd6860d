import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { surveyContent } from '../../../../src/site/page/components/check-content.ts'
import { ContentNodes } from '../../../../src/site/page/components/content-nodes.tsx'
import { listIds } from '../../../../src/site/page/element-ids.ts'
import { renderMdx } from '../render-mdx.ts'
import { testContext, testPage } from '../test-context.ts'

const folder = join(import.meta.dirname, '../../../fixtures/site/content')
const componentSupport: readonly { readonly properties: readonly { readonly page: string }[] }[] = parse(
  readFileSync(join(import.meta.dirname, 'supported-properties.yaml'), 'utf8'),
)
/** What the other pages do not have. */
const more = [
  '## A `b` <Badge>c</Badge>\n\n## A b\n\n<div id="own"><a name="old">x</a> [y](/y) ![z](z.png)</div>',
  '<Card title={<a href="/in-prop">x</a>} img="/i.png" icon="/icon.svg" href="/card" />',
  '<Card href="/disabled" disabled>x</Card><Frame caption="[c](/caption)" hint="![d](/d.png)" /><Link to="/to">x</Link>',
  '<img src="a.png" srcSet="b.png 1x, /c.png 2x" />\n\n<video poster="/p.png" src="v.mp4" /> <a href="javascript:x">y</a>',
  '```js icon="/code.svg" title\nx\n```\n\n- [in a list](/list)\n\n<Step href="/unused" title="T">x</Step>',
]

test('lists the links and IDs that the components of a page render', () => {
  const pages = componentSupport.flatMap(({ properties }) => properties.map(({ page }) => page.replace(/[‹›]/g, '')))
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name, 'input.mdx'), 'utf8'))
  for (const text of [...pages, ...files, ...more]) {
    const { nodes } = renderMdx(`${text}\n`)
    const shown = new Set<string>()
    const page = testPage('guides/page')
    const notes = { onLink: (href: string) => void shown.add(href), deferId: String, deferExtraId: String, hasIds: () => false }
    const html = renderToString(h(ContentNodes, { nodes, context: { ...testContext([page]), notes }, page }))
    const { links, ids } = surveyContent(nodes)
    expect([text, [...links].sort()]).toEqual([text, [...shown].sort()])
    // Names that only this page has are no targets.
    const missing = listIds(html).filter((id) => !ids.has(id) && !/^(?:P\d|mermaid|i\d)/.test(id))
    expect([text, missing]).toEqual([text, []])
  }
})
