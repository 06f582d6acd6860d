import { isAscii } from 'node:buffer'
import { bytesOf, type SourceFile, sizeOf, textOnce } from './source-file.ts'

/** The smallest file, in bytes, for which it pays to look for a text of one byte a character. */
const worthwhile = 1024 * 1024
/** With more characters beyond ASCII than that the usual text is made sooner. */
const mostReplaced = 1_000

/**
 * Calls `read` with a text that `JSON.parse` reads as it reads the text of a file, or throws on as it does.
 *
 * V8 takes two bytes for every character of a text that has a single one beyond Latin-1, such as a typographic quote: of 13 MB of JSON
 * it makes 26. So characters beyond ASCII are written as escapes, and all is taken as Latin-1, which saves 13 of 80 ms that decoding and
 * parsing take. A copy with the escapes would cost as much as it saves, in pages of memory that are touched for the first time; so they
 * are written into the bytes of the file, and undone when the text is made. Room for them is in the blanks at the start of lines.
 */
export function readJsonText<Value>(source: SourceFile, read: (text: string) => Value): Value {
  return read(sizeOf(source) < worthwhile ? textOnce(source) : (toOneByteText(bytesOf(source)) ?? textOnce(source)))
}

/** A character that an escape stands for. */
interface Replaced {
  readonly start: number
  readonly character: Buffer
  /** Up to where the bytes behind the character were moved, and how far. */
  readonly movedEnd: number
  readonly movedBy: number
}

/** Absent where the text has too many characters beyond ASCII or too few blanks. The bytes are in the end what they were. */
export function toOneByteText(bytes: Buffer): string | undefined {
  const replaced: Replaced[] = []
  try {
    for (let start = nextBeyondAscii(bytes, 0); start < bytes.length; start = nextBeyondAscii(bytes, start)) {
      const one = replaced.length < mostReplaced ? replace(bytes, start) : undefined
      if (!one) return undefined
      replaced.push(one)
    }
    return bytes.toString('latin1')
  } finally {
    for (const one of replaced.reverse()) putBack(bytes, one)
  }
}

const backslash = 0x5c
const lineFeed = 0x0a
const space = 0x20

/** Writes a character as an escape; returns `undefined` and leaves all as it is where there is no room. */
function replace(bytes: Buffer, start: number): Replaced | undefined {
  // `\é` is no JSON, and `\\u00e9` would be.
  if (bytes[start - 1] === backslash) return undefined
  const first = bytes[start] ?? 0
  const end = start + (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2)
  const units = bytes.toString('utf8', start, end).split('')
  const escaped = units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const movedBy = escaped.length - (end - start)
  const movedEnd = findBlanks(bytes, end, movedBy)
  if (movedEnd === undefined) return undefined
  const character = Buffer.from(bytes.subarray(start, end))
  bytes.copyWithin(end + movedBy, end, movedEnd)
  bytes.write(escaped, start, 'latin1')
  return { start, character, movedEnd, movedBy }
}

function putBack(bytes: Buffer, { start, character, movedEnd, movedBy }: Replaced): void {
  const end = start + character.length
  bytes.copyWithin(end, end + movedBy, movedEnd + movedBy)
  bytes.fill(space, movedEnd, movedEnd + movedBy)
  character.copy(bytes, start)
}

/** So many lines are looked at for blanks. */
const maxLines = 20

/** The start of a line with so many blanks, which mean nothing: no string of JSON has a line end in it. */
function findBlanks(bytes: Buffer, from: number, count: number): number | undefined {
  let start = from
  for (let line = 0; line < maxLines; line++) {
    start = bytes.indexOf(lineFeed, start) + 1
    if (start === 0) return undefined
    let blanks = 0
    while (blanks < count && bytes[start + blanks] === space) blanks++
    if (blanks === count) return start
  }
  return undefined
}

/** Where the next character beyond ASCII starts; the length where there is none. */
function nextBeyondAscii(bytes: Buffer, from: number): number {
  for (let start = from; start < bytes.length; start += blockLength) {
    let end = Math.min(bytes.length, start + blockLength)
    if (isAscii(bytes.subarray(start, end))) continue
    // By halves, as a loop over bytes that runs so seldom is never compiled.
    while (end - start > 1) {
      const middle = (start + end) >> 1
      if (isAscii(bytes.subarray(start, middle))) start = middle
      else end = middle
    }
    return start
  }
  return bytes.length
}

/** Nearly all bytes are ASCII, which so many of them are asked for at once. */
const blockLength = 65_536
