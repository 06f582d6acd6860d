import { addFinding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { limitHint } from '../../text/plain/limits.ts'
import { hasRepeated } from '../../text/plain/lists.ts'
import { smallMarkdown } from '../../text/plain/scan-markdown.ts'
import { exceptionField } from '../../text/plain/source-file.ts'
import { shorten } from '../../text/plain/suggest.ts'
import {
  reportComplexMarkdown,
  reportField,
  reportMisplacedReference,
  reportMissingFields,
  reportUnknownField,
  reportUnknownKeyword,
  reportUnknownName,
  reportWrongChoice,
  reportWrongType,
  reportWrongValue,
} from '../hints/report-problem.ts'
import { isReference, resolveId } from '../references/follow-reference.ts'
import { isEmail, isKnownDialect, isRegularExpression, isUri, isUriReference } from '../schema/json-schema.ts'
import {
  collectDescribed,
  currentPointer,
  isIgnoredBeside,
  type ObjectTable,
  plainShape,
  type Shape,
  type ShapeKind,
  severityOf,
  type TextRule,
  toCollectedObject,
  type Walk,
} from '../walk.ts'

/**
 * Checks the current object against its table, and everything below it, in one pass. Calls `walk.onReference` for every reference.
 *
 * Values without a defined meaning (`example`, `default`, `enum`, `const`, `x-` fields) are skipped, so a `$ref` inside them is data.
 */
export function walkObject(walk: Walk, value: unknown, table: ObjectTable): void {
  if (!isObject(value)) {
    if (!(typeof value === 'boolean' && table.allowsBoolean))
      reportWrongType(walk, table, { ...plainShape, kind: 'object', table }, value)
  } else if (table.reference === 'none' || !hasCoreKeyword(value)) {
    if (table.variants !== undefined) walkVariant(walk, value, table)
    else if (!(table.identifies && walk.foreignDialect)) walkFields(walk, value, table)
  } else if (table.identifies) walkSchemaResource(walk, value, table)
  else if (!walkReference(walk, value, table)) walkFields(walk, value, table)
}

/** Whether an object has a key that changes its kind. Most objects have none, and a loop is faster than three failed lookups. */
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
    const value = object[key]
    if (kind === 'any') {
      // Authors also write a reference to the value of an example. Its file is loaded.
      if (typeof value === 'object' && isReference(value)) collectNeeded(walk, value.$ref, [key, '$ref'], value)
      continue
    }
    // Check the length first: this is the inner loop, and most strings are short.
    if (typeof value === 'string' && value.length > smallMarkdown && key === 'description' && walk.checksMarkdown) {
      reportComplexMarkdown(walk, table, value)
    }
    // Fast path for most values.
    if (typeof value === 'string' && (kind === 'text' || (kind === 'choice' && shape.choices.includes(value)))) continue
    path.push(key)
    if (kind === 'object' && path.length <= walk.maxDepth)
      walkObject(walk, value, shape.table as ObjectTable) // Every shape of this kind has a table.
    else {
      walk.holder = object
      walkValue(walk, value, shape, table)
    }
    path.pop()
  }
  if ((seen & table.requiredMask) !== table.requiredMask && (table.open || typeof object['$ref'] !== 'string')) {
    reportMissingFields(walk, table, object, seen)
  }
  // Absolute paths are those of a server.
  if (table.key === 'Example' && /^[^/]/.test(String(readOwn(object, 'externalValue') ?? '')))
    collectNeeded(walk, String(object['externalValue']), ['externalValue'])
  if ((seen & table.valuesMask) !== 0 && walk.collected.wantsDescribed) collectDescribed(walk, object, table)
  if (table.rule !== undefined && (table.ruleMask === 0 || (seen & table.ruleMask) !== 0))
    table.rule({ value: object, walk, table })
}

