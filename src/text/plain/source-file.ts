import { isUtf8 } from 'node:buffer'
import { addTo, findLastUpTo } from './lists.ts'

/**
 * A file as text, with any decoding problem.
 *
 * A leading byte order mark is not part of `text`. Line ends are kept.
 */
export interface SourceFile {
  /** Relative to the boundary with `/`, or an absolute URL. */
  readonly path: string
  readonly text: string
  readonly encodingFault?: EncodingProblem
}

/** Why bytes are not valid text. `offset` counts UTF-16 units of `SourceFile.text`. */
interface EncodingProblem {
  readonly kind: 'binary' | 'invalid-utf8' | 'utf-16'
  readonly offset: number
}

/** A problem that prevents reading text as JSON or YAML, or makes the result ambiguous. */
export interface SyntaxProblem {
  readonly code: SyntaxProblemCode
  readonly message: string
  readonly offsets: OffsetRange
  readonly hint?: string | undefined
  /** A related location, such as the first of two equal keys. */
  readonly related?: { readonly offsets: OffsetRange; readonly message: string }
  /** Of the last value of a key that JSON has twice, which parsers use. */
  readonly pointer?: string
}

type SyntaxProblemCode = 'encoding' | 'empty-document' | 'json-syntax' | 'yaml-syntax' | 'duplicate-key' | 'too-complex'

/** Reports the second of two equal keys. */
export function toDuplicateKeyProblem(key: string, offsets: OffsetRange, first: OffsetRange): SyntaxProblem {
  return {
    code: 'duplicate-key',
    message: `Unexpected duplicate key \`${key}\``,
    offsets,
    related: { offsets: first, message: 'first used here' },
    hint: 'Remove or rename one of the two',
  }
}

/** The bytes of files that are not decoded yet, without the byte order mark. */
const pendingBytes = new WeakMap<SourceFile, Buffer>()

/**
 * Decodes bytes as UTF-8, without the byte order mark.
 *
 * Never throws: invalid bytes become replacement characters, with an `encodingFault` at the first one. Valid text is decoded on first
 * access, because a valid JSON document only needs it for parsing.
 */
export function toSourceFile(path: string, bytes: Uint8Array): SourceFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = buffer[0]
  const hasUtf16Mark = (first === 0xff && buffer[1] === 0xfe) || (first === 0xfe && buffer[1] === 0xff)
  // JSON and YAML start with ASCII characters, of which UTF-16 makes a zero and another byte.
  const zeros = [...buffer.subarray(0, 4)].map((byte) => Number(byte === 0)).join('')
  if (hasUtf16Mark || zeros === '0101' || zeros === '1010') {
    return { path, text: '', encodingFault: { kind: 'utf-16', offset: 0 } }
  }
  const hasMark = first === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf
  const content = hasMark ? buffer.subarray(3) : buffer
  if (isUtf8(content)) {
    if (content.includes(0)) return toBinary(path, content.toString('utf8'))
    let text: string | undefined
    const source: SourceFile = {
      path,
      get text() {
        text ??= pendingBytes.get(source)?.toString('utf8') ?? ''
        pendingBytes.delete(source)
        return text
      },
    }
    pendingBytes.set(source, content)
    return source
  }
  const text = content.toString('utf8')
  if (text.includes('\0')) return { path, text, encodingFault: { kind: 'binary', offset: firstReplaced(text, content) } }
  return { path, text, encodingFault: { kind: 'invalid-utf8', offset: firstReplaced(text, content) } }
}

/**
 * The bytes of a file as UTF-8, without the byte order mark. Free if the text was not accessed.
 *
 * @internal Not in the published types, to avoid a dependency on the types of Node.js.
 */
export function bytesOf(source: SourceFile): Buffer {
  return pendingBytes.get(source) ?? Buffer.from(source.text)
}

/**
 * The extension field that makes exceptions from rules, see `rulesets/exceptions`. It is about the document and not about the API, so sites do not
 * show it.
 */
export const exceptionField = 'x-lint-ignore'

