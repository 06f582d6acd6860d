import { readsBesideReference } from '../../openapi/references/follow-reference.ts'
import { equalJson, isKnownDialect } from '../../openapi/schema/json-schema.ts'
import { isObject, type JsonObject, listOf, numberOf, readOwn, readStep } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import {
  type CountLimits,
  countOf,
  matchChoices,
  matchCount,
  matchNumber,
  matchText,
  matchType,
  testPattern,
} from './match-keywords.ts'
import { matchRequired } from './match-required.ts'
import { fail, innerPlace, isOver, type MatchState, type Mismatch, type SchemaPlace, type Visit } from './match-state.ts'

/** Maximum depth of nested schemas. */
const maxDepth = 400

/** Matches a value, or a part of it. Like all functions that match, returns whether the match goes on: not after the first mismatch. */
export function matchPlace(state: MatchState, place: SchemaPlace, value: unknown): boolean {
  const { at: around } = state
  state.at = place
  state.visits?.push({ schema: place, path: [...state.path], value })
  const goesOn = matchAt(state, place.value, value)
  state.at = around
  return goesOn
}

function matchAt(state: MatchState, schema: unknown, value: unknown): boolean {
  if (schema === false) return fail(state, 'false', value, 'no value')
  if (!isObject(schema)) return true
  if (!state.spend() || state.depth > maxDepth || isForeign(state, schema)) {
    state.uncertain = true
    return true
  }
  state.depth++
  const goesOn =
    state.evaluated || (state.draft >= 2019 && hasUnevaluated(schema))
      ? matchEvaluated(state, schema, value)
      : matchReference(state, schema, value)
  state.depth--
  return goesOn
}

function hasUnevaluated(schema: JsonObject): boolean {
  return schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined
}

/**
 * Matches a value and collects the properties or items that the schema evaluates, for `unevaluatedProperties` and `unevaluatedItems`
 * here or in an enclosing schema. If the match is uncertain, everything is evaluated.
 *
 * Source: JSON Schema 2020-12, core, section 11.
 */
function matchEvaluated(state: MatchState, schema: JsonObject, value: unknown): boolean {
  const { evaluated: around, uncertain: before } = state
  const evaluated = new Set<string | number>()
  state.evaluated = evaluated
  state.uncertain = false
  let goesOn = matchReference(state, schema, value)
  if (goesOn && !state.uncertain) goesOn = matchUnevaluated(state, schema, value, evaluated)
  state.evaluated = around
  evaluate(state, state.uncertain ? listSteps(value) : evaluated)
  state.uncertain ||= before
  return goesOn
}

function matchUnevaluated(state: MatchState, schema: JsonObject, value: unknown, evaluated: Set<string | number>): boolean {
  const keyword = Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties'
  const described = schema[keyword]
  if (described === undefined) return true
  for (const step of listSteps(value)) {
    if (evaluated.has(step)) continue
    if (described === false && typeof step === 'string') {
      if (!failKey(state, step, value, 'unevaluatedProperties')) return false
    } else if (!matchPart(state, innerPlace(state, described, keyword), value, step)) return false
    evaluated.add(step)
  }
  return true
}

function evaluate({ evaluated }: MatchState, steps: Iterable<string | number>): void {
  if (evaluated) for (const step of steps) evaluated.add(step)
}

/** The keys of a mapping or the indexes of a list. */
function listSteps(value: unknown): Iterable<string | number> {
  if (Array.isArray(value)) return value.keys()
  return isObject(value) ? Object.keys(value) : []
}

function isForeign({ options }: MatchState, schema: JsonObject): boolean {
  const dialect = schema['$schema']
  return typeof dialect === 'string' && !options.isStrict && !isKnownDialect(dialect)
}

function matchReference(state: MatchState, schema: JsonObject, value: unknown): boolean {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return matchKeywords(state, schema, value)
  return (
    matchTarget(state, schema, '$ref', value) && (!readsBesideReference(state.dialect) || matchKeywords(state, schema, value))
  )
}

