import { isContainer, isObject, type JsonObject, pointerChild, readOwn, valueAtPointer } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { compilePattern } from '../../regular-expression.ts'

/** Drafts of JSON Schema. Draft 6 is read as draft 7. */
export type Dialect = 'draft4' | 'draft7' | 'draft2019-09' | 'draft2020-12'

/** The dialect with a `$schema` URL, or `undefined` if it is unknown. */
export function dialectOf(url: unknown): Dialect | undefined {
  if (typeof url !== 'string') return undefined
  const [, old, modern] =
    /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019-09|2020-12))\/(?:hyper-)?schema#?$/.exec(url) ?? []
  const draft = old ?? modern
  return draft === undefined ? undefined : toDialect(`draft${draft}`)
}

/** The dialect with a name of Spectral, such as `draft6`. */
export function toDialect(name: string): Dialect {
  return name === 'draft4' || name === 'draft2019-09' || name === 'draft2020-12' ? name : 'draft7'
}

/** What a schema is like, with all schemas that it contains. */
interface SchemaReport {
  /** The first keyword whose value the dialect does not allow. */
  readonly problem: SchemaProblem | undefined
  /** The schema contains itself: its references are replaced by their targets. */
  readonly isCyclic: boolean
  /** A `$ref` is left in it. */
  readonly hasReference: boolean
}

interface SchemaProblem {
  readonly pointer: string
  /** Completes "`keyword` must be …". */
  readonly keyword: string
  readonly expected: string
}

/** Deeper schemas count as cyclic. */
const maxDepth = 400

const reports: Readonly<Record<Dialect, WeakMap<object, SchemaReport>>> = {
  draft4: new WeakMap(),
  draft7: new WeakMap(),
  'draft2019-09': new WeakMap(),
  'draft2020-12': new WeakMap(),
}

const accepted: SchemaReport = { problem: undefined, isCyclic: false, hasReference: false }

/**
 * Inspects a schema before values are matched against it. Reports are kept per schema.
 *
 * @param spend counts the visited schemas.
 */
export function inspectSchema(schema: unknown, dialect: Dialect, spend: (steps: number) => void): SchemaReport {
  return inspect(schema, { dialect, spend, open: new Set() }, 0)
}

interface Inspection {
  readonly dialect: Dialect
  readonly spend: (steps: number) => void
  /** The schemas around the current one. */
  readonly open: Set<object>
}

function inspect(schema: unknown, inspection: Inspection, depth: number): SchemaReport {
  const { dialect, spend, open } = inspection
  if (typeof schema === 'boolean' && dialect !== 'draft4') return accepted
  if (!isObject(schema)) return { ...accepted, problem: toProblem('', '', 'a schema') }
  const known = reports[dialect].get(schema)
  if (known) return known
  if (open.has(schema) || depth > maxDepth) return { ...accepted, isCyclic: true }
  spend(1)
  open.add(schema)
  let problem = findOwnProblem(schema, dialect)
  let isCyclic = false
  let hasReference =
    typeof schema['$ref'] === 'string' || schema['$dynamicRef'] !== undefined || schema['$recursiveRef'] !== undefined
  for (const [part, pointer] of listParts(schema, dialect)) {
    const report = inspect(part, inspection, depth + 1)
    isCyclic ||= report.isCyclic
    hasReference ||= report.hasReference
    if (report.problem) problem ??= { ...report.problem, pointer: pointer + report.problem.pointer }
  }
  open.delete(schema)
  const report: SchemaReport = problem || isCyclic || hasReference ? { problem, isCyclic, hasReference } : accepted
  reports[dialect].set(schema, report)
  return report
}

function toProblem(pointer: string, keyword: string, expected: string): SchemaProblem {
  return { pointer, keyword, expected }
}

/** Says what the value of a keyword has to be, if it is wrong. */
type KeywordTest = (value: unknown) => string | undefined

const isText: KeywordTest = (value) => (typeof value === 'string' ? undefined : 'a string')
const isNumber: KeywordTest = (value) => (typeof value === 'number' ? undefined : 'a number')
const isBoolean: KeywordTest = (value) => (typeof value === 'boolean' ? undefined : '`true` or `false`')
const isCount: KeywordTest = (value) => (Number.isInteger(value) && Number(value) >= 0 ? undefined : 'a whole number from 0')
const isPositive: KeywordTest = (value) => (typeof value === 'number' && value > 0 ? undefined : 'a number greater than 0')
const isList: KeywordTest = (value) => (Array.isArray(value) ? undefined : 'a list')
const isMapping: KeywordTest = (value) => (isObject(value) ? undefined : 'a mapping')

const isSchemas: KeywordTest = (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'a list of schemas')

const isPattern: KeywordTest = (value) =>
  typeof value === 'string' && compilePattern(value).compiled !== undefined ? undefined : 'a regular expression'

