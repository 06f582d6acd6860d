import { type JsonObject, type Place, parentPointer, parsePointer, readOwn } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { withoutDocumentExtension } from '../../text/plain/paths.ts'
import type { OpenApiRelease } from '../types.ts'
import {
  type Field,
  type ObjectRule,
  type ObjectTable,
  plainShape,
  type Shape,
  type ShapeKind,
  type TextRule,
  type WalkedDocument,
} from '../walk.ts'
import { namePatterns, type ObjectDefinition, objectDefinitions, objectRules } from './object-definitions.ts'
import { textRules } from './object-rules.ts'

/** The objects of one release by key, created on first use. */
type ObjectTables = ReadonlyMap<string, ObjectTable>

const compiled = new Map<OpenApiRelease, ObjectTables>()

/** All releases, oldest first. */
export const releases: readonly OpenApiRelease[] = ['3.0', '3.1', '3.2']

/** The tables of a release. */
export function objectTables(release: OpenApiRelease): ObjectTables {
  return getOrMake(compiled, release, () => compileTables(objectDefinitions(release)))
}

/** One object of a release. Every key used in the code exists in all releases. */
export function objectTable(release: OpenApiRelease, key: string): ObjectTable {
  const table = objectTables(release).get(key)
  if (!table) throw new Error(`OpenAPI ${release} has no ${key} Object`)
  return table
}

/**
 * Compiles tables for the walk from their source form.
 *
 * A field is written as:
 *
 * - `text`, `boolean`, …: a kind of `Shape`
 * - `a|b`: one of these strings, or `=a` for a single one
 * - `Info`: an object of the tables
 * - `[Server]`: a list, `[Schema]+` with at least one entry, `[text]~` of unique strings
 * - `{Link}`: a map, `{name:Link}` with keys that follow the rule `name`
 * - `#anchor`: a string that follows a rule
 *
 * A final `!` marks the field as required.
 */
function compileTables(definitions: { readonly [key: string]: ObjectDefinition }): ObjectTables {
  const tables = new Map<string, ObjectTable>()
  for (const key of Object.keys(definitions)) tables.set(key, emptyTable(key))
  const shapes = new Map<string, Shape>()
  const compile: Compile = (source) => getOrMake(shapes, source, () => compileShape(source, tables, compile))
  for (const [key, definition] of Object.entries(definitions)) {
    const table = tables.get(key)
    if (table) fillTable(table, definition, tables, compile)
  }
  return tables
}

type Compile = (source: string) => Shape

const scalarKinds: ReadonlySet<string> = new Set<ShapeKind>([
  'any',
  'text',
  'boolean',
  'number',
  'count',
  'positive',
  'uri-reference',
  'uri',
  'email',
  'regex',
])

function emptyTable(key: string): ObjectTable {
  return {
    key,
    title: `${key} Object`,
    fields: new Map(),
    requiredMask: 0,
    patterns: [],
    open: false,
    extensible: true,
    reference: 'none',
    allowsBoolean: false,
    identifies: false,
    variants: undefined,
    rule: undefined,
    ruleMask: 0,
    valuesMask: 0,
  }
}

function fillTable(
  table: ObjectTable,
  definition: ObjectDefinition,
  tables: ReadonlyMap<string, ObjectTable>,
  compile: Compile,
): void {
  table.title = definition.title ?? table.title
  table.open = definition.open ?? false
  table.extensible = definition.extensible ?? true
  table.reference = definition.reference ?? 'none'
  table.allowsBoolean = definition.allowsBoolean ?? false
  table.identifies = definition.identifies ?? false
  table.rule = joinRules((definition.rules ?? []).map((name) => partOf(objectRules, name)))
  const { ruleFor = [], values = [] } = definition
  let bit = 1
  for (const [name, source] of Object.entries(definition.fields ?? {})) {
    const required = source.endsWith('!')
    const counts = required || ruleFor.includes(name) || values.includes(name)
    const field: Field = { shape: compile(required ? source.slice(0, -1) : source), bit: counts ? bit : 0 }
    if (required) table.requiredMask |= bit
    if (ruleFor.includes(name)) table.ruleMask |= bit
    if (values.includes(name)) table.valuesMask |= bit
    if (counts) bit <<= 1
    table.fields.set(name, field)
  }
  table.patterns = (definition.patterns ?? []).map(({ pattern, shape, expected }) => ({
    pattern: partOf(namePatterns, pattern),
    shape: compile(shape),
    expected,
  }))
  if (definition.variants) {
    const { field, tables: names } = definition.variants
    const variants = Object.entries(names).map(([value, name]): [string, ObjectTable] => [value, tableOf(tables, name)])
    table.variants = { field, tables: new Map(variants) }
  }
}

