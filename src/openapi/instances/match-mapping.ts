import { isObject, type JsonObject } from '../../text/is-object.ts'
import { suggest } from '../../text/suggest.ts'
import { didYouMean, shorten } from '../name-value.ts'
import { matchPattern } from './match-pattern.ts'
import type { MatchSchema } from './match-schema.ts'
import { type MatchState, type Mismatch, toMismatch } from './match-state.ts'

/** Matches a mapping against the keywords for mappings. Source: JSON Schema 2020-12, core, section 10.3.2; validation, section 6.5. */
export function matchMapping(
  state: MatchState,
  schema: JsonObject,
  file: string,
  value: JsonObject,
  match: MatchSchema,
): Mismatch | undefined {
  const { minProperties, maxProperties } = schema
  const mismatch = matchRequired(state, schema, file, value) ?? matchProperties(state, schema, file, value, match)
  if (mismatch) return mismatch
  const count = Object.keys(value).length
  if (typeof minProperties === 'number' && count < minProperties)
    return toMismatch(state, countKeys(count), `at least ${minProperties}`)
  if (typeof maxProperties === 'number' && count > maxProperties)
    return toMismatch(state, countKeys(count), `at most ${maxProperties}`)
  return state.release === '3.0' ? undefined : matchDependents(state, schema, file, value, match)
}

/** What is read-only need not be in a request, what is write-only not in a response; an example may be of either. */
function matchRequired(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const { required, properties } = schema
  if (!Array.isArray(required)) return undefined
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    // Described by another part of an `allOf`, where it may be read-only.
    if (property === undefined && state.depth > 1) state.uncertain = true
    else if (isOneWay(state, file, property, 0)) state.uncertain = true
    else {
      const keys = Object.keys(value).filter((key) => !isObject(properties) || !Object.hasOwn(properties, key))
      const near = suggest(name, keys)
      return toMismatch(
        state,
        `mapping without \`${shorten(name)}\``,
        `all that \`required\` names`,
        near && `is \`${shorten(near)}\` a typo?`,
      )
    }
  }
  return undefined
}

function isOneWay(state: MatchState, file: string, property: unknown, depth: number): boolean {
  if (!isObject(property) || depth > 10) return depth > 10
  if (property['readOnly'] === true || property['writeOnly'] === true) return true
  const { $ref, allOf } = property
  if (Array.isArray(allOf) && allOf.some((part) => isOneWay(state, file, part, depth + 1))) return true
  if (typeof $ref !== 'string') return false
  const target = state.find(file, $ref)
  return target === undefined || isOneWay(state, target.file, target.value, depth + 1)
}

function matchProperties(
  state: MatchState,
  schema: JsonObject,
  file: string,
  value: JsonObject,
  match: MatchSchema,
): Mismatch | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined
  const patterns = state.release !== '3.0' && isObject(schema['patternProperties']) ? schema['patternProperties'] : undefined
  const additional = schema['additionalProperties']
  for (const key in value) {
    const described: unknown[] = []
    if (properties && Object.hasOwn(properties, key)) described.push(properties[key])
    let known = described.length > 0
    if (patterns) {
      for (const pattern of Object.keys(patterns)) {
        const matches = matchPattern(pattern, key)
        if (matches === undefined) {
          state.uncertain = true
          known = true
        } else if (matches) described.push(patterns[pattern])
      }
    }
    if (!known && described.length === 0 && additional !== undefined) {
      if (additional === false) return unknownKey(state, key, properties ? Object.keys(properties) : [], value)
      described.push(additional)
    }
    for (const part of described) {
      state.path.push(key)
      const mismatch = match(state, { file, value: part }, value[key])
      state.path.pop()
      if (mismatch) return mismatch
    }
  }
  return undefined
}

function unknownKey(state: MatchState, key: string, names: readonly string[], value: JsonObject): Mismatch {
  const near = suggest(
    key,
    names.filter((name) => !Object.hasOwn(value, name)),
  )
  return {
    path: [...state.path, key],
    on: 'key',
    found: `property \`${shorten(key)}\``,
    expected: 'only those of the schema (`additionalProperties: false`)',
    ...(near === undefined ? {} : { hint: didYouMean(near) ?? '' }),
  }
}

function matchDependents(
  state: MatchState,
  schema: JsonObject,
  file: string,
  value: JsonObject,
  match: MatchSchema,
): Mismatch | undefined {
  const { dependentRequired, dependentSchemas, propertyNames } = schema
  for (const [key, names] of isObject(dependentRequired) ? Object.entries(dependentRequired) : []) {
    if (!Object.hasOwn(value, key) || !Array.isArray(names)) continue
    const missing: unknown = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    if (missing !== undefined)
      return toMismatch(state, `mapping without \`${shorten(String(missing))}\``, `it beside \`${shorten(key)}\``)
  }
  for (const [key, part] of isObject(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
    const mismatch = Object.hasOwn(value, key) ? match(state, { file, value: part }, value) : undefined
    if (mismatch) return mismatch
  }
  if (propertyNames === undefined) return undefined
  for (const key of Object.keys(value)) {
    const mismatch = match(state, { file, value: propertyNames }, key)
    if (mismatch) return { ...mismatch, path: [...state.path, key], on: 'key' }
  }
  return undefined
}

function countKeys(count: number): string {
  return count === 1 ? '1 property' : `${count} properties`
}
