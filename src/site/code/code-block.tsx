import type { MdxCode } from '../../mdx/types.ts'
import { Icon } from '../icons/icon.tsx'
import { NamedIcon } from '../icons/named-icon.tsx'
import { readCodeMeta } from './read-code-meta.ts'
import { renderCode } from './render-code.ts'

/** Lines of code that `expandable` shows at once. */
const shortLines = 20

/** A block of code with its title, the lines that are marked, and a button to copy it. */
export function CodeBlock({ code: { language, meta, value } }: { readonly code: MdxCode }) {
  const { title: written, icon, marked, hasNumbers, isWrapped, isExpandable } = readCodeMeta(meta)
  // A diagram would need a megabyte of script to be drawn.
  const title = written ?? (language === 'mermaid' ? 'Diagram in Mermaid' : undefined)
  const isShort = isExpandable && value.split('\n').length > shortLines
  const inside = <Code value={value} language={language} label={title ?? 'Code'} marked={marked} hasNumbers={hasNumbers} />
  return (
    <div class={isWrapped ? 'code wrapped' : 'code'}>
      {title !== undefined && (
        <header>
          <span class="mono">
            <NamedIcon name={icon} /> {title}
          </span>
        </header>
      )}
      <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label="Copy the code">
        <Icon name="copy" />
      </button>
      {isShort ? (
        <div class="cut">
          <input type="checkbox" aria-label="Show all lines" />
          {inside}
        </div>
      ) : (
        inside
      )}
    </div>
  )
}

interface CodeProps {
  readonly value: string
  readonly language: string | undefined
  /** Names the region for those who do not see it. */
  readonly label: string
  /** Lines that stand out, from 1. */
  readonly marked?: ReadonlySet<number>
  readonly hasNumbers?: boolean
}

/** Coloured code alone. */
export function Code({ value, language, label, marked, hasNumbers = false }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <pre tabIndex={0} role="group" aria-label={label} class={hasNumbers ? 'numbered' : undefined}>
      <code dangerouslySetInnerHTML={{ __html: renderCode(value, language, marked, hasNumbers) }} />
    </pre>
  )
}
