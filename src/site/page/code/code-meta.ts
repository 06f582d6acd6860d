import { readOwn } from '../../../text/json/json-values.ts'

/** The classes of lines by number, starting at 1: `hl` highlighted, `add` added, `del` removed, `off` outside of the focus. */
export type LineMarks = ReadonlyMap<number, 'hl' | 'add' | 'del' | 'off'>

/** The options of a code block. */
export interface CodeMeta {
  readonly title: string | undefined
  readonly icon: string | undefined
  /** The numbers of highlighted lines, starting at 1. */
  readonly highlighted: ReadonlySet<number>
  /** The numbers of the lines in focus. If there are none, all lines are. */
  readonly focused: ReadonlySet<number>
  /** `lines`: shows line numbers. */
  readonly hasNumbers: boolean
  /** `wrap`: wraps long lines instead of scrolling. */
  readonly isWrapped: boolean
  /** `expandable`: collapses long code. */
  readonly isExpandable: boolean
  /** `nocopy`: has no copy button. */
  readonly hasNoCopy: boolean
  /** `actions={false}`: whether a diagram has zoom controls. */
  readonly actions: boolean | undefined
  /** `placement="top-left"`: the corner of the zoom controls of a diagram. */
  readonly placement: string | undefined
}

/** The most text after the language that is read. */
const maxMeta = 2_000

/** Options without a value. Other words are the title. */
const flags = new Set(['lines', 'numbered', 'showLineNumbers', 'wrap', 'expandable', 'nocopy', 'actions', 'twoslash'])
/** Options with a value. Some of them are also flags. */
const named = new Set([...flags, 'title', 'filename', 'icon', 'highlight', 'focus', 'copy', 'placement'])