/** Collects a reference of an example or sample, whose target pages show. */
function collectNeeded(walk: Walk, reference: string, steps: readonly string[], value: unknown = { $ref: reference }): void {
  const isShown = /^(?:example|value|dataValue|externalValue|x-.*)$/i.test(steps[0] ?? '')
  // An object with more keys is data, see `toExample`.
  const needs = isShown && Object.keys(Object(value)).length === 1 ? steps.reduce(pointerChild, currentPointer(walk)) : undefined
  walk.collected.extensions.push({ file: walk.file, value, ...(needs !== undefined && { needs }) })
}

function walkOtherField(walk: Walk, object: JsonObject, key: string, table: ObjectTable): void {
  if (table.extensible && key.startsWith('x-')) {
    const value = readOwn(object, key)
    if (typeof value !== 'object' || value === null) return
    walk.collected.extensions.push({ file: walk.file, value })
    if (/^x-code-?samples$/i.test(key)) {
      for (const [index, sample] of Object.entries(value)) {
        const source = readOwn(sample, 'source')
        if (isReference(source)) collectNeeded(walk, source.$ref, [key, index, 'source', '$ref'])
      }
    }
    // Like other tools, pages show a list of them.
    if (Array.isArray(value) || !/^x-code-?samples$/i.test(key) || readOwn(value, '$ref') !== undefined) return
    const problem = { code: 'wrong-type', key, hint: 'Put `- ` before each entry', severity: 'warning' } as const
    reportField({ walk, table }, { ...problem, message: `Unexpected mapping for \`${key}\`, expected a list` })
    return
  }
  const patterns = table.patterns
  for (let index = 0; index < patterns.length; index++) {
    const entry = patterns[index]
    if (entry === undefined || !entry.pattern.test(key)) continue
    walk.path.push(key)
    walkValue(walk, readOwn(object, key), entry.shape, table)
    walk.path.pop()
    return
  }
  if (key === '$ref' && typeof object[key] === 'string') {
    // `walkReference` has already handled a reference next to other fields.
    if (table.reference === 'none' && !table.open) walkMisplacedReference(walk, object, object[key], table)
    return
  }
  if (key === exceptionField) return
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
  const id = object['$id']
  if (typeof id === 'string') walk.resource = { id: resolveId(around?.id, id), pointer: currentPointer(walk) }
  const dialect = object['$schema']
  // Skip everything below, because the meaning of keywords in other dialects is unknown.
  const known = typeof dialect === 'string' ? isKnownDialect(dialect) : !walk.foreignDialect
  if (!walkReference(walk, object, table) && known) walkKnownSchema(walk, object, table)
  walk.resource = around
}

/** Nested schemas use the dialect of the enclosing schema unless they name their own. */
function walkKnownSchema(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const around = walk.foreignDialect
  walk.foreignDialect = false
  walkFields(walk, object, table)
  walk.foreignDialect = around
}

function walkVariant(walk: Walk, object: JsonObject, table: ObjectTable): void {
  const { field = '', tables } = table.variants ?? {}
  const selector = readOwn(object, field)
  const variant = typeof selector === 'string' ? tables?.get(selector) : undefined
  if (variant) {
    walkFields(walk, object, variant)
    return
  }
  if (selector === undefined) {
    // Its other fields may be those of any variant.
    const fields = new Map([...(tables?.values() ?? [])].flatMap((one) => [...one.fields]))
    for (const [name, { shape }] of fields) fields.set(name, { shape, bit: name === field ? 1 : 0 })
    walkFields(walk, object, { ...table, fields, requiredMask: 1 })
    return
  }
  walk.path.push(field)
  if (typeof selector === 'string') reportWrongChoice(walk, table, selector, [...(tables?.keys() ?? [])])
  else reportWrongType(walk, table, plainShape, selector)
  walk.path.pop()
}

