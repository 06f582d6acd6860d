import { textOf } from '../../../script/values/values.ts'
import { Diagram } from '../code/diagram.tsx'
import { type ComponentProps, readFlag, readText } from './component-props.tsx'

/** `<Mermaid chart>`: a diagram, like a code block with the language `mermaid`. */
export function Mermaid({ element: { props, children, place }, context, page }: ComponentProps) {
  const value = readText(props, 'chart', 'code') ?? textOf(children).trim()
  return (
    <Diagram
      source={{ kind: 'code', language: 'mermaid', meta: '', value, place }}
      title={readText(props, 'title')}
      actions={props['actions'] === undefined ? undefined : readFlag(props, 'actions')}
      placement={readText(props, 'placement')}
      context={context}
      page={page}
    />
  )
}
