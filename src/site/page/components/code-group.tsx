import { useId } from 'preact/hooks'
import type { MdxCode, MdxNode } from '../../../script/values/values.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { CodeTabs } from '../code/code-block.tsx'
import { markLines, readCodeMeta } from '../code/code-meta.ts'
import { CodeOrDiagram } from '../code/diagram.tsx'
import { NamedIcon } from '../icons/page-icons.tsx'
import { toCode } from './code-block-component.tsx'
import type { ComponentProps } from './component-props.tsx'
import { maxPanels } from './tabs.tsx'

/** `<CodeGroup>`: code blocks as tabs. The selected title applies to all groups of the site. */
export function CodeGroup({ element, context, page, show }: ComponentProps) {
  const name = useId()
  const { guide, reference, language } = context.messages
  const codes = collectCodes(element.children)
  const others = element.children.filter((node) => node.kind !== 'code' && collectCodes([node]).length === 0)
  const [only] = codes
  const rest = others.length > 0 && show(others)
  if (!only) return <>{rest}</>
  if (codes.length === 1) {
    return (
      <>
        <CodeOrDiagram code={only} context={context} page={page} />
        {rest}
      </>
    )
  }
  const tabs = codes.slice(0, maxPanels).map((code, index) => {
    const meta = readCodeMeta(code.meta)
    const { title, icon, hasNumbers, isWrapped, isExpandable, hasNoCopy } = meta
    const shown = markLines(code.value, meta)
    const label = title ?? code.language ?? formatMessage(guide.codeNumber, { number: index + 1 }, language)
    const mark = icon !== undefined && (
      <>
        <NamedIcon name={icon} context={context} page={page} /> {label}
      </>
    )
    return {
      label,
      language: code.language,
      ...shown,
      hasNumbers,
      isWrapped,
      isExpandable,
      hasNoCopy,
      ...(mark !== false && { mark }),
    }
  })
  return (
    <>
      <CodeTabs
        context={context}
        legend={
          element.name === 'RequestExample'
            ? reference.sample
            : element.name === 'ResponseExample'
              ? reference.exampleResponse
              : guide.code
        }
        name={name}
        tabs={tabs}
        sync={element.name === 'ResponseExample' ? undefined : 'lang'}
      />
      {codes.slice(maxPanels).map((code) => (
        <CodeOrDiagram code={code} context={context} page={page} />
      ))}
      {rest}
    </>
  )
}

/** The code blocks of a group, including those in wrappers such as `div`. */
function collectCodes(nodes: readonly MdxNode[]): readonly MdxCode[] {
  return nodes.flatMap((node) =>
    node.kind === 'code'
      ? [node]
      : node.kind === 'element' && node.name === 'CodeBlock'
        ? [toCode(node)]
        : node.kind === 'element' && /^(?:div|CodeGroup|pre|Tab)$/.test(node.name)
          ? collectCodes(node.children)
          : [],
  )
}
