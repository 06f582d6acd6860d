import { isMultiple, matchPattern, numberLimit } from '../../openapi/schema/json-schema.ts'
import type { JsonObject } from '../../text/json/json-values.ts'
import { sampleOfPattern } from './sample-pattern.ts'

/** Texts for the values of `format`. */
const formatTexts: ReadonlyMap<string, string> = new Map([
  ['byte', 'c3RyaW5n'],
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T09:30:00Z'],
  ['duration', 'P3D'],
  ['email', 'user@example.com'],
  ['hostname', 'example.com'],
  ['idn-email', 'user@example.com'],
  ['idn-hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['iri', 'https://example.com'],
  ['iri-reference', '/items/1'],
  ['json-pointer', '/items/1'],
  ['regex', '^[a-z]+$'],
  ['relative-json-pointer', '0/items'],
  ['time', '09:30:00Z'],
  ['uri', 'https://example.com'],
  ['uri-reference', '/items/1'],
  ['uri-template', 'https://example.com/{id}'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
])

/** A text that fits the keywords of a schema; `undefined` if none is found. */
export function sampleText(keywords: JsonObject, fits: (text: string) => boolean): string | undefined {
  const { format, minLength, maxLength, pattern } = keywords
  const least = typeof minLength === 'number' ? Math.min(minLength, maxLeast) : 0
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  const plain = (typeof format === 'string' && formatTexts.get(format)) || 'string'.padEnd(least, 'string').slice(0, most)
  if (typeof pattern !== 'string') return [plain, 'string'.padEnd(least, 'string').slice(0, most)].find(fits)
  const made = [1, least, 0].flatMap((repeats) => sampleOfPattern(pattern, repeats) ?? [])
  const texts = [plain, 'string', ...made]
  // Some patterns are not tested, because that could take long. Then, a text made from the pattern is the best one.
  return texts.find((text) => matchPattern(pattern, text) === true && fits(text)) ?? [...made, plain].find(fits)
}

/** Longer texts are not generated. */
const maxLeast = 1_000

/** A number within the limits of a schema. */
export function sampleNumber(keywords: JsonObject): number {
  const { type, format, multipleOf } = keywords
  const isInteger = [type].flat().includes('integer')
  const [least, most] = [numberLimit('Minimum', keywords), numberLimit('Maximum', keywords)]
  let low = least?.value ?? -Infinity
  if (least?.isExclusive) low = Math.floor(low) + 1
  else if (isInteger) low = Math.ceil(low)
  let high = most?.value ?? Infinity
  if (most?.isExclusive) high = Math.ceil(high) - 1
  else if (isInteger) high = Math.floor(high)
  // The limits of a type, such as those of 32 bits, are poor examples. The value next to zero is a plain one.
  const near = Math.max(low, Math.min(high, !isInteger && (format === 'float' || format === 'double') ? 0.1 : 0))
  const value = low > high && least && most ? (least.value + most.value) / 2 : near
  return typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf)
    ? Math.ceil(value / multipleOf) * multipleOf
    : value
}
