import { isObject } from '../../source/is-object.ts'
import { isFormType, isJsonType, isXmlType } from '../request/media-type.ts'
import { mergeSchema, readOwn } from './form-schema.ts'
import { keyOf } from './read-operation.ts'
import type {
  BodyValues,
  FieldValue,
  JsonSchema,
  PlaygroundBody,
  PlaygroundOperation,
  PlaygroundSettings,
  PlaygroundValues,
} from './types.ts'

/** The initial values of the dialog: defaults of required fields, and with `prefill` the examples of the document. */
export function initialValues(operation: PlaygroundOperation, { prefill, defaults }: PlaygroundSettings): PlaygroundValues {
  const { parameters, resolve } = operation
  const filled: Record<string, FieldValue> = {}
  for (const parameter of parameters) {
    const isShown = parameter.required || defaults === 'all'
    const value =
      prefill && isShown && parameter.example !== undefined
        ? toFieldValue(parameter.example)
        : parameter.required
          ? toValue(parameter.schema, { resolve, as: 'needed' })
          : undefined
    // Optional lists and objects are not sent at first.
    if (value !== undefined) filled[keyOf(parameter)] = value
  }
  return {
    server: { index: 0, variables: {} },
    parameters: filled,
    body: initialBody(operation, 0, prefill),
    credentials: { alternative: operation.security.length > 0 ? 0 : -1, byScheme: {} },
  }
}

/** The initial body for a media type. */
export function initialBody(
  { bodies, isBodyRequired, resolve }: PlaygroundOperation,
  index: number,
  prefill: boolean,
): BodyValues {
  const body = bodies[index]
  if (!body) return { index, mode: 'raw', value: undefined, text: '' }
  const [example] = body.examples
  const value = !isBodyRequired
    ? undefined
    : prefill && example
      ? toFieldValue(example.value)
      : toValue(body.schema, { resolve, as: 'needed' })
  return toBody(body, index, value)
}

/** A body with a value, as a form if there is one. */
export function toBody(body: PlaygroundBody, index: number, value: FieldValue | undefined): BodyValues {
  // Literal XML is not parsed.
  const isWritten = isXmlType(body.mediaType) && typeof value === 'string'
  const mode = hasForm(body) && !isWritten ? 'form' : 'raw'
  return { index, mode, value, text: mode === 'form' ? '' : toRawText(value, isJsonType(body.mediaType)) }
}

/** Whether the body of a media type has a form. */
export function hasForm({ mediaType, schema }: PlaygroundBody): boolean {
  return isFormData(mediaType) || isBinary(mediaType) || ((isJsonType(mediaType) || isXmlType(mediaType)) && schema !== undefined)
}

/** Whether the whole body is a file. */
export function isBinary(mediaType: string): boolean {
  return /^(?:application\/(?:octet-stream|zip|gzip|pdf)|image|audio|video|font)(?:\/(?!svg)|\b)/i.test(mediaType)
}

/** Whether a body is one of HTML's form encodings. */
export function isFormData(mediaType: string): boolean {
  return isFormType(mediaType) || /^multipart\//i.test(mediaType)
}

interface ToValueOptions {
  readonly resolve: (schema: unknown) => JsonSchema
  /** `needed`: required values that are known. `example`: a value for every key, made up if there is no example. */
  readonly as: 'needed' | 'example'
}

/** The initial value for a schema; `undefined` if it suggests none. Circular schemas are cut. */
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
  // The reader has to choose.
  if (choice !== undefined) return as === 'needed' ? undefined : chooseFirst()
  if (type === 'array') {
    const item = as === 'example' ? toValue(keywords['items'], options, inside) : undefined
    return item === undefined ? [] : [item]
  }
  if (as === 'needed') return undefined
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return typeof keywords['minimum'] === 'number' ? keywords['minimum'] : 0
  // The reader has to choose a file.
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

/** A value of the document, which is JSON, as a form value. */
export function toFieldValue(value: unknown): FieldValue {
  // A result of JSON.parse is a FieldValue.
  return value as FieldValue
}

/** The key and the value that identify a choice to the server; absent if there are none. Source: OpenAPI 3.1.1, "Discriminator Object". */
export function readDiscriminator(
  discriminator: unknown,
  choice: unknown,
): { readonly key: string; readonly value: string } | undefined {
  const key = readOwn(discriminator, 'propertyName')
  const reference = readOwn(choice, '$ref')
  if (typeof key !== 'string' || typeof reference !== 'string') return undefined
  const name = referenceName(choice) ?? ''
  const mapping = readOwn(discriminator, 'mapping')
  const mapped = isObject(mapping)
    ? Object.keys(mapping).find((one) => mapping[one] === reference || mapping[one] === name)
    : undefined
  return { key, value: mapped ?? name }
}

/** The name of a reference: its last segment. */
export function referenceName(schema: unknown): string | undefined {
  const reference = readOwn(schema, '$ref')
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

/** Returns a copy of a value with another value at a path; `undefined` removes the key or item. */
export function setIn(
  value: FieldValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  next: FieldValue | undefined,
): FieldValue | undefined {
  if (step === undefined) return next
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    const item = setIn(list[step], rest, next)
    if (item === undefined) list.splice(step, 1)
    else list[step] = item
    return list
  }
  const entries = new Map(isObject(value) ? Object.entries(value) : [])
  // Members of a FieldValue are FieldValues.
  const entry = setIn(entries.get(step) as FieldValue | undefined, rest, next)
  if (entry === undefined) entries.delete(step)
  else entries.set(step, entry)
  return Object.fromEntries(entries) as FieldValue
}

/** The value for typed text: a number if only numbers are allowed and it is exact, else the string; `undefined` for no text. */
export function readText(text: string, types: readonly string[]): FieldValue | undefined {
  if (text === '') return undefined
  if (types.includes('string') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  // A double is exact up to 15 digits.
  return Number.isFinite(Number(text)) && text.replace(/e.*|\D/gi, '').length <= 15 ? Number(text) : text
}

/** A value as text for the raw editor. */
export function toRawText(value: FieldValue | undefined, isJson: boolean): string {
  return value === undefined ? '' : typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
}
