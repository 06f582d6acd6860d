import { isObject, type JsonObject } from '../../../text/json/json-values.ts'
import { findRepeatedValue } from './inspect-schema.ts'
import { isAbove, isBelow, size } from './match-scalars.ts'
import { attempt, fail, hasType, type Keywords, listOf, listTypes, type Match, matchPart, withRequired } from './match-state.ts'

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
