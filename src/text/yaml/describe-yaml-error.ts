import {
  describeAlias,
  describeBlock,
  describeColonHere,
  describeFirstLine,
  describeMissingSign,
  type Line,
  lineAbove,
  lineAt,
  shorten,
  type YamlErrorDescription,
} from './describe-yaml-line.ts'

/** The message for a line of a quoted value or a list in brackets that is not indented. */
const deficientIndentation = 'a quote or bracket opened above is not closed before this line'

/** The kind of a parser error. */
type YamlErrorKind = (typeof kinds)[number][1]

/** js-yaml has no error codes. Only this list reads its messages, and the first match applies. */
const kinds = [
  [/^duplicated mapping key$/, 'duplicate-key'],
  [/maxDepth/, 'too-deep'],
  [/maxTotalMergeKeys/, 'too-many-merged-keys'],
  [/ single quoted scalar/, 'single-quoted'],
  [/ double quoted scalar/, 'double-quoted'],
  [/within a flow collection/, 'flow-collection'],
  [/^deficient indentation$/, 'deficient-indentation'],
  [/multiline key/, 'multiline-key'],
  [/after a mapping key/, 'missing-colon'],
  [/indentation of a mapping entry/, 'mapping-entry'],
  [/indentation of a sequence entry/, 'sequence-entry'],
  [/document separator is expected/, 'after-document'],
  [/unidentified alias/, 'unidentified-alias'],
  [/alias/, 'alias'],
  [/unknown (?:scalar|sequence|mapping) tag/, 'unknown-tag'],
  [/complex keys/, 'complex-key'],
  [/anchor node must contain/, 'anchor-name'],
  [/unknown escape/, 'escape'],
  [/non-printable/, 'control-character'],
  [/merge/, 'merge'],
  [/indentation|mapping/, 'indentation'],
] as const

/** The kind of a parser message, or `undefined` for rare ones, which are shown unchanged. */
export function toYamlErrorKind(reason: string): YamlErrorKind | undefined {
  return kinds.find(([pattern]) => pattern.test(reason))?.[1]
}

/** Longer lines are not handwritten and slow down the patterns, so they get general messages. */
const longestLine = 2_000

/**
 * Explains a parser error in terms of the source text.
 *
 * @param start Where the parser stopped, often after the mistake.
 */
export function describeYamlError(text: string, reason: string, start: number): YamlErrorDescription {
  const kind = toYamlErrorKind(reason)
  const conflict = describeConflict(text, start)
  if (conflict) return conflict
  const line = lineAt(text, start)
  if (line.text.length <= longestLine) {
    const description =
      describeTab(line) ??
      describeIndent(text, line) ??
      (kind !== undefined && kindsOfUnquoted.has(kind) ? describeColon(line) : undefined) ??
      (kind === 'mapping-entry' ? describeValueStart(text, line, start) : undefined)
    if (description) return description
  }
  return describeMistake(text, kind, start) ?? describeKind(text, kind, reason, start)
}

/** Kinds of errors that an unquoted `: ` can cause. */
const kindsOfUnquoted: ReadonlySet<YamlErrorKind> = new Set([
  'deficient-indentation',
  'multiline-key',
  'missing-colon',
  'mapping-entry',
  'sequence-entry',
  'indentation',
])

/** Looks for common causes of an error kind. */
function describeMistake(text: string, kind: YamlErrorKind | undefined, start: number): YamlErrorDescription | undefined {
  switch (kind) {
    case 'mapping-entry':
    case 'sequence-entry':
      return describeAlias(text, start) ?? describeBlock(text, start) ?? describeMissingSign(text, start, false)
    case 'multiline-key':
      return describeBlock(text, start) ?? describeMissingSign(text, start, true)
    case 'missing-colon':
      return describeBlock(text, start) ?? describeColonHere(text, start)
    case 'after-document':
      return describeBlock(text, start) ?? describeFirstLine(text, start)
    case 'unidentified-alias':
    case 'alias':
      return describeAlias(text, start)
    default:
      return undefined
  }
}

/** Detects the conflict markers of Git. */
function describeConflict(text: string, start: number): YamlErrorDescription | undefined {
  const marker = /^<{7}(?= |$).*$/m.exec(text)
  if (!marker || marker.index > start) return undefined
  const offsets = { start: marker.index, end: marker.index + marker[0].length }
  return {
    message: 'unresolved merge conflict',
    hint: 'Keep one of the two sides and remove the marker lines',
    offsets,
  }
}

function describeTab({ text, start }: Line): YamlErrorDescription | undefined {
  const tab = /^ *\t/.exec(text)?.[0].length
  if (tab === undefined) return undefined
  return {
    message: 'tabs cannot be used for indentation',
    hint: 'Indent with spaces',
    offsets: { start: start + tab - 1, end: start + tab },
  }
}

/** Detects indentation with other whitespace than spaces, here or on the line above. */
function describeIndent(text: string, line: Line): YamlErrorDescription | undefined {
  for (const each of [lineAbove(text, line.start), line]) {
    const before =
      each && each.text.length <= longestLine ? /^ *(?=[^\S\t ]|[\u200b\u2060\ufeff])/.exec(each.text)?.[0] : undefined
    if (!each || before === undefined || before.length === each.text.length) continue
    const at = each.start + before.length
    const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
    return {
      message: `the character U+${code} cannot be used for indentation`,
      hint: 'Indent with spaces',
      offsets: { start: at, end: at + 1 },
    }
  }
  return undefined
}

