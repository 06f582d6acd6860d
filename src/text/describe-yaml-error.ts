import {
  describeAlias,
  describeBlock,
  describeColonHere,
  describeFirstLine,
  describeMissingSign,
  type Line,
  lineAbove,
  lineAt,
  type YamlErrorWords,
} from './describe-yaml-line.ts'

/** Lines longer than this are told of in general words only: they are nobody's handwriting, and expressions on them cost. */
const longestLine = 2_000

/**
 * Says what an error of the parser means. Its own words name the state it is in; these name what the author wrote.
 *
 * @param start where the parser gave up, which is often after the fault
 */
export function describeYamlError(text: string, reason: string, start: number): YamlErrorWords {
  const line = lineAt(text, start)
  const conflict = describeConflict(text, start)
  if (conflict) return conflict
  if (line.text.length <= longestLine) {
    const words =
      describeTab(line) ??
      describeIndent(text, line) ??
      describeColon(line, reason) ??
      describeValueStart(text, line, reason, start)
    if (words) return words
  }
  if (/indentation of a|alias/.test(reason)) {
    const words = describeAlias(text, start)
    if (words) return words
  }
  const hasLeftKey = reason.includes('multiline key')
  if (hasLeftKey || /indentation of a|after a mapping key|document separator is expected/.test(reason)) {
    const words = describeBlock(text, start)
    if (words) return words
  }
  if (reason.includes('document separator is expected')) {
    const words = describeFirstLine(text, start)
    if (words) return words
  }
  if (reason.includes('after a mapping key')) {
    const words = describeColonHere(text, start)
    if (words) return words
  }
  if (hasLeftKey || reason.includes('indentation of a')) {
    const words = describeMissingSign(text, start, hasLeftKey)
    if (words) return words
  }
  return describeReason(text, reason, start)
}

/** What git writes where two sides changed one place. */
function describeConflict(text: string, start: number): YamlErrorWords | undefined {
  const marker = /^<{7}(?= |$).*$/m.exec(text)
  if (!marker || marker.index > start) return undefined
  const offsets = { start: marker.index, end: marker.index + marker[0].length }
  return {
    message: 'a merge conflict is left here',
    hint: 'keep one of the two sides and remove the lines of the markers',
    offsets,
  }
}

function describeTab({ text, start }: Line): YamlErrorWords | undefined {
  const tab = /^ *\t/.exec(text)?.[0].length
  if (tab === undefined) return undefined
  return { message: 'a tab cannot indent', hint: 'indent with spaces', offsets: { start: start + tab - 1, end: start + tab } }
}

/** A line, here or right above, that begins with another blank than those of YAML: it looks like a space. */
function describeIndent(text: string, line: Line): YamlErrorWords | undefined {
  for (const each of [lineAbove(text, line.start), line]) {
    const before =
      each && each.text.length <= longestLine ? /^ *(?=[^\S\t ]|[\u200b\u2060\ufeff])/.exec(each.text)?.[0] : undefined
    if (!each || before === undefined || before.length === each.text.length) continue
    const at = each.start + before.length
    const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
    return { message: `the blank U+${code} cannot indent`, hint: 'indent with spaces', offsets: { start: at, end: at + 1 } }
  }
  return undefined
}