/** Combines the rules of an object. */
function joinRules(rules: readonly ObjectRule[]): ObjectRule | undefined {
  if (rules.length < 2) return rules[0]
  return (object) => {
    for (const rule of rules) rule(object)
  }
}

/** A part of a definition that is code, by its name. */
function partOf<Part>(parts: { readonly [name: string]: Part }, name: string): Part {
  const part = readOwn(parts, name)
  if (!part) throw new Error(`The tables have no part \`${name}\``)
  return part
}

function tableOf(tables: ReadonlyMap<string, ObjectTable>, name: string): ObjectTable {
  const table = tables.get(name)
  if (!table) throw new Error(`The tables have no object \`${name}\``)
  return table
}

/** Whether OpenAPI defines a word as a field, or as a value of one. */
export function isSpecified(word: string): boolean {
  const tables = releases.flatMap((release) => [...objectTables(release).values()])
  return tables.some(({ fields }) => fields.has(word) || [...fields.values()].some(({ shape }) => shape.choices.includes(word)))
}

function compileShape(source: string, tables: ReadonlyMap<string, ObjectTable>, compile: Compile): Shape {
  const shape = (kind: ShapeKind, parts: Partial<Shape> = {}): Shape => ({ ...plainShape, kind, ...parts })
  // Check the first letter first: this runs for every field at startup, and most are neither.
  const list = source.startsWith('[') ? /^\[(.+)\](\+?)(~?)$/.exec(source) : null
  if (list) {
    const [, inner = '', some, different] = list
    return shape('list', { inner: compile(inner), minimum: some ? 1 : 0, unique: different === '~' })
  }
  const map = source.startsWith('{') ? /^\{(?:([a-z-]+):)?(.+)\}$/.exec(source) : null
  if (map) {
    const [, rule, inner = ''] = map
    const entry = compile(inner)
    return shape('map', {
      inner: entry,
      text: rule === undefined ? undefined : partOf<TextRule>(textRules, rule),
      table: mapTable(source, entry),
    })
  }
  if (source.startsWith('#')) return shape('pattern', { text: partOf<TextRule>(textRules, source.slice(1)) })
  if (source === 'types')
    return shape('types', { choices: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] })
  if (source === 'schema-or-names' || source === 'schema-or-boolean') return shape(source, { inner: compile('Schema') })
  if (scalarKinds.has(source)) return shape(source as ShapeKind) // The set has only kinds.
  if (source.includes('|') || source.startsWith('=')) return shape('choice', { choices: source.replace(/^=/, '').split('|') })
  return shape('object', { table: tableOf(tables, source) })
}

function mapTable(source: string, shape: Shape): ObjectTable {
  const title = `mapping of ${shape.table ? shape.table.title.replace(/ Object$/, ' Objects') : 'values'}`
  return { ...emptyTable(source), title, patterns: [{ pattern: /(?:)/, shape, expected: '' }], extensible: false }
}

/** The kind of object at a path below an object, or `undefined` if the tables do not define one. */
export function tableAtPointer(top: ObjectTable, segments: readonly string[]): ObjectTable | undefined {
  let table: ObjectTable | undefined = top
  let shape: Shape | undefined
  for (const segment of segments) {
    shape = table ? shapeOfField(table, segment) : shape?.inner
    if (!shape) return undefined
    table = tableOfEntry(shape)
  }
  return table
}

export function variantOf(table: ObjectTable, object: JsonObject): ObjectTable {
  const selector = table.variants && readOwn(object, table.variants.field)
  return (typeof selector === 'string' && table.variants?.tables.get(selector)) || table
}

/** The shape of a field, or `undefined` for extensions and unknown fields. */
export function shapeOfField(table: ObjectTable, name: string): Shape | undefined {
  const field = table.fields.get(name)
  if (field) return field.shape
  if (table.extensible && name.startsWith('x-')) return undefined
  return table.patterns.find(({ pattern }) => pattern.test(name))?.shape
}

function tableOfEntry(shape: Shape): ObjectTable | undefined {
  if (shape.kind === 'schema-or-boolean' || shape.kind === 'schema-or-names') return shape.inner?.table
  return shape.table
}

/** What the specification expects at a location: an object with fields, or a list or mapping with entries of one shape. */
export interface Expectation {
  /** Absent for a list or mapping of names, and for values such as examples. */
  readonly table: ObjectTable | undefined
  /** Absent for an object. */
  readonly entries: Shape | undefined
  readonly isMap: boolean
}

