import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCheck } from '../../src/update/run-check.ts'
import { type Tree, toEnvironment, updateTree } from '../support/memory-tree.ts'

/** The examples of `docs/diagnostics.md` for `docs.json` and pages; those for documents are held elsewhere. */
const sections = readFileSync(new URL('../../docs/diagnostics.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
const examples = sections.flatMap((section) =>
  Array.from(section.matchAll(/^```(yaml|json) page-(wrong|right)\n(.*?)^```$/gms), ([, syntax, verdict, text = '']) => {
    return { code: section.slice(0, section.indexOf('\n')), syntax, verdict, text }
  }),
)

const toDocument = (more = '') =>
  `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /pets:\n    get:\n      responses: {"200": {description: Fine}}\n${more}`

/** A docs directory that has the example in it: frontmatter, navigation or an operation. */
function toTree(code: string, text: string): Tree {
  const documents = { 'openapi.yaml': toDocument(), 'stores.yaml': toDocument(), 'index.mdx': '---\nhidden: true\n---\n' }
  const named = { api: { openapi: code === 'binding-ambiguous' ? ['openapi.yaml', 'stores.yaml'] : 'openapi.yaml' } }
  if (text.startsWith('x-mint')) {
    const navigation = { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] }
    return { 'openapi.yaml': toDocument(`      ${text}`), 'docs.json': JSON.stringify({ navigation }) }
  }
  if (!text.startsWith('{'))
    return { ...documents, 'docs.json': JSON.stringify({ navigation: {}, ...named }), 'page.mdx': `---\n${text}---\n` }
  const value: unknown = JSON.parse(text)
  const isGroup = typeof value === 'object' && value !== null && 'group' in value
  return { ...documents, 'docs.json': JSON.stringify(isGroup ? { navigation: { groups: [value] } } : value) }
}

test('has examples', () => {
  expect(examples.length).toBeGreaterThan(12)
})

test.each(examples)('$code: the $verdict example', async ({ code, verdict, text }) => {
  const tree = toTree(code, text)
  // Only a check tells what an update has nothing to do with.
  const { diagnostics } =
    code === 'docs-config-key' ? await runCheck({ entries: [''] }, toEnvironment(tree)) : await updateTree(tree)
  const codes = diagnostics.map((diagnostic) => diagnostic.code)
  expect(codes).toEqual(verdict === 'wrong' ? [code] : [])
})
