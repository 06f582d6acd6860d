import { toLineStarts } from './position.ts'
import { bytesOf, type SourceFile } from './source-file.ts'

/** The lines of a file, without their ends. */
export interface SourceLines {
  /** The line of a number from 1; `undefined` beyond the last. What follows the last line end is a line, even if empty. */
  line(number: number): string | undefined
}

/** Where some lines of a file start, in bytes: two lists, as ten thousand findings stand in as many lines and few of these are shown. */
export interface LineStarts {
  /** In ascending order. */
  readonly lines: number[]
  readonly starts: number[]
}

const known = new WeakMap<SourceFile, LineStarts[]>()

/** Keeps where some lines start so that they and their neighbours are found without counting. */
export function noteLines(source: SourceFile, lineStarts: LineStarts): void {
  const noted = known.get(source)
  if (noted) noted.push(lineStarts)
  else known.set(source, [lineStarts])
}

function findStart(noted: readonly LineStarts[], line: number): number | undefined {
  for (const { lines, starts } of noted) {
    let low = 0
    let high = lines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lines[middle] ?? 0) < line) low = middle + 1
      else high = middle
    }
    if (lines[low] === line) return starts[low]
  }
  return undefined
}

/** The lines of a file; those that nobody noted are counted when the first of them is asked for. */
export function toSourceLines(source: SourceFile): SourceLines {
  let counted: readonly number[] | undefined
  const count = (number: number) => {
    counted ??= toLineStarts(source.text)
    const start = counted[number - 1]
    return start === undefined ? undefined : source.text.slice(start, counted[number]).replace(/(?:\r\n|\n|\r)$/, '')
  }
  const noted = known.get(source)
  if (!noted) return { line: count }
  const bytes = bytesOf(source)
  const find = (number: number) => {
    const start = findStart(noted, number)
    if (start !== undefined) return bytes.toString('utf8', start, endOfLine(bytes, start))
    const before = findStart(noted, number - 1)
    if (before !== undefined) {
      const next = skipLineEnd(bytes, endOfLine(bytes, before))
      return next === undefined ? undefined : bytes.toString('utf8', next, endOfLine(bytes, next))
    }
    const after = findStart(noted, number + 1)
    if (after === undefined) return count(number)
    const end = bytes[after - 1] === lineFeed && bytes[after - 2] === carriageReturn ? after - 2 : after - 1
    return bytes.toString('utf8', startOfLine(bytes, end), end)
  }
  // Each line is asked for by several findings, and one may be the whole file.
  const lines = new Map<number, string | undefined>()
  return {
    line(number) {
      if (!lines.has(number)) lines.set(number, find(number))
      return lines.get(number)
    },
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

function endOfLine(bytes: Buffer, start: number): number {
  let end = start
  while (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn) end++
  return end
}

function startOfLine(bytes: Buffer, end: number): number {
  let start = end
  while (start > 0 && bytes[start - 1] !== lineFeed && bytes[start - 1] !== carriageReturn) start--
  return start
}

function skipLineEnd(bytes: Buffer, end: number): number | undefined {
  if (end >= bytes.length) return undefined
  return bytes[end] === carriageReturn && bytes[end + 1] === lineFeed ? end + 2 : end + 1
}
