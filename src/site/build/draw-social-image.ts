import { crc32, deflateSync } from 'node:zlib'
import type { SocialImage } from '../render/shell/social-image.ts'
import { parseColor } from '../render/theme/plan-colors.ts'
import { type Outlines, readOutlines } from './glyph-outlines.ts'

/** In pixels, the size that Open Graph recommends. */
const [width, height] = [1200, 630]
const margin = 80
/** Shades from the background to white text. A pixel takes 4 bits. */
const shades = 16
/** Each row starts with the number of its filter: none. */
const rowBytes = 1 + width / 2

/** Draws images with the letters of a TrueType font. Returns a PNG. */
export function createSocialImages(font: Uint8Array): (image: SocialImage) => Uint8Array {
  const outlines = readOutlines(font)
  return ({ title, label, detail, color }) => {
    const rows = new Uint8Array(rowBytes * height)
    const write = (text: string, baseline: number, size: number, opacity = 1) =>
      drawText(rows, outlines, { text, baseline, size, opacity })
    if (label !== undefined) write(fitLines(label, 34, 1, outlines)[0] ?? '', margin + 30, 34, 0.8)
    const below = detail === undefined ? [] : fitLines(detail, 34, 2, outlines)
    let baseline = height - margin
    for (const line of below.toReversed()) {
      write(line, baseline, 34, 0.8)
      baseline -= 48
    }
    if (below.length > 0) baseline -= 22
    const { lines, size } = fitTitle(title, outlines)
    for (const line of lines.toReversed()) {
      write(line, baseline, size)
      baseline -= Math.round(size * 1.15)
    }
    drawBar(rows, baseline - 12)
    return encodePng(rows, color)
  }
}

/** A bar above the title. */
function drawBar(rows: Uint8Array, top: number): void {
  for (let y = top; y < top + 6; y++) rows.fill(0xff, y * rowBytes + 1 + margin / 2, y * rowBytes + 1 + margin / 2 + 36)
}

/** Chooses the largest size at which a title has at most three lines. */
function fitTitle(title: string, outlines: Outlines): { readonly lines: readonly string[]; readonly size: number } {
  const sizes = [76, 60, 48]
  const found = sizes.find((size) => !fitLines(title, size, 3, outlines).at(-1)?.endsWith(ellipsis)) ?? 48
  return { lines: fitLines(title, found, 3, outlines), size: found }
}

const ellipsis = '…'

/** Breaks a text between words. Text that does not fit is cut. */
function fitLines(text: string, size: number, count: number, { widthOf }: Outlines): string[] {
  const fits = (line: string) => widthOf(line) * size <= width - 2 * margin
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const cut = (line: string) => {
    let end = line.length
    while (end > 0 && !fits(line.slice(0, end) + ellipsis)) end--
    return line.slice(0, end).trimEnd() + ellipsis
  }
  const kept = lines.slice(0, count)
  return kept.map((line, index) => (!fits(line) || (index === count - 1 && lines.length > count) ? cut(line) : line))
}

function drawText(
  rows: Uint8Array,
  outlines: Outlines,
  { text, baseline, size, opacity }: { text: string; baseline: number; size: number; opacity: number },
): void {
  const top = Math.max(0, Math.floor(baseline - size * 1.2))
  const lines = Math.min(height, Math.ceil(baseline + size * 0.4)) - top
  const coverage = new Float32Array(width * lines)
  let x = margin
  for (const letter of text) {
    for (const contour of outlines.contoursOf(letter)) {
      let [fromX, fromY] = contour.at(-1) ?? [0, 0]
      for (const [toX, toY] of contour) {
        addEdge(coverage, lines, x + fromX * size, baseline - top - fromY * size, x + toX * size, baseline - top - toY * size)
        fromX = toX
        fromY = toY
      }
    }
    x += outlines.widthOf(letter) * size
  }
  const end = Math.min(width, Math.ceil(x) + 8)
  for (let y = 0; y < lines; y++) {
    let sum = 0
    for (let column = 0; column < end; column++) {
      sum += coverage[y * width + column] ?? 0
      const shade = Math.round(Math.min(1, Math.abs(sum)) * opacity * (shades - 1))
      const at = (top + y) * rowBytes + 1 + (column >> 1)
      if (shade > 0) rows[at] = (rows[at] ?? 0) | (column % 2 === 0 ? shade << 4 : shade)
    }
  }
}

/**
 * Adds the area to the right of an edge, as the difference of each pixel to the one on its left.
 *
 * Source: Raph Levien, "Inside the fastest font renderer in the world".
 */
function addEdge(coverage: Float32Array, lines: number, fromX: number, fromY: number, toX: number, toY: number): void {
  if (fromY === toY) return
  const slope = (toX - fromX) / (toY - fromY)
  const direction = fromY < toY ? 1 : -1
  const [top, bottom] = fromY < toY ? [fromY, toY] : [toY, fromY]
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(lines, Math.ceil(bottom)); y++) {
    const start = Math.max(y, top)
    const end = Math.min(y + 1, bottom)
    const area = (end - start) * direction
    const a = fromX + (start - fromY) * slope
    const b = fromX + (end - fromY) * slope
    const left = Math.min(a, b)
    const right = Math.max(a, b)
    const last = Math.floor(right)
    // Nothing is drawn outside of the margins.
    if (left < 0 || last + 1 >= width) continue
    // The part of the edge in the column before that lies left of this one.
    let before = 0
    for (let column = Math.floor(left); column <= last; column++) {
      const from = Math.max(left, column)
      const to = Math.min(right, column + 1)
      const share = right === left ? 1 : (to - from) / (right - left)
      const inside = share * (column + 1 - (from + to) / 2)
      const at = y * width + column
      coverage[at] = (coverage[at] ?? 0) + area * (inside + before)
      before = share - inside
    }
    const at = y * width + last + 1
    coverage[at] = (coverage[at] ?? 0) + area * before
  }
}

/** Source: PNG, third edition: 4-bit samples with a palette, without filters. */
function encodePng(rows: Uint8Array, color: string): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([4, 3, 0, 0, 0], 8)
  const ground = parseColor(color)
  const palette = Array.from({ length: shades }, (_, shade) =>
    ground.map((part) => Math.round((part + ((1 - part) * shade) / (shades - 1)) * 255)),
  )
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('PLTE', Buffer.from(palette.flat())),
    toChunk('IDAT', deflateSync(rows, { level: 6 })),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}
