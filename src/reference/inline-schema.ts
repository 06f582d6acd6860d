import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'

/** Deepest nesting that a sample shows. */
const maxDepth = 6
/** Schemas in one sample: `allOf` of wide schemas grows fast. */
const maxSchemas = 400

/**
 * A schema without references, for tools that know nothing of several files: each `$ref` is replaced by what it leads to. Where it would
 * repeat itself, or gets too deep, an empty schema stands.
 */
export function inlineSchema(schema: Place, context: ReferenceContext): unknown {
  const budget = { schemas: maxSchemas }
  const inline = (place: Place, around: ReadonlySet<string>, depth: number): unknown => {
    const end = context.follow.end(place)
    if (!isObject(end.value)) return end.value
    const identity = `${end.file}\n${end.pointer}`
    if (around.has(identity) || depth > maxDepth || --budget.schemas < 0) return {}
    const inside = new Set([...around, identity])
    const step = (child: Place) => inline(child, inside, depth + 1)
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(end.value)) {
      if (key === '$ref' || key === '__proto__') continue
      const child = childPlace(end, key)
      if (singleKeywords.has(key)) copy[key] = step(child)
      else if (choiceKeywords.has(key) && Array.isArray(child.value))
        copy[key] = child.value.slice(0, 1).map(() => step(childPlace(child, 0)))
      else if (listKeywords.has(key) && Array.isArray(child.value))
        copy[key] = child.value.map((_, index) => step(childPlace(child, index)))
      else if (key === 'properties' && isObject(child.value)) {
        copy[key] = Object.fromEntries(Object.keys(child.value).map((name) => [name, step(childPlace(child, name))]))
      } else copy[key] = child.value
    }
    return copy
  }
  return inline(schema, new Set(), 0)
}

const singleKeywords = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'])
const listKeywords = new Set(['allOf', 'prefixItems'])
/** A sample shows the first choice. */
const choiceKeywords = new Set(['oneOf', 'anyOf'])