/** Parses the text after the language of a fenced code block: ```` ```js a.js {1,3-5} lines icon="node" ````. Never throws. */
export function readCodeMeta(meta: string): CodeMeta {
  const { options, words } = splitMeta(meta)
  const flag = (...names: readonly string[]) => names.some((name) => options.has(name) && options.get(name) !== 'false')
  const inline = words.join(' ').replace(/^(["'])(.*)\1$/, '$2')
  const title = options.get('title') ?? options.get('filename') ?? inline
  return {
    title: title === '' ? undefined : title,
    icon: options.get('icon') || undefined,
    highlighted: readLines(options.get('highlight') ?? ''),
    focused: readLines(options.get('focus') ?? ''),
    hasNumbers: flag('lines', 'numbered', 'showLineNumbers'),
    isWrapped: flag('wrap'),
    isExpandable: flag('expandable'),
    hasNoCopy: flag('nocopy') || options.get('copy') === 'false',
    actions: options.has('actions') ? flag('actions') : undefined,
    placement: options.get('placement'),
  }
}

/** Splits the text after the language of a code block into options and the words of its title. */
function splitMeta(meta: string): { readonly options: ReadonlyMap<string, string>; readonly words: readonly string[] } {
  const options = new Map<string, string>()
  const words: string[] = []
  const part = /(?<![\w-])([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}?|(\S*))|\{([^}]*)\}?|(\S+)/g
  for (const [, name, double, single, braces, bare, lines, word] of meta.slice(0, maxMeta).matchAll(part)) {
    if (name !== undefined) options.set(name, double ?? single ?? unquote(braces ?? bare ?? ''))
    else if (word !== undefined && flags.has(word)) options.set(word, 'true')
    else if (word !== undefined) words.push(word)
    else if (isLineList(lines ?? '')) options.set('highlight', [options.get('highlight'), lines].filter(Boolean).join(','))
  }
  return { options, words }
}

/** The options of a code block that have no effect, and why. `theme={null}` chooses no theme. */
export function findUnusedOptions(meta: string): { readonly name: string; readonly note: string; readonly hint: string }[] {
  if (!/=|twoslash/.test(meta)) return []
  return [...splitMeta(meta).options].flatMap(([name, value]) => {
    if (name === 'twoslash') {
      const note = 'types are not computed, because that would run the TypeScript compiler on untrusted code'
      return [{ name, note, hint: 'Remove it, or write the types as comments' }]
    }
    if (name === 'theme') {
      const note = 'the colors of code are those of the site, with enough contrast'
      const hint = 'Remove it, or use `"codeblocks": "system"` or `"dark"` in `docs.json`'
      return value === 'null' ? [] : [{ name, note, hint }]
    }
    return named.has(name) ? [] : [{ name, note: 'there is no such option', hint: 'Remove it, or put the title in quotes' }]
  })
}

/** Removes the quotes of a string in braces: `{"a"}`. */
function unquote(text: string): string {
  return text.trim().replace(/^(["'`])(.*)\1$/s, '$2')
}

function isLineList(text: string): boolean {
  return /^["'[]*[\d,\s-]+["'\]]*$/.test(text)
}

/** Reads `1,3-5`, `[1,3]` or `"[1,3]"`. */
function readLines(list: string): ReadonlySet<number> {
  const lines = new Set<number>()
  if (!isLineList(list)) return lines
  for (const part of list.replace(/["'[\]]/g, '').split(',')) {
    const [from = Number.NaN, to = from] = part.split('-').map((text) => Number.parseInt(text, 10))
    for (let line = from; line <= Math.min(to, from + 10_000) && lines.size < 10_000; line++) lines.add(line)
  }
  return lines
}

type Mark = 'hl' | 'add' | 'del' | 'focus'

const kinds: Readonly<Record<string, Mark>> = {
  '++': 'add',
  '--': 'del',
  highlight: 'hl',
  hl: 'hl',
  focus: 'focus',
}

/** The start of a comment before `[!code`. */
const opening = /(?:\/\/|#|--|;|%|<!--|\/\*)[ \t]?$/
/** A mark with the number of its lines, and the end of its comment. */
const marking = /^\[!code (\+\+|--|highlight|hl|focus)(?::(\d{1,4}))?\](?:[ \t]*(-->|\*\/\}?))?$/

/** Returns the code without comments such as `// [!code ++]`, and the marks of its lines. */
export function markLines(
  code: string,
  { highlighted, focused }: Pick<CodeMeta, 'highlighted' | 'focused'>,
): { readonly code: string; readonly marks: LineMarks } {
  const hasComments = code.includes('[!code ')
  if (!hasComments && highlighted.size === 0 && focused.size === 0) return { code, marks: new Map() }
  const marks = new Map<number, 'hl' | 'add' | 'del' | 'off'>()
  for (const line of highlighted) marks.set(line, 'hl')
  const inFocus = new Set(focused)
  /** The last line of each mark that covers several lines. */
  const ends = new Map<Mark, number>()
  const shown = code.split('\n').map((line, index) => {
    const comment = hasComments ? readComment(line) : undefined
    if (comment) ends.set(comment.mark, index + comment.count)
    for (const [mark, end] of ends) {
      if (index + 1 > end) continue
      if (mark === 'focus') inFocus.add(index + 1)
      else marks.set(index + 1, mark)
    }
    return comment?.rest ?? line
  })
  if (inFocus.size > 0) {
    for (const index of shown.keys()) if (!inFocus.has(index + 1) && !marks.has(index + 1)) marks.set(index + 1, 'off')
  }
  return { code: hasComments ? shown.join('\n') : code, marks }
}

/** Reads a comment such as `// [!code --:3]` at the end of a line. `rest` is the line without it. */
function readComment(line: string): { readonly mark: Mark; readonly count: number; readonly rest: string } | undefined {
  const at = line.lastIndexOf('[!code ')
  if (at === -1) return undefined
  const [, name = '', count = '1', closing] = marking.exec(line.slice(at).trimEnd()) ?? []
  const mark = readOwn(kinds, name)
  // The longest opening is `<!-- `.
  const before = opening.exec(line.slice(Math.max(0, at - 5), at))
  if (mark === undefined || !before) return undefined
  return { mark, count: Number(count), rest: withoutBrace(line.slice(0, at - before[0].length), closing).trimEnd() }
}

/** Removes the brace of a comment in JSX: `{/* [!code ++] *‍/}`. */
function withoutBrace(text: string, closing: string | undefined): string {
  return closing?.endsWith('}') && text.endsWith('{') ? text.slice(0, -1) : text
}
