import { textOf } from '../../content/mdx-values.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { type ComponentProps, readText } from './component-props.tsx'

/** `<Mermaid chart>`: shows the source of the diagram, because rendering it would need a megabyte of script. */
export function Mermaid({ element, context, page }: ComponentProps) {
  const value = readText(element.props, 'chart', 'code') ?? textOf(element.children).trim()
  return (
    <CodeBlock
      code={{ kind: 'code', language: 'mermaid', meta: '', value, place: element.place }}
      context={context}
      page={page}
    />
  )
}
