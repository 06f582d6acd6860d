import { isContainer, isObject, type JsonObject } from '../../../text/json/json-values.ts'
import type { Path, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { showValue } from '../name-value.ts'
import { methods } from './list-operations.ts'

/** A parameter in a path template: `{id}`, `{?id}`, `{;id}` or `{id*}`. */
const parameterInPath = /\{;?\??([\w-]+)\*?\}/g

/** `paths`: templates are unique, and each operation defines the parameters of its template, and no others in `path`. */
export const runPathParameters: RuleFunction = (paths, _options, { spend }) => {
  if (!isObject(paths)) return []
  const problems: RuleProblem[] = []
  const templates = new Map<string, string>()
  for (const [path, pathItem] of Object.entries(paths)) {
    if (!isContainer(pathItem)) continue
    spend(1)
    const template = path.replace(parameterInPath, '%')
    const equal = templates.get(template)
    if (equal === undefined) templates.set(template, path)
    else problems.push({ message: `The paths ${showValue(equal)} and ${showValue(path)} are the same`, path: ['paths', path] })
    const names = listNames(path, problems)
    if (isObject(pathItem)) checkPathItem(path, pathItem, names, problems)
  }
  return problems
}

function listNames(path: string, problems: RuleProblem[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = ''] of path.matchAll(parameterInPath)) {
    if (names.has(name)) {
      problems.push({
        message: `The path ${showValue(path)} has the parameter ${showValue(name)} several times`,
        path: ['paths', path],
      })
    }
    names.add(name)
  }
  return names
}

function checkPathItem(path: string, pathItem: JsonObject, names: ReadonlySet<string>, problems: RuleProblem[]): void {
  const shared = listParameters(pathItem['parameters'], ['paths', path, 'parameters'], problems)
  for (const [method, operation] of Object.entries(pathItem)) {
    if (!isContainer(operation) || !methods.includes(method)) continue
    const place = ['paths', path, method]
    const parameters = isObject(operation) ? operation['parameters'] : undefined
    const defined = new Map([...shared, ...listParameters(parameters, [...place, 'parameters'], problems)])
    for (const [name, at] of defined) {
      if (names.has(name)) continue
      problems.push({ message: `The parameter ${showValue(name)} must be in the path ${showValue(path)}`, path: at })
    }
    for (const name of names) {
      if (defined.has(name)) continue
      problems.push({
        message: `The operation must define the parameter ${showValue(name)} of the path ${showValue(path)}`,
        path: place,
      })
    }
  }
}

/** The path parameters of a list, with their places. */
function listParameters(parameters: unknown, place: Path, problems: RuleProblem[]): ReadonlyMap<string, Path> {
  const found = new Map<string, Path>()
  for (const [index, parameter] of Array.isArray(parameters) ? parameters.entries() : []) {
    if (!isObject(parameter) || parameter['in'] !== 'path' || parameter['name'] === undefined) continue
    const name = String(parameter['name'])
    const at = [...place, index]
    if (parameter['required'] !== true) {
      problems.push({ message: `The path parameter ${showValue(name)} must have \`required: true\``, path: at })
    }
    if (found.has(name)) problems.push({ message: `The path parameter ${showValue(name)} is defined several times`, path: at })
    else found.set(name, at)
  }
  return found
}
