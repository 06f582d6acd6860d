import { brotliDecompressSync, inflateSync } from 'node:zlib'

/** The most bytes of a font after decompression. The largest fonts for Chinese have about 20 MB. */
const maxUnpackedBytes = 32 * 1024 * 1024

interface FontTable {
  readonly data: DataView
  /** Whether WOFF2 stores it in another form. */
  readonly isTransformed: boolean
}

/**
 * Reads the tables of a font: TrueType, OpenType, WOFF or WOFF2. They are unpacked when they are needed.
 *
 * Source: OpenType 1.9, "Organization of an OpenType Font"; WOFF 1.0, sections 3 and 4; WOFF 2.0, sections 4 and 5.
 *
 * @throws if a table is missing, or if the file is damaged.
 */
export function readTables(bytes: Uint8Array): (tag: string) => FontTable {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const signature = readTag(file, 0)
  const tables = signature === 'wOF2' ? readWoff2(file) : signature === 'wOFF' ? readWoff(file) : readOpenType(file)
  return (tag) => {
    const table = tables.get(tag)?.()
    if (!table) throw new Error(`The font has no table ${tag}`)
    return table
  }
}

type Tables = ReadonlyMap<string, () => FontTable>

function readOpenType(file: DataView): Tables {
  return new Map(
    Array.from({ length: file.getUint16(4) }, (_, index) => {
      const at = 12 + index * 16
      const table = () => ({ data: part(file, file.getUint32(at + 8), file.getUint32(at + 12)), isTransformed: false })
      return [readTag(file, at), table]
    }),
  )
}

function readWoff(file: DataView): Tables {
  return new Map(
    Array.from({ length: file.getUint16(12) }, (_, index) => {
      const at = 44 + index * 20
      const table = () => {
        const stored = part(file, file.getUint32(at + 4), file.getUint32(at + 8))
        const isCompressed = stored.byteLength < file.getUint32(at + 12)
        const data = isCompressed ? toView(inflateSync(stored, { maxOutputLength: maxUnpackedBytes })) : stored
        return { data, isTransformed: false }
      }
      return [readTag(file, at), table]
    }),
  )
}

/** The tags that are needed here, by their number, and those that are always transformed. */
const knownTags: Readonly<Record<number, string>> = {
  0: 'cmap',
  1: 'head',
  2: 'hhea',
  3: 'hmtx',
  6: 'OS/2',
  10: 'glyf',
  11: 'loca',
}

function readWoff2(file: DataView): Tables {
  let at = 48
  const readNumber = () => {
    for (let value = 0, length = 1; ; length++) {
      const byte = file.getUint8(at++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80 || length === 5) return value
    }
  }
  const entries: { tag: string; start: number; length: number; isTransformed: boolean }[] = []
  let start = 0
  for (let left = file.getUint16(12); left > 0; left--) {
    const flags = file.getUint8(at++)
    const number = flags & 0x3f
    const tag = number === 0x3f ? readTag(file, at) : (knownTags[number] ?? '')
    if (number === 0x3f) at += 4
    const originalLength = readNumber()
    // For these, version 3 is the original form; for all others, version 0.
    const isTransformed = flags >> 6 !== (tag === 'glyf' || tag === 'loca' ? 3 : 0)
    const length = isTransformed ? readNumber() : originalLength
    entries.push({ tag, start, length, isTransformed })
    start += length
  }
  const stream = part(file, at, file.getUint32(20))
  const unpacked = toView(brotliDecompressSync(stream, { maxOutputLength: maxUnpackedBytes }))
  return new Map(
    entries.map(({ tag, start, length, isTransformed }) => [tag, () => ({ data: part(unpacked, start, length), isTransformed })]),
  )
}

/** Returns the glyph of a character in the Basic Multilingual Plane; 0 if there is none. Source: OpenType 1.9, "cmap". */
export function readGlyphs(cmap: DataView): (code: number) => number {
  const offsets = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(4 + index * 8 + 4))
  const offset = offsets.find((one) => [4, 12].includes(cmap.getUint16(one)))
  if (offset === undefined) throw new Error('The font has no table of Unicode characters')
  return cmap.getUint16(offset) === 4 ? (code) => findInSegments(cmap, offset, code) : (code) => findInGroups(cmap, offset, code)
}

function findInSegments(cmap: DataView, offset: number, code: number): number {
  const size = cmap.getUint16(offset + 6)
  for (let at = 0; at < size; at += 2) {
    if (cmap.getUint16(offset + 14 + at) < code) continue
    const start = cmap.getUint16(offset + 16 + size + at)
    if (start > code) return 0
    const delta = cmap.getUint16(offset + 16 + size * 2 + at)
    const rangeAt = offset + 16 + size * 3 + at
    const range = cmap.getUint16(rangeAt)
    const glyph = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - start) * 2)
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

function findInGroups(cmap: DataView, offset: number, code: number): number {
  for (let left = cmap.getUint32(offset + 12), at = offset + 16; left > 0; left--, at += 12) {
    const start = cmap.getUint32(at)
    if (cmap.getUint32(at + 4) >= code) return start > code ? 0 : cmap.getUint32(at + 8) + code - start
  }
  return 0
}

/** Returns the advance width of a glyph. All glyphs after the last width have that width. */
export function readWidths({ data, isTransformed }: FontTable, count: number): (glyph: number) => number {
  const [first, step] = isTransformed ? [1, 2] : [0, 4]
  return (glyph) => data.getUint16(first + Math.min(glyph, count - 1) * step)
}

function readTag(data: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => data.getUint8(at + index)))
}

/** @throws if the part is not inside the data. */
function part(data: DataView, start: number, length: number): DataView {
  if (start + length > data.byteLength) throw new RangeError('The font ends before a table')
  return new DataView(data.buffer, data.byteOffset + start, length)
}

function toView({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
