import type { Finding } from '../diagnostics/diagnostic.ts'
import { childPlace, listPlaces, toPlaceKey } from '../openapi/references/follow-reference.ts'
import type { DocumentSet } from '../openapi/walk.ts'
import { isObject, type Place, readOwn } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { findCircles } from './check-context.ts'

type Find = (file: string, reference: string) => Place | undefined

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
export function schemaEndless(set: DocumentSet, find: Find, report: (finding: Finding) => void): void {
  const settled = new Set<unknown>()
  const keyOf = ({ place }: NeededSchema) => toPlaceKey(place)
  for (const document of set.documents.values()) {
    for (const { target } of document.references.values()) {
      if (!target) continue
      for (const circle of findCircles<NeededSchema>({ place: target }, keyOf, ({ place }) => listNeeded(place, find), settled)) {
        const required = circle.slice(1).filter(({ property }) => property !== undefined)
        if (required.length > 0) report(toFinding(required))
      }
    }
  }
}

/** The schemas of which each value of a schema has a value. */
function listNeeded(schema: Place, find: Find): NeededSchema[] {
  const { file, value } = schema
  if (!isObject(value) || value['nullable'] === true) return []
  const { $ref, type, required, properties, minItems } = value
  if (typeof $ref === 'string') {
    const target = find(file, $ref)
    return target ? [{ place: target }] : []
  }
  const needed: NeededSchema[] = listPlaces(schema, 'allOf').map((place) => ({ place }))
  if (type === 'array' && typeof minItems === 'number' && minItems > 0) needed.push({ place: childPlace(schema, 'items') })
  if (type === 'object' && Array.isArray(required) && isObject(properties)) {
    for (const name of required) {
      if (typeof name !== 'string' || !mayNeed(readOwn(properties, name))) continue
      needed.push({ place: childPlace(childPlace(schema, 'properties'), name), property: name })
    }
  }
  return needed
}

function mayNeed(schema: unknown): boolean {
  return isObject(schema) && (schema['$ref'] ?? schema['allOf'] ?? schema['items'] ?? schema['properties']) !== undefined
}

function toFinding(circle: readonly NeededSchema[]): Finding {
  const [first] = circle.toSorted((a, b) => (a.place.file + a.place.pointer < b.place.file + b.place.pointer ? -1 : 1))
  const name = shorten(first?.property ?? '')
  return {
    code: 'schema-endless',
    message: `Unexpected required property \`${name}\`: each value contains another one of the same schema, without end`,
    file: first?.place.file ?? '',
    pointer: first?.place.pointer ?? '',
    on: 'key',
    hint: `Remove \`${name}\` from \`required\`, or allow \`null\``,
  }
}
