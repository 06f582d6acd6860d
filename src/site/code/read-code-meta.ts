/** What stands after the language of a fence: ```` ```js a.js {1,3-5} lines icon="node" ````. */
export interface CodeMeta {
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
