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

/** The place of something that has no line, such as a missing file. */
export const startOfFile: Range = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }

/** A range in UTF-16 units from the start of the text, `end` exclusive. */
export interface OffsetRange {
  readonly start: number
  readonly end: number
}

/** The offset at which each line starts. `\n`, `\r\n` and a lone `\r` end a line. */
export function toLineStarts(text: string): readonly number[] {
  const starts = [0]
  let lastReturn = text.indexOf('\r')
  let nextLine = text.indexOf('\n')
  while (lastReturn !== -1 || nextLine !== -1) {
    if (lastReturn !== -1 && (nextLine === -1 || lastReturn < nextLine)) {
      if (nextLine !== lastReturn + 1) starts.push(lastReturn + 1)
      lastReturn = text.indexOf('\r', lastReturn + 1)
    } else {
      starts.push(nextLine + 1)
      nextLine = text.indexOf('\n', nextLine + 1)
    }
  }
  return starts
}

/** The line and column of an offset; an offset beyond the last line start counts on in the last line. */
export function toPosition(lineStarts: readonly number[], offset: number): Position {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}

/** The lines and columns of a range of offsets. */
export function toRange(lineStarts: readonly number[], offsets: OffsetRange): Range {
  return { start: toPosition(lineStarts, offsets.start), end: toPosition(lineStarts, Math.max(offsets.start, offsets.end)) }
}
