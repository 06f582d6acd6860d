/** A place in a text for people: line and column count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** From `start` up to, not including, `end`. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** A range in UTF-16 units from the start of the text, `end` exclusive. */
export interface OffsetRange {
  readonly start: number
  readonly end: number
}

/**
 * The lines of a text, found as far as they are asked for: what is reported stands mostly far before the end of a large document.
 *
 * `\n`, `\r\n` and a lone `\r` end a line; the end of the text after the last of them is a line too.
 */
export interface TextLines {
  readonly text: string
  /** The offset at which a line starts, counted from 1; `undefined` behind the last line. */
  startOf(line: number): number | undefined
  /** The line of an offset, counted from 1; an offset beyond the text is in the last line. */
  lineOf(offset: number): number
}

/** Finds the lines of a text. */
export function toTextLines(text: string): TextLines {
  const starts = [0]
  let nextReturn = text.indexOf('\r')
  let nextFeed = text.indexOf('\n')
  /** Finds one line more, and tells whether there was one. */
  const grow = (): boolean => {
    if (nextReturn === -1 && nextFeed === -1) return false
    if (nextReturn === -1 || (nextFeed !== -1 && nextFeed < nextReturn)) {
      starts.push(nextFeed + 1)
      nextFeed = text.indexOf('\n', nextFeed + 1)
      return true
    }
    const isPair = nextFeed === nextReturn + 1
    starts.push(nextReturn + (isPair ? 2 : 1))
    if (isPair) nextFeed = text.indexOf('\n', nextFeed + 1)
    nextReturn = text.indexOf('\r', nextReturn + 1)
    return true
  }
  return {
    text,
    startOf(line) {
      while (starts.length < line && grow()) {}
      return starts[line - 1]
    },
    lineOf(offset) {
      while ((starts.at(-1) ?? 0) <= offset && grow()) {}
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return low + 1
    },
  }
}

/** The line and column of an offset. */
export function toPosition(lines: TextLines, offset: number): Position {
  const line = lines.lineOf(offset)
  return { line, column: offset - (lines.startOf(line) ?? 0) + 1 }
}

/** The lines and columns of a range of offsets. */
export function toRange(lines: TextLines, offsets: OffsetRange): Range {
  return { start: toPosition(lines, offsets.start), end: toPosition(lines, Math.max(offsets.start, offsets.end)) }
}
