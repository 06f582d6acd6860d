import { isObject, listOf, readOwn, setOwn } from '../../text/json/json-values.ts'
import type { BodyValues, FieldValue, PlaygroundSettings, PlaygroundValues } from '../controls/types.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  isFormType,
  isJsonType,
  isXmlType,
  type JsonSchema,
  keyOf,
} from '../request/read-operation.ts'
import { toFieldKind, toFormSchema } from './form-schema.ts'

/** The initial values of the dialog: defaults of required fields, or with `prefill` those of `x-default` and of the page's code samples. */
export function initialValues(operation: DescribedOperation, { prefill, defaults }: PlaygroundSettings): PlaygroundValues {
  const { parameters, resolve } = operation
  const filled: Record<string, FieldValue> = {}
  for (const parameter of parameters) {
    const { schema, required, example } = parameter
    const isSampled = prefill && (required || (defaults === 'all' && example !== undefined))
    const sample =
      (isSampled ? toSampleValue(schema, example, resolve) : undefined) ??
      (required ? toValue(schema, { resolve, as: 'needed' }) : undefined)
    const value = prefill ? withPresets(sample, schema, resolve) : sample
    // Optional lists and objects start empty.
    if (value !== undefined) setOwn(filled, keyOf(parameter), value)
  }
  return {
    server: { index: 0, variables: {} },
    parameters: filled,
    extras: [],
    body: initialBody(operation, 0, prefill),
    otherBodies: {},
    credentials: { alternative: operation.security.length > 0 ? 0 : -1, byScheme: {} },
  }
}

/** The value of a parameter in the page's code samples. */
function toSampleValue(schema: unknown, example: unknown, resolve: DescribedOperation['resolve']): FieldValue | undefined {
  const { enum: values, keywords } = toFormSchema(schema, resolve)
  const written = listOf(keywords['examples'])
  const value = [example, values?.[0], keywords['default'], keywords['example'], ...written].find((one) => one !== undefined)
  return value === undefined ? undefined : toFieldValue(value)
}

/** The initial body for a media type. With `prefill`, also fills in an optional body, except for methods without one. */
function initialBody(
  { method, bodies, isBodyRequired, resolve }: DescribedOperation,
  index: number,
  prefill: boolean,
): BodyValues {
  const body = bodies[index]
  if (!body) return { index, mode: 'raw', value: undefined, text: '' }
  // Without a schema, the example is all that the document says about a required body.
  const isSampled = isBodyRequired ? prefill || body.schema === undefined : prefill && !/^(?:GET|HEAD)$/.test(method)
  const value = isSampled
    ? prefill
      ? withPresets(toExampleBody(body, resolve), body.schema, resolve)
      : toExampleBody(body, resolve)
    : isBodyRequired
      ? toValue(body.schema, { resolve, as: 'needed' })
      : undefined
  return toBody(body, index, value)
}

/**
 * Replaces the parts of a value whose schema has `x-default`, the value for the playground only. Adds them to the outermost object, and to objects that the
 * value has. Source: docs.json, "OpenAPI setup".
 */
function withPresets(
  value: FieldValue | undefined,
  schema: unknown,
  resolve: DescribedOperation['resolve'],
  around: readonly unknown[] = [],
): FieldValue | undefined {
  const resolved = resolve(schema)
  const { keywords, properties } = toFormSchema(resolved, resolve)
  if (Object.hasOwn(keywords, 'x-default')) return toFieldValue(keywords['x-default'])
  if (around.includes(resolved) || around.length > 8 || value instanceof File) return value
  const inside = [...around, resolved]
  if (Array.isArray(value)) return value.map((item) => withPresets(item, keywords['items'], resolve, inside) ?? item)
  if (!isObject(value) && (value !== undefined || around.length > 0)) return value
  let result: FieldValue | undefined = value
  for (const [name, property] of properties) {
    if (readOwn(resolve(property), 'readOnly') === true) continue
    const found = readOwn(value, name)
    const before = found === undefined ? undefined : toFieldValue(found)
    const after = withPresets(before, property, resolve, inside)
    if (after !== before) result = setIn(result, [name], after)
  }
  return result
}

/** The body of the page's code samples: the first example from the document, else a generated one. Files are left to the reader. */
export function toExampleBody({ examples, generated, schema, mediaType }: DescribedBody, resolve: DescribedOperation['resolve']) {
  if (isBinary(mediaType)) return undefined
  const [example] = examples
  if (example) return toFieldValue(example.value)
  if (!isObject(generated)) return generated === undefined ? toValue(schema, { resolve, as: 'example' }) : toFieldValue(generated)
  const { properties } = toFormSchema(schema, resolve)
  const isFile = (one: unknown) => toFieldKind(toFormSchema(one, resolve), true) === 'file'
  const typed = Object.entries(generated).filter(([name]) => {
    const property = properties.get(name)
    return !isFormData(mediaType) || !(isFile(property) || isFile(readOwn(resolve(property), 'items')))
  })
  return toFieldValue(Object.fromEntries(typed))
}

