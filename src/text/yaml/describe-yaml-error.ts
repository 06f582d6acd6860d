import {
  describe,
  describeAlias,
  describeBlock,
  describeColonHere,
  describeFirstLine,
  describeMissingSign,
  type Line,
  lineAbove,
  lineAt,
  longestLine,
  missingColon,
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
  const hint = 'Keep one of the two sides and remove the marker lines'
  return describe('unresolved merge conflict', marker.index, marker.index + marker[0].length, hint)
}

function describeTab({ text, start }: Line): YamlErrorDescription | undefined {
  const tab = /^ *\t/.exec(text)?.[0].length
  if (tab === undefined) return undefined
  return describe('tabs cannot be used for indentation', start + tab - 1, start + tab, 'Indent with spaces')
}

/** Detects indentation with other whitespace than spaces, here or on the line above. */
function describeIndent(text: string, line: Line): YamlErrorDescription | undefined {
  for (const each of [lineAbove(text, line.start), line]) {
    const before =
      each && each.text.length <= longestLine ? /^ *(?=[^\S\t ]|[\u200b\u2060\ufeff])/.exec(each.text)?.[0] : undefined
    if (!each || before === undefined || before.length === each.text.length) continue
    const at = each.start + before.length
    const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
    return describe(`the character U+${code} cannot be used for indentation`, at, at + 1, 'Indent with spaces')
  }
  return undefined
}

/** `title: List: all pets` */
function describeColon({ text, start }: Line): YamlErrorDescription | undefined {
  const match = /^(\s*(?:- )*(?!- )[^\s'"#:][^:]*:\s+)([^\s'"[{|>&*!#][^#]*?: .*)$/s.exec(text.trimEnd())
  if (!match) return undefined
  const [, key = '', value = ''] = match
  const colon = start + key.length + value.indexOf(': ')
  const hint = `Write \`${key.trim()} ${quoted(value)}\``
  return describe('a value that contains `: ` needs quotes', colon, colon + 1, hint)
}

/** Detects a value that starts with a YAML indicator, or continues after its closing quote. */
function describeValueStart(whole: string, { text, start: lineStart }: Line, at: number): YamlErrorDescription | undefined {
  const column = at - lineStart
  const before = text.slice(0, column)
  const rest = text.slice(column).trimEnd()
  const describeHere = (message: string, hint: string) => describe(message, at, at + 1, hint)
  if (/:\s+$/.test(before)) {
    if (/^-(?:\s|$)/.test(rest)) return describeHere('a list cannot start on the line of its key', 'Start it on the next line')
    const [sign] = /^[@`%]/.exec(rest) ?? []
    if (sign !== undefined) {
      const found = sign === '`' ? 'a backtick' : `\`${sign}\``
      return describeHere(`a value cannot start with ${found}`, 'Put quotes around the value')
    }
  }
  const quote = /["'](?=[ \t]*$)/.exec(before)?.[0]
  if (quote !== undefined && rest !== '') {
    const opened = whole.slice(0, lineStart).lastIndexOf(quote)
    if (opened !== -1 && before.split(quote).length % 2 === 0)
      return describe('a quote opened here is not closed on its line', opened, opened + 1, 'Add the closing quote')
    const key = /^\s*(?:- )*((["'])[^"']*\2)[ \t]+$/.exec(before)?.[1]
    if (key !== undefined) return describeHere(missingColon, `Write \`${key}: ${shorten(rest)}\``)
    return describeHere('unexpected text after the closing quote', 'Put the quotes around the whole value')
  }
  const [bracket] = /^[\]}]/.exec(rest) ?? []
  return bracket === undefined ? undefined : describeHere(`unexpected \`${bracket}\``, 'Remove it, or add the opening bracket')
}

/** Describes an error kind without a known cause. */
function describeKind(text: string, kind: YamlErrorKind | undefined, reason: string, start: number): YamlErrorDescription {
  const end = text.trimEnd().length
  const describeHere = (message: string, hint?: string) => describe(message, start, Math.min(text.length, start + 1), hint)
  switch (kind) {
    case 'single-quoted':
    case 'double-quoted':
      return describe(`a ${kind} value is not closed`, end, end, 'Add the closing quote')
    case 'flow-collection':
      return describe('a `[` or `{` is not closed', end, end, 'Add the closing `]` or `}`')
    case 'deficient-indentation':
      if (end <= start) return describe('a quote or bracket is not closed', end, end, 'Add the closing quote or bracket')
      return describeHere(deficientIndentation, 'Add the closing quote or bracket, or indent this line')
    case 'multiline-key':
      return describeMissingColon(text, start)
    case 'missing-colon':
      return describeHere(missingColon)
    case 'mapping-entry':
    case 'sequence-entry':
      return describeMisaligned(text, start)
    case 'after-document': {
      const hint = 'Check the indentation, and do not mix a list and a mapping at one level'
      return describeHere('unexpected text after the end of the document', hint)
    }
    case 'unidentified-alias': {
      const name = /^\*?[^\s,[\]{}]{0,60}/.exec(text.slice(start - 1, start + 60))?.[0] ?? ''
      const hint = 'Quote a value that starts with `*`'
      return describe(`the alias \`${name}\` has no anchor`, start - 1, start - 1 + name.length, hint)
    }
    case 'unknown-tag': {
      const tag = /^![^\s,[\]{}]{0,60}/.exec(text.slice(start, start + 61))?.[0]
      return tag === undefined ? describeHere(reason) : describe(`unknown tag \`${tag}\``, start, start + tag.length, 'Remove it')
    }
    case 'complex-key':
      return describeHere('a key cannot be a list or a mapping')
    case 'anchor-name':
      return describeHere('a value cannot start with `&`', 'Put quotes around the value')
    case 'escape':
      return describeHere('unknown escape in a double-quoted value', 'Write `\\\\` for a backslash, or use single quotes')
    case 'control-character': {
      const code = (text.codePointAt(start) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return describeHere(`unexpected control character U+${code}`, 'Remove it')
    }
    case 'merge':
      return describeHere('`<<` requires a mapping or a list of mappings')
    default:
      return describeHere(reason)
  }
}

function describeMisaligned(text: string, start: number): YamlErrorDescription {
  const line = lineAt(text, start)
  const first = line.start + Math.max(0, line.text.search(/\S/))
  const hint = 'Give entries of one level the same indentation'
  return describe('this line is not aligned with the lines above', first, Math.max(first + 1, start), hint)
}

/** The parser stops after the line without `:`, because a key could continue. */
function describeMissingColon(text: string, start: number): YamlErrorDescription {
  const before = text.slice(0, lineAt(text, start).start).trimEnd()
  const line = lineAt(before, before.length)
  const words = line.text.trim()
  const wordsStart = line.start + line.text.length - line.text.trimStart().length
  const hint = `Write \`${shorten(words)}:\`, or indent the line if it continues the value above`
  return describe(missingColon, wordsStart, wordsStart + words.length, hint)
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`
}
