import { expect, test } from 'vitest'
import {
  contrast,
  distance,
  formatColor,
  lightnessOf,
  mix,
  parseColor,
  planColors,
  withLightness,
} from '../../../src/site/plan/plan-colors.ts'

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
      const onFill = parseColor(planned?.onFill[theme] ?? '')
      expect(contrast(onFill, parseColor(planned?.fill[theme] ?? ''))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(onFill, parseColor(planned?.hover[theme] ?? ''))).toBeGreaterThanOrEqual(4.5)
    }
  }
})

const steps = [0, 8, 17, 34, 51, 102, 153, 204, 255]
const cube = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => formatColor({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 }))),
)

test.each([
  { light: '#ffffff', dark: '#0e1116' },
  { light: '#eeeeee', dark: '#000000' },
  { light: '#ffffff', dark: '#2a2a33' },
])('a button is seen on pages of $light and $dark, and its text is readable, for every color', (page) => {
  const wrong = cube.filter((hex) => {
    const planned = planColors({ primary: hex, light: undefined, dark: undefined }, page)
    return (['light', 'dark'] as const).some((theme) => {
      const [fill, hover, text] = [planned?.fill, planned?.hover, planned?.onFill].map((pair) => parseColor(pair?.[theme] ?? ''))
      if (!fill || !hover || !text) return true
      const ground = parseColor(page[theme])
      // A light button is also seen by its hue: yellow on white.
      const isSeen =
        contrast(fill, ground) >= 1.5 || (contrast(fill, parseColor('#ffffff')) < 3 && distance(fill, ground) >= 0.15)
      return !isSeen || contrast(text, fill) < 4.5 || contrast(text, hover) < 4.5
    })
  })
  expect(wrong).toEqual([])
})

test('keeps white text on buttons that are seen, and inverts others', () => {
  expect(planColors({ primary: '#2548c4', light: undefined, dark: undefined })?.onFill).toEqual({
    light: '#ffffff',
    dark: '#ffffff',
  })
  expect(planColors({ primary: '#000', light: undefined, dark: undefined })).toMatchObject({
    fill: { light: '#000000', dark: '#ebebeb' },
    onFill: { light: '#ffffff', dark: '#12151c' },
    block: '#000000',
  })
})

test.each(['#ffd400', '#ffff00', '#7fe5ff', '#f97316'])('the buttons of the light color %s keep it, with dark text', (hex) => {
  expect(planColors({ primary: hex, light: undefined, dark: undefined })).toMatchObject({
    fill: { light: hex, dark: hex },
    onFill: { light: '#12151c', dark: '#12151c' },
  })
})

test('links of a black or white brand have the color of the text in the theme where they would not be readable', () => {
  expect(planColors({ primary: '#000', light: undefined, dark: undefined })?.accent).toEqual({
    light: '#000000',
    dark: '#eceef2',
  })
  expect(planColors({ primary: '#fff', light: undefined, dark: undefined })?.accent).toEqual({
    light: '#12151c',
    dark: '#ffffff',
  })
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
