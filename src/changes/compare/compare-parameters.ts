import { type Parameter, readParameters } from '../../model/parameters.ts'
import { keywordIn, withoutNull } from '../../model/schema.ts'
import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import { isReference } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, fieldPlaces, report, type Scope, type Side, use, within } from '../differences/comparison.ts'
import { compareDeprecation, isCompared, readStability, removalCode } from '../differences/lifecycle.ts'
import { placesOf } from '../differences/name-place.ts'
import type { BasePath, OperationPair } from '../match/match-operations.ts'
import { toCovers } from '../schema/compare-schemas.ts'
import { keywordPlaces, readTypes, toComparedSchema } from '../schema/compared-schema.ts'
import { listKeywords } from '../schema/keywords.ts'
import { compareRequired, compareSchemaOrContent, isScalar, listRewritten, ownSchema } from './compare-content.ts'

/** Headers that OpenAPI ignores as parameters. Source: OpenAPI 3.1.1, "Parameter Object". */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

/** Compares the parameters of an operation and of its path. Parameters in paths are matched by position, others by name. */
export function compareParameters(state: ComparisonState, scope: Scope, { base, revision, basePath }: OperationPair): void {
  const inServers = { base: countParameters(basePath, 'revision'), revision: countParameters(basePath, 'base') }
  const { found: from, ...before } = collect(base, state.base, inServers.base)
  const { found: to, ...after } = collect(revision, state.revision, inServers.revision)
  // A parameter in the base path of one description is a variable of the servers in the other.
  const isVariable = (key: string, count: number) => key.startsWith('path ') && Number(key.slice('path '.length)) < count
  // The URL has the parameter already, or does not have it at all, and then its key has no number: only its description is new.
  const isDescription = (key: string) => key.startsWith('path ') && !(Number(key.slice('path '.length)) >= before.count)
  const wasUnknown = before.unknown.filter((entry) => !after.unknown.some((other) => hasSameReference(entry, other)))
  const isUnknown = after.unknown.filter((entry) => !before.unknown.some((other) => hasSameReference(entry, other)))
  const matched = new Set<Parameter>()
  for (const [key, parameter] of from) {
    if (isVariable(key, inServers.revision)) continue
    const other = to.get(key) ?? findByName(to, parameter, from)
    if (other) {
      matched.add(other)
      compareParameter(state, scope, parameter, other)
    } else if (!isUnknown.some((entry) => isSameEntry(entry, parameter.entry))) {
      reportRemoved(state, scope, parameter, revision.operation)
    }
  }
  for (const [key, parameter] of to) {
    if (isVariable(key, inServers.base)) continue
    if (matched.has(parameter) || wasUnknown.some((entry) => isSameEntry(entry, parameter.entry))) continue
    reportAdded(state, scope, parameter, base.operation, isDescription(key))
  }
}

/** Whether an entry with a reference that cannot be resolved is likely the same as one of the other version. */
function isSameEntry(unknown: Place, other: Place): boolean {
  if (hasSameReference(unknown, other)) return true
  const [position, otherPosition] = [unknown, other].map(({ pointer }) => pointer.split('/').slice(-3).join('/'))
  return position === otherPosition
}

/** A parameter with the same name that the path template lacks in one of the descriptions. */
function findByName(
  to: ReadonlyMap<string, Parameter>,
  { name, in: location }: Parameter,
  from: ReadonlyMap<string, Parameter>,
): Parameter | undefined {
  if (location !== 'path') return undefined
  const [, other] = [...to].find(([key, each]) => each.in === location && each.name === name && !from.has(key)) ?? []
  return other
}

function hasSameReference({ value: one }: Place, { value: other }: Place): boolean {
  return isReference(one) && isReference(other) && one.$ref === other.$ref
}

function countParameters(basePath: BasePath | undefined, side: BasePath['side']): number {
  return basePath?.side === side ? basePath.text.split('{').length - 1 : 0
}

/**
 * The parameters by key, the entries with a reference that cannot be resolved, and the number of parameters in the URL.
 *
 * @param offset The number of parameters before those of the path, in the base path.
 */
