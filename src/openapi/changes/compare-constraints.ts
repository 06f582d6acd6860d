import { isObject } from '../../source/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { report, type Scope, use, within } from './comparison.ts'
import type { SchemaPair } from './schema-pair.ts'
import { keywordPlace, readTypes, type SchemaView, topPlace, toSchemaView } from './schema-view.ts'

/** Keywords with one schema that restricts values. */
const singles = ['items', 'propertyNames', 'unevaluatedProperties', 'contentSchema']

/** Those that apply to a value beside other schemas. */
const besides = ['then', 'else']

/** Keywords with a schema for each name. */
const byName = ['patternProperties', 'dependentSchemas'] as const

/** Compares the keywords that restrict values by other schemas, except properties and alternatives. */
export function compareConstraints(pair: SchemaPair): void {
  const { before, after, scope } = pair
  const used = new Set<string>()
  for (const view of [before, after]) for (const { value } of view.parts) for (const key in value) used.add(key)
  if (used.has('unevaluatedItems')) used.add('items')
  // With `additionalProperties`, all properties are evaluated.
  if (used.has('additionalProperties')) used.delete('unevaluatedProperties')
  for (const keyword of singles) if (used.has(keyword)) compareSingle(pair, keyword, scope)
  const beside = within(scope, { add: use.beside })
  for (const keyword of besides) if (used.has(keyword)) compareSingle(pair, keyword, beside)
  // With a maximum, more matches are not always better.
  if (used.has('contains'))
    compareSingle(pair, 'contains', used.has('maxContains') ? within(beside, { add: use.condition }) : beside)
  if (used.has('not')) compareNot(pair)
  if (used.has('if')) compareCondition(pair)
  for (const keyword of byName) if (used.has(keyword)) compareByName(pair, keyword)
  if (used.has('prefixItems')) comparePrefixItems(pair)
  if (used.has('dependentRequired')) compareDependentRequired(pair)
}

/** The place of a keyword, unless its schema has no effect: it allows everything, or inside `not` nothing. */
function readConstraint(view: SchemaView, keyword: string): Place | undefined {
  const place = keyword === 'items' ? restPlace(view) : keywordPlace(view, keyword)
  if (keyword === 'not') return place?.value === false ? undefined : place
  const allowsAll = place?.value === true || (isObject(place?.value) && Object.keys(place.value).length === 0)
  return allowsAll ? undefined : place
}

/** The schema of items without an entry in `prefixItems`. */
function restPlace(view: SchemaView): Place | undefined {
  return keywordPlace(view, 'items') ?? keywordPlace(view, 'unevaluatedItems')
}

function compareSingle({ scope, before, after, compareInner }: SchemaPair, keyword: string, inside: Scope): void {
  const [from, to] = [readConstraint(before, keyword), readConstraint(after, keyword)]
  if (from && to) compareInner(inside, [from], [to])
  else reportConstraint(scope, keyword, from ?? topPlace(before), to ?? topPlace(after), Boolean(to), Boolean(from))
}

function reportConstraint(
  scope: Scope,
  detail: string,
  base: Place | undefined,
  revision: Place | undefined,
  isAdded: boolean,
  isRemoved: boolean,
): void {
  if (isAdded === isRemoved) return
  report(scope, {
    code: isAdded ? 'constraint-added' : 'constraint-removed',
    base,
    revision,
    detail,
    at: isAdded ? base : revision,
    message: (at) => `\`${detail}\` was ${isAdded ? 'added to' : 'removed from'} ${at}`,
  })
}

/** Compares `not`, unless it only excludes values of other types. */
function compareNot(pair: SchemaPair): void {
  const { state, before, after, scope } = pair
  const isVoid = [
    { view: before, side: state.base },
    { view: after, side: state.revision },
  ].every(({ view, side }) => {
    const place = keywordPlace(view, 'not')
    const { types, isNullable } = readTypes(view, side)
    const excluded = place && readTypes(toSchemaView([place], side), side)
    return (
      !place ||
      (types &&
        excluded?.types &&
        !(isNullable && excluded.isNullable) &&
        [...types].every((type) => !excludes(excluded.types, type)))
    )
  })
  if (!isVoid) compareSingle(pair, 'not', within(scope, { invert: use.narrows, add: use.beside }))
}

function excludes(types: ReadonlySet<string> | undefined, type: string): boolean {
  if (!types || types.has(type)) return true
  return (type === 'integer' && types.has('number')) || (type === 'number' && types.has('integer'))
}

/** A change of the condition moves values between `then` and `else`. */
function compareCondition({ scope, before, after, compareInner }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'if'), keywordPlace(after, 'if')]
  if (!from || !to) {
    reportConstraint(scope, 'if', from ?? topPlace(before), to ?? topPlace(after), Boolean(to), Boolean(from))
    return
  }
  compareInner(within(scope, { add: use.condition }), [from], [to])
}

