import { isObject } from '../text/is-object.ts'
import { mergeSchema } from './merge-schema.ts'
import { readDiscriminator } from './read-discriminator.ts'
import { readOwn } from './read-own.ts'
import type { FieldValue, JsonSchema } from './types.ts'

interface ToValueOptions {
  readonly resolve: (schema: unknown) => JsonSchema
  /** `needed`: what has to be there and is known. `example`: something in every key, made up where nothing is written. */
  readonly as: 'needed' | 'example'
}

/** The value that a schema suggests to begin with; `undefined` where it suggests none. Circles end. */
export function toValue(schema: unknown, options: ToValueOptions, around: readonly unknown[] = []): FieldValue | undefined {
  const { resolve, as } = options
  const resolved = resolve(schema)
  const merged = mergeSchema(resolved, resolve)
  const { keywords } = merged
  if (as === 'example') {
    const [first] = Array.isArray(keywords['examples']) ? keywords['examples'] : []
    const written = keywords['example'] ?? first
    if (written !== undefined) return toFieldValue(written)
  }
  if (Object.hasOwn(keywords, 'default')) return toFieldValue(keywords['default'])
  if (merged.enum) return as === 'example' || merged.enum.length === 1 ? toFieldValue(merged.enum[0]) : undefined
  const inside = [...around, resolved]
  if (around.includes(resolved) || around.length > 8) return undefined
  const [choice] = merged.choices
  const [type] = merged.types
  const chooseFirst = () => {
    const chosen = toValue(choice, options, inside)
    const told = readDiscriminator(keywords['discriminator'], choice)
    return told && isObject(chosen) ? ({ ...chosen, [told.key]: told.value } as FieldValue) : chosen
  }
  if (type === 'object' || merged.properties.size > 0) {
    const value: Record<string, FieldValue> = {}
    for (const [name, property] of merged.properties) {
      if (!merged.required.has(name) && (as === 'needed' || around.length > 2)) continue
      if (readOwn(resolve(property), 'readOnly') === true) continue
      const own = toValue(property, options, inside)
      if (own !== undefined)
        Object.defineProperty(value, name, { value: own, enumerable: true, configurable: true, writable: true })
    }
    const chosen = choice === undefined ? undefined : chooseFirst()
    return chosen && typeof chosen === 'object' && !Array.isArray(chosen) ? { ...value, ...chosen } : value
  }
  // Which one is for the reader to say.
  if (choice !== undefined) return as === 'needed' ? undefined : chooseFirst()
  if (type === 'array') {
    const item = as === 'example' ? toValue(keywords['items'], options, inside) : undefined
    return item === undefined ? [] : [item]
  }
  if (as === 'needed') return undefined
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return typeof keywords['minimum'] === 'number' ? keywords['minimum'] : 0
  // Bytes are for the reader to choose.
  return type === 'string' && keywords['format'] !== 'binary' ? exampleText(keywords) : undefined
}

function exampleText({ format }: JsonSchema): string {
  return (typeof format === 'string' ? texts.get(format) : undefined) ?? 'string'
}

const texts: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T09:30:00Z'],
  ['time', '09:30:00Z'],
  ['email', 'user@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
])

/** What a document has is JSON, since the slice is. */
export function toFieldValue(value: unknown): FieldValue {
  // JSON.parse made it: null, texts, numbers, booleans, lists and objects of these.
  return value as FieldValue
}