/** Selects another media type: its earlier values, else the values of the fields that both media types have. */
export function selectMediaType(
  operation: DescribedOperation,
  { body, otherBodies }: Pick<PlaygroundValues, 'body' | 'otherBodies'>,
  index: number,
): Pick<PlaygroundValues, 'body' | 'otherBodies'> {
  return {
    body: otherBodies[index] ?? carryBody(operation, body, index),
    otherBodies: { ...otherBodies, [body.index]: body },
  }
}

function carryBody(operation: DescribedOperation, from: BodyValues, index: number): BodyValues {
  const next = initialBody(operation, index, false)
  const [before, after] = [operation.bodies[from.index], operation.bodies[index]]
  if (!before || !after) return next
  if (from.mode === 'raw') {
    const isSameKind = next.mode === 'raw' || (isJsonType(before.mediaType) && isJsonType(after.mediaType))
    return isSameKind ? { ...next, mode: 'raw', text: from.text } : next
  }
  if (next.mode === 'raw' || !isObject(from.value) || from.value instanceof File) return next
  const { properties } = toFormSchema(after.schema, operation.resolve)
  const shared = Object.entries(from.value).filter(
    ([name, value]) => properties.has(name) && (isFormData(after.mediaType) || !(value instanceof File)),
  )
  // Members of a FieldValue are FieldValues.
  return shared.length === 0
    ? next
    : { ...next, value: { ...(next.value as object), ...Object.fromEntries(shared) } as FieldValue }
}

/** A body with a value, in form mode if the media type has a form. */
export function toBody(body: DescribedBody, index: number, value: FieldValue | undefined): BodyValues {
  // XML text is not parsed, so it needs the raw editor.
  const isWritten = isXmlType(body.mediaType) && typeof value === 'string'
  const mode = hasForm(body) && !isWritten ? 'form' : 'raw'
  return { index, mode, value, text: mode === 'form' ? '' : toRawText(value, isJsonType(body.mediaType)) }
}

/** Whether the body of a media type has a form. */
export function hasForm({ mediaType, schema }: DescribedBody): boolean {
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
  /** `needed`: required values that the schema determines. `example`: a value for every key, generated if there is no example. */
  readonly as: 'needed' | 'example'
}

/** The initial value for a schema; `undefined` if the schema suggests none. Stops at circular references. */
export function toValue(schema: unknown, options: ToValueOptions, around: readonly unknown[] = []): FieldValue | undefined {
  const { resolve, as } = options
  const resolved = resolve(schema)
  const merged = toFormSchema(resolved, resolve)
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
    const tag = readDiscriminator(keywords['discriminator'], choice)
    return tag && isObject(chosen) ? ({ ...chosen, [tag.key]: tag.value } as FieldValue) : chosen
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
  // The reader must choose.
  if (choice !== undefined) return as === 'needed' ? undefined : chooseFirst()
  if (type === 'array') {
    const item = as === 'example' ? toValue(keywords['items'], options, inside) : undefined
    return item === undefined ? [] : [item]
  }
  if (as === 'needed') return undefined
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return typeof keywords['minimum'] === 'number' ? keywords['minimum'] : 0
  // The reader must choose a file.
  return type === 'string' && keywords['format'] !== 'binary' ? exampleText(keywords) : undefined
}

function exampleText({ format }: JsonSchema): string {
  return (typeof format === 'string' ? exampleStrings.get(format) : undefined) ?? 'string'
}

const exampleStrings: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T09:30:00Z'],
  ['time', '09:30:00Z'],
  ['email', 'user@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
])

/** Casts a JSON value from the document to a form value. */
export function toFieldValue(value: unknown): FieldValue {
  // A result of JSON.parse is a FieldValue.
  return value as FieldValue
}

/** The discriminator key and value of a choice, if any. Source: OpenAPI 3.1.1, "Discriminator Object". */
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

/** The last segment of a reference, which is the name of its target. */
export function referenceName(schema: unknown): string | undefined {
  const reference = readOwn(schema, '$ref')
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

/** Returns a copy of a value with `next` at a path; `undefined` removes the key or item. */
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

/** Converts text input: to a number if the schema allows only numbers and the number is exact, else to a string; `undefined` for an empty input. */
export function readText(text: string, types: readonly string[]): FieldValue | undefined {
  if (text === '') return undefined
  if (types.includes('string') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  // A double represents up to 15 digits exactly.
  return Number.isFinite(Number(text)) && text.replace(/e.*|\D/gi, '').length <= 15 ? Number(text) : text
}

/** The text of a value in the raw editor. */
export function toRawText(value: FieldValue | undefined, isJson: boolean): string {
  return value === undefined ? '' : typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
}
