import type { DiagnosticCode, Finding, Severity } from '../diagnostics/diagnostic.ts'
import { type JsonObject, type Place, toPointer } from '../text/json/json-values.ts'
import type { Syntax } from '../text/parse-source.ts'
import type { Limits } from '../text/plain/limits.ts'
import type { SourceFile } from '../text/plain/source-file.ts'
import type { Suggest } from '../text/plain/suggest.ts'
import type { Document, LoadFailureCode, OpenApiRelease } from './types.ts'

/** The state of a walk through one document. One mutable object for the whole check, so that nothing is allocated per node. */
export interface Walk {
  file: string
  syntax: Syntax
  readonly release: OpenApiRelease
  /** The version as written in the entry document. */
  readonly version: string
  /** The keys and indexes from the top of the document to the current value. */
  path: (string | number)[]
  readonly limits: Limits
  /** Maximum nesting. */
  readonly maxDepth: number
  /** The object with the current value, unless the value is an object. */
  holder: JsonObject | undefined
  /** The innermost Schema Object with an `$id` around the current value. */
  resource: SchemaResource | undefined
  /** `jsonSchemaDialect` names a dialect that the tables do not cover, so Schema Objects are skipped. */
  foreignDialect: boolean
  readonly findings: Finding[]
  /** Objects for the checks after the walk. */
  readonly collected: CollectedObjects
  /** Whether long descriptions are checked. */
  readonly checksMarkdown: boolean
  readonly suggest: Suggest
  /** Diagnostics with a hint that quotes the value as written: index in `findings` → key of the value. */
  readonly unquoted: Map<number, string>
  /** The first later release that defines a field of an object. Absent if there is none. */
  laterRelease(table: string, field: string): OpenApiRelease | undefined
  /** Whether the nesting limit was reported for this document. */
  tooDeep: boolean
  /** Called for every reference where an object of `table` is expected. `path` leads to the object that has the `$ref`. */
  onReference(reference: string, table: ObjectTable, holder: JsonObject): void
}

/** Source: JSON Schema 2020-12, core, section 4.3.5. */
export interface SchemaResource {
  /** The `$id`, resolved against the enclosing one. */
  readonly id: string
  /** Location of the schema. */
  readonly pointer: string
}

/**
 * The pointer of the current value.
 */
export function currentPointer({ path }: Walk): string {
  return toPointer(path)
}

/** Objects that are rare, or that can only be checked with the whole description. In the order of the walk. */
export interface CollectedObjects {
  /** Link Objects. */
  readonly links: Place[]
  /** Schema Objects with a `discriminator`. */
  readonly discriminators: Place[]
  /** Schema Objects with properties whose names are numbers. */
  readonly numbered: Place[]
  /** Media Type Objects with an `encoding`. */
  readonly encodings: Place[]
  /** Schema Objects with a `nullable: true` that may have no effect: in 3.0 those beside `$ref` or without `type`. */
  readonly nullables: Place[]
  /** Objects with fields beside their `$ref` that are ignored. */
  readonly siblings: (Place & { readonly title: string; readonly keywords: readonly string[] })[]
  /** Schema Objects with an `allOf` of several schemas. */
  readonly composed: Place[]
  /** Parameter Objects with a `style` that only some types have. */
  readonly styled: Place[]
  /** Responses Objects in YAML, if they are collected. */
  readonly responses: Place[]
  /** The values of `x-` fields that are lists or mappings, and their files. `needs` are the pointers of what pages show: a reference, or the path of a file. */
  readonly extensions: { readonly file: string; readonly value: unknown; readonly needs?: string }[]
  /** Objects with values that a schema describes: `example`, `examples`, `default`, `enum`. */
  readonly described: DescribedValues[]
  /** Whether these objects are collected. */
  readonly wantsDescribed: boolean
}

export interface DescribedValues extends Place {
  /** A schema describes its own values. Other objects have a `schema` field. */
  readonly kind: 'Schema' | 'Parameter' | 'Header' | 'Media Type'
}

/** The current object. */
export function toCollectedObject(walk: Walk, value: JsonObject): Place {
  return { file: walk.file, pointer: currentPointer(walk), value }
}

/** Collects the current object, which has values that a schema describes. */
export function collectDescribed(walk: Walk, value: JsonObject, table: ObjectTable): void {
  // In the tables, only these kinds have such fields.
  const kind = table.key as DescribedValues['kind']
  walk.collected.described.push({ kind, file: walk.file, pointer: currentPointer(walk), value })
}

