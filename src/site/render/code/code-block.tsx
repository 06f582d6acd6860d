import type { ComponentChildren } from 'preact'
import type { MdxCode } from '../../content/types.ts'
import { escapeHtml } from '../html.ts'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { type CodeToken, findColored, highlight, isJson } from './highlight.ts'

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
function Code({ value, language, label, marked, hasNumbers = false }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <pre tabIndex={0} role="group" aria-label={label} class={hasNumbers ? 'numbered' : undefined}>
      <code dangerouslySetInnerHTML={{ __html: renderCode(value, language, marked, hasNumbers) }} />
    </pre>
  )
}

export interface CodeTab {
  /** What the tab says, and what a choice of it is kept as. */
  readonly label: string
  readonly mark?: ComponentChildren
  readonly code: string
  readonly language: string | undefined
  /** Lines that stand out, from 1. */
  readonly marked?: ReadonlySet<number>
  readonly hasNumbers?: boolean
  /** What its author wrote, which follows nothing that is typed; the playground has it, too. */
  readonly isWritten?: boolean
}

interface CodeTabsProps {
  /** Names the choice for those who do not see it. */
  readonly legend: string
  /** Of the group of radio buttons; unique on the page. */
  readonly name: string
  readonly tabs: readonly CodeTab[]
  /** Choices that are made together, on every page. */
  readonly sync?: string | undefined
}

const none: ReadonlySet<number> = new Set()

/** Codes of which one is shown at a time. Radio buttons, so that it works without script. */
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

/** What stands after the language of a fence: ```` ```js a.js {1,3-5} lines icon="node" ````. */
interface CodeMeta {
  readonly title: string | undefined
  readonly icon: string | undefined
  /** Lines that stand out, from 1. */
  readonly marked: ReadonlySet<number>
  /** `lines`: they are numbered. */
  readonly hasNumbers: boolean
  /** `wrap`: long lines are broken, not scrolled. */
  readonly isWrapped: boolean
  /** `expandable`: long code is cut until it is asked for. */
  readonly isExpandable: boolean
}

/** Reads the rest of the line of a fence. Never throws. */
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

/** `{1,3-5}`, or `highlight={1}`; not `focus={…}`. */
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

/** The HTML of a code in its colours. Lines from 1 in `marked` stand out. */
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

/** The HTML of JSON without marked lines, as `renderLines` has it: half of what the pages of a reference are made of. */
export function renderJson(code: string): string {
  // What stands between these are blanks and marks that are nothing in HTML.
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
 * The HTML of coloured lines, written without components: a page has hundreds of pieces of code, which are most of what it is made of. Lines from 1 in `marked` stand out.
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
      // A kind is a word of our own.
      html += kind === undefined ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
    }
    if (isMarked || hasNumbers) html += '</span>'
  }
  return html
}
