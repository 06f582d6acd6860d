import type { FontMetrics } from '../../plan/types.ts'
import { readGlyphs, readTables, readWidths } from './font-tables.ts'

/**
 * How often letters occur in English text, in 1/10,000.
 *
 * Source: `@capsizecss/unpack`, weightings of the Latin script.
 */
const letterCounts = {
  ' ': 1540,
  a: 668,
  b: 114,
  c: 232,
  d: 298,
  e: 922,
  f: 170,
  g: 155,
  h: 351,
  i: 588,
  j: 9,
  k: 46,
  l: 304,
  m: 181,
  n: 578,
  o: 571,
  p: 163,
  q: 7,
  r: 526,
  s: 469,
  t: 672,
  u: 207,
  v: 76,
  w: 110,
  x: 25,
  y: 123,
  z: 11,
}

/**
 * Reads the size of text in a font.
 *
 * @returns `undefined` for a file that is damaged, has no Latin letters or is too large to unpack.
 */
export function readFontMetrics(bytes: Uint8Array): FontMetrics | undefined {
  try {
    const tables = readTables(bytes)
    const [head, hhea, os2] = ['head', 'hhea', 'OS/2'].map((tag) => tables(tag).data) as [DataView, DataView, DataView]
    const em = head.getUint16(18)
    // USE_TYPO_METRICS
    const [lines, offset] = (os2.getUint16(62) & 0x80) === 0 ? [hhea, 4] : [os2, 68]
    const glyphOf = readGlyphs(tables('cmap').data)
    const widthOf = readWidths(tables('hmtx'), hhea.getUint16(34))
    let [sum, count] = [0, 0]
    for (const [letter, often] of Object.entries(letterCounts)) {
      const glyph = glyphOf(letter.charCodeAt(0))
      if (glyph === 0) return undefined
      sum += widthOf(glyph) * often
      count += often
    }
    const metrics = {
      ascent: lines.getInt16(offset) / em,
      descent: -lines.getInt16(offset + 2) / em,
      lineGap: lines.getInt16(offset + 4) / em,
      letterWidth: sum / count / em,
      isBold: os2.getUint16(4) >= 600,
    }
    const { ascent, descent, lineGap, letterWidth } = metrics
    const isPlausible = [ascent, descent, lineGap].every((part) => part >= 0 && part < 4) && letterWidth > 0.1 && letterWidth < 2
    return isPlausible ? metrics : undefined
  } catch {
    // Damaged files end before an offset that they name.
    return undefined
  }
}
