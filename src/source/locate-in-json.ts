import { isAscii } from 'node:buffer'
import { findChild, type PlacedRange, type PointerTree, recordPlace } from './pointer-tree.ts'
import { bytesOf, type LineStarts, recordLines, type SourceFile } from './source-file.ts'

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Where the scan stands, and the line it stands in. Lines end only between tokens: strings of JSON have no line ends. */
interface Scan {
  readonly bytes: Buffer
  /** No character takes more than a byte, so that offsets in bytes are those in UTF-16 units. */
  readonly ascii: boolean
  at: number
  /** Counts from 1. */
  line: number
  lineStart: number
  /** The offset that was last told in UTF-16 units, in both counts. Offsets are told in ascending order. */
  lastByte: number
  lastUnit: number
  /** All from the offset that was last told up to here is ASCII. */
  asciiEnd: number
  /** The line in which something was last found, and where it starts in UTF-16 units. */
  lastLine: number
  lastLineStart: number
  /** Where the lines in which something was found start. */
  readonly found: LineStarts
}

/**
 * Notes the places of the steps of a tree in a JSON text that `JSON.parse` accepts.
 *
 * Only strings, brackets and line ends are examined, and values that no pointer leads into are skipped without decoding their keys. Of two
 * equal keys the last one counts, as in `JSON.parse`.
 */
export function locateInJson(source: SourceFile, tree: PointerTree): void {
  const bytes = bytesOf(source)
  const counts = { lastByte: 0, lastUnit: 0, asciiEnd: 0, lastLine: 0, lastLineStart: 0 }
  const scan: Scan = {
    bytes,
    ascii: isAscii(bytes),
    at: 0,
    line: 1,
    lineStart: 0,
    ...counts,
    found: { lines: [], starts: [] },
  }
  skipBlank(scan)
  locateValue(scan, tree, undefined)
  recordLines(source, scan.found)
}

/** Moves the scan behind the value it stands at. */
function locateValue(scan: Scan, tree: PointerTree, key: PlacedRange | undefined): void {
  const { at, line, lineStart, bytes } = scan
  const first = bytes[at]
  const container = first === openBrace || first === openBracket
  if (!container) skipValue(scan)
  const value = toUtf16Range(scan, at, container ? at + 1 : scan.at, line, lineStart)
  recordPlace(tree, key === undefined ? { value } : { key, value })
  if (!container) return
  if (tree.children === undefined) {
    // Behind the top value nothing is looked for.
    if (tree.parent) skipValue(scan)
  } else if (first === openBrace) locateInObject(scan, tree)
  else locateInArray(scan, tree)
}

function locateInObject(scan: Scan, tree: PointerTree): void {
  const { bytes } = scan
  scan.at++
  skipBlank(scan)
  while (scan.at < bytes.length && bytes[scan.at] !== closeBrace) {
    const { at: start, line, lineStart } = scan
    const end = skipString(bytes, start)
    const mayBeChild = (tree.childLengths & (1 << ((end - start - 2) & 31))) !== 0 || !isPlain(bytes, start, end)
    const child = mayBeChild ? childAt(bytes, start, end, tree) : undefined
    const key = child && toUtf16Range(scan, start, end, line, lineStart)
    // The colon and the blanks around it.
    scan.at = end
    skipBlank(scan)
    scan.at++
    skipBlank(scan)
    if (child) locateValue(scan, child, key)
    else skipValue(scan)
    skipComma(scan)
  }
  scan.at++
}

function locateInArray(scan: Scan, tree: PointerTree): void {
  const { bytes } = scan
  scan.at++
  skipBlank(scan)
  for (let index = 0; scan.at < bytes.length && bytes[scan.at] !== closeBracket; index++) {
    const child = findChild(tree, String(index))
    if (child) locateValue(scan, child, undefined)
    else skipValue(scan)
    skipComma(scan)
  }
  scan.at++
}

/** The step for a key. Nearly all are written as they are, and compared as such: to make a text of each takes longer. */
function childAt(bytes: Buffer, start: number, end: number, tree: PointerTree): PointerTree | undefined {
  const { children, byName } = tree
  if (children && !byName && isPlain(bytes, start, end)) {
    for (const child of children) if (isWrittenAt(bytes, start + 1, end - 1, child.name)) return child
    return undefined
  }
  return findChild(tree, decodeKey(bytes, start, end))
}

