import { isContainer, numberOf, readOwn, WrittenNumber } from '../../text/json/json-values.ts'
import type { HttpRequest } from '../request/http-request.ts'

/** The string literals of a language. */
export interface TextStyle {
  /** The quote; a double one by default. */
  readonly mark?: '"' | "'"
  /** Characters that have to be escaped; quote and backslash by default. */
  readonly specials?: RegExp
  /** The escape character; a backslash by default. */
  readonly escapeBy?: '\\' | '`'
  /** Escapes a character by its code of four hexadecimal digits. */
  readonly unicode?: (hex: string) => string
  /** Writes a literal of several lines; `undefined` if it cannot hold the text. Called only for printable text without trailing whitespace on a line. */
  readonly raw?: (text: string) => string | undefined
  /** Concatenates literals of one line each. */
  readonly join?: (literals: readonly string[]) => string
}

/** Prints any string as a literal. Invisible characters and direction controls are escaped. */
export function printText(text: string, style: TextStyle = {}): string {
  const { raw, join } = style
  if (/.\n./s.test(text)) {
    const whole = /[^\x20-\x7e\n\u00a1-\u00ac\u00ae-\u1fff\u3040-\ud7ff]| \n| $/.test(text) ? undefined : raw?.(text)
    if (whole !== undefined) return whole
    const lines = text.match(/[^\n]*\n|[^\n]+$/g)
    if (join && lines) return join(lines.map((line) => printLine(line, style)))
  }
  return printLine(text, style)
}

function printLine(text: string, { mark = '"', specials = /["\\]/g, escapeBy = '\\', unicode }: TextStyle): string {
  const inside = text
    .toWellFormed()
    .replace(specials, `${escapeBy}$&`)
    .replace(/[\x00-\x1f\x7f-\xa0\xad\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, (character) => {
      const short = readOwn(escapes, character)
      const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
      return short ? escapeBy + short : (unicode?.(hex) ?? `\\u${hex}`)
    })
  return mark + inside + mark
}

const escapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' }

/** Adds a remark on HTTP digest authentication to the samples of a client without it. */
export function remarkDigest(write: (request: HttpRequest) => string, comment = '//'): (request: HttpRequest) => string {
  const remark = `${comment} This client cannot compute HTTP digest credentials. Use curl or another client that can.\n`
  return (request) => `${request.isDigest ? remark : ''}${write(request)}`
}

/** The literals of a language. */
export interface LiteralStyle {
  readonly indent: string
  readonly text: (text: string) => string
  /** Writes the key of an object with its separator. */
  readonly key: (name: string) => string
  readonly true: string
  readonly false: string
  readonly null: string
  readonly trailingComma: boolean
}

/** Whether a literal would send another number. */
export function hasRounded(value: unknown): boolean {
  if (value instanceof WrittenNumber) return value.isRounded
  return isContainer(value) && Object.values(value).some(hasRounded)
}

/** Longest list of scalars on one line, in characters. */
const maxLine = 60

/** Prints a JSON value as indented source code. `before` is the indentation of its first line. */
export function printLiteral(value: unknown, style: LiteralStyle, before = ''): string {
  if (typeof value === 'string') return style.text(value)
  if (value === true) return style.true
  if (value === false) return style.false
  if (!isContainer(value)) return numberOf(value) === undefined ? style.null : String(value)
  const inside = before + style.indent
  const lines = Array.isArray(value)
    ? value.map((one) => inside + printLiteral(one, style, inside))
    : Object.entries(value).map(([key, one]) => inside + style.key(key) + printLiteral(one, style, inside))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (lines.length === 0) return open + close
  const line = `${open}${lines.map((one) => one.slice(inside.length)).join(', ')}${close}`
  if (Array.isArray(value) && line.length <= maxLine && !value.some(isContainer)) return line
  return `${open}\n${lines.join(',\n')}${style.trailingComma ? ',' : ''}\n${before}${close}`
}