/** Checks a value against its shape, and everything below it. `table` is the object with this field. */
function walkValue(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  switch (shape.kind) {
    case 'any':
      return
    case 'object':
      if (walk.path.length > walk.maxDepth) reportTooDeep(walk)
      // Every shape of this kind has a table.
      else walkObject(walk, value, shape.table as ObjectTable)
      return
    case 'list':
      walkList(walk, value, shape, table)
      return
    case 'map':
      walkMap(walk, value, shape, table)
      return
    case 'boolean':
      if (typeof value !== 'boolean') reportWrongType(walk, table, shape, value)
      return
    case 'choice':
      if (typeof value !== 'string') reportWrongType(walk, table, shape, value)
      else if (!shape.choices.includes(value)) reportWrongChoice(walk, table, value, shape.choices)
      return
    case 'number':
    case 'count':
    case 'positive':
      walkNumber(walk, value, shape, table)
      return
    case 'types':
      walkTypes(walk, value, shape, table)
      return
    case 'schema-or-boolean':
      if (typeof value !== 'boolean') walkSchemaOr(walk, value, shape, table)
      return
    case 'schema-or-names':
      if (Array.isArray(value)) walkList(walk, value, namesShape, table)
      else walkSchemaOr(walk, value, shape, table)
      return
    default:
      if (typeof value !== 'string') reportWrongType(walk, table, shape, value)
      else walkText(walk, value, shape, table)
  }
}

function walkSchemaOr(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (inner !== undefined && (isObject(value) || typeof value === 'boolean')) walkValue(walk, value, inner, table)
  else reportWrongType(walk, table, shape, value)
}

function walkList(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (!Array.isArray(value) || inner === undefined) {
    reportWrongType(walk, table, shape, value)
    return
  }
  if (value.length < shape.minimum) {
    reportWrongValue(walk, table, { code: 'wrong-value', found: 'empty list', expected: 'at least one entry' })
  }
  if (inner.kind === 'any') return
  const path = walk.path
  for (let index = 0; index < value.length; index++) {
    const entry: unknown = value[index]
    if (inner.kind === 'text' && typeof entry === 'string') continue
    path.push(index)
    walkValue(walk, entry, inner, table)
    path.pop()
  }
  if (shape.unique) reportRepeats(walk, value, table)
}

function walkMap(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (!isObject(value) || inner === undefined) {
    reportWrongType(walk, table, shape, value)
    return
  }
  const path = walk.path
  const text = shape.text
  for (const key in value) {
    const entry = value[key]
    if (key === '$ref' && typeof entry === 'string' && inner.kind === 'object' && shape.table !== undefined) {
      walkMisplacedReference(walk, value, entry, shape.table)
      continue
    }
    path.push(key)
    if (text !== undefined && !text.allows(key)) reportWrongName(walk, key, text, table)
    if (inner.kind !== 'any') walkValue(walk, entry, inner, table)
    path.pop()
  }
}

function reportWrongName(walk: Walk, key: string, { expected, code, hint, rule }: TextRule, table: ObjectTable): void {
  const fault = { found: `\`${shorten(key)}\``, expected, on: 'key', hint: hint?.(key) } as const
  const severity = severityOf(rule, walk.release)
  if (code === undefined) reportWrongValue(walk, table, { ...fault, code: 'wrong-name', severity })
  else reportWrongValue(walk, table, { ...fault, code, target: `a key of \`${shorten(String(walk.path.at(-2)))}\`` })
}

function walkTypes(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  if (typeof value === 'string') {
    if (!shape.choices.includes(value)) reportWrongChoice(walk, table, value, shape.choices)
  } else if (Array.isArray(value)) {
    const inner: Shape = { ...shape, kind: 'choice' }
    walkList(walk, value, { ...plainShape, kind: 'list', inner, minimum: 1, unique: true }, table)
  } else reportWrongType(walk, table, shape, value)
}

function reportTooDeep(walk: Walk): void {
  if (walk.tooDeep) return
  walk.tooDeep = true
  const message = `Unexpected nesting of more than ${walk.maxDepth} levels`
  const hint = limitHint('nesting', walk.limits, 'Move inner parts to `components` and refer to them with `$ref`')
  addFinding(walk.findings, { code: 'too-complex', message, file: walk.file, pointer: currentPointer(walk), hint })
}

