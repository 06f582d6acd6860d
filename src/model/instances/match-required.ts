import { isObject, type JsonObject, listOf, readOwn } from '../../text/json/json-values.ts'
import { fail, type MatchState, type SchemaPlace } from './match-state.ts'

/** Matches a mapping against `required`. Read-only properties may be missing in requests and write-only ones in responses. */
export function matchRequired(state: MatchState, schema: JsonObject, value: JsonObject): boolean {
  const { required } = schema
  const missing: string[] = []
  for (const name of listOf(required)) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    if (!mayMiss(state, schema, name)) missing.push(name)
    else if (!state.options.isStrict) state.uncertain = true
  }
  // A rule has a finding for each, an example one for all.
  const findings = state.options.isStrict ? missing.map((one) => [one]) : [missing]
  return findings.every((names) => names.length === 0 || fail(state, 'required', value, 'all required properties', { names }))
}

function mayMiss(state: MatchState, schema: JsonObject, name: string): boolean {
  if (state.options.mayMiss?.length === 0) return false
  const property = readOwn(schema['properties'], name)
  const isDefinedElsewhere = property === undefined && state.top?.value !== schema
  return isDefinedElsewhere ? mayDefineMissable(state, state.top, name, 0) : isMissable(state, state.at.file, property, 0)
}

const readOrWriteOnly = ['readOnly', 'writeOnly'] as const

/** Whether one of the schemas for a value may define a property as one that may be missing. */
function mayDefineMissable(state: MatchState, place: SchemaPlace | undefined, name: string, depth: number): boolean {
  if (!isObject(place?.value)) return place === undefined
  if (depth > 10 || !state.spend()) return true
  const { file, value } = place
  const { $ref, allOf, anyOf, oneOf, dependentSchemas } = value
  if (isMissable(state, file, readOwn(value['properties'], name), 0)) return true
  const parts = [
    ...[allOf, anyOf, oneOf].flatMap(listOf),
    ...[value['if'], value['then'], value['else']],
    ...Object.values(Object(dependentSchemas)),
  ]
  if (parts.some((part) => mayDefineMissable(state, { file, value: part }, name, depth + 1))) return true
  return typeof $ref === 'string' && mayDefineMissable(state, state.find(file, $ref, value), name, depth + 1)
}

function isMissable(state: MatchState, file: string, property: unknown, depth: number): boolean {
  if (!isObject(property) || depth > 10) return depth > 10
  if ((state.options.mayMiss ?? readOrWriteOnly).some((keyword) => readOwn(property, keyword) === true)) return true
  const { $ref, allOf } = property
  if (listOf(allOf).some((part) => isMissable(state, file, part, depth + 1))) return true
  if (typeof $ref !== 'string') return false
  const target = state.find(file, $ref, property)
  return target === undefined || isMissable(state, target.file, target.value, depth + 1)
}
