import type { Place } from '../follow-reference.ts'
import type { OpenApiRelease } from '../types.ts'

/** Where a value does not match its schema: the first such place. */
export interface Mismatch {
  /** The steps from the value to the part that is wrong. */
  readonly path: readonly (string | number)[]
  /** Which part: the key itself, or its value. */
  readonly on: 'key' | 'value'
  /** Completes "Unexpected …". */
  readonly found: string
  /** Completes "expected …". */
  readonly expected: string
  readonly hint?: string
}

/** A schema, and the file that references in it count from. */
export interface SchemaPlace {
  readonly file: string
  readonly value: unknown
}

/** The state of a match. One object for all, changed in place. */
export interface MatchState {
  readonly release: OpenApiRelease
  readonly find: (file: string, reference: string) => Place | undefined
  /** How many more schemas are looked into, so that no document costs much. */
  stepsLeft: number
  /** Something could not be told: a match may be none. */
  uncertain: boolean
  readonly path: (string | number)[]
  /** Schemas around the current one that stand for the same value. */
  depth: number
}

/** What is wrong with the value the match stands at. */
export function toMismatch(state: MatchState, found: string, expected: string, hint?: string): Mismatch {
  return { path: [...state.path], on: 'value', found, expected, ...(hint === undefined ? {} : { hint }) }
}
