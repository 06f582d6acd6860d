import { isObject, readFlag, readOwn, readText, stringOf } from '../../../text/json/json-values.ts'
import { listFirst } from '../../../text/plain/lists.ts'
import { encodeUrl } from '../../../text/plain/paths.ts'
import type { FunctionDefinition, Path, RuleContext, RuleFunction, RuleProblem } from '../../ruleset.ts'
import { checkOptions, isBoolean, isTextList, type OptionTable, showValue } from '../options.ts'

const table: OptionTable = {
  function: 'serverVariables',
  options: { checkSubstitutions: isBoolean, requireDefault: isBoolean },
  mayBeAbsent: true,
  example: '{ checkSubstitutions: true, requireDefault: true }',
}

/** Invalid URLs that a message lists, after which no others are tried. */
const maxInvalid = 5

interface Variable {
  readonly name: string
  readonly enum: readonly string[] | undefined
  readonly default: string | undefined
}

/** A server: its URL and its variables match, and all values of the variables lead to valid URLs. */
const run: RuleFunction = (server, options, context) => {
  const { path } = context
  const variables = isObject(server) ? readVariables(server['variables']) : undefined
  const url = readText(server, 'url')
  if (url === undefined || !variables) return [{ message: 'The server is not a valid Server Object' }]
  const used = listUsed(url)
  const problems: RuleProblem[] = variables
    .filter(({ name }) => !used.includes(name))
    .map(({ name }) => ({ message: `The URL does not use the variable ${showValue(name)}`, path: [...path, 'variables', name] }))
  if (used.length === 0) return problems
  const missing = used.filter((name) => !variables.some((variable) => variable.name === name))
  if (missing.length > 0) {
    const names = listFirst(missing, maxInvalid, showValue)
    problems.push({ message: `\`variables\` must define the variables of the URL: ${names}`, path: [...path, 'variables'] })
  }
  if (readOwn(server, 'variables') === undefined) return problems
  const known = variables.filter(({ name }) => used.includes(name))
  for (const variable of known) checkVariable(variable, readFlag(options, 'requireDefault'), path, problems)
  if (readFlag(options, 'checkSubstitutions')) checkUrls(url, known, context, problems)
  return problems
}

/** The names between braces. */
function listUsed(url: string): readonly string[] {
  const names: string[] = []
  for (let start = url.indexOf('{'); start !== -1; ) {
    const end = url.indexOf('}', start + 2)
    if (end === -1) break
    names.push(url.slice(start + 1, end))
    start = url.indexOf('{', end)
  }
  return names
}

function checkVariable(variable: Variable, requireDefault: boolean, path: Path, problems: RuleProblem[]): void {
  const place = [...path, 'variables', variable.name]
  if (variable.enum !== undefined && variable.default !== undefined && !variable.enum.includes(variable.default)) {
    problems.push({
      message: `\`default\` of ${showValue(variable.name)} must be one of its \`enum\``,
      path: [...place, 'default'],
    })
  }
  if (variable.default === undefined && requireDefault) {
    problems.push({ message: `The variable ${showValue(variable.name)} must have a \`default\``, path: place })
  }
}

function checkUrls(url: string, variables: readonly Variable[], context: RuleContext, problems: RuleProblem[]): void {
  if (variables.length === 0) return
  const invalid: string[] = []
  for (const substituted of substitute(url, variables)) {
    context.spend(1)
    if (!URL.canParse(substituted)) invalid.push(substituted)
    if (invalid.length === maxInvalid) break
  }
  if (invalid.length === 0) return
  const urls = invalid.map(showValue).join(', ')
  const more = invalid.length === maxInvalid ? ' and possibly more' : ''
  problems.push({
    message: `The values of the variables lead to invalid URLs: ${urls}${more}`,
    path: [...context.path, 'variables'],
  })
}

/** The URL with each combination of values. */
function* substitute(url: string, [variable, ...others]: readonly Variable[]): Iterable<string> {
  if (!variable) {
    yield url
    return
  }
  const values = variable.enum ?? (variable.default === undefined ? [] : [variable.default])
  for (const value of values)
    yield* substitute(
      url.replaceAll(`{${variable.name}}`, () => encodeUrl(value)),
      others,
    )
}

/** The variables of a server, or `undefined` if they are invalid. */
function readVariables(variables: unknown): Variable[] | undefined {
  if (variables === undefined) return []
  if (!isObject(variables)) return undefined
  const found: Variable[] = []
  for (const [name, variable] of Object.entries(variables)) {
    if (!isObject(variable)) return undefined
    const { enum: values, default: value, description, examples, ...others } = variable
    const isValid = isTextList([value, description, examples].filter((field) => field !== undefined))
    if (!isValid || !isTextList(values ?? []) || !Object.keys(others).every((key) => key.startsWith('x-'))) return undefined
    found.push({ name, enum: isTextList(values) ? values : undefined, default: stringOf(value) })
  }
  return found
}

/** Source: Spectral, "OpenAPI Rules" (docs/reference/openapi-rules.md), section "oas3-server-variables". */
export const serverVariablesFunction: FunctionDefinition = {
  name: 'serverVariables',
  checkOptions: (options) => checkOptions(table, options),
  run,
}