function matchTarget(state: MatchState, holder: JsonObject, keyword: string, value: unknown): boolean {
  const { at } = state
  const target = state.find(at.file, String(readOwn(holder, keyword)), holder)
  if (target) return matchPlace(state, { ...target, around: at, keyword }, value)
  state.uncertain = true
  return true
}

function matchKeywords(state: MatchState, schema: JsonObject, value: unknown): boolean {
  // Only the type is nullable: an `enum` without `null` still excludes it. Source: OpenAPI 3.0.4, "Schema Object".
  if (value === null && schema['nullable'] === true && isNullableKnown(state)) return matchChoices(state, schema, value)
  if (schema['format'] !== undefined || schema['contentEncoding'] !== undefined || schema['contentMediaType'] !== undefined)
    // They can distinguish values, but are not checked.
    state.isAnnotated = true
  const { length } = state.found
  if (!matchType(state, schema, value) || !matchChoices(state, schema, value)) return false
  // About another value, other keywords say nothing more.
  if (state.found.length > length) {
    evaluate(state, listSteps(value))
    return true
  }
  return matchContent(state, schema, value) && matchParts(state, schema, value)
}

/** Rules may use `nullable` in every draft, as in Spectral. */
function isNullableKnown({ dialect }: MatchState): boolean {
  return dialect === '3.0' || dialect.startsWith('draft')
}

function matchContent(state: MatchState, schema: JsonObject, value: unknown): boolean {
  if (typeof value === 'string') return matchText(state, schema, value)
  const number = numberOf(value)
  if (number !== undefined) return matchNumber(state, schema, number)
  if (Array.isArray(value)) return matchList(state, schema, value)
  return isObject(value) ? matchMapping(state, schema, value) : true
}

/** Matches a property or an item of a value. */
function matchPart(state: MatchState, schema: SchemaPlace, around: unknown, step: string | number): boolean {
  state.path.push(step)
  const goesOn = matchInside(state, schema, readStep(around, step), matchPlace)
  state.path.pop()
  return goesOn
}

/** Matches a different value, with its own evaluated properties and items. */
function matchInside<Result>(
  state: MatchState,
  schema: SchemaPlace,
  value: unknown,
  match: (state: MatchState, schema: SchemaPlace, value: unknown) => Result,
): Result {
  const { evaluated, top } = state
  state.evaluated = undefined
  state.top = schema
  const result = match(state, schema, value)
  state.evaluated = evaluated
  state.top = top
  return result
}

function matchParts(state: MatchState, schema: JsonObject, value: unknown): boolean {
  if (state.draft > 5 && !matchOlder(state, schema, value)) return false
  const { allOf, not } = schema
  for (const [index, part] of listOf(allOf).entries())
    if (!matchPlace(state, innerPlace(state, part, 'allOf', index), value)) return false
  const goesOn = schema['discriminator'] && state.options.matchSelected?.(state, schema, value)
  if (goesOn === false) return false
  if (!goesOn && !matchChoice(state, 'anyOf', schema, value)) return false
  if (!goesOn && !matchChoice(state, 'oneOf', schema, value)) return false
  if (not !== undefined && matchesNot(state, innerPlace(state, not, 'not'), value)) {
    if (!fail(state, 'not', value, 'a value that does not match `not`')) return false
  }
  return state.draft === 5 || schema['if'] === undefined || matchCondition(state, schema, value)
}

/**
 * Keywords that make a match uncertain: the target of `$dynamicRef` depends on the enclosing schemas, and `dependencies` belongs to older
 * drafts. If all keywords count, the target is that of `$ref`.
 */
function matchOlder(state: MatchState, schema: JsonObject, value: unknown): boolean {
  const { $dynamicRef, $recursiveRef, dependencies } = schema
  const reference = $dynamicRef ?? $recursiveRef
  const keyword = $dynamicRef === undefined ? '$recursiveRef' : '$dynamicRef'
  if (!state.options.isStrict) {
    if (reference !== undefined || dependencies !== undefined) state.uncertain = true
    return true
  }
  if (typeof reference === 'string' && !matchTarget(state, schema, keyword, value)) return false
  return matchDependencies(state, 'dependencies', dependencies, value)
}

