import { isObject } from '../../source/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { matchPattern } from '../instances/match-scalar.ts'
import { type Difference, fieldPlace, report, type Side, use, within } from './comparison.ts'
import { isCompared, readStability } from './lifecycle.ts'
import { allowsType, type SchemaPair, toPlaces } from './schema-pair.ts'
import {
  allowsAll,
  findKeyword,
  isClosed,
  isOpen,
  keywordPlaces,
  otherProperties,
  type SchemaPart,
  type SchemaView,
  topPlace,
  toSchemaView,
} from './schema-view.ts'

/** Compares properties, and whether an object may have others. */
export function compareProperties(pair: SchemaPair): void {
  const { before, after } = pair
  const [from, to] = [readProperties(before), readProperties(after)]
  const isUsed = from.size > 0 || to.size > 0
  const [wasRequired, isRequired] = [readRequired(before), readRequired(after)]
  if (isUsed || wasRequired.size > 0 || isRequired.size > 0) {
    if (pair.differs && !allowsType(pair, 'object')) return
    for (const [name, places] of from) {
      const others = to.get(name)
      const required = { was: wasRequired.get(name), is: isRequired.get(name) }
      if (others) {
        compareProperty(pair, name, places, others, required)
        compareRefusal(pair, name, places, others)
      } else reportRemoved(pair, name, places, required.was)
    }
    let described: Described | undefined
    const isDescribed = (name: string) => {
      // With `additionalProperties: false`, only the properties of the schema itself are allowed.
      if (keywordPlaces(before, 'additionalProperties').some(({ value }) => value === false)) return false
      described ??= readDescribed(before, pair.state.base)
      return described.properties.has(name) || described.required.has(name)
    }
    for (const [name, places] of to) if (!from.has(name)) reportAdded(pair, name, places, isRequired.get(name), isDescribed)
    if (pair.differs) compareUndefined(pair, from, to, wasRequired, isRequired)
  }
  compareAdditional(pair)
  if (hasCases(before) || hasCases(after)) compareDescribed(pair, { from, to })
}

type Properties = ReadonlyMap<string, readonly Place[]>

/** The properties of a view with their schemas. Several of them apply together. */
export function readProperties({ parts }: SchemaView): Properties {
  const found = new Map<string, Place[]>()
  for (const part of parts) {
    const properties = part.value['properties']
    if (!isObject(properties)) continue
    const place = childPlace(part.place, 'properties')
    for (const name of Object.keys(properties)) {
      const known = found.get(name)
      if (known) known.push(childPlace(place, name))
      else found.set(name, [childPlace(place, name)])
    }
  }
  if (parts.length === 1) return found
  // In an `allOf`, the properties of one branch are additional ones in another.
  for (const { place, value } of parts) {
    const { additionalProperties, patternProperties, properties } = value
    if (!isObject(additionalProperties) || patternProperties !== undefined || allowsAll(additionalProperties)) continue
    const own = isObject(properties) ? properties : {}
    for (const [name, places] of found) if (!Object.hasOwn(own, name)) places.push(childPlace(place, 'additionalProperties'))
  }
  return found
}

/** The schemas of the patterns that match the name of a property. A pattern that takes too long to test could match. */
function patternSchemas({ parts }: SchemaView, name: string): Place[] {
  return parts.flatMap((part) => partPatterns(part, name))
}

function partPatterns({ place, value }: SchemaPart, name: string): Place[] {
  const { patternProperties } = value
  if (!isObject(patternProperties)) return []
  const list = childPlace(place, 'patternProperties')
  const patterns = Object.keys(patternProperties).filter((pattern) => matchPattern(pattern, name) !== false)
  return patterns.map((pattern) => childPlace(list, pattern))
}

/** The schemas of a property that is not listed in `properties`: of patterns that match its name, else of all other properties. */
function restSchemas(view: SchemaView, name: string): Place[] {
  const matched = patternSchemas(view, name)
  return (matched.length > 0 ? matched : otherProperties(view)).filter(({ value }) => isObject(value) && !allowsAll(value))
}

/** The required names with their places. */
export function readRequired({ parts }: SchemaView): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>()
  for (const part of parts) {
    const { required } = part.value
    if (!Array.isArray(required)) continue
    const list = childPlace(part.place, 'required')
    required.forEach((name: unknown, index) => {
      if (typeof name === 'string' && !found.has(name)) found.set(name, childPlace(list, index))
    })
  }
  return found
}

