import { toJsonText } from '../request/to-json-text.ts'
import type { JsonObject } from '../text/is-object.ts'
import type { EnumValue, SchemaFact } from './types.ts'

/** Longest value that stands in a line; longer ones are cut. */
const maxLength = 200

/** The limits, constant, default and examples of a schema, in words and in a fixed order. */
export function toFacts(keywords: JsonObject): SchemaFact[] {
  const facts: SchemaFact[] = []
  const words = (text: string | undefined) => {
    if (text !== undefined) facts.push({ kind: 'words', text })
  }
  const value = (label: string, text: string) => {
    facts.push({ kind: 'value', label, value: text.length > maxLength ? `${text.slice(0, maxLength)}…` : text })
  }
  if (keywords['const'] !== undefined) value('Always', toJsonText(keywords['const']))
  words(toRange(readNumber(keywords['minLength']), readNumber(keywords['maxLength']), 'character'))
  words(toNumberRange(keywords))
  if (readNumber(keywords['multipleOf']) !== undefined) words(`A multiple of ${keywords['multipleOf']}`)
  words(toRange(readNumber(keywords['minItems']), readNumber(keywords['maxItems']), 'item'))
  if (keywords['uniqueItems'] === true) words('Unique')
  words(toRange(readNumber(keywords['minContains']), readNumber(keywords['maxContains']), 'match', 'matches'))
  words(toRange(readNumber(keywords['minProperties']), readNumber(keywords['maxProperties']), 'key'))
  if (typeof keywords['pattern'] === 'string') value('Pattern', keywords['pattern'])
  if (typeof keywords['contentMediaType'] === 'string') value('Content', keywords['contentMediaType'])
  if (typeof keywords['contentEncoding'] === 'string') value('Encoding', keywords['contentEncoding'])
  if (keywords['default'] !== undefined) value('Default', toJsonText(keywords['default']))
  for (const example of toExamples(keywords)) value('Example', toJsonText(example))
  return facts
}

/** The values of `enum`, with the words that some tools' extensions have for them. */
export function toEnum(keywords: JsonObject): EnumValue[] {
  const values = keywords['enum']
  if (!Array.isArray(values)) return []
  const described = keywords['x-enumDescriptions'] ?? keywords['x-enum-descriptions'] ?? keywords['x-enum-varnames']
  return values.map((one: unknown, index) => {
    const value = toJsonText(one)
    const found = Array.isArray(described)
      ? (described[index] as unknown) // An element of a list of strangers: unknown.
      : typeof described === 'object' && described !== null && Object.hasOwn(described, value)
        ? Object.entries(described).find(([key]) => key === value)?.[1]
        : undefined
    return { value, description: typeof found === 'string' ? found : undefined }
  })
}

function toExamples(keywords: JsonObject): readonly unknown[] {
  if (keywords['example'] !== undefined) return [keywords['example']]
  return Array.isArray(keywords['examples']) ? keywords['examples'].slice(0, 3) : []
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function toRange(min: number | undefined, max: number | undefined, one: string, many = `${one}s`): string | undefined {
  const unit = (count: number) => (count === 1 ? one : many)
  const text = (count: number) => count.toLocaleString('en')
  if (min !== undefined && min > 0) {
    if (max === undefined) return `At least ${text(min)} ${unit(min)}`
    return min === max ? `${text(min)} ${unit(min)}` : `${text(min)}–${text(max)} ${unit(max)}`
  }
  return max === undefined ? undefined : `At most ${text(max)} ${unit(max)}`
}

/** `exclusiveMinimum` is a flag in 3.0 and a number from 3.1 on. */
function toNumberRange(keywords: JsonObject): string | undefined {
  const bound = (plain: string, exclusive: string) => {
    const limit = readNumber(keywords[plain])
    const other = keywords[exclusive]
    if (typeof other === 'number') return { value: other, isExclusive: true }
    return limit === undefined ? undefined : { value: limit, isExclusive: other === true }
  }
  const min = bound('minimum', 'exclusiveMinimum')
  const max = bound('maximum', 'exclusiveMaximum')
  const text = (value: number) =>
    Math.abs(value) >= 10_000 && Math.abs(value) < 1e15
      ? value.toLocaleString('en', { maximumFractionDigits: 20 })
      : String(value)
  if (min && max && !min.isExclusive && !max.isExclusive)
    return min.value === max.value ? `Exactly ${text(min.value)}` : `${text(min.value)} to ${text(max.value)}`
  const parts = [
    min && (min.isExclusive ? `more than ${text(min.value)}` : `at least ${text(min.value)}`),
    max && (max.isExclusive ? `less than ${text(max.value)}` : `at most ${text(max.value)}`),
  ].filter((part) => part !== undefined)
  const joined = parts.join(', ')
  return joined === '' ? undefined : joined.charAt(0).toUpperCase() + joined.slice(1)
}
