import type { OffsetRange } from '../plain/source-file.ts'

/** A YAML error in terms of the source text. */
export interface YamlErrorDescription {
  readonly message: string
  readonly hint: string | undefined
  readonly offsets: OffsetRange
}

export function describe(message: string, start: number, end: number, hint?: string): YamlErrorDescription {
  return { message, hint, offsets: { start, end } }
}

/** Longer lines are not handwritten, and expressions on them are slow. */
export const longestLine = 2_000

/** A common key, after list indicators. */
const keyPattern = String.raw`^(\s*(?:- +)*)([A-Za-z$_][\w$-]*|'[^']*'|"[^"]*")`

/**
 * Finds a missing character at the point where the parser stopped, or on the line above: the parser only notices a missing `:` on the
 * next line.
 *
 * @param hasLeftKey Whether the parser reports that a key ended without its `:`.
 */
export function describeMissingSign(text: string, start: number, hasLeftKey: boolean): YamlErrorDescription | undefined {
  const here = lineAt(text, start)
  const above = lineAbove(text, start)
  if (here.text.length > longestLine || (above?.text.length ?? 0) > longestLine) return undefined
  for (const line of above ? [above, here] : [here]) {
    const words = describeBlank(line) ?? describeDash(line)
    if (words) return words
  }
  if (!above) return undefined
  if (indentOf(here) === indentOf(above) || hasLeftKey) {
    const words = isContinuation(text, above) && !hasLeftKey ? undefined : describeColon(above)
    if (words) return words
  }
  return describeEntry(text, here)
}

/** The same for the line at which the parser stopped, such as `url https://example.com`. */
export function describeColonHere(text: string, start: number): YamlErrorDescription | undefined {
  const line = lineAt(text, start)
  return line.text.length > longestLine ? undefined : describeColon(line)
}

