import type { OffsetRange } from './position.ts'

/** What is wrong with a YAML text, in the author's terms. */
export interface YamlErrorDescription {
  readonly message: string
  readonly hint?: string
  readonly offsets: OffsetRange
}

/** Lines longer than this are nobody's handwriting, and expressions on them cost. */
const longestLine = 2_000

/** A key as it is mostly written, behind the signs of lists. */
const keyPattern = String.raw`^(\s*(?:- +)*)([A-Za-z$_][\w$-]*|'[^']*'|"[^"]*")`

/**
 * Says which sign or space was left out at or right above the place where the parser gave up, as it goes on reading: a line without its
 * `:` shows only on the next one. `undefined` where it is not that.
 *
 * @param hasLeftKey whether the parser says that a key ended without its `:`
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

/** The same of the line on which the parser gave up, as of `url https://example.com`. */
export function describeColonHere(text: string, start: number): YamlErrorDescription | undefined {
  const line = lineAt(text, start)
  return line.text.length > longestLine ? undefined : describeColon(line)
}

/** A document whose first line has no key, or stands farther in than the second. */
export function describeFirstLine(text: string, start: number): YamlErrorDescription | undefined {
  const here = lineAt(text, start)
  const above = lineAbove(text, start)
  if (!above || here.text.length > longestLine || above.text.length > longestLine) return undefined
  if (/^[^\S\n\r\u2028\u2029]*[^\s#]/m.test(withoutMarker(text.slice(0, above.start)))) return undefined
  const at = here.start + indentOf(here)
  if (indentOf(above) > indentOf(here)) {
    const hint = 'Give entries of one level the same indentation'
    return {
      message: 'this line is not aligned with the line above',
      hint,
      offsets: { start: at, end: Math.min(text.length, at + 1) },
    }
  }
  return indentOf(above) === indentOf(here) ? describeColon(above) : undefined
}

/** Without the directives of a document and the `---` below them. */
function withoutMarker(text: string): string {
  return text.replace(/^\uFEFF?%.*$/gm, '').replace(/^\uFEFF?---.*$/m, '')
}

/** `summary:\u00a0Get`: it looks like a space. */
function describeBlank({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^\s*(?:- )*([^\s:]+:)\u00a0/.exec(text)
  if (!match) return undefined
  const at = start + match[0].length - 1
  const message = `unexpected no-break space (U+00A0) after \`${match[1]}\``
  return { message, hint: 'Use a normal space', offsets: { start: at, end: at + 1 } }
}

/** `-name: id` */
function describeDash({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^(\s*(?:- +)*)-([A-Za-z$'"].*)$/.exec(text.trimEnd())
  if (!match) return undefined
  const [, before = '', entry = ''] = match
  const at = start + before.length
  return { message: 'a `-` needs a space after it', hint: `Write \`- ${shorten(entry)}\``, offsets: { start: at, end: at + 1 } }
}

/** `summary:Get`, `summary; Get` and `summary Get` */
function describeColon({ text, start }: Line): YamlErrorDescription | undefined {
  const match = new RegExp(String.raw`${keyPattern}(:(?!//)|\s*[;=]?\s+)([^\s:;=].*)$`).exec(text.trimEnd())
  if (!match) return undefined
  const [, before = '', key = '', sign = '', value = ''] = match
  if (value.includes(': ') || value.endsWith(':')) return undefined
  const at = start + before.length + key.length
  const isGlued = sign === ':'
  return {
    message: isGlued ? 'a `:` needs a space after it' : 'expected a `:` after the key',
    hint: `Write \`${key}: ${shorten(value)}\`${isGlued ? '' : ', or indent the line if it continues the value above'}`,
    offsets: { start: at - key.length, end: isGlued ? at + 1 : at },
  }
}

/** A key in the column of the signs of a list. */
function describeEntry(text: string, here: Line): YamlErrorDescription | undefined {
  const match = new RegExp(`${keyPattern}:(?:\\s|$)`).exec(here.text)
  if (!match || match[1]?.includes('-')) return undefined
  for (let line = lineAbove(text, here.start); line; line = lineAbove(text, line.start)) {
    if (indentOf(line) > indentOf(here)) continue
    if (indentOf(line) < indentOf(here) || !/^\s*- /.test(line.text)) return undefined
    const at = here.start + indentOf(here)
    const hint = `Write \`- ${shorten(here.text.trim())}\`, or indent the line if it belongs to the entry above`
    return {
      message: 'expected a `-` before the list entry',
      hint,
      offsets: { start: at, end: at + (match[2]?.length ?? 0) },
    }
  }
  return undefined
}

/** Whether a line goes on with a value that began above it. */
function isContinuation(text: string, line: Line): boolean {
  for (let above = lineAbove(text, line.start); above; above = lineAbove(text, above.start)) {
    if (indentOf(above) < indentOf(line)) return /:\s+[^\s#]/.test(above.text)
  }
  return false
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length
}

function shorten(words: string): string {
  return words.length > 60 ? `${words.slice(0, 60)}…` : words
}

/**
 * Says that a value or a key begins with `*` and is no alias: words in stars, a media type. `undefined` where it is not that.
 *
 * @param start where the parser gave up: on its line or on the next
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
      const offsets = { start: at, end: at + name.length }
      return { message: 'a key that starts with `*` needs quotes', hint: `Write \`'${name}':\``, offsets }
    }
    const value = /^(\s*(?:- +)*(?:(?!- )[^\s'"#:][^:]*:\s+)?)(\*(?:\s*|[^\s/*]*[ /*].*))$/.exec(written)
    if (!value) continue
    const [, before = '', words = ''] = value
    const offsets = { start: line.start + before.length, end: line.start + written.length }
    const quoted = words.includes("'") ? `"${words}"` : `'${words}'`
    const hint =
      words.length > 60 || (words.includes('"') && words.includes("'"))
        ? 'Put quotes around it'
        : `Write \`${before.trim()} ${quoted}\``.replace('` ', '`')
    return { message: 'a value that starts with `*` needs quotes', hint, offsets }
  }
  return undefined
}

/** How far above the words of a block its `|` is looked for, in lines. */
const maxLinesAbove = 200

/**
 * Says that the text of a block (`|`, `>`) begins too far left, which ends the block: the parser then takes its words for a key.
 * `undefined` where it is not that.
 *
 * @param start where the parser gave up: at the words, or on the line after them
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
    return { message, hint, offsets: { start: at, end: first.start + first.text.trimEnd().length } }
  }
  return undefined
}

/** The key of the block that a line of words belongs to, and the first of these lines that is too far left. */
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

/** Whether a line has neither a key nor the sign of a list or a comment. */
function isWords({ text }: Line): boolean {
  return text.length <= longestLine && !/^\s*(?:$|#|- |[^\s:]+:(?:\s|$))/.test(text)
}

/** A line of a text, without its end. */
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
