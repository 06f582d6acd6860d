import { nameType } from '../../openapi/schema/json-schema.ts'
import { isObject, type JsonObject, listOf, listTexts, numberOf, readOwn, readStep } from '../../text/json/json-values.ts'
import { didYouMean, type Suggest, shorten } from '../../text/plain/suggest.ts'
import { countOf, nameFirst, nameJson } from './match-keywords.ts'
import { matchPlace } from './match-place.ts'
import {
  type Dialect,
  fail,
  type MatchOptions,
  type MatchState,
  type Mismatch,
  pointerOf,
  type SchemaPlace,
  type Visit,
} from './match-state.ts'

export type { SchemaPlace, Visit }
export { pointerOf }

/** The draft whose keywords a dialect has. Source: OpenAPI 3.0.4, "Schema Object", which is based on draft 5; OpenAPI 3.1.1, likewise. */
const drafts: Readonly<Record<Dialect, number>> = {
  '3.0': 5,
  draft7: 7,
  'draft2019-09': 2019,
  'draft2020-12': 2020,
  '3.1': 2020,
  '3.2': 2020,
}

/** The dialect with a `$schema` URL, or `undefined` if it is unknown. */
export function dialectOf(url: unknown): Dialect | undefined {
  const [, old, modern] =
    /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019-09|2020-12))\/(?:hyper-)?schema#?$/.exec(String(url)) ?? []
  if (old !== undefined) return 'draft7'
  return modern === undefined ? undefined : modern === '2019-09' ? 'draft2019-09' : 'draft2020-12'
}

const nowhere: SchemaPlace = { file: '', value: undefined }

/** The state of the first match. */
export function startMatch(
  dialect: Dialect,
  find: MatchState['find'],
  spend: MatchState['spend'],
  options: MatchOptions = {},
): MatchState {
  return {
    dialect,
    draft: drafts[dialect],
    find,
    spend,
    options,
    findsAll: options.findsAll ?? false,
    found: [],
    uncertain: false,
    isAnnotated: false,
    path: [],
    at: nowhere,
    visits: undefined,
    top: undefined,
    depth: 0,
    evaluated: undefined,
  }
}

/** The schema that a discriminator selects, or the property whose value selects none of its tags. */
type Selected = SchemaPlace | { readonly property: string; readonly tags: readonly string[] }

/** Creates `matchSelected` from what discriminators select. Not a part of every match: pages load the others. */
export function toMatchSelected(
  select: (schema: JsonObject, file: string, value: JsonObject) => Selected | undefined,
): NonNullable<MatchOptions['matchSelected']> {
  /** The schemas that were selected around the current one, each with its value. A selected schema can contain the one with the discriminator. */
  const open: { readonly schema: unknown; readonly value: unknown }[] = []
  return (state, schema, value) => {
    const selected = isObject(value) ? select(schema, state.at.file, value) : undefined
    if (!selected) return undefined
    if ('tags' in selected) {
      const { property, tags } = selected
      const name = String(readStep(value, property))
      const expected = `a value that selects a schema: ${nameFirst(tags, 10)}`
      return fail(state, 'discriminator', name, expected, { part: property, names: tags })
    }
    if (open.some((one) => one.schema === selected.value && one.value === value)) return undefined
    open.push({ schema: selected.value, value })
    const goesOn = matchPlace(state, { ...selected, around: state.at, keyword: 'discriminator' }, value)
    open.pop()
    return goesOn
  }
}

/** Finds the first location at which a value does not match its schema. See `listMismatches`. */
export function matchSchema(state: MatchState, schema: SchemaPlace, value: unknown): Mismatch | undefined {
  return listMismatches(state, schema, value)[0]
}

/**
 * Finds the locations at which a value does not match its schema: the first one, or all. An uncertain result is a match.
 *
 * This is the one interpreter of JSON Schema: of the subset of OpenAPI 3.0, and of the drafts 4 to 2020-12. The schema is not compiled, so
 * untrusted documents never become code. References are looked up and nothing is copied, so the cost depends on the value and not on all
 * reachable schemas.
 */
