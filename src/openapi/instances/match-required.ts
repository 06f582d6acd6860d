import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { shorten } from '../hints/suggestions.ts'
import { spendNodes } from '../node-budget.ts'
import { type MatchState, type Mismatch, type SchemaPlace, toMismatch } from './match-scalar.ts'

/** Read-only properties may be missing in requests and write-only ones in responses, and an example may be either. */
export function matchRequired(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const { required, properties } = schema
  if (!Array.isArray(required)) return undefined
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    const isDefinedElsewhere = property === undefined && state.depth > 1
    const mayBeMissing = isDefinedElsewhere
      ? mayDefineReadOnly(state, state.top, name, 0)
      : isReadOrWriteOnly(state, file, property, 0)
    if (mayBeMissing) state.uncertain = true
    else {
      const keys = Object.keys(value).filter((key) => !isObject(properties) || !Object.hasOwn(properties, key))
      const near = suggest(name, keys)
      return toMismatch(
        state,
        `mapping without \`${shorten(name)}\``,
        'all required properties',
        near && `Is \`${shorten(near)}\` a typo?`,
      )
    }
  }
  return undefined
}

/** Whether one of the schemas for a value may define a property as read-only or write-only. */
function mayDefineReadOnly(state: MatchState, place: SchemaPlace | undefined, name: string, depth: number): boolean {
  if (!isObject(place?.value)) return place === undefined
  if (depth > 10 || !spendNodes(state.budget)) return true
  const { file, value } = place
  const { properties, $ref } = value
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (isReadOrWriteOnly(state, file, property, 0)) return true
  const parts = [
    ...[value['allOf'], value['anyOf'], value['oneOf']].flatMap((list): unknown[] => (Array.isArray(list) ? list : [])),
    ...[value['if'], value['then'], value['else']],
    ...(isObject(value['dependentSchemas']) ? Object.values(value['dependentSchemas']) : []),
  ]
  if (parts.some((part) => part !== undefined && mayDefineReadOnly(state, { file, value: part }, name, depth + 1))) return true
  return typeof $ref === 'string' && mayDefineReadOnly(state, state.find(file, $ref), name, depth + 1)
}

function isReadOrWriteOnly(state: MatchState, file: string, property: unknown, depth: number): boolean {
  if (!isObject(property) || depth > 10) return depth > 10
  if (property['readOnly'] === true || property['writeOnly'] === true) return true
  const { $ref, allOf } = property
  if (Array.isArray(allOf) && allOf.some((part) => isReadOrWriteOnly(state, file, part, depth + 1))) return true
  if (typeof $ref !== 'string') return false
  const target = state.find(file, $ref)
  return target === undefined || isReadOrWriteOnly(state, target.file, target.value, depth + 1)
}