function collect({ entry, ...owners }: CollectedOperation, side: Side, offset: number) {
  const found = new Map<string, Parameter>()
  const { known, unknown } = readParameters(owners, side)
  const names = [...entry.name.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  for (const parameter of known) {
    const { name, in: location } = parameter
    const folded = name.toLowerCase()
    if (location === 'header' && ignoredHeaders.has(folded)) continue
    const position = location === 'path' ? names.indexOf(name) : -1
    // The whole query string has no name.
    const own = location === 'header' ? folded : location === 'querystring' ? '' : name
    found.set(`${location} ${position !== -1 ? position + offset : own}`, parameter)
  }
  return { found, unknown, count: names.length + offset }
}

function nameParameter({ name, in: location }: Parameter): string {
  return `${location} parameter \`${shorten(name)}\``
}

function reportRemoved({ options, names }: ComparisonState, scope: Scope, parameter: Parameter, revision: Place): void {
  const { place, entry } = parameter
  if (!isCompared(readStability(place), options)) return
  const code = removalCode('parameter', place, options.today)
  names.set(place, nameParameter(parameter))
  const detail = `${parameter.in} ${parameter.name}`
  const message = () => `${capitalize(nameParameter(parameter))} was removed`
  const codeInNarrowed = code === 'parameter-removed' && parameter.required ? 'required-parameter-removed' : undefined
  report(scope, { code, codeInNarrowed, base: entry, revision, detail, at: place, message })
}

function reportAdded(
  { options, names }: ComparisonState,
  scope: Scope,
  parameter: Parameter,
  base: Place,
  isInUrl: boolean,
): void {
  const { place, entry } = parameter
  if (!isCompared(readStability(place), options)) return
  const required = !isInUrl && parameter.required
  names.set(place, nameParameter(parameter))
  report(scope, {
    code: required ? 'required-parameter-added' : 'optional-parameter-added',
    base,
    revision: entry,
    detail: `${parameter.in} ${parameter.name}`,
    at: place,
    message: () =>
      isInUrl
        ? `A description of ${nameParameter(parameter)} was added`
        : `${required ? 'Required' : 'Optional'} ${nameParameter(parameter)} was added`,
  })
}

/** Fields that decide how a parameter is written. */
const serializationFields = ['style', 'explode', 'allowReserved'] as const

function compareParameter(state: ComparisonState, scope: Scope, from: Parameter, to: Parameter): void {
  // Fast path: most parameters stay the same.
  if (state.base.release === state.revision.release && state.isSame(from.place.value, to.place.value)) return
  state.names.set(from.place, nameParameter(from))
  state.names.set(to.place, nameParameter(to))
  const isAlwaysSent = from.required || to.required
  const inParameter = within(scope, { add: use.parameter | use.text | (isAlwaysSent ? use.required : 0) })
  if (from.place.pointer !== to.place.pointer) {
    state.names.set(from.entry, nameParameter(from))
    state.names.set(to.entry, nameParameter(to))
  }
  const references = { base: from.entry, revision: to.entry }
  state.share(inParameter, [from.place], [to.place], (inside) => compareFields(state, inside, from, to), references)
}

function compareFields(state: ComparisonState, scope: Scope, from: Parameter, to: Parameter): void {
  const pair = { base: from, revision: to }
  const { base, revision } = placesOf(pair)
  compareDeprecation(state, scope, 'parameter', base, revision)
  compareRequired(scope, 'parameter', capitalize(nameParameter(to)), pair)
  for (const field of listRewritten(state, pair, serializationFields)) {
    const reserved = `reserved-characters-${to.allowReserved ? 'allowed' : 'forbidden'}` as const
    report(scope, {
      code: field === 'allowReserved' ? reserved : 'parameter-serialization-changed',
      ...fieldPlaces({ base, revision }, field),
      at: revision,
      detail: field,
      message: () => `\`${field}\` of ${nameParameter(to)} changed from \`${from[field]}\` to \`${to[field]}\``,
    })
  }
  if (from.allowEmptyValue !== to.allowEmptyValue) {
    const is = to.allowEmptyValue
    report(scope, {
      code: is ? 'empty-value-allowed' : 'empty-value-forbidden',
      ...fieldPlaces({ base, revision }, 'allowEmptyValue'),
      at: revision,
      message: () => `${capitalize(nameParameter(to))} can ${is ? 'now' : 'no longer'} have an empty value`,
    })
  }
  const [schema, next] = [ownSchema(from), ownSchema(to)]
  if (schema && next && becameList(state, from, to, schema, next)) {
    const message = () => `${capitalize(nameParameter(to))} now accepts a list of values`
    report(scope, { code: 'type-widened', base: schema, revision: next, message })
  } else compareSchemaOrContent(state, scope, pair, nameParameter(to), 'parameter')
}

/**
 * Whether a scalar became a list of the same values. In a query, a list with one value is written like the value. As text, any value is a
 * string.
 */
function becameList(state: ComparisonState, from: Parameter, to: Parameter, schema: Place, next: Place): boolean {
  const { base, revision } = state
  if (from.in !== 'query' && from.in !== 'cookie') return false
  if (to.style !== 'form' || !to.explode) return false
  const [scalar, list] = [toComparedSchema([schema], base), toComparedSchema([next], revision)]
  const [was, is] = [readTypes(scalar), readTypes(list)]
  if (is.types?.size !== 1 || !is.types.has('array') || !isScalar(from, base)) return false
  if (list.parts.some(({ place, value }) => listKeywords(place).some((key) => !allowsOneItem(key, keywordIn(value, key)))))
    return false
  const [items, ...others] = keywordPlaces(list, 'items')
  if (!items || others.length > 0) return !items
  const item = toComparedSchema([items], revision)
  if (was.isNullable && !is.isNullable && !readTypes(item).isNullable) return false
  const isText = (key: string, value: unknown) => key === 'type' && [value].flat().includes('string')
  const isOpen = item.parts.every(({ place, value }) => listKeywords(place).every((key) => isText(key, keywordIn(value, key))))
  return (
    isOpen || toCovers(state)({ place: items, side: revision }, { place: withoutNull(base.follow.end(schema)), side: base }, true)
  )
}

/** Whether a keyword of a list allows every list with one item. */
function allowsOneItem(key: string, value: unknown): boolean {
  if (key === 'minItems') return typeof value === 'number' && value <= 1
  if (key === 'maxItems') return typeof value === 'number' && value >= 1
  return ['$ref', 'type', 'nullable', 'items', 'uniqueItems', 'default', 'deprecated'].includes(key)
}