/** Whether a value certainly matches the schema of `not`, which evaluates nothing for enclosing schemas. */
function matchesNot(state: MatchState, schema: SchemaPlace, value: unknown): boolean {
  const { evaluated, visits } = state
  state.evaluated = undefined
  state.visits = undefined
  const result = tryMatch(state, schema, value)
  state.evaluated = evaluated
  state.visits = visits
  return result === 'match'
}

function matchCondition(state: MatchState, schema: JsonObject, value: unknown): boolean {
  const result = tryMatch(state, innerPlace(state, schema['if'], 'if'), value)
  if (result === 'uncertain') return true
  const keyword = result === 'match' ? 'then' : 'else'
  return schema[keyword] === undefined || matchPlace(state, innerPlace(state, schema[keyword], keyword), value)
}

function matchChoice(state: MatchState, keyword: 'anyOf' | 'oneOf', schema: JsonObject, value: unknown): boolean {
  const choices = schema[keyword]
  if (!Array.isArray(choices)) return true
  const { isAnnotated } = state
  state.isAnnotated = schema['discriminator'] !== undefined
  const goesOn = matchOneOf(state, keyword, choices, value)
  state.isAnnotated ||= isAnnotated
  return goesOn
}

/** Several matches of `oneOf` are only reported if no keyword that is not checked, such as `format`, could distinguish the schemas. */
function matchOneOf(state: MatchState, keyword: 'anyOf' | 'oneOf', choices: readonly unknown[], value: unknown): boolean {
  const failed: Tried[] = []
  let matches = 0
  let isUncertain = false
  for (const [index, choice] of choices.entries()) {
    const tried = matchApart(state, innerPlace(state, choice, keyword, index), value)
    isUncertain ||= tried.found.length === 0 && tried.uncertain
    if (tried.found.length > 0) failed.push(tried)
    else matches++
    // Otherwise, the other schemas say nothing more.
    const isOpen = matches === 0 || state.visits || (!isUncertain && (keyword === 'oneOf' || state.evaluated))
    if (!isOpen) break
  }
  if (isUncertain) {
    state.uncertain = true
    return true
  }
  const failAll = (count: string) =>
    fail(state, keyword, value, `a value that matches ${count} of the ${choices.length} schemas of \`${keyword}\``)
  if (matches > 1 && keyword === 'oneOf') {
    if (!state.isAnnotated || state.options.isStrict) return failAll('only one')
    state.uncertain = true
  }
  if (matches > 0 || failed.length === 0) return true
  evaluate(state, listSteps(value))
  const meant = findMeant(failed, state.path.length)
  for (const { visits = [] } of failed) state.visits?.push(...visits)
  if (!meant) return failAll('one')
  state.found.push(...meant.found)
  return !isOver(state)
}

/** What a schema says about a value if it does not match. */
interface Tried extends Pick<MatchState, 'found' | 'uncertain'> {
  /** Of a schema that does not match, and only if they are collected. */
  readonly visits: readonly Visit[] | undefined
}

/** What tells that a schema is not the intended one: it is for values of another type, with another tag such as a `const`, or with other keys. */
const tellsOther: readonly ((mismatch: Mismatch, depth: number) => boolean)[] = [
  ({ path, keyword }, depth) => path.length === depth && keyword === 'type',
  ({ path, keyword }, depth) => path.length === depth + 1 && /^(?:const|enum)$/.test(keyword),
  ({ path, on }, depth) => path.length === depth || (path.length === depth + 1 && on === 'key'),
]

/** The schema that was probably meant: the one that is left without those that are for other values. */
function findMeant(failed: readonly Tried[], depth: number): Tried | undefined {
  let left = failed
  for (const isOther of tellsOther) {
    const kept = left.filter(({ found }) => !found.some((mismatch) => isOther(mismatch, depth)))
    if (left.length > 1 && kept.length > 0) left = kept
  }
  return left.length === 1 ? left[0] : undefined
}

