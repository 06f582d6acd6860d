import { isObject } from '../../../text/json/json-values.ts'
import type { RuleFunction, RuleProblem } from '../../ruleset.ts'
import { showValue } from '../name-value.ts'

/** A security requirement: its schemes and their scopes are declared. Reads the document with its references. */
export const runSecurityDefined: RuleFunction = (requirement, _options, { path, unresolved }) => {
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