const isPatternMap: KeywordTest = (value) =>
  isObject(value) && Object.keys(value).every((key) => isPattern(key) === undefined)
    ? undefined
    : 'a mapping from regular expressions'

const isNames: KeywordTest = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') && new Set(value).size === value.length
    ? undefined
    : 'a list of different strings'

const isFilledNames: KeywordTest = (value) =>
  isNames(value) ?? (Array.isArray(value) && value.length > 0 ? undefined : 'a list with at least one string')

const isValues: KeywordTest = (value) =>
  Array.isArray(value) && value.length > 0 && findRepeatedValue(value) === undefined
    ? undefined
    : 'a list of different values, at least one'

const isFilledList: KeywordTest = (value) =>
  Array.isArray(value) && value.length > 0 ? undefined : 'a list with at least one value'

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const isType: KeywordTest = (value) => {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  return types.length > 0 && new Set(types).size === types.length && types.every((type) => typeNames.includes(String(type)))
    ? undefined
    : `one or several of ${listChoices(typeNames)}`
}

const isRefused: KeywordTest = () => 'absent, because only draft 4 has it'

/** The keywords whose values are tested. */
const common: Readonly<Record<string, KeywordTest>> = {
  $schema: isText,
  $ref: isText,
  title: isText,
  description: isText,
  multipleOf: isPositive,
  maximum: isNumber,
  minimum: isNumber,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  maxLength: isCount,
  minLength: isCount,
  pattern: isPattern,
  maxItems: isCount,
  minItems: isCount,
  uniqueItems: isBoolean,
  maxProperties: isCount,
  minProperties: isCount,
  required: isNames,
  properties: isMapping,
  patternProperties: isPatternMap,
  definitions: isMapping,
  dependencies: isMapping,
  type: isType,
  enum: isValues,
  format: isText,
  nullable: isBoolean,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
}

const later: Readonly<Record<string, KeywordTest>> = {
  ...common,
  $id: isText,
  id: isRefused,
  $comment: isText,
  readOnly: isBoolean,
  examples: isList,
  contentMediaType: isText,
  contentEncoding: isText,
}

const modern: Readonly<Record<string, KeywordTest>> = {
  ...later,
  $anchor: isText,
  $defs: isMapping,
  enum: isFilledList,
  maxContains: isCount,
  minContains: isCount,
  dependentRequired: isMapping,
  dependentSchemas: isMapping,
  deprecated: isBoolean,
  writeOnly: isBoolean,
}

const tests: Readonly<Record<Dialect, Readonly<Record<string, KeywordTest>>>> = {
  draft4: { ...common, id: isText, exclusiveMaximum: isBoolean, exclusiveMinimum: isBoolean, required: isFilledNames },
  draft7: later,
  'draft2019-09': modern,
  'draft2020-12': { ...modern, prefixItems: isSchemas },
}

function findOwnProblem(schema: JsonObject, dialect: Dialect): SchemaProblem | undefined {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    const test = Object.hasOwn(tests[dialect], keyword) ? tests[dialect][keyword] : undefined
    const expected = value === undefined ? undefined : test?.(value)
    if (expected !== undefined) return toProblem(pointerChild('', keyword), keyword, expected)
  }
  if (schema['nullable'] !== undefined && schema['type'] === undefined) {
    return toProblem('/nullable', 'nullable', 'beside `type`')
  }
  if (dialect !== 'draft4') return undefined
  for (const [keyword, limit] of [
    ['exclusiveMaximum', 'maximum'],
    ['exclusiveMinimum', 'minimum'],
  ] as const) {
    if (schema[keyword] !== undefined && schema[limit] === undefined) {
      return toProblem(pointerChild('', keyword), keyword, `beside \`${limit}\``)
    }
  }
  return undefined
}