/** Matches a value without adding its mismatches. What the schema evaluates only counts if there are none. */
function matchApart(state: MatchState, schema: SchemaPlace, value: unknown): Tried {
  const visited = state.visits?.length
  const { found: before, uncertain: around, evaluated } = state
  state.found = []
  state.uncertain = false
  state.evaluated = evaluated && new Set()
  matchPlace(state, schema, value)
  const { found, uncertain, evaluated: own } = state
  state.found = before
  state.uncertain = around
  state.evaluated = evaluated
  if (found.length === 0) evaluate(state, own ?? [])
  return { found, uncertain, visits: found.length === 0 ? undefined : state.visits?.splice(visited ?? 0) }
}

/** Matches without a mismatch of its own, and thus at most to the first one. */
function tryMatch(state: MatchState, schema: SchemaPlace, value: unknown): 'match' | 'none' | 'uncertain' {
  const { findsAll } = state
  state.findsAll = false
  const { found, uncertain } = matchApart(state, schema, value)
  state.findsAll = findsAll
  if (found.length > 0) return 'none'
  state.uncertain ||= uncertain
  return uncertain ? 'uncertain' : 'match'
}

/** Matches a list against the array keywords. Source: JSON Schema 2020-12, core, section 10.3.1; validation, section 6.4. */
function matchList(state: MatchState, schema: JsonObject, value: readonly unknown[]): boolean {
  const { uniqueItems, contains } = schema
  const { length } = value
  if (!matchCount(state, schema, itemLimits, value)) return false
  for (const part of uniqueItems === true ? listRepeated(state, value) : []) {
    if (!fail(state, 'uniqueItems', value, 'unique entries', { part })) return false
  }
  const { first, tuple, rest, others } = readItems(state, schema)
  for (let index = 0; index < length; index++) {
    const isFirst = index < first.length
    const described: unknown = isFirst ? first[index] : rest
    if (described === undefined) continue
    const place = isFirst ? innerPlace(state, described, tuple, index) : innerPlace(state, described, others)
    if (!matchPart(state, place, value, index)) return false
    state.evaluated?.add(index)
  }
  return contains === undefined || state.draft === 5 || matchContains(state, schema, value)
}

/** The schemas of the first entries, and that of the others, with their keywords. Before 2020-12, `items` can be a list. */
function readItems({ draft }: MatchState, schema: JsonObject) {
  const { items } = schema
  const plain: readonly unknown[] = draft === 2020 ? listOf(schema['prefixItems']) : []
  if (draft > 5 && draft !== 2020 && Array.isArray(items))
    return { first: items, tuple: 'items', rest: schema['additionalItems'], others: 'additionalItems' }
  return { first: plain, tuple: 'prefixItems', rest: items, others: 'items' }
}

function matchContains(state: MatchState, schema: JsonObject, value: readonly unknown[]): boolean {
  const { contains, minContains, maxContains } = state.draft === 7 ? { contains: schema['contains'] } : schema
  const before = state.uncertain
  state.uncertain = false
  let count = 0
  for (const [index, entry] of value.entries()) {
    state.path.push(index)
    const result = matchInside(state, innerPlace(state, contains, 'contains'), entry, tryMatch)
    state.path.pop()
    if (result === 'none') continue
    count++
    state.evaluated?.add(index)
  }
  const { uncertain } = state
  state.uncertain ||= before
  if (uncertain) return true
  const least = typeof minContains === 'number' ? minContains : 1
  if (count < least) return fail(state, 'contains', value, `at least ${countOf(least, 'entry')} that match \`contains\``)
  if (typeof maxContains === 'number' && count > maxContains)
    return fail(state, 'contains', value, `at most ${countOf(maxContains, 'entry')} that match \`contains\``)
  return true
}

/** Longer lists are only compared if all keywords count. */
const maxCompared = 100

/** The indexes of entries that an earlier one equals. */
function* listRepeated(state: MatchState, value: readonly unknown[]): Generator<number> {
  if (value.length > maxCompared && !state.options.isStrict) {
    state.uncertain = true
    return
  }
  const scalars = new Set<unknown>()
  const others: unknown[] = []
  for (const [index, entry] of value.entries()) {
    if (typeof entry !== 'object' || entry === null) {
      if (scalars.has(entry)) yield index
      scalars.add(entry)
    } else {
      if (others.some((other) => !state.spend() || equalJson(other, entry))) yield index
      else others.push(entry)
    }
  }
}

