import { expect, test } from 'vitest'
import {
  contrast,
  formatColor,
  lightnessOf,
  mix,
  parseColor,
  planColors,
  withLightness,
} from '../../../../src/site/render/theme/plan-colors.ts'

test.each([
  ['#000', '#fff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#16a34a', '#ffffff', 3.3],
])('the contrast of %s and %s is %d', (left, right, expected) => {
  expect(contrast(parseColor(left), parseColor(right))).toBeCloseTo(expected, 1)
})

test('setting the lightness of a color to itself changes nothing', () => {
  for (const hex of ['#2548c4', '#16a34a', '#ff0000', '#808080', '#ffffff', '#000000']) {
    const color = parseColor(hex)
    expect(formatColor(withLightness(color, lightnessOf(color)))).toBe(hex)
  }
})

const grounds = { light: ['#ffffff', '#f7f8fa', '#eef0f4'], dark: ['#0e1116', '#14181f', '#1d222b'] } as const
const colors = [
  '#16a34a',
  '#ffff00',
  '#000000',
  '#ffffff',
  '#0d9373',
  '#ff00ff',
  '#00f',
  '#abcdef',
  '#7f7f7f',
  '#e11d48',
  '#123456',
]

test.each(colors)('text is readable with %s as any of the colors', (hex) => {
  for (const settings of [
    { primary: hex, light: undefined, dark: undefined },
    { primary: '#2548c4', light: hex, dark: hex },
    { primary: hex, light: hex, dark: hex },
  ]) {
    const planned = planColors(settings)
    for (const theme of ['light', 'dark'] as const) {
      const accent = parseColor(planned?.accent[theme] ?? '')
      const tint = mix(accent, 0.09, parseColor(grounds[theme][0]))
      for (const ground of [...grounds[theme].map(parseColor), tint])
        expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.49)
      const white = parseColor('#fff')
      expect(contrast(white, parseColor(planned?.fill[theme] ?? ''))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(white, parseColor(planned?.hover[theme] ?? ''))).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('keeps readable colors and reports nothing', () => {
  const planned = planColors({ primary: '#2548c4', light: '#9ab0ff', dark: '#3f5fdf' })
  expect(planned).toMatchObject({
    accent: { light: '#2548c4', dark: '#9ab0ff' },
    fill: { light: '#2548c4', dark: '#3f5fdf' },
    adjustedColors: [],
  })
})

test('reports changed colors once for each use', () => {
  const planned = planColors({ primary: '#16a34a', light: '#16a34a', dark: '#16a34a' })
  expect(planned?.adjustedColors.map(({ key, use }) => [key, use])).toEqual([
    ['dark', 'buttons'],
    ['primary', 'text'],
  ])
})

test('uses the default colors without a primary color', () => {
  expect(planColors({ primary: undefined, light: '#fff', dark: '#000' })).toBeUndefined()
})