/** The expected type of a value. */
export interface Shape {
  readonly kind: ShapeKind
  /** For `object`. For `map`: a table for a `$ref` in place of the whole map. */
  readonly table: ObjectTable | undefined
  /** For `list` and `map`: the shape of each entry. */
  readonly inner: Shape | undefined
  /** For `choice`. */
  readonly choices: readonly string[]
  /** For `list`: minimum number of entries. */
  readonly minimum: number
  /** For `list`: entries are strings and must be unique. */
  readonly unique: boolean
  /** For `map` and `pattern`: the rule for the keys or the string. */
  readonly text: TextRule | undefined
}

export type ShapeKind =
  | 'any'
  | 'text'
  | 'boolean'
  | 'number'
  /** A non-negative integer. */
  | 'count'
  /** A positive number. */
  | 'positive'
  | 'uri-reference'
  | 'uri'
  | 'email'
  /** A regular expression. An invalid one is only a warning, because tools use many dialects. */
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
  /** Suggests a replacement for a string that the rule does not allow. */
  hint?(text: string): string | undefined
  /** The code for a key that violates the rule, instead of `wrong-name`. */
  readonly code?: DiagnosticCode
  /** Its name in the table of severities. Default: an error in every release. */
  readonly rule?: Parameters<typeof severityOf>[0]
}

export interface Field {
  readonly shape: Shape
  /** A unique bit if the field is required or in one of the masks of the table, otherwise 0. */
  readonly bit: number
}

/** An object of the specification, compiled for the walk. */
export interface ObjectTable {
  /** The key in the tables, unique in a release, such as `Operation`. */
  readonly key: string
  /** The name in the specification, such as `Operation Object`. */
  title: string
  readonly fields: Map<string, Field>
  requiredMask: number
  patterns: readonly { readonly pattern: RegExp; readonly shape: Shape; readonly expected: string }[]
  /** Unknown fields are allowed. */
  open: boolean
  /** Fields with `x-` are allowed. */
  extensible: boolean
  reference: ReferenceMeaning
  /** `true` and `false` are allowed in place of an object. */
  allowsBoolean: boolean
  /** Its `$id` and `$schema` mean what they mean in JSON Schema. */
  identifies: boolean
  /** Separate tables by the value of one field. */
  variants: { readonly field: string; readonly tables: ReadonlyMap<string, ObjectTable> } | undefined
  rule: ObjectRule | undefined
  /** The bits of the fields that `rule` checks, or 0 to call it for every object. */
  ruleMask: number
  /** The bits of the fields whose values a schema describes. */
  valuesMask: number
}

/**
 * The meaning of `$ref` in an object:
 *
 * - `none`: not in the specification, but tools accept it
 * - `replaces`: a Reference Object, other fields are ignored
 * - `beside`: a field next to others, as in a Path Item or a Schema Object of 3.1
 */
export type ReferenceMeaning = 'none' | 'replaces' | 'beside'

/** Checks a combination of fields, such as two that exclude each other. Called at most once per object that is not a reference. */
export type ObjectRule = (object: CheckedObject) => void

/** The current object of the walk. */
export interface CheckedObject {
  readonly value: JsonObject
  readonly walk: Walk
  readonly table: ObjectTable
}

/** A document with the results of the walk. */
export interface WalkedDocument extends Document {
  /** Every distinct reference, by its text (and the enclosing schema with an `$id`). */
  readonly references: Map<string, Reference>
  /** The locations at which walks of the document started, each with its kind of object. */
  readonly walkedFrom: Map<string, ObjectTable>
  /** The first `$ref` to each location of the document, by pointer. Empty for the entry document. */
  readonly uses: Map<string, ReferenceUse>
}

/** The location of a `$ref`. */
export interface ReferenceUse {
  readonly file: string
  readonly pointer: string
}

/** One distinct reference of one document. */
export interface Reference {
  /** As written. */
  readonly text: string
  target: Place | undefined
  /** The kind of object it was last followed as. Kinds rarely differ, and following twice does no harm. */
  followedAs: ObjectTable | undefined
  /** The problem to report at each use of a failed reference. */
  failure: Omit<Finding, 'file' | 'pointer'> | undefined
  /** Uses, while the reference waits for a file. The steps are the path to the object that has the `$ref`. */
  waiting: { readonly steps: readonly (string | number)[]; readonly table: ObjectTable }[] | undefined
}

