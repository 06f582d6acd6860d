import type { JsonObject } from '../../text/is-object.ts'
import { equalJson } from './equal-json.ts'
import type { MatchSchema } from './match-schema.ts'
import { type MatchState, type Mismatch, toMismatch } from './match-state.ts'

/** Matches a list against the keywords for lists. Source: JSON Schema 2020-12, core, section 10.3.1; validation, section 6.4. */
export function matchList(
  state: MatchState,
  schema: JsonObject,
  file: string,
  value: readonly unknown[],
  match: MatchSchema,
): Mismatch | undefined {
  const { minItems, maxItems, uniqueItems, items, prefixItems, contains } = schema
  if (typeof minItems === 'number' && value.length < minItems)
    return toMismatch(state, countEntries(value.length), `at least ${minItems}`)
  if (typeof maxItems === 'number' && value.length > maxItems)
    return toMismatch(state, countEntries(value.length), `at most ${maxItems}`)
  if (uniqueItems === true) {
    const repeated = findRepeated(state, value)
    if (repeated !== undefined) {
      return { path: [...state.path, repeated], on: 'value', found: 'repeated entry', expected: 'each only once' }
    }
  }
  const prefix = state.release !== '3.0' && Array.isArray(prefixItems) ? prefixItems : []
  for (let index = 0; index < value.length; index++) {
    const described: unknown = index < prefix.length ? prefix[index] : items
    if (described === undefined) continue
    state.path.push(index)
    const mismatch = match(state, { file, value: described }, value[index])
    state.path.pop()
    if (mismatch) return mismatch
  }
  return contains === undefined || state.release === '3.0' ? undefined : matchContains(state, schema, file, value, match)
}

function matchContains(
  state: MatchState,
  { contains, minContains, maxContains }: JsonObject,
  file: string,
  value: readonly unknown[],
  match: MatchSchema,
): Mismatch | undefined {
  const before = state.uncertain
  state.uncertain = false
  const count = value.filter((entry) => !match(state, { file, value: contains }, entry)).length
  const uncertain = state.uncertain
  state.uncertain ||= before
  if (uncertain) return undefined
  const least = typeof minContains === 'number' ? minContains : 1
  if (count < least) return toMismatch(state, 'list', `at least ${countEntries(least)} that \`contains\` describes`)
  if (typeof maxContains === 'number' && count > maxContains)
    return toMismatch(state, 'list', `at most ${countEntries(maxContains)} that \`contains\` describes`)
  return undefined
}

/** The index of the first entry that stands in the list before. Long lists are not compared. */
function findRepeated(state: MatchState, value: readonly unknown[]): number | undefined {
  if (value.length > 100) {
    state.uncertain = true
    return undefined
  }
  const index = value.findIndex((entry, at) => value.slice(0, at).some((other) => equalJson(other, entry)))
  return index === -1 ? undefined : index
}

function countEntries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}
