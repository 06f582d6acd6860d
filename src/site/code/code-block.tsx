import type { MdxCode } from '../../mdx/types.ts'
import { Icon } from '../icons/icon.tsx'
import { highlight } from './highlight.ts'

/** A block of code with its title, the lines that are marked, and a button to copy it. */
export function CodeBlock({ code }: { readonly code: MdxCode }) {
  const title = readTitle(code)
  return (
    <div class="code">
      {title !== undefined && (
        <header>
          <span class="mono">{title}</span>
        </header>
      )}
      <button type="button" class="btn quiet icon copy needs-js" data-copy aria-label="Copy the code">
        <Icon name="copy" />
      </button>
      <Code value={code.value} language={code.language} label={title ?? 'Code'} marked={readMarkedLines(code.meta)} />
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
}

/** Coloured code alone. */
export function Code({ value, language, label, marked }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <pre tabIndex={0} role="group" aria-label={label}>
      <code>
        {highlight(value, language).map((line, index) => {
          const tokens = line.map(({ text, kind }) => (kind === undefined ? text : <span class={kind}>{text}</span>))
          const end = index === 0 ? '' : '\n'
          return marked?.has(index + 1) ? (
            <>
              {end}
              <span class="hl">{tokens}</span>
            </>
          ) : (
            <>
              {end}
              {tokens}
            </>
          )
        })}
      </code>
    </pre>
  )
}

/** `title="a.js"`, else the first word of the rest of the line that is no setting: ```` ```js a.js {1,3} lines ````. */
function readTitle({ meta }: MdxCode): string | undefined {
  const written = /\btitle=(?:"([^"]*)"|'([^']*)')/.exec(meta)
  if (written) return written[1] ?? written[2]
  const words = meta
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\b\w+=(?:"[^"]*"|'[^']*'|\S*)/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !settings.has(word))
  return words.length === 0 ? undefined : words.join(' ')
}

const settings = new Set(['lines', 'wrap', 'expandable', 'icon', 'theme', 'twoslash', 'focus', 'highlight', 'numbered', 'copy'])

/** `{1,3-5}`, or `highlight={1}`. */
function readMarkedLines(meta: string): ReadonlySet<number> {
  const marked = new Set<number>()
  for (const [, list = ''] of meta.matchAll(/\{([\d,\s-]+)\}/g)) {
    for (const part of list.split(',')) {
      const [from = Number.NaN, to = from] = part.split('-').map((text) => Number.parseInt(text, 10))
      for (let line = from; line <= Math.min(to, from + 10_000); line++) marked.add(line)
    }
  }
  return marked
}
