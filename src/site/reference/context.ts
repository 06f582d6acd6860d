import type { Api } from '../../model/api.ts'
import { readKeywords } from '../../model/schema.ts'
import {
  createSubtypeIndex,
  findSchemas,
  followOnly,
  mapPlaces,
  toMappedReference,
  toPlaceKey,
} from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { type Place, parsePointer, pointerChild, readOwn, readText, stringEntries } from '../../text/json/json-values.ts'
import type { SchemaTarget } from './types.ts'

/** The context for reading any part of one description. */
export interface ReferenceContext extends Api {
  /** Fields of schemas, and extensions of parameters, whose values are labels: `api.params.post`. */
  readonly labelFields: readonly string[]
  readonly named: NamedSchemas
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
  const source = all.find((step, index) => isWord[index] && Object.hasOwn(sourceWords, step))
  const origin = source && readOwn(sourceWords, source)
  const wanted = [method.toUpperCase(), path, own.join('.'), origin].filter(Boolean).join(' ') || file || 'Schema'
  let name = wanted
  for (let count = 2; named.places.has(name); count++) name = `${wanted} ${count}`
  const target = { name }
  named.targets.set(toPlaceKey(place), target)
  named.values.add(place.value)
  named.places.set(name, place)
  return target
}

const sourceWords: Readonly<Record<string, string>> = {
  responses: 'response',
  requestBodies: 'request body',
  requestBody: 'request body',
  parameters: 'parameter',
  headers: 'header',
  content: 'content',
}

const structuralSteps = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'schema', 'paths'],
  ...[...schemaKeywords.keys(), ...Object.keys(sourceWords)],
])

/** Whether a step of a pointer is no name. After `properties`, every step is one. */
function isStructural(step: string, before: string | undefined): boolean {
  return before !== 'properties' && (structuralSteps.has(step) || /^\d+$/.test(step) || /[/{]/.test(step))
}

/** Returns the named schema of the entry document at a location. */
export function findSchemaTarget({ named }: ReferenceContext, place: Place): SchemaTarget | undefined {
  return named.values.has(place.value) ? named.targets.get(toPlaceKey(place)) : undefined
}

/** Makes a value once for each description. */
export function perDescription<Made extends object>(
  make: (context: ReferenceContext) => Made,
): (context: ReferenceContext) => Made {
  const byContext = new WeakMap<ReferenceContext, Made>()
  return (context) => {
    const made = byContext.get(context) ?? make(context)
    byContext.set(context, made)
    return made
  }
}

/** Maximum number of cache entries. The cache is cleared when it is full. */
const maxCached = 1_000

/**
 * Caches results for `$ref` values, since many have the same target. `variant` is the rest of the key. Inline values are not
 * cached.
 */
export function memoizeByReference<Made>(): (place: Place, variant: string, context: ReferenceContext, make: () => Made) => Made {
  const cacheOf = perDescription(() => new Map<string, { readonly made: Made }>())
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

/** The schema that a value of a discriminator's mapping selects. */
export function findMappedSchema(value: string, file: string, context: ReferenceContext): Place | undefined {
  const from = toMappedReference(value, file, schemasOf(context))
  return context.follow.find(from.file, from.reference)
}

/** The most subtypes that one schema lists without a mapping. */
const maxSubtypes = 200
/** If all schemas together have more, each lists its share: each can extend all of the others. */
const maxListed = 4_000

/** The subtypes of named schemas, for each description, and how many of them each schema lists. */
const subtypesOf = perDescription((context) => {
  const { list, bases } = createSubtypeIndex(schemasOf(context), context.follow)
  const count = bases.reduce((sum, base) => sum + Math.min(maxSubtypes, list(base).length), 0)
  return { list, most: count <= maxListed ? maxSubtypes : Math.ceil(maxListed / bases.length) }
})

/** A value of a discriminator, and the schema that it selects. */
interface MappedSchema {
  readonly tag: string
  /** As in a mapping: a name or a reference. */
  readonly value: string
  readonly place: Place
}

/** The property of a discriminator, the nearest schemas that it selects, and how many are left out. */
export interface Mapping {
  readonly property: string | undefined
  readonly mapped: readonly MappedSchema[]
  readonly left: number
}

const mappingsOf = perDescription(() => new Map<string, Mapping>())

/** The value with which a discriminator selects an option; the first of several. */
export function findTag({ mapped }: Mapping, option: Place, { follow }: ReferenceContext): string | undefined {
  const { value } = follow.end(option)
  return mapped.find(({ place }) => follow.end(place).value === value)?.tag
}

/**
 * Lists the schemas that a discriminator selects: those of its mapping, then those that extend the schema through `allOf`, whose names are the values.
 * Source: OpenAPI 3.1.1, "Discriminator Object".
 *
 * @param part the schema with the discriminator.
 */
export function readMapping(part: Place, context: ReferenceContext): Mapping {
  const property = readText(readOwn(part.value, 'discriminator'), 'propertyName')
  if (property === undefined) return { property, mapped: [], left: 0 }
  const known = mappingsOf(context)
  const key = toPlaceKey(part)
  const mapping = known.get(key) ?? { property, ...findMapping(part, context) }
  known.set(key, mapping)
  return mapping
}

function findMapping(part: Place, context: ReferenceContext): Omit<Mapping, 'property'> {
  const { follow, named } = context
  const schemas = schemasOf(context)
  const { discriminator, oneOf, anyOf } = readKeywords(Object(part.value))
  const mapping = stringEntries(Object(discriminator?.['mapping']))
  const written = Object.entries(mapping).flatMap(([tag, value]) => {
    const place = findMappedSchema(value, part.file, context)
    return place ? [{ tag, value, place }] : []
  })
  // The choices are complete.
  const isComplete = oneOf !== undefined || anyOf !== undefined
  const inside = part.file === schemas.file && part.pointer.startsWith(`${schemas.pointer}/`)
  const base = inside ? parsePointer(part.pointer.slice(schemas.pointer.length))[0] : findSchemaTarget(context, part)?.name
  if (isComplete || base === undefined) return { mapped: written, left: 0 }
  const selected = new Set(written.map(({ place }) => follow.end(place).value))
  const { list, most } = subtypesOf(context)
  const subtypes = list(base)
  const implied = subtypes.slice(0, most).flatMap((name) => {
    const place = named.places.get(name)
    const reference = `#${pointerChild(schemas.pointer, name)}`
    return place && !selected.has(follow.end(place).value) ? [{ tag: name, value: reference, place }] : []
  })
  return { mapped: [...written, ...implied], left: Math.max(0, subtypes.length - most) }
}