const itemLimits: CountLimits<readonly unknown[]> = { min: 'minItems', max: 'maxItems', count: ({ length }) => length }

const propertyLimits: CountLimits<JsonObject> = {
  min: 'minProperties',
  max: 'maxProperties',
  count: (value) => Object.keys(value).length,
}

/** Matches a mapping against the object keywords. Source: JSON Schema 2020-12, core, section 10.3.2; validation, section 6.5. */
function matchMapping(state: MatchState, schema: JsonObject, value: JsonObject): boolean {
  if (!matchRequired(state, schema, value) || !matchProperties(state, schema, value)) return false
  if (!matchCount(state, schema, propertyLimits, value)) return false
  if (state.draft === 5) return true
  const keywords = state.draft < 2019 ? [] : ['dependentRequired', 'dependentSchemas']
  return (
    keywords.every((keyword) => matchDependencies(state, keyword, readOwn(schema, keyword), value)) &&
    matchNames(state, schema, value)
  )
}

function matchProperties(state: MatchState, schema: JsonObject, value: JsonObject): boolean {
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined
  const patterns = state.draft > 5 && isObject(schema['patternProperties']) ? schema['patternProperties'] : undefined
  const additional = schema['additionalProperties']
  for (const key in value) {
    const described: SchemaPlace[] = []
    if (properties && Object.hasOwn(properties, key)) described.push(innerPlace(state, properties[key], 'properties', key))
    let known = described.length > 0
    if (patterns) {
      for (const pattern of Object.keys(patterns)) {
        const matches = testPattern(state, pattern, key)
        if (matches === undefined) known = true
        else if (matches) described.push(innerPlace(state, patterns[pattern], 'patternProperties', pattern))
      }
    }
    if (!known && described.length === 0 && additional !== undefined) {
      if (additional === false) {
        if (!failKey(state, key, value, 'additionalProperties')) return false
        continue
      }
      described.push(innerPlace(state, additional, 'additionalProperties'))
    }
    for (const part of described) if (!matchPart(state, part, value, key)) return false
    if (described.length > 0) state.evaluated?.add(key)
  }
  return true
}

function failKey(
  state: MatchState,
  key: string,
  value: unknown,
  keyword: 'additionalProperties' | 'unevaluatedProperties',
): boolean {
  return fail(state, keyword, value, `only properties of the schema (\`${keyword}: false\`)`, { on: 'key', part: key })
}

/** What a mapping has to match if it has certain keys: a list of names that it has too, or a schema. */
function matchDependencies(state: MatchState, keyword: string, dependencies: unknown, value: unknown): boolean {
  if (!isObject(dependencies) || !isObject(value)) return true
  for (const [key, part] of Object.entries(dependencies)) {
    if (!Object.hasOwn(value, key)) continue
    if (!Array.isArray(part)) {
      if (!matchPlace(state, innerPlace(state, part, keyword, key), value)) return false
      continue
    }
    for (const name of part) {
      if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
      const expected = `it whenever \`${shorten(key)}\` is present`
      if (!fail(state, 'dependentRequired', value, expected, { names: [name] })) return false
    }
  }
  return true
}

function matchNames(state: MatchState, { propertyNames }: JsonObject, value: JsonObject): boolean {
  if (propertyNames === undefined) return true
  const { visits } = state
  state.visits = undefined
  for (const key of Object.keys(value)) {
    const { length } = state.found
    state.path.push(key)
    const goesOn = matchInside(state, innerPlace(state, propertyNames, 'propertyNames'), key, matchPlace)
    state.path.pop()
    const ofKey = state.found.splice(length).map((mismatch): Mismatch => ({ ...mismatch, on: 'key' }))
    state.found.push(...ofKey)
    if (!goesOn) break
  }
  state.visits = visits
  return !isOver(state)
}
