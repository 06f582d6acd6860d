/** How a JSON text is laid out, so that new parts can look alike. */
export interface JsonLayout {
  /** One level of indentation. */
  readonly unit: string
  readonly eol: string
  readonly afterColon: string
  /** All on one line, without blanks. */
  readonly compact: boolean
}

/** Finds the layout of a JSON text: that of its first indented line; two spaces where there is none. */
export function detectLayout(text: string): JsonLayout {
  const eol = /\r\n|\n|\r/.exec(text.trim())?.[0]
  const compact = eol === undefined && text.trim().length > 2
  const unit = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    unit: unit.startsWith('\t') ? '\t' : unit,
    eol: eol ?? '\n',
    afterColon: compact && !/":\s/.test(text) ? '' : ' ',
    compact,
  }
}

/** Longest line to which a list of plain values is added. */
const maxLineWidth = 100

/**
 * Writes a value in a layout; `indent` is that of the line it begins on. On a line that it shares with others, a short list of plain values
 * stays on that line.
 */
export function printJson(value: unknown, layout: JsonLayout, indent: string, isOnSharedLine: boolean): string {
  if (layout.compact) return JSON.stringify(value)
  if (isOnSharedLine && Array.isArray(value) && value.every((element) => typeof element !== 'object')) {
    const line = `[${value.map((element) => JSON.stringify(element)).join(', ')}]`
    if (indent.length + line.length <= maxLineWidth) return line
  }
  return JSON.stringify(value, undefined, layout.unit).replaceAll('\n', layout.eol + indent)
}
