import type { FunctionDefinition } from '../ruleset.ts'
import { typedEnumFunction } from './openapi/enum-functions.ts'
import { presenceFunctions } from './presence-functions.ts'
import { schemaFunction } from './schema-function.ts'
import { textFunctions } from './text-functions.ts'
import { unreferencedFunction } from './unreferenced-function.ts'
import { valueFunctions } from './value-functions.ts'

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
