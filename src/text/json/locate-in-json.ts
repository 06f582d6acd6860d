import { isAscii } from 'node:buffer'
import { bytesOf, type LineStarts, type PlacedRange, recordLines, type SourceFile } from '../plain/source-file.ts'
import { findChild, type PointerTree, recordPlace } from './pointer-tree.ts'

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

/** The position of the scan and its line. JSON strings contain no newlines, so lines only end between tokens. */
interface Scan {
  readonly bytes: Buffer
  /** All characters are one byte, so byte offsets equal UTF-16 offsets. */
  readonly ascii: boolean
  at: number
  /** Starts at 1. */
  line: number
  lineStart: number
  /** The last converted offset, in bytes and in UTF-16 units. Offsets are converted in ascending order. */
  lastByte: number
  lastUnit: number
  /** Everything from the last converted offset to here is ASCII. */
  asciiEnd: number
  /** The line of the last recorded location, and its start in UTF-16 units. */
  lastLine: number
  lastLineStart: number
  /** The starts of all lines with a recorded location. */
  readonly found: LineStarts
}

/**
 * Records the locations of a pointer tree in valid JSON.
 *
 * Only strings, brackets and newlines are examined, and values outside the tree are skipped without decoding their keys. The last of two
 * equal keys applies, as in `JSON.parse`.
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

/** Moves the scan past the current value. */
function locateValue(scan: Scan, tree: PointerTree, key: PlacedRange | undefined): void {
  const { at, line, lineStart, bytes } = scan
  const first = bytes[at]
  const container = first === openBrace || first === openBracket
  if (!container) skipValue(scan)
  const value = toUtf16Range(scan, at, container ? at + 1 : scan.at, line, lineStart)
  recordPlace(tree, key === undefined ? { value } : { key, value })
  if (!container) return
  if (tree.children === undefined) {
    // Nothing after the root value is needed.
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
    // The colon and the whitespace around it.
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

/** The child for a key. Most keys have no escapes and are compared as bytes, which is faster than decoding them. */
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

/** Whether a string has one character per byte between its quotes. */
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

/** Converts byte offsets to a range in UTF-16 units. */
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

/** Bytes to check for ASCII at once. Most locations are close to the previous one. */
const asciiLookahead = 4_096

/** Largest block to check for ASCII at once. */
const largestBlock = 65_536
/** Blocks up to this size are counted byte by byte. */
const smallestBlock = 512

/** Counts the UTF-16 units of UTF-8 bytes. */
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
    // Skips continuation bytes. A four-byte character has two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}
