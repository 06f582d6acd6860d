import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'

/** Deepest nesting that a sample shows. */
const maxDepth = 6
/** Schemas in one sample: `allOf` of wide schemas grows fast. */
const maxSchemas = 400

/**
 * A schema without references, for tools that know nothing of several files: each `$ref` is replaced by what it leads to, words beside it
 * win. Where it would repeat itself, or gets too deep, an empty schema stands. Of choices only the first is kept: a sample shows no more.
 */
export function inlineSchema(schema: Place, { follow }: ReferenceContext): unknown {
  let left = maxSchemas
  // Objects of a parsed document are the same object wherever they are met, so they name themselves; pointers would cost a text each.
  const around = new Set<unknown>()
  const inline = (file: string, value: unknown, depth: number): unknown => {
    const end = isObject(value) && '$ref' in value ? follow.end({ file, pointer: '', value }) : { file, value }
    if (!isObject(end.value)) return end.value
    if (around.has(end.value) || depth > maxDepth || --left < 0) return {}
    around.add(end.value)
    const copy = copyKeywords(end.value, (child) => inline(end.file, child, depth + 1))
    if (end.value !== value && isObject(value)) Object.assign(copy, ownWords(value))
    around.delete(end.value)
    return copy
  }
  return inline(schema.file, schema.value, 0)
}

function copyKeywords(
  schema: { readonly [key: string]: unknown },
  step: (child: unknown) => unknown,
): { [key: string]: unknown } {
  const copy: { [key: string]: unknown } = {}
  for (const key of Object.keys(schema)) {
    if (key === '__proto__' || key === '$ref') continue
    const child = schema[key]
    if (singleKeywords.has(key)) copy[key] = step(child)
    else if (choiceKeywords.has(key)) copy[key] = Array.isArray(child) ? child.slice(0, 1).map(step) : []
    else if (listKeywords.has(key)) copy[key] = Array.isArray(child) ? child.map(step) : []
    else if (key === 'properties') copy[key] = isObject(child) ? copyProperties(child, step) : {}
    else copy[key] = child
  }
  return copy
}

function copyProperties(properties: { readonly [name: string]: unknown }, step: (child: unknown) => unknown) {
  // Defined, not assigned: a property may be called `__proto__`.
  return Object.fromEntries(Object.keys(properties).map((name) => [name, step(properties[name])]))
}

/** What stands beside a `$ref` and decides about a sample. */
function ownWords(value: { readonly [key: string]: unknown }): { [key: string]: unknown } {
  const own: { [key: string]: unknown } = {}
  for (const key of ['example', 'examples', 'default', 'const', 'readOnly', 'writeOnly']) {
    if (Object.hasOwn(value, key)) own[key] = value[key]
  }
  return own
}

const singleKeywords = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'])
const listKeywords = new Set(['allOf', 'prefixItems'])
/** A sample shows the first choice. */
const choiceKeywords = new Set(['oneOf', 'anyOf'])