function compareByName({ scope, before, after, compareInner }: SchemaPair, keyword: (typeof byName)[number]): void {
  const [from, to] = [keywordPlace(before, keyword), keywordPlace(after, keyword)]
  const names = new Set([from, to].flatMap((place) => (isObject(place?.value) ? Object.keys(place.value) : [])))
  for (const name of names) {
    const toEntry = (place: Place | undefined) => {
      return place && isObject(place.value) && Object.hasOwn(place.value, name) ? childPlace(place, name) : undefined
    }
    const [one, other] = [toEntry(from), toEntry(to)]
    if (one && other) compareInner(keyword === 'dependentSchemas' ? within(scope, { add: use.beside }) : scope, [one], [other])
    else {
      const detail = `${keyword}: ${name}`
      const without = one ? after : before
      const rest = keywordPlace(without, 'additionalProperties') ?? keywordPlace(without, 'unevaluatedProperties')
      if (keyword === 'patternProperties' && rest?.value === false) {
        const message = (at: string) => `Properties that match \`${name}\` are ${one ? 'no longer' : 'now'} allowed in ${at}`
        const code = one ? 'additional-properties-forbidden' : 'additional-properties-allowed'
        report(scope, {
          code,
          base: one ?? topPlace(before),
          revision: other ?? topPlace(after),
          at: topPlace(after),
          detail,
          message,
        })
        continue
      }
      reportConstraint(scope, detail, one ?? topPlace(before), other ?? topPlace(after), Boolean(other), Boolean(one))
    }
  }
}

/** An item of a tuple without an entry must match `items`. */
function comparePrefixItems({ scope, before, after, compareInner }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'prefixItems'), keywordPlace(after, 'prefixItems')]
  const [count, next] = [from, to].map((place) => (Array.isArray(place?.value) ? place.value.length : 0))
  for (let index = 0; index < Math.max(count ?? 0, next ?? 0); index++) {
    const one = from && index < (count ?? 0) ? childPlace(from, index) : undefined
    const other = to && index < (next ?? 0) ? childPlace(to, index) : undefined
    if (one && other) {
      compareInner(scope, [one], [other])
      continue
    }
    const rest = restPlace(one ? after : before)
    const code = one ? 'tuple-item-removed' : 'tuple-item-added'
    const detail = String(index)
    const message = (at: string) => `Item ${index + 1} was ${one ? 'removed from' : 'added to'} the tuple ${at}`
    if (rest && rest.value !== false) {
      // The item had, or gets, the schema of all other items.
      if (one) compareInner(scope, [one], [rest])
      else if (other) compareInner(scope, [rest], [other])
    } else {
      const isClosed = rest?.value === false
      const places = { base: one ?? from ?? topPlace(before), revision: other ?? to ?? topPlace(after) }
      if (isClosed) report(scope, { code, ...places, detail, message })
      else
        report(scope, {
          code: one ? 'constraint-removed' : 'constraint-added',
          ...places,
          detail: `prefixItems ${detail}`,
          message,
        })
    }
  }
}

function compareDependentRequired({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'dependentRequired'), keywordPlace(after, 'dependentRequired')]
  const [one, other] = [readNames(from?.value), readNames(to?.value)]
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [earlier, later] = [one.get(name) ?? new Set(), other.get(name) ?? new Set()]
    const added = [...later].filter((each) => each !== name && !earlier.has(each))
    const removed = [...earlier].filter((each) => each !== name && !later.has(each))
    if (added.length + removed.length === 0) continue
    const listed = [...added, ...removed].map((each) => `\`${each}\``).join(', ')
    const verb = removed.length === 0 ? 'now required' : added.length === 0 ? 'no longer required' : 'required or not'
    report(scope, {
      code:
        added.length > 0 && removed.length > 0
          ? 'dependent-required-changed'
          : added.length > 0
            ? 'constraint-added'
            : 'constraint-removed',
      base: from && earlier.size > 0 ? childPlace(from, name) : topPlace(before),
      revision: to && later.size > 0 ? childPlace(to, name) : topPlace(after),
      detail: `dependentRequired: ${name}`,
      message: (at) => `With \`${name}\` of ${at}, the properties ${listed} are ${verb}`,
    })
  }
}

function readNames(value: unknown): Map<string, Set<unknown>> {
  const found = new Map<string, Set<unknown>>()
  for (const [name, names] of isObject(value) ? Object.entries(value) : []) {
    if (Array.isArray(names) && names.length > 0) found.set(name, new Set(names))
  }
  return found
}
