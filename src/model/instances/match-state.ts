import { type JsonObject, pointerChild } from '../../text/json/json-values.ts'

/** A dialect of JSON Schema: that of a release of OpenAPI, or of drafts. `draft7` reads the keywords of the drafts 4 to 7. */
export type Dialect = '3.0' | '3.1' | '3.2' | 'draft7' | 'draft2019-09' | 'draft2020-12'

/** A location at which a value does not match its schema. */
export interface Mismatch {
  /** The path from the value to the invalid part. */
  readonly path: readonly (string | number)[]
  /** Whether the key or the value is invalid. */
  readonly on: 'key' | 'value'
  /** The keyword that the value does not match; `false` for a schema that no value matches. */
  readonly keyword: string
  /** What does not match: the value, or the mapping or list around an invalid key or entry. See `foundOf`. */
  readonly value: unknown
  /** Completes "expected …". */
  readonly expected: string
  /** Those that are missing, or of which a discriminator expects one. */
  readonly names?: readonly string[]
  /** The schema with the keyword; for `false`, the schema itself. See `pointerOf`. */
  readonly schema: SchemaPlace
}

/** A schema and its file, which resolves its references. */
export interface SchemaPlace {
  readonly file: string
  readonly value: unknown
  /** Its pointer, if it is known. */
  readonly pointer?: string
  /** The schema in which it is, or that refers to it, and by which keyword there. */
  readonly around?: SchemaPlace
  readonly keyword?: string
  /** Its name or index in the keyword. */
  readonly name?: string | number | undefined
}

/** A schema that was applied to a part of a value. Those of alternatives count if they match, or if none does. */
export interface Visit {
  readonly schema: SchemaPlace
  /** The path from the value to the part. */
  readonly path: readonly (string | number)[]
  /** The part. */
  readonly value: unknown
}

/** A schema in a keyword of the current one. */
export function innerPlace({ at }: MatchState, value: unknown, keyword: string, name?: string | number): SchemaPlace {
  return { file: at.file, value, around: at, keyword, name }
}

/** The pointer of a schema in its file. It is not found while matching, because that takes long. */
export function pointerOf({ pointer, around, keyword = '', name }: SchemaPlace): string {
  if (pointer !== undefined) return pointer
  if (!around) return ''
  const field = pointerChild(pointerOf(around), keyword)
  return name === undefined ? field : pointerChild(field, name)
}

export interface MatchOptions {
  /** All keywords count, such as `format`. Default: it is an annotation, and only what is certain is a mismatch. */
  readonly isStrict?: boolean
  /** Finds all mismatches. Default: the first one. */
  readonly findsAll?: boolean
  /** Matches a value with the schema that a `discriminator` selects; `undefined`: the alternatives decide. Default: they always do. */
  readonly matchSelected?: (state: MatchState, schema: JsonObject, value: unknown) => boolean | undefined
  /** Properties with these keywords may be missing. Default: both, because an example may be a request or a response. */
  readonly mayMiss?: readonly string[]
  /** Whether a text matches a pattern; `undefined` if that is not tested. Default: only fast patterns and short texts are tested. */
  readonly matchPattern?: (pattern: string, text: string) => boolean | undefined
}

/** The state of a match. One mutable object for all matches. */
export interface MatchState {
  readonly dialect: Dialect
  readonly draft: number
  readonly find: (file: string, reference: string, holder: JsonObject) => SchemaPlace | undefined
  /** Counts a schema that is matched. `false` if that is one too many. */
  readonly spend: () => boolean
  readonly options: MatchOptions
  findsAll: boolean
  found: Mismatch[]
  /** The result is uncertain: the value may not match. */
  uncertain: boolean
  /** A keyword such as `format` describes a part of the value, and is not checked. */
  isAnnotated: boolean
  readonly path: (string | number)[]
  /** The current schema. */
  at: SchemaPlace
  /** The schemas that were applied, with their parts of the value. Only if they are wanted. */
  visits: Visit[] | undefined
  /** The outermost schema for the same value. */
  top: SchemaPlace | undefined
  /** Number of enclosing schemas. */
  depth: number
  /** The properties or items that the current schema has evaluated. Absent if no enclosing schema needs them. */
  evaluated: Set<string | number> | undefined
}

/** The most mismatches of one value. */
const maxFound = 1_000

/** Adds a mismatch of the current value, or of one of its parts. Returns whether the match goes on, like all its functions. */
export function fail(
  state: MatchState,
  keyword: string,
  value: unknown,
  expected: string,
  { on = 'value', part, ...more }: Partial<Pick<Mismatch, 'on' | 'names'>> & { readonly part?: string | number } = {},
): boolean {
  const path = part === undefined ? [...state.path] : [...state.path, part]
  state.found.push({ path, on, keyword, value, expected, ...more, schema: state.at })
  return !isOver(state)
}

/** Whether the match ends after a mismatch. */
export function isOver({ findsAll, found }: MatchState): boolean {
  return !findsAll || found.length >= maxFound
}
