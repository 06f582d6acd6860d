import { coreFunctions } from '../../../src/rules/functions/core-functions.ts'
import { openapiFunctions } from '../../../src/rules/functions/openapi/openapi-functions.ts'
import type { FunctionDefinition, Path, RuleProblem } from '../../../src/rules/ruleset.ts'

interface Call {
  readonly path?: Path
  /** The document with references. Default: an empty OpenAPI 3.1 document. */
  readonly unresolved?: unknown
}

/** Finds a function by name. */
export function findFunction(name: string): FunctionDefinition {
  const found = coreFunctions.get(name) ?? openapiFunctions.get(name)
  if (!found) throw new Error(`no function ${name}`)
  return found
}

/** Runs a function on a value. */
export function runFunction(name: string, value: unknown, options?: unknown, call: Call = {}): readonly RuleProblem[] {
  const { path = ['info', 'value'], unresolved = { openapi: '3.1.0' } } = call
  return findFunction(name).run(value, options, {
    path,
    document: value,
    unresolved,
    rule: { name: 'rule' },
    spend: () => undefined,
  })
}

/** The pointers of the problems of a function, in order, relative to the path of the value if they are inside it. */
export function pointersOf(name: string, value: unknown, options?: unknown, call: Call = {}): readonly string[] {
  const path = call.path ?? ['info', 'value']
  const around = `/${path.join('/')}`
  return runFunction(name, value, options, call).map((problem) => {
    const pointer = `/${(problem.path ?? path).join('/')}`
    return pointer === around ? '.' : pointer.startsWith(`${around}/`) ? pointer.slice(around.length + 1) : pointer
  })
}

/** The problem of the options of a function: its location and message. */
export function optionsProblemOf(name: string, options: unknown): string | undefined {
  const problem = findFunction(name).checkOptions(options)
  return problem && `${problem.pointer || '/'}: ${problem.message}`
}