function isWrittenAt(bytes: Buffer, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let at = start; at < end; at++) if (bytes[at] !== name.charCodeAt(at - start)) return false
  return true
}

/** Whether a string has as many characters as there are bytes between its quotes. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? 0
    if (code === backslash || code >= 0x80) return false
  }
  return true
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('latin1', start + 1, end - 1)
  return /[\\\x80-\xff]/.test(raw) ? (JSON.parse(bytes.toString('utf8', start, end)) as string) : raw
}

function skipComma(scan: Scan): void {
  skipBlank(scan)
  if (scan.bytes[scan.at] !== comma) return
  scan.at++
  skipBlank(scan)
}

function skipBlank(scan: Scan): void {
  const { bytes } = scan
  let at = scan.at
  for (let code = bytes[at]; code !== undefined && code <= 0x20; code = bytes[at]) {
    at++
    if (code === lineFeed || (code === carriageReturn && bytes[at] !== lineFeed)) {
      scan.line++
      scan.lineStart = at
    }
  }
  scan.at = at
}

function skipString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === quote) return at + 1
    if (code === backslash) at++
  }
  return bytes.length
}

function skipValue(scan: Scan): void {
  const { bytes } = scan
  const first = bytes[scan.at]
  if (first === openBrace || first === openBracket) skipContainer(scan)
  else if (first === quote) scan.at = skipString(bytes, scan.at)
  else while (scan.at < bytes.length && !isEndOfScalar(bytes[scan.at] ?? 0)) scan.at++
}

function skipContainer(scan: Scan): void {
  const { bytes } = scan
  const { length } = bytes
  let { at, line, lineStart } = scan
  let depth = 0
  do {
    const code = bytes[at++] ?? 0
    if (code <= space) {
      if (code === lineFeed || (code === carriageReturn && bytes[at] !== lineFeed)) {
        line++
        lineStart = at
        while (bytes[at] === space) at++
      }
    } else if (code === quote) {
      while (at < length) {
        const inside = bytes[at++]
        if (inside === quote) break
        if (inside === backslash) at++
      }
    } else if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) depth--
  } while (depth > 0 && at < length)
  scan.at = at
  scan.line = line
  scan.lineStart = lineStart
}

function isEndOfScalar(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || code <= 0x20
}

/** A range in UTF-16 units, from offsets in bytes. */
function toUtf16Range(scan: Scan, start: number, end: number, line: number, lineStart: number): PlacedRange {
  if (scan.lastLine !== line) {
    scan.found.lines.push(line)
    scan.found.starts.push(lineStart)
    scan.lastLineStart = toUtf16Offset(scan, lineStart)
    scan.lastLine = line
  }
  return { start: toUtf16Offset(scan, start), end: toUtf16Offset(scan, end), lineStart: scan.lastLineStart, line }
}

function toUtf16Offset(scan: Scan, byte: number): number {
  const { bytes, ascii, asciiEnd, lastByte } = scan
  if (ascii) return byte
  const known = Math.min(byte, Math.max(asciiEnd, lastByte))
  scan.lastUnit += known - lastByte
  if (known < byte) {
    scan.lastUnit += countUnits(bytes, known, byte)
    const end = Math.min(bytes.length, byte + asciiLookahead)
    scan.asciiEnd = isAscii(bytes.subarray(byte, end)) ? end : byte
  }
  scan.lastByte = byte
  return scan.lastUnit
}

/** For so many bytes at once it is asked whether they are ASCII: most places are near to the one before. */
const asciiLookahead = 4_096

/** Nearly all bytes are ASCII, which so many of them are asked for at once. */
const largestBlock = 65_536
/** So few are looked at one by one. */
const smallestBlock = 512

/** The UTF-16 units of a part of a text in UTF-8. */
function countUnits(bytes: Buffer, from: number, to: number): number {
  let units = 0
  for (let start = from; start < to; start += largestBlock)
    units += countInBlock(bytes, start, Math.min(to, start + largestBlock))
  return units
}

function countInBlock(bytes: Buffer, start: number, end: number): number {
  if (end - start > smallestBlock) {
    if (isAscii(bytes.subarray(start, end))) return end - start
    const middle = (start + end) >> 1
    return countInBlock(bytes, start, middle) + countInBlock(bytes, middle, end)
  }
  let units = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    // Not for the bytes within a character; what takes four bytes takes two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}
