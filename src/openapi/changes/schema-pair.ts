import type { Place } from '../follow-reference.ts'
import type { ComparisonState, Scope } from './comparison.ts'
import { readTypes, type SchemaTypes, type SchemaView } from './schema-view.ts'

/** The input of the rules for schemas. */
export interface SchemaPair {
  readonly state: ComparisonState
  readonly scope: Scope
  readonly before: SchemaView
  readonly after: SchemaView
  /** Whether anything but nested schemas differs. */
  readonly differs: boolean
  /** Compares schemas inside these: several places if all of them apply to the same value. */
  readonly compareInner: CompareSchemas
}

type CompareSchemas = (scope: Scope, before: readonly Place[], after: readonly Place[]) => void

/** The types of both schemas. */
export function readBothTypes({ state, before, after }: SchemaPair): { from: SchemaTypes; to: SchemaTypes } {
  return { from: readTypes(before, state.base), to: readTypes(after, state.revision) }
}

/** Whether values of a type can match both schemas. */
export function allowsType(pair: SchemaPair, ...types: readonly string[]): boolean {
  const { from, to } = readBothTypes(pair)
  return types.some((type) => (!from.types || from.types.has(type)) && (!to.types || to.types.has(type)))
}
