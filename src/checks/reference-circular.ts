import { isReference, toPlaceKey } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckProblem, findCircles, findFirst } from './check-context.ts'

/**
 * Reports chains of references that never reach an object. Each cycle is reported once.
 *
 * A schema that contains itself is not such a cycle. Source: JSON Schema 2020-12, core, section 9.4.1; OpenAPI 3.1.1, "Reference
 * Object".
 */
export const referenceCircular: Check = ({ documents, follow }, report) => {
  const settled = new Set<unknown>()
  const listNext = (place: Place) => [follow.next(place)].filter((target) => target !== undefined)
  for (const document of documents.values()) {
    for (const { target } of document.references.values()) {
      // Most references reach an object at once.
      if (!target || !isReference(target.value)) continue
      for (const circle of findCircles(target, toPlaceKey, listNext, settled)) report(toProblem(circle.slice(0, -1)))
    }
  }
}

function toProblem(circle: readonly Place[]): CheckProblem {
  const references = circle.map(({ value }) => `\`${shorten(isReference(value) ? value.$ref : '')}\``)
  const through =
    references.length === 1 ? '' : ` through ${references.slice(0, 5).join(' and ')}${references.length > 5 ? ' …' : ''}`
  return {
    at: findFirst(circle),
    key: '$ref',
    message: `Unexpected circular \`$ref\`: it only refers to itself${through}`,
    hint: 'Replace one of the references with the object itself',
  }
}
