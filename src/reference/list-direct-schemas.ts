import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import { findMappedSchema } from './find-mapped-schema.ts'
import { listPlaces, mapPlaces, readText } from './read-fields.ts'

/** The schemas that a schema refers to, itself and all that is written in it. */
export interface DirectSchemas {
  /** Those with a name, and where in the schema: `property owner.address`, `all of`, `items`. */
  readonly named: readonly { readonly name: string; readonly within: string }[]
  /** Those without, which have to be looked into. */
  readonly others: readonly { readonly place: Place; readonly within: string }[]
}

/** Lists the references of a schema without following them farther than to the first named schema. */
export function listDirectSchemas(schema: Place, context: ReferenceContext): DirectSchemas {
  const named: { name: string; within: string }[] = []
  const others: { place: Place; within: string }[] = []
  const visit = (place: Place, within: string) => {
    if (!isObject(place.value)) return
    if (typeof place.value['$ref'] === 'string') {
      const [, ...chain] = context.follow.chain(place)
      const target = chain.map((one) => findSchemaTarget(context, one)).find((found) => found !== undefined)
      const end = chain.at(-1)
      if (target) named.push({ name: target.name, within: within || 'the same' })
      else if (end) others.push({ place: end, within })
    }
    for (const [key, words] of singleKeywords) if (Object.hasOwn(place.value, key)) visit(childPlace(place, key), within || words)
    for (const [key, words] of listKeywords) for (const member of listPlaces(place, key)) visit(member, within || words)
    for (const [key, words] of mapKeywords) for (const member of mapPlaces(place, key)) visit(member.place, within || words)
    for (const { name, place: property } of mapPlaces(place, 'properties'))
      visit(property, joinWithin(within, `property ${name}`))
    const discriminator = childPlace(place, 'discriminator')
    for (const { place: mapped } of mapPlaces(discriminator, 'mapping')) {
      const found = typeof mapped.value === 'string' ? findMappedSchema(mapped.value, place.file, context) : undefined
      const target = found && findSchemaTarget(context, found)
      const property = readText(discriminator.value, 'propertyName')
      if (target) named.push({ name: target.name, within: within || `by ${property ?? 'discriminator'}` })
    }
  }
  visit(schema, '')
  return { named, others }
}

/** A place inside another one. Only steps through properties are worth telling. */
export function joinWithin(outer: string, inner: string): string {
  if (outer.startsWith('property ') && inner.startsWith('property ')) return `${outer}.${inner.slice('property '.length)}`
  return inner.startsWith('property ') ? inner : outer || inner
}

const singleKeywords = [
  ['items', 'items'],
  ['contains', 'items'],
  ['unevaluatedItems', 'items'],
  ['additionalProperties', 'other keys'],
  ['unevaluatedProperties', 'other keys'],
  ['propertyNames', 'keys'],
  ['contentSchema', 'content'],
  ['not', 'not'],
  ['if', 'condition'],
  ['then', 'condition'],
  ['else', 'condition'],
] as const
const listKeywords = [
  ['allOf', 'all of'],
  ['oneOf', 'one of'],
  ['anyOf', 'any of'],
  ['prefixItems', 'items'],
  ['items', 'items'],
] as const
const mapKeywords = [
  ['patternProperties', 'other keys'],
  ['dependentSchemas', 'condition'],
] as const
