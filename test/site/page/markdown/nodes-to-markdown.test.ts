import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMdxReader } from '../../../../src/site/content/mdx-reader.ts'
import { componentNames } from '../../../../src/site/page/components/component-table.ts'
import { nodesToMarkdown } from '../../../../src/site/page/markdown/nodes-to-markdown.ts'

const folder = join(import.meta.dirname, '../../../fixtures/site/content')

// `vitest -u` updates `expected.md`. Review the changes.
test.each(readdirSync(folder))('%s as Markdown', async (name) => {
  const reader = createMdxReader({ root: '', readFile: () => undefined, components: componentNames, variables: new Map() })
  const { nodes } = reader.readPage('page.mdx', readFileSync(join(folder, name, 'input.mdx'), 'utf8'))
  const text = nodesToMarkdown(nodes, (url) => (url === '' ? undefined : url))
  await expect(text).toMatchFileSnapshot(join(folder, name, 'expected.md'))
})