interface Access {
  readonly readOnly: boolean
  readonly writeOnly: boolean
}

function readAccess(places: readonly Place[], side: Side): Access {
  const [place] = places
  const { value } = place ?? {}
  // Fast path: most properties are a single schema.
  if (places.length === 1 && isObject(value) && value['$ref'] === undefined && value['allOf'] === undefined) {
    return { readOnly: value['readOnly'] === true, writeOnly: value['writeOnly'] === true }
  }
  const { parts } = toSchemaView(places, side)
  const has = (key: string) => parts.some((part) => part.value[key] === true)
  return { readOnly: has('readOnly'), writeOnly: has('writeOnly') }
}

function toUse({ readOnly, writeOnly }: Access): number {
  return (readOnly ? use.readOnly : 0) | (writeOnly ? use.writeOnly : 0)
}

interface Required {
  readonly was: Place | undefined
  readonly is: Place | undefined
}

function compareProperty(pair: SchemaPair, name: string, from: readonly Place[], to: readonly Place[], required: Required): void {
  const { state, scope, compareInner } = pair
  const [base, revision] = [from[0], to[0]]
  if (!base || !revision) return
  const [was, is] = [readAccess(from, state.base), readAccess(to, state.revision)]
  // A property that is not sent in one of the versions is like a removed or new one.
  const inside = within(scope, {
    add: toUse({ readOnly: was.readOnly || is.readOnly, writeOnly: was.writeOnly || is.writeOnly }),
  })
  compareAccess(pair, base, revision, was, is, required)
  const [earlier, later] = [readStability(base.value), readStability(revision.value)]
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

/** In an `allOf`, a branch without additional properties refuses the properties of the others. */
function compareRefusal(
  { scope, before, after }: SchemaPair,
  name: string,
  [base]: readonly Place[],
  [revision]: readonly Place[],
): void {
  const [was, is] = [isRefused(before, name), isRefused(after, name)]
  // Another number of such branches is reported as one change.
  if (was === is || !base || !revision || countClosed(before) !== countClosed(after)) return
  const code = is ? 'optional-property-removed' : 'property-added-to-closed-object'
  const message = (at: string) => `Property ${at} is ${is ? 'no longer' : 'now'} allowed by all branches`
  report(scope, { code, base, revision, detail: name, message })
}

/** Whether one branch of several does not describe a property and allows no others. */
function isRefused({ parts }: SchemaView, name: string): boolean {
  if (parts.length === 1) return false
  return parts.some((part) => {
    const { additionalProperties, properties } = part.value
    if (!isClosedPart(part) || (isObject(properties) && Object.hasOwn(properties, name))) return false
    // `unevaluatedProperties` also allows what the schemas inside the branch describe.
    const hasInner = innerKeywords.some((key) => part.value[key] !== undefined)
    return (additionalProperties === false || !hasInner) && partPatterns(part, name).length === 0
  })
}

const innerKeywords = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'] as const

/** Whether a branch allows no additional or unevaluated properties. */
function isClosedPart({ value: { additionalProperties, unevaluatedProperties } }: SchemaPart): boolean {
  return additionalProperties === false || (additionalProperties === undefined && unevaluatedProperties === false)
}

function compareAccess({ scope }: SchemaPair, base: Place, revision: Place, was: Access, is: Access, required: Required): void {
  for (const key of ['readOnly', 'writeOnly'] as const) {
    if (was[key] === is[key]) continue
    const code = chooseAccessCode(key, is[key], required)
    const message = (at: string) => `Property ${at} is ${is[key] ? 'now' : 'no longer'} \`${key}\``
    report(scope, { code, base: fieldPlace(base, key), revision: fieldPlace(revision, key), at: revision, message })
  }
}

function chooseAccessCode(key: 'readOnly' | 'writeOnly', isSet: boolean, { was, is }: Required): Difference['code'] {
  if (key === 'readOnly') return !isSet && is ? 'required-property-no-longer-read-only' : 'read-only-changed'
  return !isSet && was && is ? 'required-property-returned' : 'write-only-changed'
}

function reportRemoved(pair: SchemaPair, name: string, places: readonly Place[], required: Place | undefined): void {
  const { state, scope, before, after, compareInner } = pair
  const [place] = places
  if (!place || !isCompared(readStability(place.value), state.options)) return
  const access = readAccess(places, state.base)
  const inside = within(scope, { add: toUse(access) })
  const isStillRequired = readRequired(after).has(name)
  report(inside, {
    codeBeside: required ? undefined : 'constraint-changed',
    code: required && !isStillRequired ? 'required-property-removed' : 'optional-property-removed',
    base: { ...place, on: 'key' },
    revision: toPlaces(pair, place, undefined).revision,
    at: place,
    detail: name,
    message: (at) => `${required ? 'Required' : 'Optional'} property ${at} was removed`,
  })
  if (access.readOnly && required && isStillRequired) {
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
  const rest = restSchemas(after, name)
  if (rest.length > 0) compareInner(inside, [...places, ...patternSchemas(before, name)], rest)
}

function reportAdded(
  pair: SchemaPair,
  name: string,
  places: readonly Place[],
  required: Place | undefined,
  isDescribed: (name: string) => boolean,
): void {
  const { state, scope, before, after, compareInner } = pair
  const [place] = places
  if (!place || !isCompared(readStability(place.value), state.options)) return
  const inside = within(scope, { add: toUse(readAccess(places, state.revision)) })
  const isNew = isClosed(before)
  const difference = {
    base: toPlaces(pair, undefined, place).base,
    revision: { ...place, on: 'key' as const },
    at: place,
    detail: name,
    codeBeside: required ? undefined : ('constraint-changed' as const),
    message: (at: string) => `${required ? 'Required' : 'Optional'} property ${at} was added`,
  }
  if (required) report(inside, { code: 'required-property-added', ...difference })
  else if (places.some(({ value }) => !allowsAll(value)) && isDescribed(name)) {
    report(inside, { code: 'constraint-changed', ...difference })
  } else if (!isNew) report(inside, { code: 'optional-property-added', ...difference })
  if (isNew) report(inside, { code: 'property-added-to-closed-object', ...difference })
  // The property had the schema of all other properties.
  const rest = restSchemas(before, name)
  if (rest.length > 0) compareInner(inside, rest, [...places, ...patternSchemas(after, name)])
}

/** Keywords with schemas that apply to the same value in some cases. */
const caseKeywords = ['oneOf', 'anyOf', 'if', 'then', 'else', 'not', 'dependentSchemas'] as const

/** What alternatives, conditions and dependencies describe. */
interface Described {
  /** Names of properties with a schema. */
  readonly properties: ReadonlySet<string>
  /** Further names that are required. */
  readonly required: ReadonlySet<string>
  /** The place of a schema for other properties. */
  readonly rest: Place | undefined
}

function readDescribed(view: SchemaView, side: Side): Described {
  const [properties, required] = [new Set<string>(), new Set<string>()]
  let rest: Place | undefined
  const seen = new Set<unknown>()
  const addCases = ({ parts }: SchemaView) => {
    for (const { place, value } of parts) {
      const { dependentRequired, dependentSchemas } = value
      for (const list of [dependentRequired, dependentSchemas]) if (isObject(list)) addNames(Object.keys(list))
      if (isObject(dependentRequired)) for (const list of Object.values(dependentRequired)) addNames(list)
      for (const keyword of caseKeywords) for (const one of listSchemas(childPlace(place, keyword), keyword)) addCase(one)
    }
  }
  const addCase = (place: Place) => {
    if (seen.has(place.value)) return
    seen.add(place.value)
    const inner = toSchemaView([place], side)
    for (const name of readProperties(inner).keys()) properties.add(name)
    for (const name of readRequired(inner).keys()) required.add(name)
    rest ??= [...keywordPlaces(inner, 'patternProperties'), ...otherProperties(inner)].find(({ value }) => value !== false)
    addCases(inner)
  }
  const addNames = (list: unknown) => {
    for (const name of Array.isArray(list) ? list : []) if (typeof name === 'string') required.add(name)
  }
  addCases(view)
  return { properties, required, rest }
}

function hasCases({ parts }: SchemaView): boolean {
  return parts.some(({ value }) => caseKeywords.some((keyword) => value[keyword] !== undefined))
}

/** Compares what alternatives, conditions and dependencies describe in an object without unevaluated properties. */
function compareDescribed({ state, scope, before, after }: SchemaPair, own: { from: Properties; to: Properties }): void {
  if (findKeyword(before, 'additionalProperties') || findKeyword(after, 'additionalProperties')) return
  if (!isClosed(before) || !isClosed(after)) return
  const [from, to] = [readDescribed(before, state.base), readDescribed(after, state.revision)]
  const [base, revision] = [topPlace(before), topPlace(after)]
  for (const name of new Set([...from.properties, ...to.properties])) {
    const [was, is] = [from.properties.has(name) || own.from.has(name), to.properties.has(name) || own.to.has(name)]
    // A property of the schema itself is reported as such.
    if (was === is || own.from.has(name) || own.to.has(name)) continue
    const message = (at: string) => `Property \`${name}\` is ${is ? 'now' : 'no longer'} allowed in ${at}`
    const code = is ? 'property-added-to-closed-object' : 'optional-property-removed'
    report(scope, { code, base, revision, detail: name, message })
  }
  if (Boolean(from.rest) === Boolean(to.rest)) return
  const message = (at: string) => `Additional properties are ${to.rest ? 'now' : 'no longer'} allowed in ${at}`
  const code = to.rest ? 'additional-properties-allowed' : 'additional-properties-forbidden'
  report(scope, { code, base: from.rest ?? base, revision: to.rest ?? revision, at: revision, detail: 'cases', message })
}

/** The schemas in a keyword that has one schema, a list, or one for each name. */
function listSchemas(place: Place, keyword: (typeof caseKeywords)[number]): Place[] {
  const { value } = place
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map((_entry, index) => childPlace(place, index))
  if (keyword !== 'dependentSchemas') return [place]
  return isObject(value) ? Object.keys(value).map((name) => childPlace(place, name)) : []
}

/** Compares required names without a property. */
function compareUndefined(
  pair: SchemaPair,
  from: Properties,
  to: Properties,
  wasRequired: ReadonlyMap<string, Place>,
  isRequired: ReadonlyMap<string, Place>,
): void {
  for (const [name, place] of wasRequired) {
    if (isRequired.has(name) || from.has(name) || to.has(name)) continue
    const message = (at: string) => `Property \`${name}\` of ${at} became optional`
    report(pair.scope, { code: 'property-became-optional', ...toPlaces(pair, place, undefined), detail: name, message })
  }
  for (const [name, place] of isRequired) {
    if (wasRequired.has(name) || from.has(name) || to.has(name)) continue
    const message = (at: string) => `Property \`${name}\` of ${at} became required`
    report(pair.scope, { code: 'property-became-required', ...toPlaces(pair, undefined, place), detail: name, message })
  }
}

function countClosed({ parts }: SchemaView): number {
  return parts.filter(isClosedPart).length
}

function compareAdditional(pair: SchemaPair): void {
  const { state, scope, before, after, compareInner } = pair
  const isUsed = findKeyword(before, 'additionalProperties') ?? findKeyword(after, 'additionalProperties')
  if (!isUsed) return
  const from = otherProperties(before).filter((place) => !isOpen(place, state.base))
  const to = otherProperties(after).filter((place) => !isOpen(place, state.revision))
  const { base, revision } = toPlaces(pair, from[0], to[0])
  if (!base || !revision) return
  const [wasClosed, isNowClosed] = [isClosed(before), isClosed(after)]
  if (wasClosed && isNowClosed) {
    // Each closed branch of `allOf` excludes the properties of the others.
    if (countClosed(before) === countClosed(after)) return
    const message = (at: string) => `The number of branches of ${at} without additional properties changed`
    report(scope, { code: 'constraint-changed', base, revision, at: topPlace(after), detail: 'additionalProperties', message })
    return
  }
  if (from.length + to.length === 0) return
  if (from.length > 0 && to.length > 0 && !wasClosed && !isNowClosed) {
    compareInner(scope, from, to)
    return
  }
  const detail = 'additionalProperties'
  const at = topPlace(after)
  if (isNowClosed) {
    const message = (at: string) => `Additional properties are no longer allowed in ${at}`
    report(scope, { code: 'additional-properties-forbidden', base, revision, at, detail, message })
  } else if (wasClosed) {
    const message = (at: string) => `Additional properties are now allowed in ${at}`
    report(scope, { code: 'additional-properties-allowed', base, revision, at, detail, message })
  } else {
    const verb = to.length > 0 ? 'added' : 'removed'
    const message = (at: string) => `Schema for additional properties was ${verb === 'added' ? 'added to' : 'removed from'} ${at}`
    report(scope, { code: `constraint-${verb}`, base, revision, at, detail, message })
  }
}
