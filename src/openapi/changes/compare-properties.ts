import { isObject } from '../../source/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { type Difference, fieldPlace, report, type Side, use, within } from './comparison.ts'
import { isCompared, readStability } from './lifecycle.ts'
import { allowsType, type SchemaPair } from './schema-pair.ts'
import { findKeyword, keywordPlace, type SchemaView, topPlace, toSchemaView } from './schema-view.ts'

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
      if (others) compareProperty(pair, name, places, others, required)
      else reportRemoved(pair, name, places, required.was)
    }
    for (const [name, places] of to) if (!from.has(name)) reportAdded(pair, name, places, isRequired.get(name))
    if (pair.differs) compareUndefined(pair, from, to, wasRequired, isRequired)
  }
  compareAdditional(pair)
}

type Properties = ReadonlyMap<string, readonly Place[]>

function readProperties({ parts }: SchemaView): Properties {
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
  return found
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
  const both = { readOnly: was.readOnly && is.readOnly, writeOnly: was.writeOnly && is.writeOnly }
  const inside = within(scope, { add: toUse(both) })
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

function compareAccess({ scope }: SchemaPair, base: Place, revision: Place, was: Access, is: Access, required: Required): void {
  for (const key of ['readOnly', 'writeOnly'] as const) {
    if (was[key] === is[key]) continue
    const code: Difference['code'] =
      key === 'readOnly'
        ? 'read-only-changed'
        : was.writeOnly && required.was
          ? 'required-property-returned'
          : 'write-only-changed'
    const message = (at: string) => `Property ${at} is ${is[key] ? 'now' : 'no longer'} \`${key}\``
    report(scope, { code, base: fieldPlace(base, key), revision: fieldPlace(revision, key), at: revision, message })
  }
}

function reportRemoved(
  { state, scope, after }: SchemaPair,
  name: string,
  places: readonly Place[],
  required: Place | undefined,
): void {
  const [place] = places
  if (!place || !isCompared(readStability(place.value), state.options)) return
  report(within(scope, { add: toUse(readAccess(places, state.base)) }), {
    codeBeside: required ? undefined : 'constraint-changed',
    code: required && !readRequired(after).has(name) ? 'required-property-removed' : 'optional-property-removed',
    base: { ...place, on: 'key' },
    revision: topPlace(after),
    at: place,
    detail: name,
    message: (at) => `${required ? 'Required' : 'Optional'} property ${at} was removed`,
  })
}

function reportAdded(
  { state, scope, before, compareInner }: SchemaPair,
  name: string,
  places: readonly Place[],
  required: Place | undefined,
): void {
  const [place] = places
  if (!place || !isCompared(readStability(place.value), state.options)) return
  const inside = within(scope, { add: toUse(readAccess(places, state.revision)) })
  const rest = keywordPlace(before, 'additionalProperties') ?? keywordPlace(before, 'unevaluatedProperties')
  const isClosed = rest?.value === false
  const difference = {
    base: topPlace(before),
    revision: { ...place, on: 'key' as const },
    at: place,
    detail: name,
    codeBeside: required ? undefined : ('constraint-changed' as const),
    message: (at: string) => `${required ? 'Required' : 'Optional'} property ${at} was added`,
  }
  if (required || !isClosed)
    report(inside, { code: required ? 'required-property-added' : 'optional-property-added', ...difference })
  if (isClosed) report(inside, { code: 'property-added-to-closed-object', ...difference })
  // The property had the schema of all other properties.
  if (isObject(rest?.value)) compareInner(inside, [rest], places)
}

/** Compares required names without a property. */
function compareUndefined(
  { scope, before, after }: SchemaPair,
  from: Properties,
  to: Properties,
  wasRequired: ReadonlyMap<string, Place>,
  isRequired: ReadonlyMap<string, Place>,
): void {
  for (const [name, place] of wasRequired) {
    if (isRequired.has(name) || from.has(name) || to.has(name)) continue
    const message = (at: string) => `Property \`${name}\` of ${at} became optional`
    report(scope, { code: 'property-became-optional', base: place, revision: topPlace(after), detail: name, message })
  }
  for (const [name, place] of isRequired) {
    if (wasRequired.has(name) || from.has(name) || to.has(name)) continue
    const message = (at: string) => `Property \`${name}\` of ${at} became required`
    report(scope, { code: 'property-became-required', base: topPlace(before), revision: place, detail: name, message })
  }
}

function compareAdditional({ scope, before, after, compareInner }: SchemaPair): void {
  const isUsed = findKeyword(before, 'additionalProperties') ?? findKeyword(after, 'additionalProperties')
  if (!isUsed) return
  const [from, to] = [readAdditional(before), readAdditional(after)]
  if (from?.value === to?.value && !isObject(from?.value)) return
  const [base, revision] = [from ?? topPlace(before), to ?? topPlace(after)]
  if (!base || !revision) return
  if (isObject(from?.value) && isObject(to?.value)) {
    compareInner(scope, [base], [revision])
    return
  }
  const detail = 'additionalProperties'
  const at = topPlace(after)
  if (to?.value === false) {
    const message = (at: string) => `Additional properties are no longer allowed in ${at}`
    report(scope, { code: 'additional-properties-forbidden', base, revision, at, detail, message })
  } else if (from?.value === false) {
    const message = (at: string) => `Additional properties are now allowed in ${at}`
    report(scope, { code: 'additional-properties-allowed', base, revision, at, detail, message })
  } else {
    const message = (at: string) => `Schema for additional properties was ${to ? 'added to' : 'removed from'} ${at}`
    report(scope, { code: to ? 'constraint-added' : 'constraint-removed', base, revision, at, detail, message })
  }
}

/** `additionalProperties`, or `unevaluatedProperties` without it, if it excludes something. */
function readAdditional(view: SchemaView): Place | undefined {
  const place = keywordPlace(view, 'additionalProperties') ?? keywordPlace(view, 'unevaluatedProperties')
  const isOpen = place?.value === true || (isObject(place?.value) && Object.keys(place.value).length === 0)
  return isOpen ? undefined : place
}
