import { isObject, type JsonObject, listOf, readOwn } from '../../../text/json/json-values.ts'
import { shorten } from '../../../text/plain/suggest.ts'
import { compilePattern } from '../../regular-expression.ts'
import { findRepeatedValue } from './inspect-schema.ts'
import { isAbove, isBelow, size } from './match-scalars.ts'
import { attempt, fail, hasKey, hasType, type Keywords, listTypes, type Match, matchPart, withRequired } from './match-state.ts'

/** Mappings. Source: JSON Schema 2020-12, core, section 10.3.2; draft 7, validation, section 6.5. */
function matchRequired(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (!isObject(value)) return true
  let isMatch = true
  for (const name of listOf(described)) {
    const key = String(name)
    if (hasKey(value, key) || isOptional(match, schema, key)) continue
    isMatch = fail(match, 'required', `have the property \`${shorten(key)}\``)
    if (!match.allErrors) return false
  }
  return isMatch
}

function isOptional({ optional }: Match, { properties }: JsonObject, key: string): boolean {
  if (optional === undefined || !isObject(properties) || !Object.hasOwn(properties, key)) return false
  const property = properties[key]
  return isObject(property) && property[optional] === true
}

function matchPropertyNames(match: Match, described: unknown, value: unknown): boolean {
  let isMatch = true
  for (const key of Object.keys(Object(value))) {
    const { evaluated } = match
    match.evaluated = undefined
    const isValid = attempt(match, () => match.matchSchema(match, described, key))
    match.evaluated = evaluated
    if (isValid) continue
    isMatch = fail(match, 'propertyNames', `have only valid property names, unlike \`${shorten(key)}\``)
    if (!match.allErrors) return false
  }
  return isMatch
}

function matchAdditionalProperties(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (match.evaluated) match.evaluated.properties = 'all'
  if (!isObject(value) || described === true) return true
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  let isMatch = true
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key) || patterns.some((pattern) => compilePattern(pattern).compiled?.test(key))) continue
    isMatch =
      (described === false
        ? fail(match, 'additionalProperties', 'have no other properties', { key })
        : matchPart(match, described, value[key], key)) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchDependencies(match: Match, described: unknown, value: unknown): boolean {
  if (!isObject(value) || !isObject(described)) return true
  const dependencies = Object.entries(described)
  const names = Object.fromEntries(dependencies.filter(([, part]) => Array.isArray(part)))
  const schemas = Object.fromEntries(dependencies.filter(([, part]) => !Array.isArray(part)))
  const isMatch = matchDependentRequired(match, names, value)
  if (!isMatch && !match.allErrors) return false
  return matchDependentSchemas(match, schemas, value) && isMatch
}

function matchDependentRequired(match: Match, described: unknown, value: unknown): boolean {
  if (!isObject(value) || !isObject(described)) return true
  let isMatch = true
  for (const [key, names] of Object.entries(described)) {
    if (!hasKey(value, key)) continue
    for (const name of listOf(names).map(String)) {
      if (hasKey(value, name)) continue
      isMatch = fail(match, 'dependencies', `have the property \`${shorten(name)}\`, because it has \`${shorten(key)}\``)
      if (!match.allErrors) return false
    }
  }
  return isMatch
}

