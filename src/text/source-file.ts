import { isUtf8 } from 'node:buffer'
import { type OffsetRange, toLineStarts } from './position.ts'

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
  readonly hint?: string
  /** A related location, such as the first of two equal keys. */
  readonly related?: { readonly offsets: OffsetRange; readonly message: string }
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
  if ((first === 0xff && buffer[1] === 0xfe) || (first === 0xfe && buffer[1] === 0xff)) {
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
  return pendingBytes.get(source)?.includes(text) ?? source.text.includes(text)
}

/** Whether a document may have an image in Markdown or HTML. Some programs escape `<` in JSON. Cheap, because most have none. */
export function mentionsImages(source: SourceFile): boolean {
  return ['![', '<img', 'u003cimg', 'u003Cimg'].some((text) => mentions(source, text))
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
export function lineStartsOf(source: SourceFile): readonly number[] {
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

const known = new WeakMap<SourceFile, LineStarts[]>()

/** Records the starts of some lines, so that they and their neighbors are found without counting. */
export function recordLines(source: SourceFile, lineStarts: LineStarts): void {
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

/** The lines of a file. Unrecorded lines are counted on first access. */
export function toSourceLines(source: SourceFile): SourceLines {
  const count = (number: number) => {
    const counted = lineStartsOf(source)
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
