import { keywordsWith, schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { compilePattern } from '../regular-expression.ts'

/** What the value of a keyword has to be, whether it is, and the keywords. */
type KeywordRow = readonly [expected: string, isValid: (value: unknown) => boolean, keywords: string]

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const isType = (value: unknown) => [value].flat().every((type) => types.includes(String(type)))
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
const isPattern = (value: unknown) => typeof value === 'string' && compilePattern(value).compiled !== undefined
const isSchema = (value: unknown) => isObject(value) || isBoolean(value)

const mapKeywords = [...keywordsWith('map'), '$defs', 'definitions', 'dependencies'].join(' ')

/** Keywords that are not listed may have any value. Source: JSON Schema, drafts 4 to 2020-12, meta-schemas. */
const rows: readonly KeywordRow[] = [
  ['a schema', (value) => isSchema(value) || Array.isArray(value), keywordsWith('one').join(' ')],
  ['a list of schemas', (value) => Array.isArray(value) && value.length > 0, keywordsWith('list').join(' ')],
  ['a mapping', isObject, `${mapKeywords} dependentRequired`],
  ['a number', isNumber, 'maximum minimum'],
  ['a number, `true` or `false`', (value) => isNumber(value) || isBoolean(value), 'exclusiveMaximum exclusiveMinimum'],
  ['a number greater than 0', (value) => Number(value) > 0 && isNumber(value), 'multipleOf'],
  ['a whole number from 0', isCount, 'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties'],
  ['`true` or `false`', isBoolean, 'nullable uniqueItems'],
  ['a list', Array.isArray, 'enum'],
  ['a list of strings', (value) => Array.isArray(value) && value.every(isText), 'required'],
  ['a string', isText, '$ref format'],
  ['a regular expression', isPattern, 'pattern'],
  [`one or several of ${listChoices(types)}`, isType, 'type'],
]

const tests = new Map(rows.flatMap((row) => row[2].split(' ').map((keyword) => [keyword, row] as const)))

interface SchemaProblem {
  readonly pointer: string
  /** `undefined` for the schema itself. */
  readonly keyword?: string
  /** Completes "expected …". */
  readonly expected: string
}

/** The first keyword of a schema, or of the schemas in it, with a value that says nothing. */
export function findSchemaProblem(schema: unknown): SchemaProblem | undefined {
  const visited = new Set<unknown>()
  const queue: (readonly [part: unknown, pointer: string])[] = [[schema, '']]
  for (const [part, pointer] of queue) {
    if (!isSchema(part)) return { pointer, expected: 'a schema' }
    if (!isObject(part) || visited.has(part)) continue
    visited.add(part)
    for (const [keyword, value] of Object.entries(part)) {
      const [expected, isValid] = tests.get(keyword) ?? []
      const at = pointerChild(pointer, keyword)
      if (expected !== undefined && !isValid?.(value)) return { pointer: at, keyword, expected }
      queue.push(...listSchemas(keyword, value, at))
    }
  }
  return undefined
}

/** The schemas in the value of a keyword. `dependencies` has lists of names, too. */
function listSchemas(keyword: string, value: unknown, pointer: string): (readonly [part: unknown, pointer: string])[] {
  const holds = mapKeywords.split(' ').includes(keyword) ? 'map' : schemaKeywords.get(keyword)?.holds
  if (holds === undefined) return []
  if (holds === 'one' && !Array.isArray(value)) return [[value, pointer]]
  return Object.entries(Object(value))
    .filter(([, part]) => keyword !== 'dependencies' || !Array.isArray(part))
    .map(([key, part]) => [part, pointerChild(pointer, key)])
}
