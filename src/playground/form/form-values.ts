import { isFormData, isJsonType, isXmlType } from '../../model/written-values.ts'
import type { FollowReference } from '../../openapi/references/follow-reference.ts'
import { isObject, parseWrittenJson, readOwn, setOwn, toNumber } from '../../text/json/json-values.ts'
import type { BodyValues, FieldValue, PlaygroundSettings, PlaygroundValues } from '../controls/types.ts'
import { type DescribedBody, type DescribedOperation, keyOf, sampleBody, sampleParameters } from '../request/read-operation.ts'
import { isReadOnly, memberSchema, type Schema } from '../request/read-schema.ts'
import { chooseSchema, toFormSchema } from './form-schema.ts'

// Values of a description are JSON, and so form values.

/** The initial values of the dialog: those of `x-default` and of the page's code samples, or without `prefill` defaults of required fields. */
export function initialValues(operation: DescribedOperation, { prefill, defaults }: PlaygroundSettings): PlaygroundValues {
  const { parameters, follow } = operation
  const samples = prefill ? sampleParameters(operation, defaults) : {}
  const filled: Record<string, FieldValue> = {}
  for (const parameter of parameters) {
    const { schema, required } = parameter
    const sample = readOwn(samples, keyOf(parameter))
    const initial = sample === undefined ? (required ? toNeededValue(schema, follow) : undefined) : (sample as FieldValue)
    const value = prefill ? withPresets(initial, schema, follow) : initial
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

/** The initial body for a media type. With `prefill`, also fills in an optional body that has an example, except for methods without one. */
function initialBody(
  { method, bodies, isBodyRequired, follow }: DescribedOperation,
  index: number,
  prefill: PlaygroundSettings['prefill'],
): BodyValues {
  const body = bodies[index]
  if (!body) return { index, mode: 'raw', value: undefined, text: '' }
  // Without a schema, the example is all that the document says about a required body.
  const isOffered = prefill === 'all' || body.examples.length > 0
  const isSampled = isBodyRequired ? prefill || body.schema === undefined : prefill && isOffered && !/^(?:GET|HEAD)$/.test(method)
  if (!isSampled) return toBody(body, index, isBodyRequired ? toNeededValue(body.schema, follow) : undefined)
  const value = toExampleBody(body, follow)
  return toBody(body, index, prefill ? withPresets(value, body.schema, follow) : value)
}

/**
 * Replaces the parts of a value whose schema has `x-default`, the value for the playground only. Adds them to the outermost object, and to objects that the
 * value has. Source: docs.json, "OpenAPI setup".
 */
function withPresets(
  value: FieldValue | undefined,
  schema: Schema,
  follow: FollowReference,
  around: readonly unknown[] = [],
): FieldValue | undefined {
  const merged = toFormSchema(schema, follow)
  const { keywords, properties } = merged
  if (keywords['x-default'] !== undefined) return keywords['x-default'] as FieldValue
  if (around.includes(merged) || around.length > 8 || value instanceof File) return value
  const inside = [...around, merged]
  if (Array.isArray(value))
    return value.map((item, index) => withPresets(item, memberSchema(merged, index), follow, inside) ?? item)
  if (!isObject(value) && (value !== undefined || around.length > 0)) return value
  let result: FieldValue | undefined = value
  for (const [name, property] of properties) {
    if (isReadOnly(property, follow)) continue
    const before = readOwn(value, name) as FieldValue | undefined
    const after = withPresets(before, property, follow, inside)
    if (after !== before) result = setIn(result, [name], after)
  }
  return result
}

/** The body of the page's code samples: the first example from the document, else a generated one. Files are left to the reader. */
export function toExampleBody(body: DescribedBody, follow: FollowReference): FieldValue | undefined {
  if (body.isFile) return undefined
  const sample = sampleBody({ follow, isBodyRequired: false }, body)
  return sample && (('text' in sample ? parseWrittenJson(sample.text) : sample.value) as FieldValue)
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
  const next = initialBody(operation, index, undefined)
  const [before, after] = [operation.bodies[from.index], operation.bodies[index]]
  if (!before || !after) return next
  if (from.mode === 'raw') {
    const isSameKind = next.mode === 'raw' || (isJsonType(before.mediaType) && isJsonType(after.mediaType))
    return isSameKind ? { ...next, mode: 'raw', text: from.text } : next
  }
  if (next.mode === 'raw' || !isObject(from.value) || from.value instanceof File) return next
  const { properties } = toFormSchema(after.schema, operation.follow)
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
export function hasForm({ mediaType, schema, isFile }: DescribedBody): boolean {
  return isFormData(mediaType) || isFile === true || ((isJsonType(mediaType) || isXmlType(mediaType)) && schema !== undefined)
}

/** The values that a schema determines: defaults, constants and required properties with them; `undefined` if it has none. Stops at circular references. */
export function toNeededValue(schema: Schema, follow: FollowReference, around: readonly unknown[] = []): FieldValue | undefined {
  const merged = toFormSchema(schema, follow)
  const { keywords, enum: values, choices, types, properties, required } = merged
  if (keywords['default'] !== undefined) return keywords['default'] as FieldValue
  if (values) return values.length === 1 ? (values[0] as FieldValue) : undefined
  if (around.includes(merged) || around.length > 8) return undefined
  const [choice] = choices
  const inside = [...around, merged]
  if (types[0] !== 'object' && properties.size === 0) return choice === undefined && types[0] === 'array' ? [] : undefined
  if (choice !== undefined) return toNeededValue(chooseSchema(schema, choice, follow), follow, inside)
  const needed = [...properties].flatMap(([name, property]): [string, FieldValue][] => {
    const value = required.has(name) && !isReadOnly(property, follow) ? toNeededValue(property, follow, inside) : undefined
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(needed)
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

/** Converts text input: to a number if the schema allows only numbers, else to a string; `undefined` for an empty input. */
export function readText(text: string, types: readonly string[]): FieldValue | undefined {
  if (text === '') return undefined
  if (types.includes('string') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  return toNumber(Number(text), text)
}

/** The text of a value in the raw editor. */
export function toRawText(value: FieldValue | undefined, isJson: boolean): string {
  return value === undefined ? '' : typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
}
