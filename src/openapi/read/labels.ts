import { isObject, listOf, readOwn } from '../../text/json/json-values.ts'
import type { Label, LabelColor } from '../types.ts'

/** The most labels of one object, and the most characters of a label. */
const maxLabels = 8
const maxLength = 40

const none: readonly Label[] = []

/**
 * Reads the labels of an operation, parameter or schema: `x-badges` (Redocly, Scalar), `x-mint.pre` and `post` (Mintlify), `x-beta`, `x-stability-level` (oasdiff), and the
 * date of `x-sunset` or `sunset`. Values of the wrong type are ignored. Labels with the same text are shown once.
 *
 * @param shownFields Further fields whose values are labels. If the value is `true`, the name of the field is the label.
 */
export function readLabels(value: unknown, shownFields: readonly string[] = []): readonly Label[] {
  if (!isObject(value)) return none
  if (!fields.some((field) => Object.hasOwn(value, field)) && !shownFields.some((field) => Object.hasOwn(value, field)))
    return none
  const { 'x-badges': badges, 'x-mint': mint, 'x-beta': beta, 'x-stability-level': stability } = value
  const { pre, post } = isObject(mint) ? mint : {}
  const found = [
    ...listOf(pre).flatMap((text) => toLabel(text, 'before')),
    ...listOf(badges).flatMap(toBadge),
    ...(beta === true ? toLabel('Beta', 'after', 'violet') : []),
    ...toStability(stability),
    ...shownFields.flatMap((field) => toFieldLabels(field, readOwn(value, field))),
    ...listOf(post).flatMap((text) => toLabel(text, 'after')),
    ...toSunset(value['x-sunset'] ?? value['sunset']),
  ]
  return [...new Map(found.map((label) => [label.text.toLowerCase(), label])).values()].slice(0, maxLabels)
}

const fields = ['x-badges', 'x-mint', 'x-beta', 'x-stability-level', 'x-sunset', 'sunset']

function toLabel(text: unknown, position: Label['position'], color?: LabelColor): Label[] {
  const line = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''
  const cut = line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
  return line === '' ? [] : [{ text: cut, position, ...(color && { color }) }]
}

function toFieldLabels(field: string, value: unknown): Label[] {
  const values = value === true ? [field] : Array.isArray(value) ? value.slice(0, maxLabels) : [value]
  return values.flatMap((one: unknown) => toLabel(typeof one === 'number' ? String(one) : one, 'after'))
}

function toBadge(badge: unknown): Label[] {
  if (!isObject(badge)) return []
  const { name, position, color } = badge
  return toLabel(name, position === 'before' ? 'before' : 'after', typeof color === 'string' ? toColor(color) : undefined)
}

function toStability(level: unknown): Label[] {
  if (typeof level !== 'string' || /^(?:stable|ga)$/i.test(level.trim())) return []
  return toLabel(level.charAt(0).toUpperCase() + level.slice(1), 'after', 'violet')
}

/** A date as in RFC 3339. */
function toSunset(date: unknown): Label[] {
  const day = typeof date === 'string' ? /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(date.trim())?.[0] : undefined
  return day === undefined ? [] : toLabel(`Sunset ${day}`, 'after', 'amber')
}

/** The names of colors and states that `x-badges` can have. */
const colors: ReadonlyMap<string, LabelColor> = new Map(
  (
    [
      ['green', 'green turquoise grass persian-green success approved active'],
      ['amber', 'orange carrot yellow warning pending deprecated'],
      ['red', 'red raspberry error declined'],
      ['blue', 'blue sky blueberry processing product'],
      ['violet', 'purple magenta violet pink'],
    ] as const
  ).flatMap(([color, names]) => names.split(' ').map((name) => [name, color] as const)),
)

/** The nearest color of a name, or of a hexadecimal color by its hue; `undefined` for grey and other colors. */
function toColor(written: string): LabelColor | undefined {
  const name = written.trim().toLowerCase()
  const hex = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/.exec(name)
  if (!hex) return colors.get(name)
  const [red = 0, green = 0, blue = 0] = hex.slice(1).flatMap((digits: string | undefined) => {
    return digits === undefined ? [] : Number.parseInt(digits.length === 1 ? digits + digits : digits, 16)
  })
  const max = Math.max(red, green, blue)
  const range = max - Math.min(red, green, blue)
  if (range < 40) return undefined
  const sector = max === red ? (green - blue) / range : max === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const hue = (sector * 60 + 360) % 360
  if (hue < 20 || hue >= 335) return 'red'
  if (hue < 65) return 'amber'
  if (hue < 175) return 'green'
  return hue < 255 ? 'blue' : 'violet'
}
