import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { createMdxReader } from '../../../src/site/content/mdx-reader.ts'
import { surveyContent } from '../../../src/site/page/components/check-content.ts'
import { componentNames } from '../../../src/site/page/components/components.tsx'
import { ContentNodes } from '../../../src/site/page/components/content-nodes.tsx'
import { renderStyles } from '../../../src/site/page/components/page-styles.ts'
import { testContext, testPage } from './test-context.ts'

/** Renders MDX to HTML, with one element per line in `lines`. `styles` is the page's stylesheet. */
export function renderMdx(text: string, files: Readonly<Record<string, string>> = {}) {
  const reader = createMdxReader({
    root: '',
    readFile: (path) => files[path],
    components: componentNames,
    variables: new Map(),
  })
  const { nodes, headings, findings } = reader.readPage('guides/page.mdx', text)
  const context = testContext([testPage('guides/page'), testPage('other')])
  const html = renderToString(h(ContentNodes, { nodes, context, page: testPage('guides/page') }))
  const all = [...findings, ...surveyContent(nodes).findings]
  return { nodes, html, lines: html.replaceAll('><', '>\n<'), headings, findings: all, styles: renderStyles(html) }
}