/** `title: List: all pets` */
function describeColon({ text, start }: Line, reason: string): YamlErrorWords | undefined {
  if (!/indentation|mapping/.test(reason)) return undefined
  const match = /^(\s*(?:- )*(?!- )[^\s'"#:][^:]*:\s+)([^\s'"[{|>&*!#][^#]*?: .*)$/s.exec(text.trimEnd())
  if (!match) return undefined
  const [, key = '', value = ''] = match
  const colon = start + key.length + value.indexOf(': ')
  return {
    message: 'a value with `: ` in it needs quotes',
    hint: `write \`${key.trim()} ${quoted(value)}\``,
    offsets: { start: colon, end: colon + 1 },
  }
}

/** A value that starts with a sign of YAML, or goes on after its closing quote. */
function describeValueStart(
  whole: string,
  { text, start: lineStart }: Line,
  reason: string,
  at: number,
): YamlErrorWords | undefined {
  if (!reason.includes('indentation of a mapping entry')) return undefined
  const column = at - lineStart
  const before = text.slice(0, column)
  const rest = text.slice(column).trimEnd()
  const offsets = { start: at, end: at + 1 }
  if (/:\s+$/.test(before)) {
    if (/^-(?:\s|$)/.test(rest)) {
      return { message: 'a list cannot start on the line of its key', hint: 'start it on the next line', offsets }
    }
    if (/^[@`%]/.test(rest)) {
      const found = rest[0] === '`' ? 'a backtick' : `\`${rest[0]}\``
      return { message: `a value cannot start with ${found}`, hint: 'put quotes around the value', offsets }
    }
  }
  const quote = /["'](?=[ \t]*$)/.exec(before)?.[0]
  if (quote !== undefined && rest !== '') {
    const opened = whole.slice(0, lineStart).lastIndexOf(quote)
    if (opened !== -1 && before.split(quote).length % 2 === 0) {
      const hint = 'add the closing quote'
      return { message: 'a quote opened here is not closed on its line', hint, offsets: { start: opened, end: opened + 1 } }
    }
    const key = /^\s*(?:- )*((["'])[^"']*\2)[ \t]+$/.exec(before)?.[1]
    if (key !== undefined) {
      return { message: 'expected a `:` after the key', hint: `write \`${key}: ${shorten(rest)}\``, offsets }
    }
    return { message: 'unexpected text after the closing quote', hint: 'put the quotes around the whole value', offsets }
  }
  if (/^[\]}]/.test(rest))
    return { message: `unexpected \`${rest[0]}\``, hint: 'remove it, or add what it should close', offsets }
  return undefined
}

function describeReason(text: string, reason: string, start: number): YamlErrorWords {
  const offsets = { start, end: Math.min(text.length, start + 1) }
  const end = { start: text.trimEnd().length, end: text.trimEnd().length }
  const quote = / (single|double) quoted scalar/.exec(reason)?.[1]
  if (quote) return { message: `a ${quote}-quoted value does not end`, hint: 'add the closing quote', offsets: end }
  if (reason.includes('within a flow collection')) {
    return { message: 'an opened `[` or `{` is not closed', hint: 'add the closing `]` or `}`', offsets: end }
  }
  if (reason === 'deficient indentation') {
    if (end.start <= start)
      return { message: 'a quote or bracket is not closed', hint: 'add the closing quote or bracket', offsets: end }
    const hint = 'add the closing quote or bracket, or indent this line'
    return { message: 'a quote or bracket opened above is not closed before this line', hint, offsets }
  }
  if (reason.includes('multiline key')) return describeMissingColon(text, start)
  if (reason.includes('after a mapping key')) return { message: 'expected a `:` after the key', offsets }
  if (reason.includes('indentation of a')) {
    const line = lineAt(text, start)
    const first = line.start + Math.max(0, line.text.search(/\S/))
    const hint = 'give entries of one level the same indentation'
    return {
      message: 'this line does not line up with those above',
      hint,
      offsets: { start: first, end: Math.max(first + 1, start) },
    }
  }
  if (reason.includes('document separator is expected')) {
    const hint = 'check the indentation, and that a list and a mapping do not share one level'
    return { message: 'unexpected text after the end of the document', hint, offsets }
  }
  if (reason.includes('unidentified alias')) {
    const name = /^\*?[^\s,[\]{}]{0,60}/.exec(text.slice(start - 1, start + 60))?.[0] ?? ''
    const alias = { start: start - 1, end: start - 1 + name.length }
    return { message: `no \`&\` names the alias \`${name}\``, hint: 'quote a value that starts with `*`', offsets: alias }
  }
  const tag = /unknown (?:scalar|sequence|mapping) tag/.test(reason)
    ? /^![^\s,[\]{}]{0,60}/.exec(text.slice(start, start + 61))?.[0]
    : undefined
  if (tag) return { message: `unknown tag \`${tag}\``, hint: 'remove it', offsets: { start, end: start + tag.length } }
  if (reason.includes('complex keys')) return { message: 'a key cannot be a list or a mapping', offsets }
  if (reason.includes('anchor node must contain')) {
    return { message: 'a value cannot start with `&`', hint: 'put quotes around the value', offsets }
  }
  if (reason.includes('unknown escape')) {
    return {
      message: 'unknown escape in a double-quoted value',
      hint: 'write `\\\\` for a backslash, or use single quotes',
      offsets,
    }
  }
  if (reason.includes('non-printable')) {
    const code = (text.codePointAt(start) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { message: `unexpected control character U+${code}`, hint: 'remove it', offsets }
  }
  if (reason.includes('merge')) return { message: '`<<` needs a mapping or a list of mappings', offsets }
  return { message: reason, offsets }
}

/** The parser gives up after the line that has no `:`, since a key could go on. */
function describeMissingColon(text: string, start: number): YamlErrorWords {
  const before = text.slice(0, lineAt(text, start).start).trimEnd()
  const line = lineAt(before, before.length)
  const words = line.text.trim()
  const wordsStart = line.start + line.text.length - line.text.trimStart().length
  return {
    message: 'expected a `:` after the key',
    hint: `write \`${shorten(words)}:\`, or indent the line where it belongs to the value above`,
    offsets: { start: wordsStart, end: wordsStart + words.length },
  }
}

function shorten(words: string): string {
  return words.length > 60 ? `${words.slice(0, 60)}…` : words
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`
}