const schemaKeywords = ['additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const
const listKeywords = ['allOf', 'anyOf', 'oneOf'] as const
const mapKeywords = ['properties', 'patternProperties', 'definitions'] as const

/** The schemas that a schema contains directly, with their pointers. */
export function* listParts(schema: JsonObject, dialect: Dialect): Iterable<readonly [part: unknown, pointer: string]> {
  const isModern = dialect === 'draft2019-09' || dialect === 'draft2020-12'
  const mayBeBoolean = dialect === 'draft4' ? ['additionalProperties', 'additionalItems'] : []
  const single: readonly string[] = [
    ...schemaKeywords,
    ...(dialect === 'draft2020-12' ? [] : ['additionalItems']),
    ...(isModern ? ['unevaluatedProperties', 'unevaluatedItems'] : []),
  ]
  for (const keyword of single) {
    const part = readOwn(schema, keyword)
    if (part === undefined || (typeof part === 'boolean' && mayBeBoolean.includes(keyword))) continue
    yield [part, `/${keyword}`]
  }
  const { items } = schema
  if (Array.isArray(items) && dialect !== 'draft2020-12') yield* listEntries(items, '/items')
  else if (items !== undefined) yield [items, '/items']
  for (const keyword of dialect === 'draft2020-12' ? [...listKeywords, 'prefixItems' as const] : listKeywords) {
    const parts = schema[keyword]
    if (Array.isArray(parts)) yield* listEntries(parts, `/${keyword}`)
  }
  for (const keyword of isModern ? [...mapKeywords, '$defs' as const, 'dependentSchemas' as const] : mapKeywords) {
    yield* listValues(schema[keyword], `/${keyword}`)
  }
  for (const [part, pointer] of listValues(schema['dependencies'], '/dependencies')) {
    if (!Array.isArray(part)) yield [part, pointer]
  }
}

function* listEntries(parts: readonly unknown[], pointer: string): Iterable<readonly [unknown, string]> {
  for (const [index, part] of parts.entries()) yield [part, `${pointer}/${index}`]
}

function* listValues(parts: unknown, pointer: string): Iterable<readonly [unknown, string]> {
  if (!isObject(parts)) return
  for (const [key, part] of Object.entries(parts)) yield [part, pointerChild(pointer, key)]
}

/**
 * The indexes of two equal entries of a list, the later one first.
 *
 * @param spend counts the compared lists and mappings.
 */
export function findRepeatedValue(
  values: readonly unknown[],
  spend: (steps: number) => void = () => undefined,
): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>()
  const containers: number[] = []
  for (const [index, value] of values.entries()) {
    if (isContainer(value)) {
      const equal = containers.find((other) => equalValues(values[other], value, spend))
      if (equal !== undefined) return [index, equal]
      containers.push(index)
    } else {
      const equal = scalars.get(value)
      if (equal !== undefined) return [index, equal]
      scalars.set(value, index)
    }
  }
  return undefined
}

/** Deeper values count as different: a resolved document can contain itself. */
const maxValueDepth = 100

/**
 * Whether two values are equal, regardless of the order of keys. `equalJson` has no limits, which would make the playground larger.
 *
 * @param spend counts the compared lists and mappings.
 */
export function equalValues(left: unknown, right: unknown, spend: (steps: number) => void, depth = 0): boolean {
  if (left === right) return true
  if (!isContainer(left) || !isContainer(right) || depth > maxValueDepth) return false
  spend(1)
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => equalValues(entry, right[index], spend, depth + 1))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key], spend, depth + 1))
  )
}

/** The schemas with an `$id` or an anchor, by URL or `#anchor`, for each root. */
const identifiers = new WeakMap<object, ReadonlyMap<string, unknown>>()

/**
 * Finds the target of a reference inside a schema: a pointer, an anchor or an identifier.
 *
 * Source: JSON Schema 2020-12, core, section 8.2; draft 4, core, section 7.
 */
export function findReference(root: unknown, reference: string, dialect: Dialect): unknown {
  if (!isObject(root)) return undefined
  const [base = '', fragment = ''] = reference.split('#', 2)
  const resource = base === '' ? root : listIdentifiers(root, dialect).get(base)
  if (resource === undefined || fragment === '') return resource
  if (fragment.startsWith('/')) return valueAtPointer(resource, decodeFragment(fragment))
  return listIdentifiers(root, dialect).get(`#${fragment}`)
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function listIdentifiers(root: object, dialect: Dialect): ReadonlyMap<string, unknown> {
  const known = identifiers.get(root)
  if (known) return known
  const found = new Map<string, unknown>()
  collect(root, dialect, found, new Set())
  identifiers.set(root, found)
  return found
}

function collect(schema: unknown, dialect: Dialect, found: Map<string, unknown>, visited: Set<object>): void {
  if (!isObject(schema) || visited.has(schema)) return
  visited.add(schema)
  const id = schema[dialect === 'draft4' ? 'id' : '$id']
  if (typeof id === 'string') add(found, id.replace(/#$/, ''), schema)
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = readOwn(schema, keyword)
    if (typeof anchor === 'string') add(found, `#${anchor}`, schema)
  }
  for (const [part] of listParts(schema, dialect)) collect(part, dialect, found, visited)
}

function add(found: Map<string, unknown>, identifier: string, schema: unknown): void {
  if (!found.has(identifier)) found.set(identifier, schema)
}

const inlined = new WeakMap<object, boolean>()

/** Whether a target of a reference contains no references. */
export function isInlined(schema: unknown): boolean {
  if (!isContainer(schema)) return true
  const known = inlined.get(schema)
  if (known !== undefined) return known
  const result = !hasReference(schema, new Set())
  inlined.set(schema, result)
  return result
}

const references = ['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor']

function hasReference(value: unknown, visited: Set<object>): boolean {
  if (!isContainer(value) || visited.has(value)) return false
  visited.add(value)
  if (isObject(value) && references.some((keyword) => Object.hasOwn(value, keyword))) return true
  return Object.values(value).some((part) => hasReference(part, visited))
}
