/** How a language writes values. */
export interface LiteralStyle {
  readonly indent: string
  readonly text: (text: string) => string
  /** The key of an object with its separator. */
  readonly key: (name: string) => string
  readonly true: string
  readonly false: string
  readonly null: string
  readonly trailingComma: boolean
}

/** Longest list of plain values that stands in one line. */
const maxLine = 60

/** Writes a JSON value as source code, an entry a line; `before` is the indentation of the line that it begins in. */
export function printLiteral(value: unknown, style: LiteralStyle, before = ''): string {
  if (typeof value === 'string') return style.text(value)
  if (value === true) return style.true
  if (value === false) return style.false
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : style.null
  const inside = before + style.indent
  const lines = Array.isArray(value)
    ? value.map((one) => inside + printLiteral(one, style, inside))
    : Object.entries(value).map(([key, one]) => inside + style.key(key) + printLiteral(one, style, inside))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (lines.length === 0) return open + close
  const line = `${open}${lines.map((one) => one.slice(inside.length)).join(', ')}${close}`
  if (Array.isArray(value) && line.length <= maxLine && value.every((one) => typeof one !== 'object')) return line
  return `${open}\n${lines.join(',\n')}${style.trailingComma ? ',' : ''}\n${before}${close}`
}