/** The start of a YAML comment that makes exceptions, after `#`. */
export const exceptionComment = 'openapi-pages-ignore-next-line'

/** Whether a file contains some text. Does not decode it. */
export function mentions(source: SourceFile, text: string): boolean {
  const bytes = pendingBytes.get(source)
  // The start is found in a fifth of the time, because Node searches short texts in another way, and few files have it.
  return bytes ? bytes.includes(text.slice(0, 7)) && bytes.includes(text) : source.text.includes(text)
}

/** The text of a file for one use. It is not cached, which saves memory for large documents. */
export function decodeWithoutCaching(source: SourceFile): string {
  return pendingBytes.get(source)?.toString('utf8') ?? source.text
}

/** The start of the text, about this many characters long. */
export function startOf(source: SourceFile, length: number): string {
  return pendingBytes.get(source)?.toString('utf8', 0, length) ?? source.text.slice(0, length)
}

/** The size in bytes, or in UTF-16 units if the text was accessed. */
export function sizeOf(source: SourceFile): number {
  return pendingBytes.get(source)?.length ?? source.text.length
}

function toBinary(path: string, text: string): SourceFile {
  return { path, text, encodingFault: { kind: 'binary', offset: text.indexOf('\0') } }
}

/** The offset of the first replacement character that is not in the file itself. */
function firstReplaced(text: string, buffer: Buffer): number {
  const written = Buffer.from('\ufffd')
  let byte = 0
  let from = 0
  for (;;) {
    const offset = text.indexOf('\ufffd', from)
    byte += Buffer.byteLength(text.slice(from, offset))
    if (!buffer.subarray(byte, byte + written.length).equals(written)) return offset
    byte += written.length
    from = offset + 1
  }
}

const lineStartsOfFiles = new WeakMap<SourceFile, readonly number[]>()

/** The offset at which each line of a file starts, counted once. */
function lineStartsOf(source: SourceFile): readonly number[] {
  let starts = lineStartsOfFiles.get(source)
  if (!starts) {
    starts = toLineStarts(source.text)
    lineStartsOfFiles.set(source, starts)
  }
  return starts
}

/** The lines of a file, without line ends. */
export interface SourceLines {
  /** The line with this number, starting at 1, or `undefined` after the last. An empty line after the last newline counts. */
  line(number: number): string | undefined
}

/** The byte offsets of some lines, as two lists. There can be ten thousand, and only few are shown. */
export interface LineStarts {
  /** In ascending order. */
  readonly lines: number[]
  readonly starts: number[]
}

const recordedLines = new WeakMap<SourceFile, LineStarts[]>()

/** Records the starts of some lines, so that they and their neighbors are found without counting. */
export function recordLines(source: SourceFile, lineStarts: LineStarts): void {
  addTo(recordedLines, source, lineStarts)
}

function findStart(noted: readonly LineStarts[], line: number): number | undefined {
  for (const { lines, starts } of noted) {
    const at = findLastUpTo(lines, line)
    if (lines[at] === line) return starts[at]
  }
  return undefined
}

/** The lines of a file. Unrecorded lines are counted on first access. */
export function toSourceLines(source: SourceFile): SourceLines {
  const count = (number: number) => {
    const counted = lineStartsOf(source)
    const start = counted[number - 1]
    return start === undefined ? undefined : source.text.slice(start, counted[number]).replace(/(?:\r\n|\n|\r)$/, '')
  }
  const noted = recordedLines.get(source)
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
  // Cached, because several diagnostics can share a line, and a line may be the whole file.
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
  // A document can be a single line.
  const feed = bytes.indexOf(lineFeed, start)
  const line = bytes.subarray(start, feed === -1 ? bytes.length : feed)
  const other = line.indexOf(carriageReturn)
  return start + (other === -1 ? line.length : other)
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

/** The text in some bytes; `undefined` if they are no UTF-8. Omits a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

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
  const line = Math.max(0, findLastUpTo(lineStarts, offset))
  return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 }
}

/** The lines and columns of a range of offsets. */
export function toRange(lineStarts: readonly number[], offsets: OffsetRange): Range {
  return { start: toPosition(lineStarts, offsets.start), end: toPosition(lineStarts, Math.max(offsets.start, offsets.end)) }
}

/** Replaces a part of a text; an empty range inserts. */
export interface TextEdit {
  readonly offsets: OffsetRange
  readonly newText: string
}

/** Applies edits whose ranges do not overlap. All offsets are those of the given text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let next = ''
  let from = 0
  for (const { offsets, newText } of edits.toSorted(
    (a, b) => a.offsets.start - b.offsets.start || a.offsets.end - b.offsets.end,
  )) {
    next += text.slice(from, offsets.start) + newText
    from = offsets.end
  }
  return next + text.slice(from)
}

/**
 * A planned change of one file. Paths are relative to the boundary with `/`.
 *
 * `before` is the content the plan is based on, so that a writer can detect later changes.
 */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'modify'; readonly path: string; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }

