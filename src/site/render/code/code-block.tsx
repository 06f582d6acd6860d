import type { ComponentChildren } from 'preact'
import type { MdxCode } from '../../content/types.ts'
import { escapeHtml } from '../html.ts'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { type CodeToken, findColored, highlight, isJson } from './highlight.ts'

/** The lines of `expandable` code that are shown before expanding. */
const shortLines = 20

/** A code block with a title, highlighted lines and a copy button. */
export function CodeBlock({ code: { language, meta, value } }: { readonly code: MdxCode }) {
  const { title: written, icon, marked, hasNumbers, isWrapped, isExpandable } = readCodeMeta(meta)
  // Rendering a diagram would need a megabyte of script.
  const title = written ?? (language === 'mermaid' ? 'Mermaid diagram' : undefined)
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
      <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label="Copy code">
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
  /** The accessible name of the region. */
  readonly label: string
  /** The numbers of highlighted lines, starting at 1. */
  readonly marked?: ReadonlySet<number>
  readonly hasNumbers?: boolean
}

/** Highlighted code without a header. */
function Code({ value, language, label, marked, hasNumbers = false }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
    <pre tabIndex={0} role="group" aria-label={label} class={hasNumbers ? 'numbered' : undefined}>
      <code dangerouslySetInnerHTML={{ __html: renderCode(value, language, marked, hasNumbers) }} />
    </pre>
  )
}

export interface CodeTab {
  /** The label of the tab. It also identifies the tab when the choice is stored. */
  readonly label: string
  readonly mark?: ComponentChildren
  readonly code: string
  readonly language: string | undefined
  /** The numbers of highlighted lines, starting at 1. */
  readonly marked?: ReadonlySet<number>
  readonly hasNumbers?: boolean
  /** Whether the sample comes from the document. The playground also offers these samples. */
  readonly isWritten?: boolean
}

interface CodeTabsProps {
  /** The accessible name of the tabs. */
  readonly legend: string
  /** The name of the radio group, unique on the page. */
  readonly name: string
  readonly tabs: readonly CodeTab[]
  /** Groups with the same value share their selection on every page. */
  readonly sync?: string | undefined
}

const none: ReadonlySet<number> = new Set()

/** Code blocks as tabs. Radio buttons make them work without scripts. */
export function CodeTabs({ legend, name, tabs, sync }: CodeTabsProps) {
  return (
    <div class="code">
      <div class="tabs" data-sync={sync}>
        <fieldset>
          <legend class="vh">{legend}</legend>
          {tabs.map(({ label, mark }, index) => (
            <label>
              <input type="radio" name={name} value={label} checked={index === 0} /> {mark ?? label}
            </label>
          ))}
        </fieldset>
        <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label="Copy">
          <Icon name="copy" />
        </button>
        {tabs.map(({ label, code, language, marked = none, hasNumbers = false, isWritten }) => (
          <div data-written={isWritten ? label : undefined}>
            <Code value={code} language={language} label={`${legend}: ${label}`} marked={marked} hasNumbers={hasNumbers} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** The metadata after the language of a fenced code block: ```` ```js a.js {1,3-5} lines icon="node" ````. */
interface CodeMeta {
  readonly title: string | undefined
  readonly icon: string | undefined
  /** The numbers of highlighted lines, starting at 1. */
  readonly marked: ReadonlySet<number>
  /** `lines`: shows line numbers. */
  readonly hasNumbers: boolean
  /** `wrap`: wraps long lines instead of scrolling. */
  readonly isWrapped: boolean
  /** `expandable`: collapses long code. */
  readonly isExpandable: boolean
}

/** Parses the metadata of a fenced code block. Never throws. */
export function readCodeMeta(meta: string): CodeMeta {
  const bare = meta.replace(/\{[^}]*\}?/g, ' ').replace(/(?<![\w-])[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, ' ')
  const words = bare.split(/\s+/).filter((word) => word !== '')
  const flag = (name: string) => words.includes(name) || new RegExp(`\\b${name}=\\{?true`).test(meta)
  const title =
    readWord(meta, 'title') ??
    words
      .filter((word) => !settings.has(word))
      .join(' ')
      .replace(/^(["'])(.*)\1$/, '$2')
  return {
    title: title === '' ? undefined : title,
    icon: readWord(meta, 'icon'),
    marked: readLines(meta),
    hasNumbers: flag('lines') || flag('numbered') || flag('showLineNumbers'),
    isWrapped: flag('wrap'),
    isExpandable: flag('expandable'),
  }
}

const settings = new Set([
  'lines',
  'wrap',
  'expandable',
  'icon',
  'theme',
  'twoslash',
  'focus',
  'highlight',
  'numbered',
  'copy',
  'showLineNumbers',
])

function readWord(meta: string, name: string): string | undefined {
  const written = new RegExp(`\\b${name}=(?:\\{?"([^"]*)"\\}?|\\{?'([^']*)'\\}?)`).exec(meta)
  return written?.[1] ?? written?.[2]
}

/** Reads `{1,3-5}` or `highlight={1}`, but not `focus={…}`. */
function readLines(meta: string): ReadonlySet<number> {
  const marked = new Set<number>()
  for (const [, name, list = ''] of meta.matchAll(/((?<!\w)\w+=)?\{["'[]*([\d,\s-]+)["'\]]*\}/g)) {
    if (name !== undefined && name !== 'highlight=') continue
    for (const part of list.split(',')) {
      const [from = Number.NaN, to = from] = part.split('-').map((text) => Number.parseInt(text, 10))
      for (let line = from; line <= Math.min(to, from + 10_000); line++) marked.add(line)
    }
  }
  return marked
}

/** The HTML of highlighted code. `marked` has the numbers of highlighted lines, starting at 1. */
export function renderCode(
  code: string,
  language: string | undefined,
  marked: ReadonlySet<number> | undefined,
  hasNumbers: boolean,
): string {
  const isWhole = !hasNumbers && (marked === undefined || marked.size === 0)
  const isQuick = isWhole && findColored(code, language) === 'json' && isJson(code)
  return isQuick ? renderJson(code) : renderLines(highlight(code, language), marked, hasNumbers)
}

/** Renders JSON like `renderLines`, but faster. JSON examples are about half of the content of a reference. */
export function renderJson(code: string): string {
  // Everything between the matches is whitespace or punctuation that needs no escaping.
  return code.replace(
    /((?<!\\)"(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g,
    (text, quoted: string | undefined, colon: string | undefined) => {
      if (quoted === undefined) return `<span class="${/^[-\d]/.test(text) ? 'n' : 'k'}">${text}</span>`
      const inside = escapeHtml(quoted)
      return colon === undefined ? `<span class="s">${inside}</span>` : `<span class="f">${inside}</span>${colon}`
    },
  )
}

/**
 * The HTML of tokenized lines. Concatenates strings instead of rendering components, because code is most of a page. `marked` has the numbers of highlighted
 * lines, starting at 1.
 */
export function renderLines(
  lines: readonly (readonly CodeToken[])[],
  marked: ReadonlySet<number> | undefined,
  hasNumbers: boolean,
): string {
  let html = ''
  for (const [index, line] of lines.entries()) {
    if (index > 0) html += '\n'
    const isMarked = marked?.has(index + 1) === true
    if (isMarked || hasNumbers) html += `<span class="${isMarked ? 'hl' : 'nl'}">`
    for (const { text, kind } of line) {
      // `kind` is a constant and needs no escaping.
      html += kind === undefined ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
    }
    if (isMarked || hasNumbers) html += '</span>'
  }
  return html
}
