import { keywordsOf } from '../model/schema.ts'
import {
  childPlace,
  countIn,
  type FollowReference,
  holdsOneOf,
  isReference,
  keysOf,
  listPlaces,
  schemasIn,
  textsIn,
  typesIn,
  valueIn,
} from '../openapi/references/follow-reference.ts'
import { keywordsFor } from '../openapi/schema/json-schema.ts'
import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, type CheckProblem, findCircles, findFirst } from './check-context.ts'

/** A place on the way around a circle. */
interface Step extends Place {
  /** The object and its field that lead here, if a circle through them is a mistake. */
  readonly through?: Place & { readonly key: string }
}

type Report = Parameters<Check>[1]

/** Reports the circles behind all references, each once, at the first field of those that lead around it. */
function reportCircles(
  { documents }: CheckContext,
  report: Report,
  listNext: (place: Place) => Step[],
  toText: (key: string, circle: readonly Place[]) => Pick<CheckProblem, 'message' | 'hint' | 'on'>,
): void {
  const settled = new Set<unknown>()
  for (const document of documents.values()) {
    for (const { target } of document.references.values()) {
      if (!target) continue
      for (const circle of findCircles<Step>(target, ({ value }) => value, listNext, settled)) {
        const fields = circle.slice(1).flatMap(({ through }) => through ?? [])
        if (fields.length === 0) continue
        const { key, ...at } = findFirst(fields)
        report({ at, key, ...toText(key, circle.slice(0, -1)) })
      }
    }
  }
}

/**
 * Reports chains of references that never reach an object. A schema that contains itself is not such a cycle.
 *
 * @see JSON Schema 2020-12, core, section 9.4.1; OpenAPI 3.1.1, "Reference Object"
 */
export const referenceCircular: Check = (context, report) => {
  const listNext = (place: Place) => {
    const target = context.follow.next(place)
    return target ? [{ ...target, through: { ...place, key: '$ref' } }] : []
  }
  reportCircles(context, report, listNext, (_key, circle) => {
    const references = circle.map(({ value }) => `\`${shorten(isReference(value) ? value.$ref : '')}\``)
    const list = `${references.slice(0, 5).join(' and ')}${references.length > 5 ? ' …' : ''}`
    const message = `Unexpected circular \`$ref\`: it only refers to itself${references.length === 1 ? '' : ` through ${list}`}`
    return { message, hint: 'Replace one of the references with the object itself' }
  })
}

/**
 * Reports schemas whose values contain a value of the same schema, which no finite value does: an object requires a property of its own
 * schema, directly or through others. Alternatives of `oneOf` and `anyOf` are not searched.
 *
 * Also reports schemas that apply themselves to the same value, so that no validator ends. Source: JSON Schema 2020-12, core, section 9.4.1.
 */
export const schemaEndless: Check = (context, report) => {
  const { follow } = context
  reportCircles(
    context,
    report,
    (schema) => listNeeded(schema, follow),
    (key) => ({
      message: `Unexpected required property \`${shorten(key)}\`: each value contains another one of the same schema, without end`,
      on: 'key',
      hint: `Remove \`${shorten(key)}\` from \`required\`, or allow \`null\``,
    }),
  )
  reportCircles(
    context,
    report,
    (schema) => listApplied(schema, follow),
    (key) => ({
      message: `Unexpected circle: through \`${key}\`, a value of this schema has to match the schema itself, without end`,
      on: 'key',
      hint: 'Remove the reference that closes the circle',
    }),
  )
}

/** The keywords with which a value can need one of another schema. */
const needing = ['$ref', 'allOf', 'items', 'properties']

/** The schemas of which each value of a schema has a value. */
function listNeeded(schema: Place, follow: FollowReference): Step[] {
  const target = follow.next(schema)
  if (target) return [target]
  if (valueIn(schema, 'nullable') === true) return []
  const needed: Step[] = listPlaces(schema, 'allOf')
  const types = typesIn(schema)
  const type = types.length === 1 ? types[0] : undefined
  if (type === 'array' && (keywordsOf(schema).minItems ?? 0) > 0) needed.push(childPlace(schema, 'items'))
  if (type !== 'object' || countIn(schema, 'required') === 0) return needed
  const properties = childPlace(schema, 'properties')
  for (const key of textsIn(childPlace(schema, 'required'))) {
    if (holdsOneOf(properties, key, needing)) needed.push({ ...childPlace(properties, key), through: { ...properties, key } })
  }
  return needed
}

/** Keywords whose schemas apply to the same value, at once. */
const composing = new Set(keywordsFor('same', 'case', 'no').filter((keyword) => keyword !== 'dependentSchemas'))

/** The schemas that apply to the same value as a schema. */
function listApplied(schema: Place, follow: FollowReference): Step[] {
  const target = follow.next(schema)
  if (target && !follow.counts(schema)) return [target]
  const keys = keysOf(schema).filter((key) => composing.has(key))
  const parts = keys.flatMap((key) => schemasIn(schema, key, undefined).map((part) => ({ ...part, through: { ...schema, key } })))
  return target ? [target, ...parts] : parts
}
