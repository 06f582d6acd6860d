import { readGlyphs, readTables, readWidths } from './font-tables.ts'

/** The letters of a font. Lengths are in em, and y points up. */
export interface Outlines {
  /** Closed lines around the areas of a letter. */
  readonly contoursOf: (letter: string) => readonly Contour[]
  /** The width of a text, without kerning. */
  readonly widthOf: (text: string) => number
  readonly hasGlyph: (letter: string) => boolean
}

type Contour = readonly (readonly [x: number, y: number])[]

/** A point of a glyph. Those off the curve bend it. */
interface CurvePoint {
  readonly x: number
  readonly y: number
  readonly isOnCurve: boolean
}

/** How many lines replace a curve. At 76 px, no line is longer than 5 px. */
const linesPerCurve = 6

/**
 * Reads the letters of a TrueType font.
 *
 * @throws if the font has no TrueType outlines.
 */
export function readOutlines(bytes: Uint8Array): Outlines {
  const tables = readTables(bytes)
  const [head, hhea, loca, glyf] = ['head', 'hhea', 'loca', 'glyf'].map((tag) => tables(tag).data) as [
    DataView,
    DataView,
    DataView,
    DataView,
  ]
  const em = head.getUint16(18)
  const offsetOf = (glyph: number) => (head.getInt16(50) === 0 ? loca.getUint16(glyph * 2) * 2 : loca.getUint32(glyph * 4))
  const glyphOf = readGlyphs(tables('cmap').data)
  const widthOfGlyph = readWidths(tables('hmtx'), hhea.getUint16(34))
  const readGlyph = (glyph: number): CurvePoint[][] => {
    const start = offsetOf(glyph)
    if (start === offsetOf(glyph + 1)) return []
    return glyf.getInt16(start) >= 0 ? readSimple(glyf, start) : readParts(glyf, start, readGlyph)
  }
  const known = new Map<string, readonly Contour[]>()
  return {
    contoursOf(letter) {
      const before = known.get(letter)
      if (before) return before
      const contours = readGlyph(glyphOf(letter.charCodeAt(0))).map((points) => flatten(points, em))
      known.set(letter, contours)
      return contours
    },
    widthOf: (text) => [...text].reduce((sum, letter) => sum + widthOfGlyph(glyphOf(letter.charCodeAt(0))) / em, 0),
    hasGlyph: (letter) => glyphOf(letter.charCodeAt(0)) !== 0,
  }
}

/** Source: OpenType 1.9, "glyf", simple glyph description. */
function readSimple(glyf: DataView, start: number): CurvePoint[][] {
  const ends = Array.from({ length: glyf.getInt16(start) }, (_, index) => glyf.getUint16(start + 10 + index * 2))
  const count = (ends.at(-1) ?? -1) + 1
  let at = start + 10 + ends.length * 2
  at += 2 + glyf.getUint16(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = glyf.getUint8(at++)
    const times = (flag & 8) === 0 ? 1 : 1 + glyf.getUint8(at++)
    for (let left = times; left > 0; left--) flags.push(flag)
  }
  const readAxis = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -glyf.getUint8(at++) : glyf.getUint8(at++)
      else if ((flag & same) === 0) {
        value += glyf.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const xs = readAxis(2, 16)
  const ys = readAxis(4, 32)
  const points = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, isOnCurve: (flag & 1) !== 0 }))
  return ends.map((end, index) => points.slice((ends[index - 1] ?? -1) + 1, end + 1))
}

/** A letter with an accent has two parts. Source: OpenType 1.9, "glyf", composite glyph description, without scaled parts. */
function readParts(glyf: DataView, start: number, readGlyph: (glyph: number) => CurvePoint[][]): CurvePoint[][] {
  const contours: CurvePoint[][] = []
  for (let at = start + 10, flags = 0x20; (flags & 0x20) !== 0; ) {
    flags = glyf.getUint16(at)
    const hasWords = (flags & 1) !== 0
    const [dx, dy] = hasWords ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)] : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)]
    for (const contour of readGlyph(glyf.getUint16(at + 2))) {
      contours.push(contour.map(({ x, y, isOnCurve }) => ({ x: x + dx, y: y + dy, isOnCurve })))
    }
    at += (hasWords ? 8 : 6) + ((flags & 8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0)
  }
  return contours
}

/** Replaces the quadratic curves of a contour by lines. Between two points off the curve, one in the middle is on it. */
function flatten(points: readonly CurvePoint[], em: number): Contour {
  const all = points.flatMap((point, index): CurvePoint[] => {
    const before = points.at(index - 1) ?? point
    if (point.isOnCurve || before.isOnCurve) return [point]
    return [{ x: (before.x + point.x) / 2, y: (before.y + point.y) / 2, isOnCurve: true }, point]
  })
  return all.flatMap((point, index): Contour => {
    if (point.isOnCurve) return [[point.x / em, point.y / em]]
    const from = all.at(index - 1) ?? point
    const to = all[(index + 1) % all.length] ?? point
    return Array.from({ length: linesPerCurve - 1 }, (_, step) => {
      const share = (step + 1) / linesPerCurve
      const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2]
      return [(a * from.x + b * point.x + c * to.x) / em, (a * from.y + b * point.y + c * to.y) / em] as const
    })
  })
}
