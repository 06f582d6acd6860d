import type { JsonObject } from '../text/is-object.ts'
import { readKey } from '../text/is-object.ts'
import { smallMarkdown } from '../text/markdown-budget.ts'
import { isKnownDialect } from './is-known-dialect.ts'
import { noteDescribed } from './met-objects.ts'
import {
  reportComplexMarkdown,
  reportMissingFields,
  reportUnknownField,
  reportUnknownKeyword,
  reportUnknownName,
  reportWrongChoice,
  reportWrongType,
} from './report-fault.ts'
import { resolveId } from './resolve-id.ts'
import { plainShape } from './tables/plain-shape.ts'
import type { ObjectTable, Shape } from './tables/shape.ts'
import { currentPointer, type Walk } from './walk.ts'
import { walkMisplacedReference, walkReference } from './walk-reference.ts'
import { walkValue } from './walk-value.ts'

/**
 * Checks the object the walk stands at against its table, and all below it, in one pass; tells `walk.onReference` of every reference.
 *
 * Values of unknown meaning (`example`, `default`, `enum`, `const`, fields with `x-`) are not looked into, so a `$ref` in them is data.
 */
export function walkObject(walk: Walk, value: unknown, table: ObjectTable): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (!(typeof value === 'boolean' && table.allowsBoolean)) reportWrongType(walk, table, shapeOf(table), value)
    return
  }
  // Neither null nor a list, so a mapping.
  const object = value as JsonObject
  if (table.reference === 'none' || !hasCoreKeyword(object)) {
    if (table.variants !== undefined) walkVariant(walk, object, table)
    else if (!(table.identifies && walk.foreignDialect)) walkFields(walk, object, table)
  } else if (table.identifies) walkSchemaResource(walk, object, table)
  else if (!walkReference(walk, object, table)) walkFields(walk, object, table)
}

/**
 * Tells whether an object has a key that changes what the object is.
 *
 * Going through the keys takes less time than to ask for one that most objects do not have: V8 remembers for a few hundred forms of
 * objects where a key is not, and a large document has ten thousands.
 */
function hasCoreKeyword(object: JsonObject): boolean {
  for (const key in object) if (key === '$ref' || key === '$id' || key === '$schema') return true
  return false
}

function walkFields(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const path = walk.path
  let seen = 0
  for (const key in object) {
    const field = table.fields.get(key)
    if (field === undefined) {
      walkOtherField(walk, object, key, table)
      continue
    }
    seen |= field.bit
    const shape = field.shape
    const kind = shape.kind
    if (kind === 'any') continue
    const value = readKey(object, key)
    // The limit first: most texts are shorter, and this is the inner loop of a check.
    if (typeof value === 'string' && value.length > smallMarkdown && key === 'description') {
      reportComplexMarkdown(walk, table, value)
    }
    // Most values are these.
    if (typeof value === 'string' && (kind === 'text' || (kind === 'choice' && shape.choices.includes(value)))) continue
    path.push(key)
    if (kind === 'object' && path.length <= walk.maxDepth)
      walkObject(walk, value, shape.table as ObjectTable) // Every shape of this kind has a table.
    else walkValue(walk, value, shape, table)
    path.pop()
  }
  if ((seen & table.requiredMask) !== table.requiredMask && (table.open || typeof object['$ref'] !== 'string')) {
    reportMissingFields(walk, table, object, seen)
  }
  if ((seen & table.valuesMask) !== 0 && walk.met.wantsDescribed) noteDescribed(walk, object, table)
  if (table.rule !== undefined && (table.ruleMask === 0 || (seen & table.ruleMask) !== 0)) table.rule(object, walk, table)
}

function walkOtherField(walk: Walk, object: JsonObject, key: string, table: ObjectTable): void {
  if (table.extensible && key.startsWith('x-')) {
    const value = object[key]
    if (typeof value === 'object' && value !== null) walk.met.extensions.push(value)
    return
  }
  const patterns = table.patterns
  for (let index = 0; index < patterns.length; index++) {
    const entry = patterns[index]
    if (entry === undefined || !entry.pattern.test(key)) continue
    walk.path.push(key)
    walkValue(walk, object[key], entry.shape, table)
    walk.path.pop()
    return
  }
  if (key === '$ref' && typeof object[key] === 'string') {
    // Beside other fields walkReference has seen it.
    if (table.reference === 'none' && !table.open) walkMisplacedReference(walk, object[key], table)
    return
  }
  if (table.open) {
    if (table.identifies) reportUnknownKeyword(walk, table, object, key)
    return
  }
  const expected = patterns[0]?.expected
  if (expected !== undefined) reportUnknownName(walk, table, key, expected)
  else reportUnknownField(walk, table, object, key)
}

/** Source: JSON Schema 2020-12, core, sections 8.1.1 (`$schema`) and 8.2.1 (`$id`). */
function walkSchemaResource(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const around = walk.resource
  const id = readKey(object, '$id')
  if (typeof id === 'string') walk.resource = { id: resolveId(around?.id, id), pointer: currentPointer(walk) }
  const dialect = readKey(object, '$schema')
  // What the keywords of other dialects mean is not known, so nothing below is looked into.
  const known = typeof dialect === 'string' ? isKnownDialect(dialect) : !walk.foreignDialect
  if (!walkReference(walk, object, table) && known) walkKnownSchema(walk, object, table)
  walk.resource = around
}

/** The schemas inside have the dialect of the one around them unless they name their own. */
function walkKnownSchema(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const around = walk.foreignDialect
  walk.foreignDialect = false
  walkFields(walk, object, table)
  walk.foreignDialect = around
}

function walkVariant(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const variants = table.variants
  if (variants === undefined) return
  const selector = object[variants.field]
  if (typeof selector === 'string') {
    const variant = variants.tables.get(selector)
    if (variant !== undefined) {
      walkFields(walk, object, variant)
      return
    }
  }
  if (selector === undefined) {
    reportMissingFields(walk, variantTable(table), object, 0)
    return
  }
  walk.path.push(variants.field)
  if (typeof selector === 'string') reportWrongChoice(walk, table, selector, [...variants.tables.keys()])
  else reportWrongType(walk, table, plainShape, selector)
  walk.path.pop()
}

/** The table as if its deciding field were all it has. */
function variantTable(table: ObjectTable): ObjectTable {
  const field = table.variants?.field ?? ''
  return { ...table, fields: new Map([[field, { shape: plainShape, bit: 1 }]]), requiredMask: 1 }
}

function shapeOf(table: ObjectTable): Shape {
  return { ...plainShape, kind: 'object', table }
}
