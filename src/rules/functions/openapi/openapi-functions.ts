import { entriesOf, isObject, listOf, readOwn } from '../../../text/json/json-values.ts'
import type { FunctionDefinition, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { checkNoOptions, checkOptions, isOneOf, isTextList, type OptionTable, showValue } from '../options.ts'
import { findUnreferenced, listReferences } from '../unreferenced-function.ts'
import { exampleFunctions, typedEnumFunction } from './example-functions.ts'
import { operationFunctions, runPathParameters } from './operation-functions.ts'
import { serverVariablesFunction } from './server-variables.ts'

const securityTable: OptionTable = {
  function: 'oasSecurityDefined',
  options: { oasVersion: isOneOf([2, 3]) },
  example: '{ oasVersion: 3 }',
}

/** A security requirement: its schemes and their scopes are declared. Reads the document with its references. */
const runSecurityDefined: RuleFunction = (requirement, _options, { path, unresolved }) => {
  const entries = entriesOf(requirement)
  if (!entries.every(([, scopes]) => isTextList(scopes))) return []
  const schemes = new Map(entriesOf(readOwn(readOwn(unresolved, 'components'), 'securitySchemes')))
  return entries.flatMap(([name, scopes]): RuleProblem[] => {
    if (!schemes.has(name)) {
      const message = `The security scheme ${showValue(name)} must be declared in \`components.securitySchemes\``
      return [{ message, path: [...path, name] }]
    }
    const flows = entriesOf(readOwn(schemes.get(name), 'flows'))
    const declared = flows.flatMap(([, flow]) => entriesOf(readOwn(flow, 'scopes')).map(([scope]) => scope))
    return listOf(scopes).flatMap((scope, index) => {
      const message = `The scope ${showValue(scope)} must be declared by the security scheme ${showValue(name)}`
      return declared.includes(String(scope)) ? [] : [{ message, path: [...path, name, index] }]
    })
  })
}

const componentKinds = ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links', 'callbacks']

/** The document: all components are referenced. */
const runUnusedComponent: RuleFunction = (document, _options, context) => {
  const components = readOwn(document, 'components')
  if (!isObject(components)) return []
  const references = listReferences(context)
  return componentKinds.flatMap((kind) => findUnreferenced(readOwn(components, kind), `#/components/${kind}`, references))
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
