import { type MdxNode, type MdxValue, valueToNodes } from '../../../script/values/values.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'

/** The content of a prop that can be Markdown, such as `caption="See [this](/page)"`. A single paragraph becomes inline content. */
export function readMarkdown(value: MdxValue | undefined): readonly MdxNode[] | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/[*_`[<&\\~]|https?:/.test(value)) return valueToNodes(value)
  const nodes = markdownToNodes(value)
  const [only] = nodes
  return nodes.length === 1 && only?.kind === 'element' && only.name === 'p' ? only.children : nodes
}
