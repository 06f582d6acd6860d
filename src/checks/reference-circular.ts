import type { Finding } from '../diagnostics/diagnostic.ts'
import { isReference, toPlaceKey } from '../openapi/references/follow-reference.ts'
import type { DocumentSet } from '../openapi/walk.ts'
import { isObject, type Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { findCircles } from './check-context.ts'

/**
 * Reports chains of references that never reach an object. Each cycle is reported once.
 *
 * A schema that contains itself is not such a cycle. Source: JSON Schema 2020-12, core, section 9.4.1; OpenAPI 3.1.1, "Reference
 * Object".
 */
export function referenceCircular(
  set: DocumentSet,
  find: (file: string, reference: string) => Place | undefined,
  report: (finding: Finding) => void,
): void {
  const settled = new Set<unknown>()
  const listNext = ({ file, value }: Place) =>
    isReference(value) ? [find(file, value.$ref)].filter((target) => target !== undefined) : []
  for (const document of set.documents.values()) {
    for (const { target } of document.references.values()) {
      // Most references reach an object at once.
      if (!target || !isReference(target.value)) continue
      for (const circle of findCircles(target, toPlaceKey, listNext, settled)) report(toFinding(circle.slice(0, -1)))
    }
  }
}

function toFinding(circle: readonly Place[]): Finding {
  const [first] = [...circle].sort((a, b) => (a.file + a.pointer < b.file + b.pointer ? -1 : 1))
  const references = circle.map(({ value }) => (isObject(value) ? `\`${shorten(String(value['$ref']))}\`` : ''))
  const through =
    references.length === 1 ? '' : ` through ${references.slice(0, 5).join(' and ')}${references.length > 5 ? ' …' : ''}`
  return {
    code: 'reference-circular',
    message: `Unexpected circular \`$ref\`: it only refers to itself${through}`,
    file: first?.file ?? '',
    pointer: `${first?.pointer ?? ''}/$ref`,
    hint: 'Replace one of the references with the object itself',
  }
}