/** Returns what is expected at a pointer, starting from the nearest walked location around it. */
export function expectationAt({ walkedFrom }: WalkedDocument, pointer: string): Expectation | undefined {
  for (let from = pointer; ; from = parentPointer(from)) {
    const top = walkedFrom.get(from)
    if (top) {
      let spot: Expectation | undefined = { table: top, entries: undefined, isMap: false }
      for (const segment of parsePointer(pointer.slice(from.length))) {
        const shape: Shape | undefined = spot && shapeInside(spot, segment)
        spot = shape && toExpectation(shape)
      }
      if (spot) return spot
    }
    if (from === '') return undefined
  }
}

/**
 * What the specification expects at a location.
 *
 * @param around what it expects around the location. Undefined inside extensions.
 */
export function expectationInside(
  { walkedFrom }: WalkedDocument,
  { pointer, key, around }: { readonly pointer: string; readonly key: string; readonly around: Expectation | undefined },
): Expectation | undefined {
  const table = walkedFrom.get(pointer)
  if (table) return { table, entries: undefined, isMap: false }
  const shape = around && shapeInside(around, key)
  // Inside a value such as an example, there are only values.
  return shape ? toExpectation(shape) : around?.table ? undefined : around
}

/** The shape of a field or entry, if this exact name is defined. */
export function shapeIn({ table, entries }: Expectation, name: string): Shape | undefined {
  if (!table) return entries
  if (name.startsWith('x-')) return undefined
  const field =
    table.fields.get(name) ??
    [...(table.variants?.tables.values() ?? [])].find(({ fields }) => fields.has(name))?.fields.get(name)
  // A pattern that matches any name says nothing about this one.
  return field?.shape ?? table.patterns.find(({ pattern }) => pattern.test(name) && !pattern.test('name'))?.shape
}

/** The shape of a field or entry, also from a pattern that matches any name: the keys of a Callback Object can be any string. */
export function shapeInside(spot: Expectation, name: string): Shape | undefined {
  const exact = shapeIn(spot, name)
  return exact ?? (name.startsWith('x-') ? undefined : spot.table?.patterns.find(({ pattern }) => pattern.test(name))?.shape)
}

/** What is expected inside a value of a shape. */
export function toExpectation(shape: Shape): Expectation {
  if (shape.kind === 'list' || shape.kind === 'map')
    return { table: undefined, entries: shape.inner, isMap: shape.kind === 'map' }
  return { table: shape.table ?? shape.inner?.table, entries: undefined, isMap: false }
}

/** The group of `components` for each kind of object, by table key. */
export type ComponentGroups = ReadonlyMap<string, string>

/**
 * Lists the kinds of objects that can move to `components`, such as `Schema` → `schemas`.
 *
 * Path items are inlined: `components.pathItems` is new in 3.1, and few tools support it.
 */
export function componentGroups(release: OpenApiRelease): ComponentGroups {
  const groups = new Map<string, string>()
  for (const [group, { shape }] of objectTable(release, 'Components').fields) {
    const table: ObjectTable | undefined = shape.inner?.table
    if (table && table.key !== 'Path Item') groups.set(table.key, group)
  }
  return groups
}

/** What an object in each group of `components` is called, such as `request body`. */
export function componentNouns(release: OpenApiRelease): ReadonlyMap<string, string> {
  const { fields } = objectTable(release, 'Components')
  return new Map(
    [...fields].flatMap(([group, { shape }]) => (shape.inner?.table ? [[group, shape.inner.table.key.toLowerCase()]] : [])),
  )
}

/**
 * Names an object that moves to `components`: the first name of `listNames` that is not taken, or one with a number.
 *
 * Source: OpenAPI 3.1.1, "Components Object": names have letters, digits, `.`, `-` and `_`.
 */
export function nameComponent(place: Pick<Place, 'file' | 'pointer'>, isTaken: (name: string) => boolean): string {
  const names = listNames(place)
  for (let number = 2; ; number++) {
    const free = names.find((name) => !isTaken(name))
    if (free !== undefined) return free
    names.push(`${names[0]}_${number}`)
  }
}

/** The last segment of a pointer, or the name of a whole file; the same with the file and each folder around it; with the whole pointer. */
export function listNames({ file, pointer }: Pick<Place, 'file' | 'pointer'>): string[] {
  const toNames = (steps: readonly string[]) => steps.map(toName).filter((step) => step !== '')
  const [folders, segments] = [toNames(withoutDocumentExtension(file).split('/')), toNames(parsePointer(pointer))]
  const around = segments.length > 0 ? [...folders, ...segments.slice(-1)] : folders
  const names = around.map((_step, index) => around.slice(-1 - index).join('_'))
  return names.length === 0 ? ['component'] : [...new Set([...names, [...folders, ...segments].join('_')])]
}

function toName(step: string): string {
  return step.replace(/[^\w.-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '')
}