/** The change that writes a file. @param before undefined for a new file. */
export function toFileChange(path: string, before: string | undefined, content: string): FileChange {
  return before === undefined ? { kind: 'add', path, content } : { kind: 'modify', path, before, content }
}

/** The line ending of a text file. */
export type LineEnding = 'lf' | 'crlf'

/** The most common line ending of some texts. Undefined without line breaks or with as many of each. */
export function findLineEnding(texts: Iterable<string>): LineEnding | undefined {
  let [lf, crlf] = [0, 0]
  for (const text of texts) {
    const withReturn = text.split('\r\n').length - 1
    crlf += withReturn
    lf += text.split('\n').length - 1 - withReturn
  }
  return lf === crlf ? undefined : crlf > lf ? 'crlf' : 'lf'
}

/** Converts `\n` to the line endings of a file. Text that already contains `\r\n` is not changed. */
export function withLineEndings(text: string, ending: LineEnding | undefined): string {
  return ending !== 'crlf' || text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n')
}

/** Where a value is written. */
export interface Origin {
  readonly file: string
  readonly pointer: string
}

/** Returns where the value at a pointer of a changed document is written, such as in an overlay. */
export type FindOrigin = (pointer: string) => Origin

const origins = new WeakMap<SourceFile, FindOrigin>()

/**
 * Records that the value of a file was changed after reading, so that pointers do not match its text. It can be changed several times: `find` returns
 * where a value was before the last change.
 */
export function recordOrigins(source: SourceFile, find: FindOrigin): void {
  const before = origins.get(source)
  origins.set(source, (pointer) => {
    const origin = find(pointer)
    return before && origin.file === source.path ? before(origin.pointer) : origin
  })
}

/** Whether the value of a file was changed after reading. */
export function hasOrigins(source: SourceFile | undefined): boolean {
  return source !== undefined && origins.has(source)
}

/** Returns where a value is written: in its file, unless the value of the file was changed. */
export function toOrigin<Place extends Origin>(place: Place, sourceOf: (file: string) => SourceFile | undefined): Place {
  const source = sourceOf(place.file)
  const find = source && origins.get(source)
  return find ? { ...place, ...find(place.pointer) } : place
}

/** The location of a value in its text. `key` is absent for the root value and for list entries. */
export interface PointerPlace {
  readonly key?: PlacedRange
  /** A scalar with its quotes. For a list or mapping, only the first character. */
  readonly value: PlacedRange
}

/** A range with its line, if known without counting. Such a range is within one line. */
export interface PlacedRange extends OffsetRange {
  /** Starts at 1. */
  readonly line?: number
  /** The offset of the start of the line. */
  readonly lineStart?: number
}

/** Adds lines and columns to ranges of a file. The file is decoded and its lines are counted only if a range has no line. */
export function toRangeIn(source: SourceFile): (range: PlacedRange) => Range {
  return (range) => {
    const { start, end, line, lineStart = 0 } = range
    if (line !== undefined) {
      return { start: { line, column: start - lineStart + 1 }, end: { line, column: end - lineStart + 1 } }
    }
    return toRange(lineStartsOf(source), range)
  }
}
