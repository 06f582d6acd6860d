import { type MdxCode, type MdxElement, type MdxNode, textOf } from '../../../script/values/values.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { type ComponentProps, readFlag, readText } from './component-props.tsx'

/** `<CodeBlock language filename icon lines wrap nocopy expandable highlight focus>`: a code block as a component. */
export function CodeBlockComponent({ element, context, page }: ComponentProps) {
  return <CodeBlock context={context} page={page} code={toCode(element)} />
}

/** Converts the component to the code block that a fence would create. */
export function toCode({ props, children, place }: MdxElement): MdxCode {
  const fence = findCode(children)
  const flags = ['lines', 'wrap', 'nocopy', 'expandable'].filter((name) => readFlag(props, name))
  // Quotes would end the option.
  const texts = ['filename', 'title', 'icon', 'highlight', 'focus'].flatMap((name) => {
    const text = readText(props, name)?.replaceAll('"', "'")
    return text === undefined ? [] : [`${name}="${text}"`]
  })
  const meta = [fence?.meta, ...flags, ...texts].filter((part) => part !== undefined && part !== '').join(' ')
  const value = fence?.value ?? textOf(children).replace(/^\n/, '').trimEnd()
  return { kind: 'code', language: readText(props, 'language')?.toLowerCase() ?? fence?.language, meta, value, place }
}

function findCode(nodes: readonly MdxNode[]): MdxCode | undefined {
  for (const node of nodes) {
    const found = node.kind === 'code' ? node : node.kind === 'element' ? findCode(node.children) : undefined
    if (found) return found
  }
  return undefined
}
