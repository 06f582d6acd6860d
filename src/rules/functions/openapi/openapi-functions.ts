import { isObject, readOwn } from '../../../text/json/json-values.ts'
import type { FunctionDefinition, RuleFunction } from '../../ruleset.ts'
import { checkNoOptions, checkOptions, isOneOf, type OptionTable } from '../options.ts'
import { findUnreferenced, listReferences } from '../unreferenced-function.ts'
import { typedEnumFunction } from './enum-functions.ts'
import { exampleFunctions } from './example-functions.ts'
import { operationFunctions } from './operation-functions.ts'
import { runPathParameters } from './path-parameters.ts'
import { runSecurityDefined } from './security.ts'
import { serverVariablesFunction } from './server-variables.ts'

const securityTable: OptionTable = {
  function: 'oasSecurityDefined',
  options: { oasVersion: isOneOf([2, 3]) },
  example: '{ oasVersion: 3 }',
}

const componentKinds = ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links', 'callbacks']

/** The document: all components are referenced. */
const runUnusedComponent: RuleFunction = (document, _options, context) => {
  if (!isObject(document) || !isObject(document['components'])) return []
  const { components } = document
  const references = listReferences(context)
  return componentKinds.flatMap((kind) => {
    const objects = readOwn(components, kind)
    return isObject(objects) ? findUnreferenced(objects, `#/components/${kind}`, references) : []
  })
}

/** `oas3-schema`: the checks of openapi-pages run on every document, so that the function finds nothing itself. */
const runDocumentSchema: RuleFunction = () => []

/**
 * The functions of `spectral:oas` by name. Other rulesets cannot use them.
 *
 * Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md).
 */
export const openapiFunctions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [
    ...operationFunctions,
    ...exampleFunctions,
    typedEnumFunction,
    serverVariablesFunction,
    { name: 'oasPathParam', checkOptions: checkNoOptions('oasPathParam'), run: runPathParameters },
    {
      name: 'oasSecurityDefined',
      checkOptions: (options: unknown) => checkOptions(securityTable, options),
      run: runSecurityDefined,
    },
    { name: 'oasUnusedComponent', checkOptions: checkNoOptions('oasUnusedComponent'), run: runUnusedComponent },
    { name: 'oasDocumentSchema', checkOptions: checkNoOptions('oasDocumentSchema'), run: runDocumentSchema },
  ].map((definition) => [definition.name, definition]),
)
