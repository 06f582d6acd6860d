import { keywordIn } from '../../model/schema.ts'
import { valueIn } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { type Difference, fieldPlace, report, type Side, use, within } from '../differences/comparison.ts'
import { isCompared, readStability } from '../differences/lifecycle.ts'
import { findKeyword, isClosed, keywordPlaces, otherProperties, toComparedSchema, topPlace } from './compared-schema.ts'
import {
  type AllowedProperties,
  type Described,
  type Properties,
  patternSchemas,
  readAllowed,
  readDependencies,
  readDescribed,
  readNeeded,
  readProperties,
} from './described-properties.ts'
import { allowsAll, isOpen } from './keywords.ts'
import { allowsType, areSame, type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares properties, and whether an object may have others. */
export function compareProperties(pair: SchemaPair): void {
  const { state, before, after } = pair
  const [from, to] = [readProperties(before), readProperties(after)]
  const [wasRequired, isRequired] = [readNeeded(before), readNeeded(after)]
  const isUsed = [from, to, wasRequired, isRequired].some(({ size }) => size > 0)
  const hasOthers = findKeyword(before, 'additionalProperties') ?? findKeyword(after, 'additionalProperties')
  if ((isUsed || hasOthers) && !allowsType(pair, 'object')) return
  if (isUsed) {
    let allowed: readonly (AllowedProperties | undefined)[] | undefined
    const isAllowed = (name: string, version: 0 | 1) => {
      allowed ??= [readAllowed(before), readAllowed(after)]
      return allowed[version]?.allows(name) !== false
    }
    for (const [name, places] of from) {
      const required = { was: wasRequired.get(name), is: isRequired.get(name) }
      const listed = to.get(name)
      // A pattern describes a property as `properties` does.
      const own = listed ? places : [...places, ...patternSchemas(before, name)]
      const others = listed ?? patternSchemas(after, name).filter(() => isAllowed(name, 1))
      if (others.length > 0) compareProperty(pair, name, own, others, required)
      else reportRemoved(pair, name, own, required, isAllowed(name, 0) && !isAllowed(name, 1))
    }
    let described: Described | undefined
    const isDescribed = (name: string) => {
      // With `additionalProperties: false`, only the properties of the schema itself are allowed.
      if (keywordPlaces(before, 'additionalProperties').some(({ value }) => value === false)) return false
      described ??= readDescribed(before.parts, state.base)
      return described.properties.has(name) || described.required.has(name)
    }
    for (const [name, places] of to) {
      if (from.has(name)) continue
      const required = { was: wasRequired.get(name), is: isRequired.get(name) }
      const own = [...places, ...patternSchemas(after, name)]
      const others = patternSchemas(before, name).filter(() => isAllowed(name, 0))
      if (others.length > 0) compareProperty(pair, name, others, own, required)
      else reportAdded(pair, name, own, required, isDescribed)
    }
    // Required names without a property.
    for (const name of new Set([...wasRequired.keys(), ...isRequired.keys()])) {
      if (!from.has(name) && !to.has(name)) reportRequired(pair, name, { was: wasRequired.get(name), is: isRequired.get(name) })
    }
  }
  if (hasOthers) compareAdditional(pair)
  compareAllowed(pair, from, to)
}

/** Whether a schema for other properties limits them without excluding them. */
const isLimit = (schema: Place) => schema.value !== false && !allowsAll(schema)

type Access = ReturnType<typeof readAccess>

const combining = ['$ref', 'allOf', 'oneOf', 'anyOf']

/** Who sends a property. Nothing is known if a reference cannot be resolved. */
function readAccess(places: readonly Place[], side: Side) {
  const [only] = places
  // Most properties are a single schema.
  if (only && places.length === 1 && combining.every((key) => valueIn(only, key) === undefined))
    return { readOnly: valueIn(only, 'readOnly') === true, writeOnly: valueIn(only, 'writeOnly') === true, isUnresolved: false }
  const { parts, isUnresolved } = toComparedSchema(places, side)
  const has = (key: string) => parts.some(({ value }) => keywordIn(value, key) === true)
  return { readOnly: has('readOnly'), writeOnly: has('writeOnly'), isUnresolved }
}

/** The use of a property, for `within`. */
function toUse({ readOnly, writeOnly }: Pick<Access, 'readOnly' | 'writeOnly'>, required?: Place) {
  const add = use.property | (readOnly ? use.readOnly : 0) | (writeOnly ? use.writeOnly : 0) | (required ? use.required : 0)
  return { clear: use.required, add }
}

interface Required {
  readonly was: Place | undefined
  readonly is: Place | undefined
}

function compareProperty(pair: SchemaPair, name: string, from: readonly Place[], to: readonly Place[], required: Required): void {
  const { state, scope, compareInner } = pair
  const [base, revision] = [from[0], to[0]]
  if (!base || !revision || (!required.was === !required.is && areSame(state, from, to))) return
  const [was, is] = [readAccess(from, state.base), readAccess(to, state.revision)]
  // A property that is not sent in one of the versions is like a removed or new one.
  const access = { readOnly: was.readOnly || is.readOnly, writeOnly: was.writeOnly || is.writeOnly }
  const inProperty = within(scope, toUse(access, required.was ?? required.is))
  const inside = pair.typed?.has(name) ? within(inProperty, { clear: use.text }) : inProperty
  if (was.readOnly !== is.readOnly || was.writeOnly !== is.writeOnly) {
    const dependency = () => [...readDependencies(pair.after).values()].find(({ names }) => names.has(name))
    compareAccess(pair, base, revision, was, is, { was: required.was, is: required.is ?? dependency()?.place })
  }
  const [earlier, later] = [readStability(base), readStability(revision)]
  if (!isCompared(earlier, state.options) && !isCompared(later, state.options)) return
  if (Boolean(required.was) !== Boolean(required.is)) {
    const verb = required.is ? 'became required' : 'became optional'
    report(inside, {
      code: required.is ? 'property-became-required' : 'property-became-optional',
      base: required.was ?? base,
      revision: required.is ?? revision,
      at: revision,
      detail: name,
      message: (at) => `Property ${at} ${verb}`,
    })
  }
  compareInner(inside, from, to)
}

function compareAccess(
  { scope, after }: SchemaPair,
  base: Place,
  revision: Place,
  was: Access,
  is: Access,
  required: Required,
): void {
  if (was.isUnresolved || is.isUnresolved) return
  for (const key of ['readOnly', 'writeOnly'] as const) {
    if (was[key] === is[key]) continue
    const codes = chooseAccessCodes(key, is[key], required, isClosed(after))
    const message = (at: string) => `Property ${at} is ${is[key] ? 'now' : 'no longer'} \`${key}\``
    report(scope, { ...codes, base: fieldPlace(base, key), revision: fieldPlace(revision, key), at: revision, message })
  }
}

/** For the side that no longer gets the data, it is removed. */
function chooseAccessCodes(
  key: 'readOnly' | 'writeOnly',
  isSet: boolean,
  { was, is }: Required,
  isInClosed: boolean,
): Pick<Difference, 'code' | 'codeInNarrowed'> {
  if (!isSet && key === 'readOnly' && is) return { code: 'required-property-no-longer-read-only' }
  if (!isSet && key === 'writeOnly' && was && is) return { code: 'required-property-returned' }
  const code = `${key === 'readOnly' ? 'read-only' : 'write-only'}-changed` as const
  if (!isSet) return { code }
  const removed = was ? 'required-property-removed' : 'optional-property-removed'
  if (key === 'writeOnly') return { code, codeInNarrowed: removed }
  return { code: isInClosed ? 'property-removed-from-closed-object' : removed, codeInNarrowed: code }
}

function reportRemoved(pair: SchemaPair, name: string, places: readonly Place[], required: Required, isRefused: boolean): void {
  const { state, scope, after, compareInner } = pair
  const [place] = places
  if (!place || !isCompared(readStability(place), state.options)) return
  const access = readAccess(places, state.base)
  const inside = within(scope, toUse(access, required.is))
  const code = required.was && !required.is ? 'required-property-removed' : 'optional-property-removed'
  report(inside, {
    codeBeside: required.was ? undefined : 'constraint-changed',
    // Otherwise, the server can ignore the property.
    ...(isRefused ? { code: 'property-removed-from-closed-object', codeInNarrowed: code } : { code }),
    base: { ...place, on: 'key' },
    revision: toPlaces(pair, place, undefined).revision,
    at: place,
    detail: name,
    message: (at) => `${required.was ? 'Required' : 'Optional'} property ${at} was removed`,
  })
  if (!required.was && required.is) reportRequired(pair, name, required)
  if (access.readOnly && required.was && required.is) {
    report(scope, {
      code: 'required-property-no-longer-read-only',
      base: fieldPlace(place, 'readOnly'),
      revision: toPlaces(pair, place, undefined).revision,
      at: place,
      detail: name,
      message: (at) => `Required property ${at} is no longer \`readOnly\``,
    })
  }
  // The property has the schema of all other properties now.
  const rest = otherProperties(after).filter(isLimit)
  if (rest.length > 0) compareInner(inside, places, rest)
}

function reportAdded(
  pair: SchemaPair,
  name: string,
  places: readonly Place[],
  required: Required,
  isDescribed: (name: string) => boolean,
): void {
  const { state, scope, before, compareInner } = pair
  const [place] = places
  if (!place || !isCompared(readStability(place), state.options)) return
  const access = readAccess(places, state.revision)
  const inside = within(scope, toUse(access, required.was))
  const isNew = isClosed(before)
  const difference = {
    base: toPlaces(pair, undefined, place).base,
    revision: { ...place, on: 'key' as const },
    at: place,
    detail: name,
    codeBeside: required.is ? undefined : ('constraint-changed' as const),
    message: (at: string) => `${required.is ? 'Required' : 'Optional'} property ${at} was added`,
  }
  if (required.was && !required.is) reportRequired(pair, name, required)
  if (required.was && required.is && access.writeOnly) {
    const message = (at: string) => `Property ${at} is now \`writeOnly\``
    const codes = chooseAccessCodes('writeOnly', true, required, false)
    report(scope, { ...difference, ...codes, codeBeside: undefined, revision: fieldPlace(place, 'writeOnly'), message })
  }
  // The name was required before, with any value.
  const hasNoEffect = required.was !== undefined && places.every(allowsAll)
  if (required.is) report(inside, { code: 'required-property-added', ...difference, hasNoEffect })
  else if (!places.every(allowsAll) && isDescribed(name)) {
    report(inside, { code: 'constraint-changed', ...difference })
  } else if (!isNew) report(inside, { code: 'optional-property-added', ...difference })
  if (isNew) report(inside, { code: 'property-added-to-closed-object', ...difference })
  // The property had the schema of all other properties.
  const rest = otherProperties(before).filter(isLimit)
  if (rest.length > 0) compareInner(inside, rest, places)
}

/** Compares the properties that are allowed in objects without others. */
function compareAllowed({ scope, before, after }: SchemaPair, from: Properties, to: Properties): void {
  const was = readAllowed(before)
  const is = was && readAllowed(after)
  // Otherwise, one of them allows other properties, which is one change.
  if (!was || !is) return
  const [base, revision] = [topPlace(before), topPlace(after)]
  for (const name of new Set([...from.keys(), ...to.keys(), ...was.names, ...is.names])) {
    const isAllowed = is.allows(name)
    // A property that only one version has is reported as such.
    if (was.allows(name) === isAllowed || (isAllowed ? to.has(name) && !from.has(name) : from.has(name) && !to.has(name)))
      continue
    const message = (at: string) => `Property \`${name}\` is ${isAllowed ? 'now' : 'no longer'} allowed in ${at}`
    const code = isAllowed ? 'property-added-to-closed-object' : 'property-removed-from-closed-object'
    const codeInNarrowed = isAllowed ? undefined : 'optional-property-removed'
    report(scope, { code, codeInNarrowed, base, revision, detail: name, message })
  }
  for (const pattern of was.patterns) {
    const isAllowed = is.allowsPattern(pattern)
    if (!is.patterns.has(pattern) || was.allowsPattern(pattern) === isAllowed) continue
    const message = (at: string) => `Properties that match \`${pattern}\` are ${isAllowed ? 'now' : 'no longer'} allowed in ${at}`
    const code = isAllowed ? 'additional-properties-allowed' : 'additional-properties-forbidden'
    report(scope, { code, base, revision, detail: `patternProperties: ${pattern}`, message })
  }
  if (Boolean(was.rest) === Boolean(is.rest)) return
  const message = (at: string) => `Additional properties are ${is.rest ? 'now' : 'no longer'} allowed in ${at}`
  const code = is.rest ? 'additional-properties-allowed' : 'additional-properties-forbidden'
  report(scope, { code, base: was.rest ?? base, revision: is.rest ?? revision, at: revision, detail: 'cases', message })
}

/** Reports that a name became required or optional that is no property of one version or both. */
function reportRequired(pair: SchemaPair, name: string, { was, is }: Required): void {
  if (Boolean(was) === Boolean(is)) return
  report(pair.scope, {
    code: is ? 'property-became-required' : 'property-became-optional',
    ...toPlaces(pair, was, is),
    detail: name,
    message: (at) => `Property \`${name}\` of ${at} became ${is ? 'required' : 'optional'}`,
  })
}

function compareAdditional(pair: SchemaPair): void {
  const { state, scope, before, after, compareInner } = pair
  const from = otherProperties(before).filter((place) => !isOpen(place, state.base))
  const to = otherProperties(after).filter((place) => !isOpen(place, state.revision))
  const { base, revision } = toPlaces(pair, from[0], to[0])
  if (!base || !revision) return
  const [wasClosed, isNowClosed] = [isClosed(before), isClosed(after)]
  // Which properties they allow is compared by name.
  if (wasClosed && isNowClosed) return
  if (from.length + to.length === 0) return
  if (from.length > 0 && to.length > 0 && !wasClosed && !isNowClosed) {
    compareInner(within(scope, { add: use.required }), from, to)
    return
  }
  const detail = 'additionalProperties'
  const at = topPlace(after)
  if (isNowClosed || wasClosed) {
    const message = (at: string) => `Additional properties are ${isNowClosed ? 'no longer' : 'now'} allowed in ${at}`
    const code = isNowClosed ? 'additional-properties-forbidden' : 'additional-properties-allowed'
    report(scope, { code, base, revision, at, detail, message })
  } else {
    const verb = to.length > 0 ? 'added' : 'removed'
    const message = (at: string) => `Schema for additional properties was ${verb === 'added' ? 'added to' : 'removed from'} ${at}`
    report(scope, { code: `constraint-${verb}`, base, revision, at, detail, message })
  }
}