export function listMismatches(state: MatchState, schema: SchemaPlace, value: unknown): readonly Mismatch[] {
  state.top = schema
  state.found = []
  matchPlace(state, schema, value)
  return state.found
}

/** Lists the schemas that apply to the parts of a value, and the locations at which it does not match them. Finds all: see `MatchOptions`. */
export function visitSchemas(state: MatchState, schema: SchemaPlace, value: unknown) {
  const visits: Visit[] = []
  state.visits = visits
  const mismatches = listMismatches(state, schema, value)
  state.visits = undefined
  return { visits, mismatches }
}

/** Completes "Unexpected …". It is not found while matching, because that takes long, and the form does not show it. */
export function foundOf({ keyword, path, value, schema, names = [] }: Mismatch): string {
  if (keyword === 'uniqueItems') return 'duplicate value'
  if (closesMapping.test(keyword)) return `property \`${shorten(String(path.at(-1)))}\``
  if (/^(?:r|dependentR)equired$/.test(keyword)) return `mapping without ${nameFirst(names, 5)}`
  if (/^m(?:in|ax)Items$/.test(keyword)) return countOf(listOf(value).length, 'entry')
  if (/^m(?:in|ax)Properties$/.test(keyword)) return countOf(Object.keys(Object(value)).length, 'property')
  if (/^(?:enum|const|discriminator)$/.test(keyword)) return `\`${nameJson(value)}\``
  const isWrongNumber = keyword === 'type' && numberOf(value) !== undefined && readOwn(schema.value, 'type') === 'integer'
  const isQuoted = isWrongNumber || /^(?:pattern|format|multipleOf|m..Length|m..imum|exclusive.*)$/.test(keyword)
  if (!isQuoted) return nameType(value)
  return value === '' ? 'empty string' : `\`${shorten(String(value))}\``
}

/** What may help with a mismatch. It is not found while matching either. */
export function hintOf(mismatch: Mismatch, { dialect, options }: MatchState, suggest: Suggest): string | undefined {
  const { keyword, value, schema } = mismatch
  if (keyword === 'type') return toTypeHint(readOwn(schema.value, 'type'), value, dialect)
  const near = findNear(mismatch)
  // Each of many examples can have another value than those of a long enum.
  const isFar = keyword === 'enum' && !options.isStrict
  const isNear = (name: string) => !isFar || name.toLowerCase() === near?.name.toLowerCase()
  const similar = near && suggest(near.name, () => near.listNames().filter(isNear))
  return keyword === 'required' && similar !== undefined ? `Is \`${shorten(similar)}\` a typo?` : didYouMean(similar)
}

const closesMapping = /^(?:additional|unevaluated)Properties$/

/** A name that is missing or unexpected, and those that may be meant. */
function findNear({ keyword, path, value, schema, names = [] }: Mismatch) {
  const others = (of: unknown, than: unknown) => Object.keys(Object(of)).filter((name) => !Object.hasOwn(Object(than), name))
  const properties = readOwn(schema.value, 'properties')
  const [missing] = names
  if (keyword === 'discriminator') return { name: String(value), listNames: () => names }
  if (closesMapping.test(keyword)) return { name: String(path.at(-1)), listNames: () => others(properties, value) }
  if (keyword === 'required' && missing !== undefined) return { name: missing, listNames: () => others(value, properties) }
  if (keyword !== 'enum' || typeof value !== 'string') return undefined
  return { name: value, listNames: () => listTexts(readOwn(schema.value, 'enum')) }
}

function toTypeHint(type: unknown, value: unknown, dialect: Dialect): string | undefined {
  if (typeof type !== 'string') return undefined
  if (value === null) {
    if (dialect.startsWith('draft')) return undefined
    return dialect === '3.0'
      ? 'Add `nullable: true` beside `type` in the schema to allow `null`, not beside a `$ref`'
      : `Write \`type: [${type}, "null"]\` in the schema to allow \`null\``
  }
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return 'Put the value in quotes'
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  const isQuoted = type === 'boolean' ? value === 'true' || value === 'false' : /^(?:integer|number)$/.test(type) && isNumber
  return isQuoted ? 'Remove the quotes' : undefined
}