function matchDependentSchemas(match: Match, described: unknown, value: unknown): boolean {
  if (!isObject(value) || !isObject(described)) return true
  let isMatch = true
  for (const [key, part] of Object.entries(described)) {
    if (!hasKey(value, key)) continue
    isMatch = match.matchSchema(match, part, value) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchProperties(match: Match, described: unknown, value: unknown): boolean {
  if (!isObject(value) || !isObject(described)) return true
  let isMatch = true
  const { evaluated } = match
  for (const key of Object.keys(described)) {
    if (evaluated && evaluated.properties !== 'all') evaluated.properties.add(key)
    if (!hasKey(value, key)) continue
    isMatch = matchPart(match, described[key], readOwn(value, key), key) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchPatternProperties(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (!isObject(value) || !isObject(described)) return true
  const { evaluated } = match
  // To know the evaluated properties, Spectral matches all of them with newer dialects.
  const matchesAll = match.allErrors || (match.isModern && schema['additionalProperties'] === undefined)
  let isMatch = true
  for (const pattern of Object.keys(described)) {
    const { compiled } = compilePattern(pattern)
    let isLastMatch = true
    for (const key of Object.keys(value)) {
      if (!compiled?.test(key)) continue
      isLastMatch = matchPart(match, described[pattern], value[key], key)
      isMatch &&= isLastMatch
      if (evaluated && evaluated.properties !== 'all') evaluated.properties.add(key)
      if (!isMatch && (match.isEnded || !matchesAll)) return false
    }
    if (!isLastMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchUnevaluatedProperties(match: Match, described: unknown, value: unknown): boolean {
  const { evaluated } = match
  if (!evaluated || evaluated.properties === 'all' || !isObject(value)) return true
  let isMatch = true
  for (const key of Object.keys(value)) {
    if (evaluated.properties.has(key)) continue
    isMatch =
      (described === false
        ? fail(match, 'unevaluatedProperties', `have no other properties, unlike \`${shorten(key)}\``)
        : withRequired(match, () => matchPart(match, described, value[key], key))) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  evaluated.properties = 'all'
  return isMatch
}

const countKeys = (value: unknown) => Object.keys(Object(value)).length

export const mappingKeywords: Keywords = [
  size('maxProperties', countKeys, isAbove, 'at most # properties'),
  size('minProperties', countKeys, isBelow, 'at least # properties'),
  ['required', matchRequired],
  ['propertyNames', matchPropertyNames],
  ['additionalProperties', matchAdditionalProperties],
  ['dependencies', matchDependencies],
  ['properties', matchProperties],
  ['patternProperties', matchPatternProperties],
]

/** Since draft 2019-09. */
export const modernMappingKeywords: Keywords = [
  ['dependentRequired', matchDependentRequired],
  ['dependentSchemas', (match, described, value) => withRequired(match, () => matchDependentSchemas(match, described, value))],
  ['unevaluatedProperties', matchUnevaluatedProperties],
]

/** Lists. Source: JSON Schema 2020-12, core, section 10.3.1; draft 7, validation, section 6.4. */
function matchTuple(match: Match, described: unknown, value: unknown): boolean {
  const schemas = listOf(described)
  const list = listOf(value)
  evaluateItems(match, schemas.length)
  let isMatch = true
  for (let index = 0; index < Math.min(schemas.length, list.length); index++) {
    isMatch = matchPart(match, schemas[index], list[index], index) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function evaluateItems(match: Match, items: number | 'all'): void {
  const { evaluated } = match
  if (!evaluated || evaluated.items === 'all') return
  evaluated.items = items === 'all' ? 'all' : Math.max(evaluated.items, items)
}

function matchItems(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (Array.isArray(described)) return matchTuple(match, described, value)
  evaluateItems(match, 'all')
  return matchRest(match, described, value, match.dialect === 'draft2020-12' ? listOf(schema['prefixItems']).length : 0, 'items')
}

function matchAdditionalItems(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (match.dialect === 'draft2020-12' || !Array.isArray(schema['items'])) return true
  evaluateItems(match, 'all')
  return matchRest(match, described, value, schema['items'].length, 'additionalItems')
}

/** Matches the entries from an index. */
function matchRest(match: Match, described: unknown, value: unknown, from: number, keyword: string): boolean {
  const list = listOf(value)
  // Without entries before, each entry fails at its own place.
  if (described === false && from > 0) return list.length <= from || fail(match, keyword, `have at most ${from} entries`)
  let isMatch = true
  for (let index = from; index < list.length; index++) {
    isMatch = matchPart(match, described, list[index], index) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchContains(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  const list = listOf(value)
  const least = match.isModern && typeof schema['minContains'] === 'number' ? schema['minContains'] : 1
  const most = match.isModern && typeof schema['maxContains'] === 'number' ? schema['maxContains'] : undefined
  if (least === 0 && most === undefined) return true
  const before = match.errors.length
  evaluateItems(match, 'all')
  let count = 0
  for (const [index, entry] of list.entries()) {
    if (attempt(match, () => matchPart(match, described, entry, index))) count++
    if (most === undefined ? count >= least : count > most) break
  }
  if (count >= least && (most === undefined || count <= most)) {
    match.errors.length = before
    return true
  }
  // Only the errors of keywords that are tried, or of all keywords, are kept.
  if (!match.isTrying && !match.allErrors) match.errors.length = before
  return fail(
    match,
    'contains',
    `have at least ${least}${most === undefined ? '' : ` and at most ${most}`} entries that match \`contains\``,
  )
}

function matchUnique(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  if (described !== true) return true
  const types = isObject(schema['items']) ? listTypes(schema['items']) : []
  const isScalar = types.length > 0 && !types.includes('array') && !types.includes('object')
  // Spectral compares only the entries that have the type of scalar items.
  const entries = listOf(value).filter((entry) => !isScalar || types.some((type) => hasType(entry, type)))
  if (!findRepeatedValue(entries, match.spend)) return true
  return fail(match, 'uniqueItems', 'have only different entries')
}

function matchUnevaluatedItems(match: Match, described: unknown, value: unknown): boolean {
  const { evaluated } = match
  if (!evaluated || evaluated.items === 'all') return true
  const from = evaluated.items
  if (described === false) return listOf(value).length <= from || fail(match, 'unevaluatedItems', `have at most ${from} entries`)
  const isMatch = withRequired(match, () => matchRest(match, described, value, from, 'unevaluatedItems'))
  evaluated.items = 'all'
  return isMatch
}

const countEntries = (value: unknown) => listOf(value).length

export const listKeywords: Keywords = [
  size('maxItems', countEntries, isAbove, 'at most # entries'),
  size('minItems', countEntries, isBelow, 'at least # entries'),
  [
    'prefixItems',
    (match, described, value) =>
      match.dialect !== 'draft2020-12' || withRequired(match, () => matchTuple(match, described, value)),
  ],
  ['additionalItems', matchAdditionalItems],
  ['items', matchItems],
  ['contains', matchContains],
  ['uniqueItems', matchUnique],
]

/** Since draft 2019-09. */
export const modernListKeywords: Keywords = [['unevaluatedItems', matchUnevaluatedItems]]