/** Detects a first line without a key, or with more indentation than the second. */
export function describeFirstLine(text: string, start: number): YamlErrorDescription | undefined {
  const here = lineAt(text, start)
  const above = lineAbove(text, start)
  if (!above || here.text.length > longestLine || above.text.length > longestLine) return undefined
  if (/^[^\S\n\r\u2028\u2029]*[^\s#]/m.test(withoutMarker(text.slice(0, above.start)))) return undefined
  const at = here.start + indentOf(here)
  if (indentOf(above) > indentOf(here)) {
    const hint = 'Give entries of one level the same indentation'
    return describe('this line is not aligned with the line above', at, Math.min(text.length, at + 1), hint)
  }
  return indentOf(above) === indentOf(here) ? describeColon(above) : undefined
}

/** Removes the directives of a document and the `---` below them. */
function withoutMarker(text: string): string {
  return text.replace(/^\uFEFF?%.*$/gm, '').replace(/^\uFEFF?---.*$/m, '')
}

/** `summary:\u00a0Get`: the character looks like a space. */
function describeBlank({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^\s*(?:- )*([^\s:]+:)\u00a0/.exec(text)
  if (!match) return undefined
  const at = start + match[0].length - 1
  const message = `unexpected no-break space (U+00A0) after \`${match[1]}\``
  return describe(message, at, at + 1, 'Use a normal space')
}

/** `-name: id` */
function describeDash({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^(\s*(?:- +)*)-([A-Za-z$'"].*)$/.exec(text.trimEnd())
  if (!match) return undefined
  const [, before = '', entry = ''] = match
  const at = start + before.length
  return describe('a `-` needs a space after it', at, at + 1, `Write \`- ${shorten(entry)}\``)
}

export const missingColon = 'expected a `:` after the key'

/** `summary:Get`, `summary; Get` and `summary Get` */
function describeColon({ text, start }: Line): YamlErrorDescription | undefined {
  const match = new RegExp(String.raw`${keyPattern}(:(?!//)|\s*[;=]?\s+)([^\s:;=].*)$`).exec(text.trimEnd())
  if (!match) return undefined
  const [, before = '', key = '', sign = '', value = ''] = match
  if (value.includes(': ') || value.endsWith(':')) return undefined
  const at = start + before.length + key.length
  const isGlued = sign === ':'
  const hint = `Write \`${key}: ${shorten(value)}\``
  if (isGlued) return describe('a `:` needs a space after it', at - key.length, at + 1, hint)
  return describe(missingColon, at - key.length, at, `${hint}, or indent the line if it continues the value above`)
}

/** Detects a key in the column of list indicators. */
function describeEntry(text: string, here: Line): YamlErrorDescription | undefined {
  const match = new RegExp(`${keyPattern}:(?:\\s|$)`).exec(here.text)
  if (!match || match[1]?.includes('-')) return undefined
  for (let line = lineAbove(text, here.start); line; line = lineAbove(text, line.start)) {
    if (indentOf(line) > indentOf(here)) continue
    if (indentOf(line) < indentOf(here) || !/^\s*- /.test(line.text)) return undefined
    const at = here.start + indentOf(here)
    const hint = `Write \`- ${shorten(here.text.trim())}\`, or indent the line if it belongs to the entry above`
    return describe('expected a `-` before the list entry', at, at + (match[2]?.length ?? 0), hint)
  }
  return undefined
}

/** Whether a line continues a value from above. */
function isContinuation(text: string, line: Line): boolean {
  for (let above = lineAbove(text, line.start); above; above = lineAbove(text, above.start)) {
    if (indentOf(above) < indentOf(line)) return /:\s+[^\s#]/.test(above.text)
  }
  return false
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length
}

export function shorten(words: string): string {
  return words.length > 60 ? `${words.slice(0, 60)}…` : words
}

/**
 * Detects a value or key that starts with `*` but is not an alias, such as emphasized words or a media type.
 *
 * @param start Where the parser stopped: on this line or the next.
 */
export function describeAlias(text: string, start: number): YamlErrorDescription | undefined {
  const above = lineAbove(text, start)
  for (const line of above ? [lineAt(text, start), above] : [lineAt(text, start)]) {
    if (line.text.length > longestLine) continue
    const written = line.text.trimEnd()
    const key = /^(\s*(?:- +)*)(\*[^\s:]*):(?:\s|$)/.exec(written)
    if (key) {
      const at = line.start + (key[1]?.length ?? 0)
      const name = key[2] ?? ''
      return describe('a key that starts with `*` needs quotes', at, at + name.length, `Write \`'${name}':\``)
    }
    const value = /^(\s*(?:- +)*(?:(?!- )[^\s'"#:][^:]*:\s+)?)(\*(?:\s*|[^\s/*]*[ /*].*))$/.exec(written)
    if (!value) continue
    const [, before = '', words = ''] = value
    const quoted = words.includes("'") ? `"${words}"` : `'${words}'`
    const hint =
      words.length > 60 || (words.includes('"') && words.includes("'"))
        ? 'Put quotes around it'
        : `Write \`${before.trim()} ${quoted}\``.replace('` ', '`')
    const message = 'a value that starts with `*` needs quotes'
    return describe(message, line.start + before.length, line.start + written.length, hint)
  }
  return undefined
}

/** Maximum number of lines to search for the `|` of a block. */
const maxLinesAbove = 200

/**
 * Detects a block scalar (`|`, `>`) with too little indentation, which ends the block.
 *
 * @param start Where the parser stopped: at the text or on the next line.
 */
export function describeBlock(text: string, start: number): YamlErrorDescription | undefined {
  const above = lineAbove(text, start)
  for (const line of above ? [above, lineAt(text, start)] : [lineAt(text, start)]) {
    if (!isWords(line)) continue
    const found = findIndicator(text, line)
    if (!found) continue
    const { first, key, indent } = found
    const at = first.start + indentOf(first)
    const message = `the text of \`${key}\` is not indented enough`
    const hint = `Indent it by more than ${indent} ${indent === 1 ? 'space' : 'spaces'}, the column of \`${key}\``
    return describe(message, at, first.start + first.text.trimEnd().length, hint)
  }
  return undefined
}

/** The key of the block that contains a line, and the first of its lines with too little indentation. */
function findIndicator(
  text: string,
  words: Line,
): { readonly first: Line; readonly key: string; readonly indent: number } | undefined {
  const left: Line[] = [words]
  let line = lineAbove(text, words.start)
  for (let count = 0; line && count < maxLinesAbove && line.text.length <= longestLine; count++) {
    const match = /^(\s*(?:- +)*)([\w$'"/.-]+):\s+[|>][-+\d]{0,2}\s*(?:#.*)?$/.exec(line.text)
    if (match) {
      const [, before = '', key = ''] = match
      const first = left.findLast((entry) => indentOf(entry) <= before.length)
      return first && { first, key, indent: before.length }
    }
    if (!isWords(line)) return undefined
    left.push(line)
    line = lineAbove(text, line.start)
  }
  return undefined
}

/** Whether a line has no key, list indicator or comment. */
function isWords({ text }: Line): boolean {
  return text.length <= longestLine && !/^\s*(?:$|#|- |[^\s:]+:(?:\s|$))/.test(text)
}

/** A line without its line end. */
export interface Line {
  readonly text: string
  /** The offset at which it starts. */
  readonly start: number
}

/** The line that has an offset in it. */
export function lineAt(text: string, offset: number): Line {
  // Before the first character, `lastIndexOf` would look at that one.
  const start = offset === 0 ? 0 : Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1
  const length = text.slice(start).search(/[\n\r]/)
  return { text: length === -1 ? text.slice(start) : text.slice(start, start + length), start }
}

/** The nearest line above an offset that is neither blank nor a comment. */
export function lineAbove(text: string, offset: number): Line | undefined {
  for (let start = lineAt(text, offset).start; start > 0; ) {
    const line = lineAt(text, start - 1)
    if (/^\s*[^\s#]/.test(line.text)) return line
    start = line.start
  }
  return undefined
}
