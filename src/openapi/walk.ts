import type { DiagnosticCode } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import type { JsonObject } from '../source/is-object.ts'
import { escapePointerSegment } from '../source/json-pointer.ts'
import type { Limits } from '../source/limits.ts'
import type { Syntax } from '../source/parse-source.ts'
import type { OpenApiRelease } from './types.ts'

/** The state of a walk through one document. One object for the whole check, changed in place: nothing is made for a node. */
export interface Walk {
  file: string
  syntax: Syntax
  readonly release: OpenApiRelease
  /** The version as the entry document writes it. */
  readonly version: string
  /** The keys and indexes from the top of the document to the current value. */
  path: (string | number)[]
  readonly limits: Limits
  /** Deepest nesting that is looked into. */
  readonly maxDepth: number
  /** The innermost Schema Object with an `$id` around the current value. */
  resource: SchemaResource | undefined
  /** `jsonSchemaDialect` names keywords that the tables do not know, so Schema Objects are not looked into. */
  foreignDialect: boolean
  readonly findings: Finding[]
  /** What checks look at after the walk. */
  readonly collected: CollectedObjects
  readonly suggest: Suggest
  /** Findings whose hint quotes a value as it is written: their index in `findings` → the value's key. */
  readonly unquoted: Map<number, string>
  /** The first release after this one in which an object of the tables has a field; absent where there is none. */
  laterRelease(table: string, field: string): OpenApiRelease | undefined
  /** The nesting limit was reported for this document. */
  tooDeep: boolean
  /** Told of every reference, in a place where an object of `table` is expected; `path` leads to the object that has the `$ref`. */
  onReference(reference: string, table: ObjectTable): void
}

/** The candidate nearest to a mistyped word; see `suggest`. Candidates are only listed when they are looked at. */
export type Suggest = (word: string, listCandidates: () => readonly string[]) => string | undefined

/** Source: JSON Schema 2020-12, core, section 4.3.5. */
export interface SchemaResource {
  /** The `$id`, resolved against the one around it. */
  readonly id: string
  /** Where the schema stands. */
  readonly pointer: string
}

/**
 * The pointer of the current value.
 */
export function currentPointer({ path }: Walk): string {
  return toPointer(path)
}

/** The pointer that leads by these steps. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${typeof step === 'number' ? step : escapePointerSegment(step)}`).join('')
}

/** Objects that only a few documents have, or that need the whole description to be judged: noted by the walk in the order it met them. */
export interface CollectedObjects {
  /** Link Objects. */
  readonly links: CollectedObject[]
  /** Schema Objects with a `discriminator`. */
  readonly discriminators: CollectedObject[]
  /** Media Type Objects with an `encoding`. */
  readonly encodings: CollectedObject[]
  /** The values of fields that begin with `x-`, where they are lists or mappings. */
  readonly extensions: unknown[]
  /** Objects with values that a schema describes: `example`, `examples`, `default`, `enum`. */
  readonly described: DescribedValues[]
  /** Such objects are noted. */
  readonly wantsDescribed: boolean
}

/** An object and where it stands. */
export interface CollectedObject {
  readonly file: string
  readonly pointer: string
  readonly value: JsonObject
}

export interface DescribedValues extends CollectedObject {
  /** A schema describes its own values, the other objects have a field `schema`. */
  readonly kind: 'Schema' | 'Parameter' | 'Header' | 'Media Type'
}

/** The object the walk stands at. */
export function toCollectedObject(walk: Walk, value: JsonObject): CollectedObject {
  return { file: walk.file, pointer: currentPointer(walk), value }
}

/** Notes the object the walk stands at, which has values that a schema describes. */
export function collectDescribed(walk: Walk, value: JsonObject, table: ObjectTable): void {
  // Only these kinds have such fields in the tables.
  walk.collected.described.push({ kind: table.key as DescribedValues['kind'], ...toCollectedObject(walk, value) })
}

/** What a value must be. */
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

/** The shape of any text; others are made from it. */
export const plainShape: Shape = {
  kind: 'text',
  table: undefined,
  inner: undefined,
  choices: [],
  minimum: 0,
  unique: false,
  text: undefined,
}

/** The edition of each release that findings cite. */
export const citedEdition: Readonly<Record<OpenApiRelease, string>> = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }

/** A release has tables of its own, and one fault can stand in thousands of places. */
const sections = new WeakMap<ObjectTable, string>()

/** Where the specification describes an object, such as `OpenAPI 3.1.1, Operation Object`. */
export function sectionOf(release: OpenApiRelease, table: ObjectTable): string {
  let section = sections.get(table)
  if (section === undefined) {
    section = `OpenAPI ${citedEdition[release]}, ${table.title.replace(/ of type .*$/s, '')}`
    sections.set(table, section)
  }
  return section
}
