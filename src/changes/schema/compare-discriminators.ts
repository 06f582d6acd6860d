import {
  childPlace,
  createSubtypeIndex,
  findSchemas,
  isReference,
  listPlaces,
  mapPlaces,
  toMappedReference,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import { equalJson, toValueKey } from '../../openapi/schema/json-schema.ts'
import { isWithin, type Place, parsePointer } from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type Difference, report, type Side } from '../differences/comparison.ts'
import { nameReference, nameValue, toText } from '../differences/name-place.ts'
import { readValues } from './allowed-values.ts'
import {
  alternativeKeywords,
  type ComparedSchema,
  findKeyword,
  keywordPlace,
  toComparedSchema,
  topPlace,
} from './compared-schema.ts'
import { readProperties } from './described-properties.ts'
import { placeOf } from './keywords.ts'
import { matchBranches, referenceName } from './match-alternatives.ts'
import { type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares the discriminators of two schemas. */
export function compareDiscriminators(pair: SchemaPair): void {
  const { state, scope, before, after } = pair
  const [from, to] = [keywordPlace(before, 'discriminator'), keywordPlace(after, 'discriminator')]
  const { base, revision } = toPlaces(pair, from, to)
  if (!from || !to) {
    if (!from && !to) return
    const message = (at: string) => `Discriminator was ${from ? 'removed from' : 'added to'} ${at}`
    report(scope, { code: 'discriminator-changed', base, revision, message })
    return
  }
  const isNamed = Boolean(listSubtypes(before, state.base) && listSubtypes(after, state.revision))
  const one = readDiscriminator(before, state.base, isNamed)
  const other = readDiscriminator(after, state.revision, isNamed)
  if (one.propertyName !== other.propertyName) {
    const message = (at: string) =>
      `Discriminator property of ${at} changed from ${nameValue(one.propertyName)} to ${nameValue(other.propertyName)}`
    report(scope, { code: 'discriminator-property-changed', base, revision, message })
  }
  if (isOtherFallback(pair, { from, to, one, other })) {
    const message = (at: string) =>
      `Default alternative of ${at} changed from ${nameValue(one.fallback)} to ${nameValue(other.fallback)}`
    // Without the value, an object selects this alternative.
    const verb = one.fallback === undefined ? 'added' : 'removed'
    const isOther = one.fallback !== undefined && other.fallback !== undefined
    const code = isOther ? 'discriminator-target-changed' : (`discriminator-value-${verb}` as const)
    report(scope, { code, base, revision, detail: 'defaultMapping', message })
  }
  compareSubtypes(pair, { from, to, one, other })
  compareMapping(pair, { from, to, one, other })
}

/** Compares the schemas that values select in both versions. Often, nothing else refers to them. */
function compareSubtypes(pair: SchemaPair, { from, to, one, other }: DiscriminatorPair): void {
  const { state, scope, before, after } = pair
  // Those in a list of alternatives are compared with the list.
  const listed = new Set([...listBranches(before), ...listBranches(after)].map(referenceName))
  const compared = new Set([`${nameTop(before)} ${nameTop(after)}`])
  for (const [value, reference] of one.mapping) {
    const newReference = other.mapping.get(value)
    const names = [nameReference(reference), nameReference(newReference)]
    if (compared.has(names.join(' ')) || names.some((name) => listed.has(name))) continue
    compared.add(names.join(' '))
    const base = toReference(from, reference, state.base)
    const revision = toReference(to, newReference, state.revision)
    if (base && revision) pair.compareInner(scope, [base], [revision])
  }
}

/** Whether values that `mapping` does not list select another alternative. The same one can have another name. */
function isOtherFallback(pair: SchemaPair, discriminators: DiscriminatorPair): boolean {
  const [fallback, newFallback] = [discriminators.one.fallback, discriminators.other.fallback]
  if (fallback === newFallback || fallback === undefined || newFallback === undefined) return fallback !== newFallback
  const { base, revision } = matchAlternatives(pair, discriminators)
  return base.get(fallback) === undefined || base.get(fallback) !== revision.get(newFallback)
}

interface Discriminator {
  readonly propertyName: unknown
  readonly fallback: string | undefined
  readonly mapping: ReadonlyMap<string, unknown>
}

/** @param isNamed whether the schemas that extend this one are known in both versions. */
function readDiscriminator(schema: ComparedSchema, side: Side, isNamed: boolean): Discriminator {
  const part = findKeyword(schema, 'discriminator')
  const place = part && childPlace(part.place, 'discriminator')
  const read = (field: string) => place && valueIn(place, field)
  const written = place ? mapPlaces(place, 'mapping').map(({ name, place }) => [name, place.value] as const) : []
  const mapped = new Set(written.map(([, reference]) => nameReference(reference)))
  const implied = isNamed ? listSubtypes(schema, side)?.filter((name) => !mapped.has(name)) : undefined
  const all = [...(implied ?? []).map((name) => [name, name] as const), ...written]
  // A subtype contains the discriminator, and has one of its values.
  const own = all.filter(([, reference]) => part !== schema.parts[0] && nameReference(reference) === nameTop(schema))
  const mapping = new Map<string, unknown>(own.length > 0 ? own : all)
  return { propertyName: read('propertyName'), fallback: nameReference(read('defaultMapping')), mapping }
}

function nameTop(schema: ComparedSchema): string | undefined {
  return nameReference(topPlace(schema)?.pointer)
}

const indexSubtypes = onceFor(({ root, follow }: Side) => createSubtypeIndex(findSchemas(root, follow), follow))

/** The schemas that extend a component through `allOf`, which its discriminator selects by their names. A list of alternatives is complete. */
function listSubtypes(schema: ComparedSchema, side: Side): readonly string[] | undefined {
  const place = findKeyword(schema, 'discriminator')?.place
  const schemas = findSchemas(side.root, side.follow)
  const isInside = place && place.file === schemas.file && isWithin(place.pointer, schemas.pointer)
  const name = isInside && parsePointer(place.pointer.slice(schemas.pointer.length))[0]
  if (!name || placeOf(place, 'oneOf') || placeOf(place, 'anyOf')) return undefined
  return indexSubtypes(side).list(name)
}

interface DiscriminatorPair {
  readonly from: Place
  readonly to: Place
  readonly one: Discriminator
  readonly other: Discriminator
}

/**
 * Compares the values that select an alternative. Clients send them, and expect no others.
 *
 * Less is reported if another change contains it: an alternative that was added or removed, or a value that the enum of the property
 * excludes. An alternative that `mapping` does not list is selected by its name.
 */
function compareMapping(pair: SchemaPair, discriminators: DiscriminatorPair): void {
  const { from, to, one, other } = discriminators
  const names = [pair.before, pair.after].map((schema) => listBranches(schema).map(referenceName))
  if (equalJson(Object.fromEntries(one.mapping), Object.fromEntries(other.mapping)) && equalJson(names[0], names[1])) return
  const alternatives = matchAlternatives(pair, discriminators)
  const [values, newValues] = [listValues(one, alternatives.base), listValues(other, alternatives.revision)]
  const reportValue = (code: Difference['code'], value: string, verb: string) => {
    const message = (at: string) => `Discriminator value \`${shorten(value)}\` of ${at} ${verb}`
    report(pair.scope, { code, ...toPlaces(pair, from, to), detail: value, message })
  }
  const isNoted = (value: string) => one.mapping.has(value) || other.mapping.has(value)
  // Values that one version lacks, with the alternatives that they select.
  const [removed, added] = [new Map<string, Alternative>(), new Map<string, Alternative>()]
  for (const value of new Set([...values.keys(), ...newValues.keys()])) {
    const [target, newTarget] = [values.get(value), newValues.get(value)]
    if (values.has(value) && newValues.has(value)) {
      if (target === newTarget) continue
      const isOther = target?.revision !== undefined && newTarget?.base !== undefined
      reportValue(isOther ? 'discriminator-target-changed' : 'discriminator-changed', value, 'refers to another schema')
      continue
    }
    const isRemoved = values.has(value)
    const known = isRemoved ? target : newTarget
    const stillNamed = (isRemoved ? alternatives.revision : alternatives.base).get(value) === known
    const isCovered = !known || stillNamed || isReported(known) || !allowsInBoth(pair, discriminators, known, value)
    if (!isCovered) (isRemoved ? removed : added).set(value, known)
    else if (isNoted(value)) reportValue('discriminator-changed', value, isRemoved ? 'was removed' : 'was added')
  }
  for (const [value, target] of removed) {
    const [renamed] = [...added].find(([, other]) => other === target) ?? []
    if (renamed !== undefined && added.delete(renamed)) {
      reportValue('discriminator-value-renamed', value, `was renamed to \`${shorten(renamed)}\``)
    } else reportValue('discriminator-value-removed', value, 'was removed')
  }
  for (const value of added.keys()) reportValue('discriminator-value-added', value, 'was added')
}

/** The values of `mapping`, and the names of the alternatives that it does not list. */
function listValues({ mapping }: Discriminator, byName: ReadonlyMap<string, Alternative>): Map<string, Alternative | undefined> {
  const values = new Map<string, Alternative | undefined>()
  for (const [value, reference] of mapping) values.set(value, byName.get(nameReference(reference) ?? ''))
  const mapped = new Set(values.values())
  for (const [name, alternative] of byName) {
    if (alternative.isListed && !mapped.has(alternative) && !values.has(name)) values.set(name, alternative)
  }
  return values
}

/** A schema that values of a discriminator select. */
interface Alternative {
  readonly base: Place | undefined
  readonly revision: Place | undefined
  /** Whether it is in a list of alternatives, which is compared too. */
  readonly isListed: boolean
}

/** Whether the comparison of the list reports it, or its removal. */
function isReported({ base, revision, isListed }: Alternative): boolean {
  return isListed && (!base || !revision)
}

/** Matches the alternatives of two discriminators, by their name in each version. Without a list of alternatives, they are components. */
function matchAlternatives({ state, before, after }: SchemaPair, { from, to, one, other }: DiscriminatorPair) {
  const byName = { base: new Map<string, Alternative>(), revision: new Map<string, Alternative>() }
  const add = (alternative: Alternative, name: string | undefined, newName = name) => {
    if (alternative.base && name !== undefined && !byName.base.has(name)) byName.base.set(name, alternative)
    if (alternative.revision && newName !== undefined && !byName.revision.has(newName)) byName.revision.set(newName, alternative)
  }
  const schemas = [before, after].map((schema) => findKeyword(schema, 'discriminator')?.place)
  const { pairs, removed, added } = matchBranches(listBranches(before), listBranches(after), state, schemas)
  // An alternative that moved into a component, or out of it, keeps its name.
  for (const [base, revision] of pairs)
    add({ base, revision, isListed: true }, referenceName(base) ?? referenceName(revision), referenceName(revision))
  for (const base of removed) add({ base, revision: undefined, isListed: true }, referenceName(base))
  for (const revision of added) add({ base: undefined, revision, isListed: true }, referenceName(revision))
  // What a value selects in both versions is the same alternative. Otherwise, it has the same name.
  const isInBoth = (value: string) => one.mapping.get(value) !== undefined && other.mapping.get(value) !== undefined
  const values = [...new Set([...one.mapping.keys(), ...other.mapping.keys()])]
  for (const value of [...values.filter(isInBoth), ...values.filter((each) => !isInBoth(each))]) {
    const reference = one.mapping.get(value) ?? other.mapping.get(value)
    const newReference = other.mapping.get(value) ?? reference
    const [name = '', newName = ''] = [nameReference(reference), nameReference(newReference)]
    if (byName.base.has(name) || byName.revision.has(newName)) continue
    const base = findComponent(from, reference, state.base)
    const revision = findComponent(to, newReference, state.revision)
    add({ base, revision, isListed: false }, name, newName)
  }
  return byName
}

/** The alternatives beside a discriminator. */
function listBranches(schema: ComparedSchema): readonly Place[] {
  const part = findKeyword(schema, 'discriminator')
  return part ? alternativeKeywords.flatMap((keyword) => listPlaces(part.place, keyword)) : []
}

/** The schema that an entry of `mapping` refers to. */
function findComponent(discriminator: Place, reference: unknown, side: Side): Place | undefined {
  const place = toReference(discriminator, reference, side)
  const target = place && side.follow.end(place)
  return !target || isReference(target.value) ? undefined : target
}

/** A value of `mapping` as an object with a `$ref`. */
function toReference(discriminator: Place, value: unknown, { root, follow }: Side): Place | undefined {
  if (typeof value !== 'string') return undefined
  const { file, reference } = toMappedReference(value, discriminator.file, findSchemas(root, follow))
  return { ...discriminator, file, value: { $ref: reference } }
}

/** Whether the property of a discriminator can have a value in both versions of an alternative. */
function allowsInBoth(
  { state }: SchemaPair,
  { one, other }: DiscriminatorPair,
  { base, revision }: Alternative,
  value: string,
): boolean {
  const allows = (place: Place | undefined, propertyName: unknown, side: Side) => {
    const places = place && readProperties(toComparedSchema([place], side)).get(toText(propertyName))
    const values = places && readValues(toComparedSchema(places, side), false)
    return !values || values.byKey.has(toValueKey(value))
  }
  return allows(base, one.propertyName, state.base) && allows(revision, other.propertyName, state.revision)
}
