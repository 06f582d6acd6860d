import { isObject } from '../../text/json/json-values.ts'
import {
  type FunctionDefinition,
  type OptionsProblem,
  type RuleContext,
  RuleFailure,
  type RuleFunction,
  type RuleProblem,
} from '../ruleset.ts'
import { type Dialect, dialectOf, findReference, inspectSchema, listParts, toDialect } from './json-schema/inspect-schema.ts'
import { type MatchOptions, matchValue } from './json-schema/match-value.ts'
import { selectErrors } from './json-schema/select-errors.ts'
import { checkOptions, isBoolean, isOneOf, nameValue, type OptionTable, showValue } from './options.ts'

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
  if (value !== undefined) requireTargets(schema, findDialect(options), context)
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
  return undefined
}

/** The first reference without target in each schema of a ruleset. */
const unresolved = new WeakMap<object, string | undefined>()

/**
 * Reports a schema with a reference that has no target when a rule needs it: many rulesets have such schemas in rules for other formats.
 *
 * @throws {RuleFailure}
 */
function requireTargets(schema: unknown, dialect: Dialect, { rule }: RuleContext): void {
  if (!isObject(schema)) return
  if (!unresolved.has(schema)) unresolved.set(schema, findUnresolved(schema, dialect))
  const reference = unresolved.get(schema)
  if (reference === undefined) return
  const message = `Rule \`${rule.name}\` checks only whether values exist: its schema has the unresolved \`$ref\` ${showValue(reference)}`
  const hint = 'Use a reference inside the schema, such as `#/definitions/name`'
  const { file, pointer } = rule.place ?? { file: '', pointer: '' }
  throw new RuleFailure({ code: 'ruleset-problem', severity: 'warning', message, hint, file, pointer }, { endsRule: false })
}

function findUnresolved(root: unknown, dialect: Dialect): string | undefined {
  const queue: unknown[] = [root]
  const visited = new Set<object>()
  for (const schema of queue) {
    if (!isObject(schema) || visited.has(schema)) continue
    visited.add(schema)
    const reference = schema['$ref']
    const isUnresolved = typeof reference === 'string' && dialectOf(reference) === undefined
    if (isUnresolved && findReference(root, reference, dialect) === undefined) return reference
    for (const [part] of listParts(schema, dialect)) queue.push(part)
  }
  return undefined
}