/** `title: List: all pets` */
function describeColon({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^(\s*(?:- )*(?!- )[^\s'"#:][^:]*:\s+)([^\s'"[{|>&*!#][^#]*?: .*)$/s.exec(text.trimEnd())
  if (!match) return undefined
  const [, key = '', value = ''] = match
  const colon = start + key.length + value.indexOf(': ')
  return {
    message: 'a value that contains `: ` needs quotes',
    hint: `Write \`${key.trim()} ${quoted(value)}\``,
    offsets: { start: colon, end: colon + 1 },
  }
}

/** Detects a value that starts with a YAML indicator, or continues after its closing quote. */
function describeValueStart(whole: string, { text, start: lineStart }: Line, at: number): YamlErrorDescription | undefined {
  const column = at - lineStart
  const before = text.slice(0, column)
  const rest = text.slice(column).trimEnd()
  const offsets = { start: at, end: at + 1 }
  if (/:\s+$/.test(before)) {
    if (/^-(?:\s|$)/.test(rest)) {
      return { message: 'a list cannot start on the line of its key', hint: 'Start it on the next line', offsets }
    }
    if (/^[@`%]/.test(rest)) {
      const found = rest[0] === '`' ? 'a backtick' : `\`${rest[0]}\``
      return { message: `a value cannot start with ${found}`, hint: 'Put quotes around the value', offsets }
    }
  }
  const quote = /["'](?=[ \t]*$)/.exec(before)?.[0]
  if (quote !== undefined && rest !== '') {
    const opened = whole.slice(0, lineStart).lastIndexOf(quote)
    if (opened !== -1 && before.split(quote).length % 2 === 0) {
      const hint = 'Add the closing quote'
      return { message: 'a quote opened here is not closed on its line', hint, offsets: { start: opened, end: opened + 1 } }
    }
    const key = /^\s*(?:- )*((["'])[^"']*\2)[ \t]+$/.exec(before)?.[1]
    if (key !== undefined) {
      return { message: 'expected a `:` after the key', hint: `Write \`${key}: ${shorten(rest)}\``, offsets }
    }
    return { message: 'unexpected text after the closing quote', hint: 'Put the quotes around the whole value', offsets }
  }
  if (/^[\]}]/.test(rest)) return { message: `unexpected \`${rest[0]}\``, hint: 'Remove it, or add the opening bracket', offsets }
  return undefined
}

/** Describes an error kind without a known cause. */
function describeKind(text: string, kind: YamlErrorKind | undefined, reason: string, start: number): YamlErrorDescription {
  const offsets = { start, end: Math.min(text.length, start + 1) }
  const end = { start: text.trimEnd().length, end: text.trimEnd().length }
  switch (kind) {
    case 'single-quoted':
    case 'double-quoted':
      return { message: `a ${kind} value is not closed`, hint: 'Add the closing quote', offsets: end }
    case 'flow-collection':
      return { message: 'a `[` or `{` is not closed', hint: 'Add the closing `]` or `}`', offsets: end }
    case 'deficient-indentation': {
      if (end.start <= start)
        return { message: 'a quote or bracket is not closed', hint: 'Add the closing quote or bracket', offsets: end }
      const hint = 'Add the closing quote or bracket, or indent this line'
      return { message: deficientIndentation, hint, offsets }
    }
    case 'multiline-key':
      return describeMissingColon(text, start)
    case 'missing-colon':
      return { message: 'expected a `:` after the key', offsets }
    case 'mapping-entry':
    case 'sequence-entry':
      return describeMisaligned(text, start)
    case 'after-document': {
      const hint = 'Check the indentation, and do not mix a list and a mapping at one level'
      return { message: 'unexpected text after the end of the document', hint, offsets }
    }
    case 'unidentified-alias': {
      const name = /^\*?[^\s,[\]{}]{0,60}/.exec(text.slice(start - 1, start + 60))?.[0] ?? ''
      const alias = { start: start - 1, end: start - 1 + name.length }
      return { message: `the alias \`${name}\` has no anchor`, hint: 'Quote a value that starts with `*`', offsets: alias }
    }
    case 'unknown-tag': {
      const tag = /^![^\s,[\]{}]{0,60}/.exec(text.slice(start, start + 61))?.[0]
      if (tag === undefined) return { message: reason, offsets }
      return { message: `unknown tag \`${tag}\``, hint: 'Remove it', offsets: { start, end: start + tag.length } }
    }
    case 'complex-key':
      return { message: 'a key cannot be a list or a mapping', offsets }
    case 'anchor-name':
      return { message: 'a value cannot start with `&`', hint: 'Put quotes around the value', offsets }
    case 'escape': {
      const hint = 'Write `\\\\` for a backslash, or use single quotes'
      return { message: 'unknown escape in a double-quoted value', hint, offsets }
    }
    case 'control-character': {
      const code = (text.codePointAt(start) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return { message: `unexpected control character U+${code}`, hint: 'Remove it', offsets }
    }
    case 'merge':
      return { message: '`<<` requires a mapping or a list of mappings', offsets }
    default:
      return { message: reason, offsets }
  }
}

function describeMisaligned(text: string, start: number): YamlErrorDescription {
  const line = lineAt(text, start)
  const first = line.start + Math.max(0, line.text.search(/\S/))
  const hint = 'Give entries of one level the same indentation'
  return {
    message: 'this line is not aligned with the lines above',
    hint,
    offsets: { start: first, end: Math.max(first + 1, start) },
  }
}

/** The parser stops after the line without `:`, because a key could continue. */
function describeMissingColon(text: string, start: number): YamlErrorDescription {
  const before = text.slice(0, lineAt(text, start).start).trimEnd()
  const line = lineAt(before, before.length)
  const words = line.text.trim()
  const wordsStart = line.start + line.text.length - line.text.trimStart().length
  return {
    message: 'expected a `:` after the key',
    hint: `Write \`${shorten(words)}:\`, or indent the line if it continues the value above`,
    offsets: { start: wordsStart, end: wordsStart + words.length },
  }
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`
}
