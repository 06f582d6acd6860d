import table from '../../../texts/openapi-objects.json' with { type: 'json' }
import { isObject } from '../../text/json/json-values.ts'
import type { OpenApiRelease } from '../types.ts'
import type { ObjectRule, ObjectTable } from '../walk.ts'
import * as rules from './object-rules.ts'
import * as parameterRules from './parameter-rules.ts'
import { runtimeExpression } from './runtime-expression.ts'
import { checkSchema } from './schema-rules.ts'

/** The source form of a table: see `compileTables`. */
export interface ObjectDefinition
  extends Partial<Readonly<Pick<ObjectTable, 'title' | 'open' | 'extensible' | 'reference' | 'allowsBoolean' | 'identifies'>>> {
  readonly fields?: { readonly [name: string]: string }
  /** For names that match a pattern of `namePatterns`. */
  readonly patterns?: readonly { readonly pattern: string; readonly shape: string; readonly expected: string }[]
  /** Tables by the value of `field`: value → name of a definition. */
  readonly variants?: { readonly field: string; readonly tables: { readonly [value: string]: string } }
  /** Names of `objectRules`. */
  readonly rules?: readonly string[]
  /** The rules are only called for objects with one of these fields. */
  readonly ruleFor?: readonly string[]
  /** Fields whose values a schema describes: its own, or that in the field `schema`. */
  readonly values?: readonly string[]
}

/** The rules for an object as a whole, by their names in the definitions. */
export const objectRules: { readonly [name: string]: ObjectRule } = {
  'collect-encoding': rules.collectEncoding,
  conflicts: rules.checkConflicts,
  'header-ignored': parameterRules.headerIgnored,
  'http-scheme': rules.checkHttpScheme,
  link: rules.checkLink,
  name: rules.checkName,
  openapi: rules.checkOpenApi,
  parameter: parameterRules.checkParameter,
  'parameter-list': parameterRules.checkParameterList,
  responses: rules.checkResponses,
  'runtime-expression': runtimeExpression,
  schema: checkSchema,
  'schema-or-content': parameterRules.checkSchemaOrContent,
  server: rules.checkServer,
}

/** The patterns of field names, by their names in the definitions. */
export const namePatterns: { readonly [name: string]: RegExp } = {
  any: /(?:)/,
  path: /^\//,
  'status-code': rules.statusCodePattern,
}

/** Every object of a release: those of 3.1 with what is different, as `texts/schema.json` says. */
export function objectDefinitions(release: OpenApiRelease): { readonly [key: string]: ObjectDefinition } {
  const definitions = release === '3.1' ? table['3.1'] : applyPatch(table['3.1'], table[release])
  return definitions as { readonly [key: string]: ObjectDefinition } // As `texts/schema.json` says.
}

/** Applies a JSON merge patch (RFC 7396). A mapping with `whole` is not merged. */
function applyPatch(base: unknown, patch: unknown): unknown {
  if (!isObject(patch) || patch['whole'] === true) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, applyPatch(result.get(key), value))
  }
  return Object.fromEntries(result)
}
