import { isObject, listOf, readOwn } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import type { FunctionDefinition, RuleFunction } from '../ruleset.ts'
import { typedEnumFunction } from './openapi/example-functions.ts'
import { checkNoOptions, checkOptions, isNameList, nameValue, type OptionTable } from './options.ts'
import { schemaFunction } from './schema-function.ts'
import { textFunctions } from './text-functions.ts'
import { unreferencedFunction } from './unreferenced-function.ts'
import { valueFunctions } from './value-functions.ts'

/** Functions that require or forbid a value or a key. Source: Spectral, "Core Functions" (docs/reference/functions.md). */
const presenceFunctions: readonly FunctionDefinition[] = [
  withoutOptions('defined', (value) => value !== undefined, 'must be present'),
  withoutOptions('undefined', (value) => value === undefined, 'must be absent'),
  withoutOptions('truthy', Boolean, 'must be present and not empty, `false`, `0` or `null`'),
  withoutOptions('falsy', (value) => !value, 'must be absent, empty, `false`, `0` or `null`'),
  keyFunction('or', true),
  keyFunction('xor', false),
]

/**
 * The functions that every ruleset can use, by name.
 *
 * Source: Spectral, "Core Functions" (docs/reference/functions.md).
 */
export const coreFunctions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [...presenceFunctions, ...valueFunctions, ...textFunctions, schemaFunction, unreferencedFunction, typedEnumFunction].map(
    (definition) => [definition.name, definition],
  ),
)

function withoutOptions(name: string, isValid: (value: unknown) => boolean, requirement: string): FunctionDefinition {
  const run: RuleFunction = (value, _options, context) =>
    isValid(value) ? [] : [{ message: `${nameValue(context.path)} ${requirement}` }]
  return { name, checkOptions: checkNoOptions(name), run }
}

/** `or` and `xor`: a mapping has at least one, or exactly one, of some keys. Other values are skipped. */
function keyFunction(name: string, mayHaveSeveral: boolean): FunctionDefinition {
  const table: OptionTable = {
    function: name,
    options: { properties: isNameList },
    required: ['properties'],
    example: '{ properties: [value, externalValue] }',
  }
  const run: RuleFunction = (value, options, context) => {
    const names = listOf(readOwn(options, 'properties')).map(String)
    if (!isObject(value) || names.length < 2) return []
    const present = Object.keys(value).filter((key) => names.includes(key))
    if (present.length === 1 || (mayHaveSeveral && present.length > 1)) return []
    if (present.length === 0) {
      const choices = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} others`] : names
      return [
        { message: `${nameValue(context.path)} must have ${mayHaveSeveral ? 'at least ' : ''}one of ${listChoices(choices)}` },
      ]
    }
    return [{ message: `${nameValue(context.path)} must have only one of ${listChoices(present)}` }]
  }
  return { name, checkOptions: (options) => checkOptions(table, options), run }
}
