import type { DiagnosticCode } from '../../diagnostic/codes.ts'
import type { JsonObject } from '../../text/is-object.ts'
import type { Walk } from '../walk.ts'

/** What a value must be. One class of objects for all kinds, so that the walk stays monomorphic. */
export interface Shape {
  readonly kind: ShapeKind
  /** For `object`; for `map` a table of its own, for those who write a `$ref` in place of the whole map. */
  readonly table: ObjectTable | undefined
  /** For `list` and `map`: the shape of each entry. */
  readonly inner: Shape | undefined
  /** For `choice`. */
  readonly choices: readonly string[]
  /** For `list`: the fewest entries. */
  readonly minimum: number
  /** For `list`: entries are text and each must be different. */
  readonly unique: boolean
  /** For `map` and `pattern`: what the keys, or the text, must match. */
  readonly text: TextRule | undefined
}

export type ShapeKind =
  | 'any'
  | 'text'
  | 'boolean'
  | 'number'
  /** A whole number from 0. */
  | 'count'
  /** A number over 0. */
  | 'positive'
  | 'uri-reference'
  | 'uri'
  | 'email'
  /** A regular expression; a broken one is only a warning, since tools read many dialects. */
  | 'regex'
  | 'choice'
  | 'pattern'
  | 'object'
  | 'list'
  | 'map'
  /** The `additionalProperties` of 3.0. */
  | 'schema-or-boolean'
  /** The `type` of JSON Schema: a choice or a list of different choices. */
  | 'types'
  /** The `dependencies` of older JSON Schema: a schema or a list of names. */
  | 'schema-or-names'

export interface TextRule {
  allows(text: string): boolean
  /** Completes "expected …". */
  readonly expected: string
  /** What to write instead of a text that the rule does not allow. */
  hint?(text: string): string | undefined
  /** The code for a key that does not follow the rule, instead of `wrong-name`. */
  readonly code?: DiagnosticCode
}

export interface Field {
  readonly shape: Shape
  /** A bit of its own where the field is required or in one of the table's masks, else 0. */
  readonly bit: number
}

/** One object of the specification as the walk reads it. */
export interface ObjectTable {
  /** The key in the tables, unique in a release, such as `Operation`. */
  readonly key: string
  /** As the specification says it, such as `Operation Object`. */
  title: string
  readonly fields: Map<string, Field>
  requiredMask: number
  patterns: readonly { readonly pattern: RegExp; readonly shape: Shape; readonly expected: string }[]
  /** Unknown fields are allowed. */
  open: boolean
  /** Fields that begin with `x-` are allowed. */
  extensible: boolean
  reference: ReferenceUse
  /** `true` and `false` stand for an object. */
  allowsBoolean: boolean
  /** Its `$id` and `$schema` mean what they mean in JSON Schema. */
  identifies: boolean
  /** Its own tables by the value of one field. */
  variants: { readonly field: string; readonly tables: ReadonlyMap<string, ObjectTable> } | undefined
  rule: ObjectRule | undefined
  /** The bits of the fields that `rule` is about; 0 where it is called for every object. */
  ruleMask: number
  /** The bits of the fields whose values a schema describes. */
  valuesMask: number
}

/**
 * What `$ref` in an object means: nothing that the specification knows, but tools accept it; a Reference Object in its place (other
 * fields are ignored); or a field beside others, as in a Path Item or a Schema Object of 3.1.
 */
type ReferenceUse = 'none' | 'replaces' | 'beside'

/** Checks what no single field tells, such as two fields that exclude each other. Called at most once for each object that is not a reference. */
export type ObjectRule = (value: JsonObject, walk: Walk, table: ObjectTable) => void

/** How the tables are written down: see `compileTables`. */
export interface ObjectDefinition {
  readonly title?: string
  readonly fields?: { readonly [name: string]: string }
  /** For names that are not fixed: the source of a pattern → what its value is. */
  readonly patterns?: readonly { readonly pattern: RegExp; readonly shape: string; readonly expected: string }[]
  readonly open?: boolean
  readonly extensible?: boolean
  readonly reference?: ReferenceUse
  readonly allowsBoolean?: boolean
  /** Tables by the value of `field`: value → name of a definition. */
  readonly variants?: { readonly field: string; readonly tables: { readonly [value: string]: string } }
  readonly rule?: ObjectRule | undefined
  /** The rule is only called for an object with one of these fields. */
  readonly ruleFor?: readonly string[] | undefined
  /** Fields whose values a schema describes: its own, or that in the field `schema`. */
  readonly values?: readonly string[]
  /** Its `$id` and `$schema` mean what they mean in JSON Schema. */
  readonly identifies?: boolean
}

export type ObjectDefinitions = { readonly [key: string]: ObjectDefinition }
