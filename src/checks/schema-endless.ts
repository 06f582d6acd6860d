import { keywordsOf } from '../model/schema.ts'
import {
  childPlace,
  countIn,
  type FollowReference,
  listPlaces,
  schemasIn,
  textsIn,
  typesIn,
  valueIn,
} from '../openapi/references/follow-reference.ts'
import { keywordsFor } from '../openapi/schema/json-schema.ts'
import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, findCircles, findFirst } from './check-context.ts'

/** A schema of which a value of another schema has a value. */
interface NeededSchema {
  readonly place: Place
  /** The name of the required property that holds it. */
  readonly property?: string
}

/**
 * Reports schemas whose values contain a value of the same schema, which no finite value does: an object requires a property of its own
 * schema, directly or through others. Each circle is reported once. Alternatives of `oneOf` and `anyOf` are not searched.
 */
export const schemaEndless: Check = ({ documents, follow }, report) => {
  const settled = new Set<unknown>()
  const keyOf = ({ place }: NeededSchema) => place.value
  const listNext = ({ place }: NeededSchema) => listNeeded(place, follow)
  for (const document of documents.values()) {
    for (const { target } of document.references.values()) {
      if (!target) continue
      for (const circle of findCircles<NeededSchema>({ place: target }, keyOf, listNext, settled)) {
        const required = circle.slice(1).flatMap(({ place, property }) => (property === undefined ? [] : { ...place, property }))
        if (required.length === 0) continue
        const at = findFirst(required)
        const name = shorten(at.property)
        report({
          at,
          message: `Unexpected required property \`${name}\`: each value contains another one of the same schema, without end`,
          on: 'key',
          hint: `Remove \`${name}\` from \`required\`, or allow \`null\``,
        })
      }
    }
  }
  reportSelfComposed(documents, follow, report)
}

/** Reports schemas that apply themselves to the same value, so that no validator ends. Source: JSON Schema 2020-12, core, section 9.4.1. */
function reportSelfComposed(documents: CheckContext['documents'], follow: FollowReference, report: Parameters<Check>[1]): void {
  const settled = new Set<unknown>()
  const listNext = (schema: Place) => {
    const target = follow.next(schema)
    const parts = target && !follow.counts(schema) ? [] : composing.flatMap((keyword) => schemasIn(schema, keyword, undefined))
    return target ? [target, ...parts] : parts
  }
  for (const document of documents.values()) {
    for (const { target } of document.references.values()) {
      if (!target || !composing.some((keyword) => valueIn(target, keyword) !== undefined)) continue
      for (const circle of findCircles(target, ({ value }) => value, listNext, settled)) {
        const steps = circle.slice(1).map(({ pointer }, index) => ({ at: circle[index] ?? target, inside: pointer }))
        const composed = steps.filter(({ at, inside }) => inside.startsWith(`${at.pointer}/`))
        if (composed.length === 0) continue // Only references: they are reported on their own.
        const at = findFirst(composed.map((step) => step.at))
        const inside = composed.find((step) => step.at === at)?.inside ?? ''
        const key = inside.slice(at.pointer.length).split('/')[1] ?? ''
        const message = `Unexpected circle: through \`${key}\`, a value of this schema has to match the schema itself, without end`
        report({ at, key, on: 'key', message, hint: 'Remove the reference that closes the circle' })
      }
    }
  }
}

/** Keywords whose schemas apply to the same value, at once. */
const composing = keywordsFor('same', 'case', 'no').filter((keyword) => keyword !== 'dependentSchemas')

/** The schemas of which each value of a schema has a value. */
function listNeeded(schema: Place, follow: FollowReference): NeededSchema[] {
  const target = follow.next(schema)
  if (target) return [{ place: target }]
  if (valueIn(schema, 'nullable') === true) return []
  const needed: NeededSchema[] = listPlaces(schema, 'allOf').map((place) => ({ place }))
  const type = typesIn(schema).join()
  if (type === 'array' && (keywordsOf(schema).minItems ?? 0) > 0) needed.push({ place: childPlace(schema, 'items') })
  if (type !== 'object' || countIn(schema, 'required') === 0) return needed
  const properties = childPlace(schema, 'properties')
  for (const name of textsIn(childPlace(schema, 'required')))
    if (mayNeed({ value: valueIn(properties, name) })) needed.push({ place: childPlace(properties, name), property: name })
  return needed
}

function mayNeed(schema: Pick<Place, 'value'>): boolean {
  return ['$ref', 'allOf', 'items', 'properties'].some((key) => valueIn(schema, key) !== undefined)
}
