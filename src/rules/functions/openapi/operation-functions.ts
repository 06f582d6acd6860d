import {
  entriesOf,
  isContainer,
  isObject,
  listObjects,
  listOf,
  readOwn,
  readStep,
  readText,
} from '../../../text/json/json-values.ts'
import type { FunctionDefinition, Path, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { checkNoOptions, nameValue, showValue } from '../options.ts'

/** `paths`: the `operationId` of each operation is unique. */
const runOperationIdUnique: RuleFunction = (paths, _options, { spend }) => {
  const known = new Set<unknown>()
  const problems: RuleProblem[] = []
  for (const { path, method, operation } of listOperations(paths)) {
    spend(1)
    if (!Object.hasOwn(operation, 'operationId')) continue
    const { operationId } = operation
    if (known.has(operationId)) {
      const message = `\`operationId\` is ${showValue(operationId)}, as for another operation, expected a unique value`
      problems.push({ message, path: ['paths', path, method, 'operationId'] })
    }
    known.add(operationId)
  }
  return problems
}

/** `parameters` of an operation: name and location of each are unique, and a body is no form. References are skipped. */
const runParameters: RuleFunction = (parameters, _options, context) => {
  if (!Array.isArray(parameters) || parameters.length < 2) return []
  const known = new Set<string>()
  const repeated: RuleProblem[] = []
  const bodies: number[] = []
  let hasFormData = false
  for (const [index, parameter] of parameters.entries()) {
    if (!isObject(parameter) || Object.hasOwn(parameter, '$ref')) continue
    const { in: location, name } = parameter
    const identity = `${String(location)}-${String(name)}`
    if (known.has(identity)) {
      const message = `The operation has several parameters ${showValue(name)} in ${showValue(location)}, expected one`
      repeated.push({ message, path: [...context.path, index] })
    }
    known.add(identity)
    if (location === 'body') bodies.push(index)
    hasFormData ||= location === 'formData'
  }
  return [
    ...repeated,
    ...(bodies.length > 0 && hasFormData ? [{ message: 'The operation has a parameter in `body` and one in `formData`' }] : []),
    ...bodies
      .slice(1)
      .map((index) => ({ message: 'The operation has several parameters in `body`', path: [...context.path, index] })),
  ]
}

/** `responses` of an operation: one has a status code from 200 to 399. */
const runSuccessResponse: RuleFunction = (responses, _options, context) => {
  if (!isObject(responses)) return []
  const isSuccess = (status: string) => status === '2XX' || status === '3XX' || (Number(status) >= 200 && Number(status) < 400)
  if (Object.keys(responses).some(isSuccess)) return []
  return [{ message: `${nameValue(context.path)} must have at least one response with a 2xx or 3xx status code` }]
}

/** The document: the tags of operations are declared in `tags`. */
const runTagDefined: RuleFunction = (document, _options, { spend }) => {
  const declared = new Set<unknown>(listObjects(readOwn(document, 'tags')).flatMap((tag) => readText(tag, 'name') ?? []))
  const problems: RuleProblem[] = []
  for (const { path, method, operation } of listOperations(readOwn(document, 'paths'))) {
    spend(1)
    for (const [index, tag] of listOf(operation['tags']).entries()) {
      if (declared.has(tag)) continue
      const message = `The tag ${showValue(tag)} must be declared in the \`tags\` of the document`
      problems.push({ message, path: ['paths', path, method, 'tags', index] })
    }
  }
  return problems
}

/** `tags` of the document: their names are unique. Lists with other values than tags are skipped. */
const runTagsUnique: RuleFunction = (tags, _options, context) => {
  const names = listOf(tags).map((tag) => readText(tag, 'name'))
  if (names.includes(undefined)) return []
  const known = new Set<unknown>()
  const problems: RuleProblem[] = []
  for (const [index, name] of names.entries()) {
    if (known.has(name)) {
      problems.push({ message: `The tag ${showValue(name)} is declared several times`, path: [...context.path, index, 'name'] })
    }
    known.add(name)
  }
  return problems
}

/** A `$ref`: its object has no other fields. */
const runReferenceSiblings: RuleFunction = (_value, _options, { path, unresolved }) => {
  const around = path.slice(0, -1).reduce(readStep, unresolved)
  if (!isContainer(around) || path.length === 0) return []
  const keys = Object.keys(around)
  if (keys.length === 1) return []
  return keys
    .filter((key) => key !== '$ref')
    .map((key) => ({ message: `${showValue(key)} has no effect beside \`$ref\``, path: [...path.slice(0, -1), key] }))
}

/** Functions for operations, tags and references. Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md). */
export const operationFunctions: readonly FunctionDefinition[] = (
  [
    ['oasOpIdUnique', runOperationIdUnique],
    ['oasOpParams', runParameters],
    ['oasOpSuccessResponse', runSuccessResponse],
    ['oasTagDefined', runTagDefined],
    ['uniquenessTags', runTagsUnique],
    ['refSiblings', runReferenceSiblings],
  ] as const
).map(([name, run]) => ({ name, checkOptions: checkNoOptions(name), run }))

/** The methods whose operations Spectral's rules read: not `query` of OpenAPI 3.2. */
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

/** The operations of `paths`. */
function* listOperations(paths: unknown) {
  for (const [path, pathItem] of entriesOf(paths)) {
    for (const [method, operation] of entriesOf(pathItem)) {
      if (isObject(operation) && methods.includes(method)) yield { path, method, operation }
    }
  }
}

/** A parameter in a path template: `{id}`, `{?id}`, `{;id}` or `{id*}`. */
const parameterInPath = /\{;?\??([\w-]+)\*?\}/g

/** `paths`: templates are unique, and each operation defines the parameters of its template, and no others in `path`. */
export const runPathParameters: RuleFunction = (paths, _options, { spend }) => {
  const problems: RuleProblem[] = []
  const templates = new Map<string, string>()
  for (const [path, pathItem] of entriesOf(paths)) {
    if (!isContainer(pathItem)) continue
    spend(1)
    const template = path.replace(parameterInPath, '%')
    const equal = templates.get(template)
    if (equal === undefined) templates.set(template, path)
    else problems.push({ message: `The paths ${showValue(equal)} and ${showValue(path)} are the same`, path: ['paths', path] })
    const names = listNames(path, problems)
    checkPathItem(path, pathItem, names, problems)
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

function checkPathItem(path: string, pathItem: unknown, names: ReadonlySet<string>, problems: RuleProblem[]): void {
  const shared = listParameters(readOwn(pathItem, 'parameters'), ['paths', path, 'parameters'], problems)
  for (const [method, operation] of entriesOf(pathItem)) {
    if (!isContainer(operation) || !methods.includes(method)) continue
    const place = ['paths', path, method]
    const defined = new Map([...shared, ...listParameters(readOwn(operation, 'parameters'), [...place, 'parameters'], problems)])
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
  for (const [index, parameter] of listOf(parameters).entries()) {
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
