import { isObject, readOwn } from '../../../text/json/json-values.ts'
import type { FunctionDefinition, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { checkNoOptions, checkOptions, isOneOf, type OptionTable, showValue } from '../options.ts'
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
  if (!isObject(requirement) || !isObject(unresolved)) return []
  const entries = Object.entries(requirement)
  if (!entries.every(([, scopes]) => isTextList(scopes))) return []
  const schemes = isObject(unresolved['components']) ? unresolved['components']['securitySchemes'] : undefined
  const problems: RuleProblem[] = []
  for (const [name, scopes] of entries) {
    if (!isObject(schemes) || !Object.hasOwn(schemes, name)) {
      problems.push({
        message: `The security scheme ${showValue(name)} must be declared in \`components.securitySchemes\``,
        path: [...path, name],
      })
      continue
    }
    for (const [index, scope] of isTextList(scopes) ? scopes.entries() : []) {
      if (isScopeDeclared(schemes[name], scope)) continue
      problems.push({
        message: `The scope ${showValue(scope)} must be declared by the security scheme ${showValue(name)}`,
        path: [...path, name, index],
      })
    }
  }
  return problems
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isScopeDeclared(scheme: unknown, scope: string): boolean {
  const flows = isObject(scheme) && isObject(scheme['flows']) ? Object.values(scheme['flows']) : []
  return flows.some((flow) => isObject(flow) && isObject(flow['scopes']) && Object.hasOwn(flow['scopes'], scope))
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