/** The target of a reference, or the failure to report at each use. */
export type FoundTarget = { readonly place: Place } | { readonly failure: Omit<Finding, 'file' | 'pointer'> }

/** Finds the target of a URI reference in a file that is not the value of a `$ref`. `undefined` for remote URLs, and for files that no reference loads. */
export type FindUri = (file: string, uri: string) => FoundTarget | undefined

/** Why a file of a description could not be loaded. */
interface DocumentFailure {
  readonly code: LoadFailureCode | 'too-complex'
  readonly reason: string
  readonly hint?: string | undefined
  /** Overrides the severity of the code. */
  readonly severity?: Severity | undefined
}

/** The files of one description, each loaded and parsed once. */
export interface DocumentSet {
  readonly sources: Map<string, SourceFile>
  readonly documents: Map<string, WalkedDocument>
  readonly failures: Map<string, DocumentFailure>
  /** One diagnostic for each syntax problem. */
  readonly findings: Finding[]
  /** The document at a path, even if it was first loaded through another path. */
  find(path: string): WalkedDocument | undefined
  /** Loads a file once. */
  load(path: string, isText?: boolean): Promise<void>
}

/** The shape of any string, and the base of other shapes. */
export const plainShape: Shape = {
  kind: 'text',
  table: undefined,
  inner: undefined,
  choices: [],
  minimum: 0,
  unique: false,
  text: undefined,
}

/** The edition of each release that section references name. */
export const citedEdition: Readonly<Record<OpenApiRelease, string>> = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }

/**
 * The release since which the schema or grammar of the specification has each of these rules. Before, its text or a standard that it builds on says the
 * same, so what violates the rule is a warning.
 */
const heldSince = {
  'example-fields': '3.1',
  'link-operation': '3.1',
  'component-name': '3.1',
  'parameter-fields': '3.1',
  'server-default': '3.1',
  'header-name': '3.2',
  'path-template': '3.2',
  'server-template': '3.2',
} as const satisfies Readonly<Record<string, OpenApiRelease>>

/** The severity of a rule in a release. Without a rule, that of a rule of all releases. */
export function severityOf(rule: keyof typeof heldSince | undefined, release: OpenApiRelease): 'error' | 'warning' {
  return rule === undefined || release >= heldSince[rule] ? 'error' : 'warning'
}

/** Cached by table: each release has separate tables, and one problem can occur thousands of times. */
const sections = new WeakMap<ObjectTable, string>()

/** The section of the specification for an object, such as `OpenAPI 3.1.1, Operation Object`. */
export function sectionOf(release: OpenApiRelease, table: ObjectTable): string {
  let section = sections.get(table)
  if (section === undefined) {
    section = `OpenAPI ${citedEdition[release]}, ${table.title.replace(/ of type .*$/s, '')}`
    sections.set(table, section)
  }
  return section
}

/** Whether a field beside a `$ref` that replaces its object is ignored, though its author expects an effect. Texts are shown by many tools, this one too. */
export function isIgnoredBeside(table: ObjectTable, key: string): boolean {
  return key !== '$ref' && table.fields.has(key) && !/^(?:title|summary|description|deprecated|nullable)$/.test(key)
}

/** Finds the misspelled key of a missing field. The key is reported as `unknown-field`, so nothing else needs to be reported. */
export function findMistyped(table: ObjectTable, value: JsonObject, field: string, suggest: Suggest): string | undefined {
  if (table.open) return undefined
  return suggest(field, () => Object.keys(value).filter((name) => !table.fields.has(name) && !name.startsWith('x-')))
}

/** Finds a misspelled `$ref`. An object with a reference needs no other fields. */
export function findMistypedReference(table: ObjectTable, value: JsonObject): string | undefined {
  if (table.reference === 'none' || table.open || Object.hasOwn(value, '$ref')) return undefined
  return Object.keys(value).find((key) => !table.fields.has(key) && isMistypedReference(key, value[key]))
}

/** Whether an unknown field is a misspelled `$ref`, such as `ref`, `$reff`, `$rf`, `$Ref` or `"ref$"`. */
export function isMistypedReference(key: string, value: unknown): boolean {
  return typeof value === 'string' && /^[$&@_]?(?:ref+|re|rf|ef|rfe|erf|refs|reference)\$?$/i.test(key) && /[#/.]/.test(value)
}
