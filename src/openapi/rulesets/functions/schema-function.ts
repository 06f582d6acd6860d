import { isObject } from '../../../source/is-object.ts'
import type { FunctionDefinition, OptionsProblem, RuleContext, RuleFunction, RuleProblem } from '../ruleset.ts'
import { findReference } from './json-schema/find-reference.ts'
import { type Dialect, dialectOf, inspectSchema, listParts, toDialect } from './json-schema/inspect-schema.ts'
import { type MatchOptions, matchValue } from './json-schema/match-value.ts'
import { selectErrors } from './json-schema/select-errors.ts'
import { nameValue } from './name-value.ts'
import { checkOptions, isBoolean, isOneOf, type OptionTable } from './options.ts'

const table: OptionTable = {
  function: 'schema',
  options: {
    schema: (value) => (isObject(value) ? undefined : 'a JSON Schema as a mapping'),
    dialect: isOneOf(['auto', 'draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12']),
    allErrors: isBoolean,
  },
  required: ['schema'],
  example: '{ schema: { type: string } }',
}

const runSchema: RuleFunction = (value, options, context) => {
  if (!isObject(options)) return []
  const { schema, allErrors } = options
  return matchSchemaOf(schema, value, context, {
    dialect: findDialect(options),
    allErrors: allErrors === true,
    spend: context.spend,
  })
}

/**
 * A value matches a JSON Schema.
 *
 * Source: Spectral, "Core Functions" (docs/reference/functions.md), section "schema".
 */
export const schemaFunction: FunctionDefinition = { name: 'schema', checkOptions: checkSchemaOptions, run: runSchema }

/** Matches a value, at the path of the context, against a schema without problems. */
export function matchSchemaOf(
  schema: unknown,
  value: unknown,
  context: Pick<RuleContext, 'path'>,
  options: MatchOptions,
): readonly RuleProblem[] {
  if (value === undefined) return [{ message: `${nameValue(context.path)} must be present` }]
  const errors = matchValue(schema, value, options)
  return errors.length === 0 ? [] : selectErrors(errors, context.path, value)
}

/** The dialect of a schema in options: the one that they name, or that of its `$schema`, or draft 7. */
function findDialect(options: { readonly [key: string]: unknown }): Dialect {
  const { dialect, schema } = options
  if (typeof dialect === 'string' && dialect !== 'auto') return toDialect(dialect)
  return (isObject(schema) ? dialectOf(schema['$schema']) : undefined) ?? 'draft7'
}

/** Schemas with more parts are refused. */
const maxParts = 100_000

function checkSchemaOptions(options: unknown): OptionsProblem | undefined {
  const problem = checkOptions(table, options)
  if (problem || !isObject(options)) return problem
  const { schema } = options
  const dialect = findDialect(options)
  let partsLeft = maxParts
  const report = inspectSchema(schema, dialect, (steps) => {
    partsLeft -= steps
  })
  if (report.problem) {
    const { pointer, keyword, expected } = report.problem
    const subject = keyword === '' ? 'the schema' : `\`${keyword}\` in the schema`
    return {
      message: `Unexpected value of ${subject} of the function \`schema\`, expected ${expected}`,
      pointer: `/schema${pointer}`,
    }
  }
  if (report.isCyclic || partsLeft < 0) {
    return { message: 'The schema of the function `schema` is nested too deeply', pointer: '/schema' }
  }
  if (!report.hasReference) return undefined
  const pointer = findUnresolved(schema, dialect)
  if (pointer === undefined) return undefined
  return {
    message: 'Unresolved `$ref` in the schema of the function `schema`',
    pointer: `/schema${pointer}`,
    hint: 'Use a reference inside the schema, such as `#/definitions/name`.',
  }
}

/** The pointer of the first reference without target. */
function findUnresolved(root: unknown, dialect: Dialect): string | undefined {
  const queue: (readonly [unknown, string])[] = [[root, '']]
  const visited = new Set<object>()
  for (const [schema, pointer] of queue) {
    if (!isObject(schema) || visited.has(schema)) continue
    visited.add(schema)
    const reference = schema['$ref']
    const isUnresolved = dialectOf(reference) === undefined && typeof reference === 'string'
    if (isUnresolved && findReference(root, reference, dialect) === undefined) return `${pointer}/$ref`
    for (const [part, below] of listParts(schema, dialect)) queue.push([part, pointer + below])
  }
  return undefined
}
