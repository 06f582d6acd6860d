import type { Api } from '../../model/api.ts'
import { findSchemas, followOnly, mapPlaces, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { type Place, parsePointer } from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import type { SchemaTarget } from './types.ts'

/** The context for reading any part of one description. */
export interface ReferenceContext extends Api {
  /** Fields of schemas, and extensions of parameters, whose values are labels: `api.params.post`. */
  readonly labelFields: readonly string[]
  readonly named: NamedSchemas
  /** Whether views have named schemas only on their own page, and no generated examples. */
  readonly isApart?: boolean
}

/** The named schemas: those of the entry document, and those that other references lead to (see `nameSchema`). */
interface NamedSchemas {
  /** By name. */
  readonly places: Map<string, Place>
  /** By location, see `toPlaceKey`. A schema in a separate file is also listed by its location in that file. */
  readonly targets: Map<string, SchemaTarget>
  /** The values of these locations, as a quick test, because building keys for all locations is slow. */
  readonly values: Set<unknown>
}

/** `components.schemas` of the entry document. */
export function schemasOf({ root, follow }: Api): Place {
  return findSchemas(root, follow)
}

/** Finds the schemas with a name in the entry document. */
export function findNamedSchemas(api: Api): NamedSchemas {
  const { follow } = api
  const schemas = schemasOf(api)
  const places = mapPlaces(schemas, undefined).map(({ name, place }) => ({ target: { name }, place }))
  const targets = new Map<string, SchemaTarget>()
  const values = new Set<unknown>()
  const add = (place: Place, target: SchemaTarget) => {
    targets.set(toPlaceKey(place), target)
    values.add(place.value)
  }
  for (const { target, place } of places) add(place, target)
  // A schema that only refers to another file also names direct references to that file.
  for (const { target, place } of places) {
    const end = followOnly(place, follow)
    if (end !== place && !targets.has(toPlaceKey(end))) add(end, target)
  }
  return { places: new Map(places.map(({ target, place }) => [target.name, place])), targets, values }
}

/**
 * Names a schema that references lead to, such as one in another file: `Pet` for `pets.yaml#/Pet`, `Pet.tag` for a property of `Pet`, `Conflict response` for
 * the content of a response.
 */
export function nameSchema({ named }: ReferenceContext, place: Place): SchemaTarget {
  const all = parsePointer(place.pointer)
  const isWord = all.map((step, index) => isStructural(step, all[index - 1]))
  const [, path = '', method = ''] = all[0] === 'paths' ? all : []
  const file = place.file.replace(/^.*\//, '').replace(/\.(?:json|ya?ml)$/i, '')
  const own = all.filter((step, index) => !isWord[index] && step !== method).slice(-3)
  const source = all.find((step, index) => isWord[index] && sourceWords.has(step))
  const origin = source && sourceWords.get(source)
  const wanted = [method.toUpperCase(), path, own.join('.'), origin].filter(Boolean).join(' ') || file || 'Schema'
  let name = wanted
  for (let count = 2; named.places.has(name); count++) name = `${wanted} ${count}`
  const target = { name }
  named.targets.set(toPlaceKey(place), target)
  named.values.add(place.value)
  named.places.set(name, place)
  return target
}

const sourceWords: ReadonlyMap<string, string> = new Map([
  ['responses', 'response'],
  ['requestBodies', 'request body'],
  ['requestBody', 'request body'],
  ['parameters', 'parameter'],
  ['headers', 'header'],
  ['content', 'content'],
])

const structuralSteps = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'schema', 'paths'],
  ...[...schemaKeywords.keys(), ...sourceWords.keys()],
])

/** Whether a step of a pointer is no name. After `properties`, every step is one. */
function isStructural(step: string, before: string | undefined): boolean {
  return before !== 'properties' && (structuralSteps.has(step) || /^\d+$/.test(step) || /[/{]/.test(step))
}

/** Returns the named schema of the entry document at a location. */
export function findSchemaTarget({ named }: ReferenceContext, place: Place): SchemaTarget | undefined {
  return named.values.has(place.value) ? named.targets.get(toPlaceKey(place)) : undefined
}

/** Maximum number of cache entries. The cache is cleared when it is full. */
const maxCached = 1_000

/**
 * Caches results for `$ref` values, since many have the same target. `variant` is the rest of the key. Inline values are not
 * cached.
 */
export function memoizeByReference<Made>(): (place: Place, variant: string, context: ReferenceContext, make: () => Made) => Made {
  const cacheOf = onceFor((_: ReferenceContext) => new Map<string, { readonly made: Made }>())
  return (place, variant, context, make) => {
    const end = followOnly(place, context.follow)
    if (end === place) return make()
    const cache = cacheOf(context)
    const key = `${variant}\n${toPlaceKey(end)}`
    const known = cache.get(key)
    if (known) return known.made
    const made = make()
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, { made })
    return made
  }
}
