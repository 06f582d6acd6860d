import { dialectOf, foundOf, hintOf, listMismatches, startMatch } from '../../model/instances/match-schema.ts'
import { listIdentifiers } from '../../openapi/references/follow-reference.ts'
import { isObject, type JsonObject, readFlag, readOwn, valueAtPointer } from '../../text/json/json-values.ts'
import { decodePercent } from '../../text/plain/paths.ts'
import { createSuggest } from '../../text/plain/suggest.ts'
import { compilePattern } from '../regular-expression.ts'
import {
  type FunctionDefinition,
  type OptionsProblem,
  type Path,
  type RuleContext,
  RuleFailure,
  type RuleFunction,
  type RuleProblem,
} from '../ruleset.ts'
import { checkOptions, isBoolean, isOneOf, nameValue, type OptionTable, showValue } from './options.ts'
import { findSchemaProblem } from './usable-schema.ts'

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
  const schema = readOwn(options, 'schema')
  if (!isObject(schema)) return []
  return matchRuleSchema(value, context.path, {
    schema,
    dialect: findDialect(readOwn(options, 'dialect'), schema),
    findsAll: readFlag(options, 'allErrors'),
    find: (reference) => findInside(schema, reference) ?? failUnresolved(context, reference),
    spend: context.spend,
  })
}

/**
 * A value matches a JSON Schema.
 *
 * Source: Spectral, "Core Functions" (docs/reference/functions.md), section "schema".
 */
export const schemaFunction: FunctionDefinition = { name: 'schema', checkOptions: checkSchemaOptions, run: runSchema }

type Dialect = Parameters<typeof startMatch>[0]

export interface RuleMatch {
  readonly schema: unknown
  readonly dialect: Dialect
  /** Finds all mismatches. Default: the first one. */
  readonly findsAll?: boolean
  /** The target of a reference. Default: none is found. */
  readonly find?: (reference: string) => unknown
  /** Properties with this keyword may be missing. Default: none. */
  readonly optional?: 'readOnly' | 'writeOnly' | undefined
  /** Counts the matched schemas. */
  readonly spend: (steps: number) => void
}

/** Matches the value at a path of the document with a schema. */
export function matchRuleSchema(value: unknown, path: Path, match: RuleMatch): readonly RuleProblem[] {
  if (value === undefined) return [{ message: `${nameValue(path)} must be present`, path }]
  const find = (_file: string, reference: string) => {
    const target = match.find?.(reference)
    return target === undefined ? undefined : { file: '', value: target }
  }
  const spend = () => {
    match.spend(1)
    return true
  }
  const state = startMatch(match.dialect, find, spend, {
    isStrict: true,
    findsAll: match.findsAll ?? false,
    mayMiss: match.optional === undefined ? [] : [match.optional],
    matchPattern: (pattern, text) => compilePattern(pattern).compiled?.test(text),
  })
  const suggest = createSuggest()
  const problems = listMismatches(state, { file: '', value: match.schema }, value).map((mismatch) =>
    toProblem(mismatch, foundOf(mismatch), hintOf(mismatch, state, suggest), path),
  )
  return [...new Map(problems.map((problem) => [`${problem.path.join('/')} ${problem.message}`, problem])).values()]
}

/** A key that is not allowed, and a repeated entry, are problems of the mapping or list, as in Spectral. */
function toProblem(
  { path, on, keyword, expected }: ReturnType<typeof listMismatches>[number],
  found: string,
  hint: string | undefined,
  around: Path,
) {
  const isOfAround = on === 'key' || keyword === 'uniqueItems'
  const place = [...around, ...(isOfAround ? path.slice(0, -1) : path)]
  const name = nameValue(place).replace(/^[A-Z]/, (letter) => letter.toLowerCase())
  const message = `Unexpected ${found} ${isOfAround ? 'in' : 'for'} ${name}, expected ${expected}${hint === undefined ? '' : `. ${hint}`}`
  return { path: place, message }
}

/** The dialect of a schema in options: the one that they name, or that of its `$schema`, or draft 7. */
function findDialect(dialect: unknown, schema: JsonObject): Dialect {
  if (dialect === 'draft2019-09' || dialect === 'draft2020-12') return dialect
  return (dialect === undefined || dialect === 'auto' ? dialectOf(schema['$schema']) : undefined) ?? 'draft7'
}

function checkSchemaOptions(options: unknown): OptionsProblem | undefined {
  const problem = checkOptions(table, options)
  const found = problem ? undefined : findSchemaProblem(readOwn(options, 'schema'))
  if (!found) return problem
  const subject = found.keyword === undefined ? 'the schema' : `\`${found.keyword}\` in the schema`
  return {
    message: `Unexpected value of ${subject} of the function \`schema\`, expected ${found.expected}`,
    pointer: `/schema${found.pointer}`,
  }
}

const identifiers = new WeakMap<object, ReadonlyMap<string, string>>()

/** The target of a reference inside a schema: a pointer, an anchor or an `$id`. Source: JSON Schema 2020-12, core, section 8.2. */
function findInside(root: JsonObject, reference: string): unknown {
  const [base = '', fragment = ''] = reference.split('#', 2)
  const known = identifiers.get(root) ?? listIdentifiers(root)
  identifiers.set(root, known)
  const isAnchor = fragment !== '' && !fragment.startsWith('/')
  const around = base === '' && !isAnchor ? '' : known.get(isAnchor ? `${base}#${fragment}` : base)
  if (around === undefined) return undefined
  return valueAtPointer(root, isAnchor ? around : around + decodePercent(fragment))
}

/**
 * Reports a schema with a reference that has no target when a value needs it: many rulesets have such schemas in rules for other formats.
 *
 * @throws {RuleFailure}
 */
function failUnresolved({ rule }: RuleContext, reference: string): never {
  const message = `Rule \`${rule.name}\` does not check some values: its schema has the unresolved \`$ref\` ${showValue(reference)}`
  const hint = 'Use a reference inside the schema, such as `#/definitions/name`'
  const { file, pointer } = rule.place ?? { file: '', pointer: '' }
  throw new RuleFailure({ code: 'ruleset-problem', severity: 'warning', message, hint, file, pointer }, { endsRule: false })
}
