import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type Place } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import type { DocumentSet } from '../document-set.ts'
import { toPlaceKey } from '../references/follow-reference.ts'

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
  const settled = new Set<string>()
  for (const document of set.documents.values()) {
    for (const reference of document.references.values()) {
      const circle = findCircle(reference.target, find, settled)
      if (circle) report(toFinding(circle))
    }
  }
}

/** The locations of the cycle that `start` leads to, unless it was already found. */
function findCircle(
  start: Place | undefined,
  find: (file: string, reference: string) => Place | undefined,
  settled: Set<string>,
): Place[] | undefined {
  // Fast path: most references reach an object at once.
  if (!start || !isObject(start.value) || typeof start.value['$ref'] !== 'string') return undefined
  const chain: Place[] = []
  const positions = new Map<string, number>()
  for (let place: Place | undefined = start; place && isObject(place.value) && typeof place.value['$ref'] === 'string'; ) {
    const key = toPlaceKey(place)
    const again = positions.get(key)
    if (again !== undefined) return chain.slice(again)
    if (settled.has(key)) return undefined
    settled.add(key)
    positions.set(key, chain.length)
    chain.push(place)
    place = find(place.file, place.value['$ref'])
  }
  return undefined
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
