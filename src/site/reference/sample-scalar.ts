import { type Keywords, numberLimit } from '../../model/schema.ts'
import { matchPattern } from '../../openapi/schema/json-schema.ts'
import { sampleOfPattern } from './sample-pattern.ts'

/** Texts for the values of `format`, `contentEncoding` and `contentMediaType`. */
const formatTexts: ReadonlyMap<string | undefined, string> = new Map([
  ['application/json', '{}'],
  ['base64', 'c3RyaW5n'],
  ['base64url', 'c3RyaW5n'],
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
  ['json', '{}'],
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

/** A text that fits the keywords of a schema and all patterns; `undefined` if none is found. `likely` are the texts to try first. */
export function sampleText(
  { format, contentEncoding, contentMediaType, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Keywords,
  fits: (text: string) => boolean,
  patterns = pattern === undefined ? [] : [pattern],
  likely: readonly string[] = [],
): string | undefined {
  const least = Math.min(minLength, maxLeast)
  const padded = (text: string) => text.padEnd(least, text).slice(0, maxLength)
  const known = [format, contentEncoding, contentMediaType].flatMap((name) => formatTexts.get(name) ?? [])
  const plain = known[0] ?? padded('string')
  const more = Array.from({ length: Math.min(least, maxRepeats) }, (_, index) => index + 2)
  const repeats = patterns.length > 0 ? [1, least, 0, ...more] : []
  const made = repeats.flatMap((count) => {
    const texts = patterns.flatMap((one) => sampleOfPattern(one, count) ?? [])
    return texts.length > 1 ? [...texts, texts.join('')] : texts
  })
  const texts = [...(known.length > 0 ? [] : likely), plain, 'string', padded('string'), ...made, padded('example')]
  // Some patterns are not tested, because that could take long. Then, a text made from the pattern is the best one.
  const isMade = (text: string) => patterns.every((one) => matchPattern(one, text) === true)
  return texts.find((text) => isMade(text) && fits(text)) ?? [...made, ...made.map(padded), plain].find(fits)
}

/** Longer texts are not generated. */
const maxLeast = 1_000
const maxRepeats = 8

/** Numbers within the limits of a schema, the best one first. `multiples` are those that it has to be a multiple of. */
export function sampleNumbers(keywords: Keywords, multiples: readonly number[]): number[] {
  const { type, format } = keywords
  const isInteger = [type].flat().includes('integer')
  const [least, most] = [numberLimit('minimum', keywords), numberLimit('maximum', keywords)]
  let low = Number(least?.written ?? -Infinity)
  if (least?.isExclusive) low = Math.floor(low) + 1
  else if (isInteger) low = Math.ceil(low)
  let high = Number(most?.written ?? Infinity)
  if (most?.isExclusive) high = Math.ceil(high) - 1
  else if (isInteger) high = Math.floor(high)
  // The limits of a type, such as those of 32 bits, are poor examples. The value next to zero is a plain one.
  const near = Math.max(low, Math.min(high, !isInteger && (format === 'float' || format === 'double') ? 0.1 : 0))
  const value = low > high && least && most ? (Number(least.written) + Number(most.written)) / 2 : near
  const step = Math.max(0, ...multiples)
  if (step === 0) return [value, ...[1, 10, 100, -1, -10, -100].map((more) => value + more)]
  const first = Math.ceil(value / step)
  // Without the error of a fraction, such as that of 3 × 0.1.
  return [0, ...multipleSteps].map((more) => Number(((first + more) * step).toPrecision(15)) + 0)
}

const multipleSteps = Array.from({ length: 12 }, (_, index) => [index + 1, -index - 1]).flat()