const namesShape: Shape = { ...plainShape, kind: 'list', inner: plainShape, unique: true }

/** Returns whether the object is a reference that replaces it, so that its other fields have no effect. */
function walkReference(walk: Walk, object: JsonObject, table: ObjectTable): boolean {
  const reference = object['$ref']
  if (reference === undefined) return false
  if (typeof reference !== 'string') {
    walk.path.push('$ref')
    reportWrongType(walk, table, plainShape, reference)
    walk.path.pop()
    return true
  }
  walk.onReference(reference, table, object)
  if (table.reference === 'beside') return false
  if (table.key === 'Schema' && object['nullable'] === true) walk.collected.nullables.push(toCollectedObject(walk, object))
  for (const key in object) {
    if (!isIgnoredBeside(table, key)) continue
    const keywords = Object.keys(object).filter((one) => isIgnoredBeside(table, one))
    walk.collected.siblings.push({ ...toCollectedObject(walk, object), title: table.title, keywords })
    break
  }
  if (walk.release !== '3.0') walkReferenceTexts(walk, object, table)
  return true
}

/** Source: OpenAPI 3.1.1, "Reference Object": `summary` and `description` are allowed next to `$ref`. */
function walkReferenceTexts(walk: Walk, object: JsonObject, table: ObjectTable): void {
  for (const key of ['summary', 'description']) {
    const value = readOwn(object, key)
    if (value === undefined || typeof value === 'string') continue
    walk.path.push(key)
    reportWrongType(walk, table, plainShape, value)
    walk.path.pop()
  }
}

/** Tools accept a `$ref` almost everywhere, and large descriptions are split this way. The target is therefore still checked. */
function walkMisplacedReference(walk: Walk, holder: JsonObject, reference: string, table: ObjectTable): void {
  reportMisplacedReference(walk, table)
  walk.onReference(reference, table, holder)
}

/** Checks a number against a numeric shape. */
function walkNumber(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  if (typeof value !== 'number') {
    reportWrongType(walk, table, shape, value)
    return
  }
  const isCount = shape.kind !== 'count' || (Number.isInteger(value) && value >= 0)
  const isPositive = shape.kind !== 'positive' || value > 0
  if (isCount && isPositive && Number.isFinite(value)) return
  const expected = !isCount ? 'a non-negative integer' : isPositive ? 'a finite number' : 'a positive number'
  reportWrongValue(walk, table, { code: 'wrong-value', found: `\`${value}\``, expected })
}

/** Formats of strings by the kind of shape. */
const formats: ReadonlyMap<ShapeKind, TextRule> = new Map([
  ['uri-reference', { allows: isUriReference, expected: 'a URL' }],
  ['uri', { allows: isUri, expected: 'an absolute URL such as `https://example.com/`' }],
  ['email', { allows: isEmail, expected: 'an email address' }],
  ['regex', { allows: isRegularExpression, expected: 'a valid JavaScript regular expression', code: 'pattern-syntax' }],
])

/** Checks a string against a shape with a format. */
function walkText(walk: Walk, value: string, shape: Shape, table: ObjectTable): void {
  const rule = shape.kind === 'pattern' ? shape.text : formats.get(shape.kind)
  if (!rule || rule.allows(value)) return
  const code = (shape.kind === 'regex' && rule.code) || 'wrong-format'
  const found = value === '' ? 'empty string' : `\`${shorten(value)}\``
  reportWrongValue(walk, table, { code, found, expected: rule.expected })
}

/** Reports each duplicate entry of the current list. */
function reportRepeats(walk: Walk, list: readonly unknown[], table: ObjectTable): void {
  if (!hasRepeated(list)) return
  const seen = new Set(list)
  for (const [index, entry] of list.entries()) {
    if (seen.delete(entry)) continue
    walk.path.push(index)
    const found = `duplicate \`${shorten(String(entry))}\``
    reportWrongValue(walk, table, { code: 'entry-unique', found, expected: 'each entry once', hint: 'Remove one of the two' })
    walk.path.pop()
  }
}
