import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readFontMetrics } from '../../../../src/site/make/assets/font-metrics.ts'

const read = (path: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../../../node_modules', path)))
const inter = read('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

test.each([
  ['a variable WOFF2', inter, { isBold: false }],
  ['TrueType', read('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), { isBold: false }],
  ['a bold TrueType', read('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'), { isBold: true }],
])('reads the size of Inter from %s', (_name, bytes, expected) => {
  const metrics = readFontMetrics(bytes)
  expect(metrics).toMatchObject({ lineGap: 0, ...expected })
  expect(metrics?.ascent).toBeCloseTo(0.969, 3)
  expect(metrics?.descent).toBeCloseTo(0.241, 3)
  expect(metrics?.letterWidth).toBeCloseTo(expected.isBold ? 0.5 : 0.47, 1)
})

test('reads the same from each format of a font', () => {
  const [first, ...others] = ['ttf', 'woff', 'woff2'].map((format) =>
    readFontMetrics(read(`katex/dist/fonts/KaTeX_Main-Regular.${format}`)),
  )
  expect(first).toBeDefined()
  expect(others).toEqual([first, first])
})

test('returns nothing for a font without letters', () => {
  expect(readFontMetrics(read('katex/dist/fonts/KaTeX_Size4-Regular.woff2'))).toBeUndefined()
})

test('returns nothing for a file that ends early, at any place', () => {
  const font = read('katex/dist/fonts/KaTeX_Main-Regular.ttf')
  for (let length = 0; length < 2000; length += 7) expect(readFontMetrics(font.subarray(0, length))).toBeUndefined()
})

test('survives any byte being damaged', () => {
  const font = read('katex/dist/fonts/KaTeX_Main-Regular.woff')
  for (let at = 0; at < 600; at++) {
    const damaged = font.slice()
    damaged[at] = 255
    expect(() => readFontMetrics(damaged)).not.toThrow()
  }
})

test('stops at a limit if a small file unpacks to a large one', () => {
  const stream = brotliCompressSync(new Uint8Array(64 * 1024 * 1024), { params: { 1: 5 } })
  const header = Buffer.alloc(48)
  header.write('wOF2', 0, 'latin1')
  header.writeUInt32BE(stream.length, 20)
  expect(readFontMetrics(Buffer.concat([header, stream]))).toBeUndefined()
})
