import { isObject } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import type { FunctionDefinition, RuleFunction } from '../../ruleset.ts'
import { showValue } from '../name-value.ts'
import { checkNoOptions } from '../options.ts'

/** A schema: the values of its `enum` have its type. Other values are skipped. */
const run: RuleFunction = (schema, _options, { path, unresolved }) => {
  if (!isObject(schema) || !Array.isArray(schema['enum'])) return []
  const { type, nullable } = schema
  const types = Array.isArray(type) ? type : [type]
  if (!types.every((entry) => typeof entry === 'string')) return []
  const allowed: readonly string[] = nullable === true && isRelease30(unresolved) ? [...types, 'null'] : types
  return schema['enum'].flatMap((value, index) =>
    allowed.includes(typeOf(value, allowed.includes('integer')))
      ? []
      : [
          {
            message: `The value ${showValue(value)} of \`enum\` must have the type ${listChoices(allowed)}`,
            path: [...path, 'enum', index],
          },
        ],
  )
}

function typeOf(value: unknown, hasIntegers: boolean): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return hasIntegers && Number.isInteger(value) ? 'integer' : typeof value
}

/** Whether a document has OpenAPI 3.0, where `nullable` allows `null`. */
export function isRelease30(document: unknown): boolean {
  return isObject(document) && /^3\.0(?:\.\d*)?$/.test(String(document['openapi']))
}

/** Source: Spectral, "Core Functions" (docs/reference/functions.md), section "typedEnum". */
export const typedEnumFunction: FunctionDefinition = { name: 'typedEnum', checkOptions: checkNoOptions('typedEnum'), run }
