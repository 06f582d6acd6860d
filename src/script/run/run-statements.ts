import type { Directive, ForInStatement, ForOfStatement, Statement, SwitchStatement, VariableDeclaration } from 'estree-jsx'
import { isEqual, isTruthy, iterate, listEntries, toText } from '../values/operators.ts'
import {
  type Evaluation,
  type FunctionValue,
  getEntry,
  isKind,
  type MdxPlace,
  placeOf,
  type Scope,
  spend,
  ThrownValue,
  Unevaluable,
  type Value,
} from '../values/values.ts'
import { bindPattern, listNames } from './bind-pattern.ts'
import { createScope, declare, findBinding, functionScope, isThemeState, readThemeState } from './names.ts'

/** How a statement ended, unless it simply continues. */
type Exit = { readonly kind: 'return'; readonly value: Value } | { readonly kind: 'break' | 'continue'; readonly label?: string }

type Statements = readonly (Statement | Directive)[]

/** Runs the body of a function and returns its result. */
export function runBody(body: Statements, scope: Scope, evaluation: Evaluation): Value {
  for (const name of listVariables(body)) if (!scope.names.has(name)) declare(scope, name, undefined)
  const exit = runBlock(body, scope, evaluation)
  return exit?.kind === 'return' ? exit.value : undefined
}

function runBlock(body: Statements, scope: Scope, evaluation: Evaluation): Exit | undefined {
  // Functions can be used before their declaration.
  for (const statement of body) {
    if (statement.type !== 'FunctionDeclaration') continue
    const { name } = statement.id
    const value: FunctionValue = { kind: 'function', node: statement, name, scope, entries: new Map() }
    declare(scope, name, value)
  }
  for (const statement of body) {
    const exit = runStatement(statement, scope, evaluation)
    if (exit) return exit
  }
  return undefined
}

/** The names of `var` in a body, which exist in the whole function. */
const variables = new WeakMap<Statements, readonly string[]>()

function listVariables(body: Statements): readonly string[] {
  const known = variables.get(body)
  if (known) return known
  const names = new Set<string>()
  const stack: unknown[] = [...body]
  while (stack.length > 0) {
    const node = stack.pop()
    if (Array.isArray(node)) for (const one of node) stack.push(one)
    if (!isNode(node) || /Function|^Class|Expression$|^TS/.test(node.type)) continue
    const declared = node as Statement
    if (declared.type === 'VariableDeclaration') {
      if (declared.kind === 'var') for (const { id } of declared.declarations) for (const name of listNames(id)) names.add(name)
    } else stack.push(...Object.values(node))
  }
  const found = [...names]
  variables.set(body, found)
  return found
}

function isNode(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Runs a statement. `label` is the one that a loop has. */
function runStatement(node: Statement | Directive, scope: Scope, evaluation: Evaluation, label?: string): Exit | undefined {
  const place = placeOf(node, scope.file)
  spend(evaluation.budget, node.type === 'BlockStatement' ? 1 + evaluation.budget.limits.stepsOfValue : 1, place)
  switch (node.type) {
    case 'ReturnStatement':
      return { kind: 'return', value: node.argument ? evaluation.evaluate(node.argument, scope) : undefined }
    case 'ExpressionStatement':
      evaluation.evaluate(node.expression, scope)
      return undefined
    case 'VariableDeclaration':
      declareVariables(node, scope, evaluation)
      return undefined
    case 'IfStatement': {
      const branch = isTruthy(evaluation.evaluate(node.test, scope)) ? node.consequent : node.alternate
      return branch ? runStatement(branch, createScope(scope, scope.file), evaluation) : undefined
    }
    case 'BlockStatement':
      return runBlock(node.body, createScope(scope, scope.file), evaluation)
    case 'ForOfStatement':
    case 'ForInStatement':
      return runEach(node, scope, evaluation, label)
    case 'ForStatement': {
      const outer = createScope(scope, scope.file)
      if (node.init?.type === 'VariableDeclaration') declareVariables(node.init, outer, evaluation)
      else if (node.init) evaluation.evaluate(node.init, outer)
      while (!node.test || isTruthy(evaluation.evaluate(node.test, outer))) {
        spend(evaluation.budget, 1, place)
        // Functions in the body keep the values of the round that created them.
        const round = createScope(scope, scope.file)
        for (const [name, binding] of outer.names) declare(round, name, binding.value)
        const exit = endLoop(runStatement(node.body, round, evaluation), label)
        if (exit) return exit === 'break' ? undefined : exit
        for (const [name, binding] of outer.names) binding.value = round.names.get(name)?.value
        if (node.update) evaluation.evaluate(node.update, outer)
      }
      return undefined
    }
    case 'WhileStatement':
    case 'DoWhileStatement': {
      let isFirst = node.type === 'DoWhileStatement'
      while (isFirst || isTruthy(evaluation.evaluate(node.test, scope))) {
        isFirst = false
        spend(evaluation.budget, 1, place)
        const exit = endLoop(runStatement(node.body, createScope(scope, scope.file), evaluation), label)
        if (exit) return exit === 'break' ? undefined : exit
      }
      return undefined
    }
    case 'SwitchStatement':
      return runSwitch(node, scope, evaluation)
    case 'BreakStatement':
    case 'ContinueStatement':
      return { kind: node.type === 'BreakStatement' ? 'break' : 'continue', ...(node.label && { label: node.label.name }) }
    case 'LabeledStatement': {
      const exit = runStatement(node.body, scope, evaluation, node.label.name)
      return exit?.kind === 'break' && exit.label === node.label.name ? undefined : exit
    }
    case 'ThrowStatement':
      throw toThrown(evaluation.evaluate(node.argument, scope), place)
    case 'TryStatement': {
      let exit: Exit | undefined
      try {
        exit = runTry(node, scope, evaluation)
      } catch (error) {
        const last = error instanceof ThrownValue && node.finalizer ? runStatement(node.finalizer, scope, evaluation) : undefined
        if (last) return last
        throw error
      }
      return (node.finalizer && runStatement(node.finalizer, scope, evaluation)) ?? exit
    }
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return undefined
    default:
      if (node.type.startsWith('TS')) return undefined
      throw new Unevaluable(node.type === 'ClassDeclaration' ? 'uses a class' : `uses \`${node.type}\``, place)
  }
}

/** The effect of `throw`, with the message of the error in the reason. */
function toThrown(value: Value, place: MdxPlace): ThrownValue {
  const message = isKind(value, 'object') ? getEntry(value, 'message', place) : value
  const shown = typeof message === 'string' && message !== '' ? `: ${message.slice(0, 200)}` : ''
  return new ThrownValue(`throws an error${shown}`, place, { value })
}

/** Declares the names of `const`, `let` or `var`. */
function declareVariables(node: VariableDeclaration, scope: Scope, evaluation: Evaluation): void {
  const target = node.kind === 'var' ? functionScope(scope) : scope
  for (const declaration of node.declarations) {
    const { id, init } = declaration
    // `var x` keeps the value of an earlier declaration.
    if (!init && node.kind === 'var' && id.type === 'Identifier' && target.names.has(id.name)) continue
    const value = init ? evaluation.evaluate(init, scope) : undefined
    const inTheme = isThemeState(declaration) ? readThemeState(value, evaluation) : value
    bindPattern(id, inTheme, scope, evaluation, (pattern, one) => {
      if (pattern.type === 'Identifier') declare(target, pattern.name, one, node.kind === 'const')
    })
  }
}

/** Returns what a loop does after a round: nothing (the next round), `break`, or the exit of the function. */
function endLoop(exit: Exit | undefined, label: string | undefined): Exit | 'break' | undefined {
  if (exit?.kind === 'return' || (exit?.label !== undefined && exit.label !== label)) return exit
  return exit?.kind === 'break' ? 'break' : undefined
}

/** Ends a generator whose loop ended. */
class LoopEnd extends Error {
  readonly exit: Exit | 'break'

  constructor(exit: Exit | 'break') {
    super('the loop ended')
    this.exit = exit
  }
}

type Loop = ForOfStatement | ForInStatement

function runEach(node: Loop, scope: Scope, evaluation: Evaluation, label: string | undefined): Exit | undefined {
  const place = placeOf(node, scope.file)
  const value = evaluation.evaluate(node.right, scope)
  const runRound = (item: Value) => {
    spend(evaluation.budget, 1, place)
    const round = createScope(scope, scope.file)
    bindLoopNames(node.left, item, round, evaluation)
    return endLoop(runStatement(node.body, round, evaluation), label)
  }
  if (isKind(value, 'generator') && node.type === 'ForOfStatement') return runEachYielded(value.run, runRound)
  const items =
    node.type === 'ForInStatement'
      ? listEntries(value, evaluation, place).map(([key]) => key)
      : [...iterate(value, evaluation, place)]
  for (const item of items) {
    const exit = runRound(item)
    if (exit) return exit === 'break' ? undefined : exit
  }
  return undefined
}

/** The round runs whenever the generator yields, so that both see each other's changes. */
function runEachYielded(
  run: (onYield: (value: Value) => void) => void,
  runRound: (item: Value) => Exit | 'break' | undefined,
): Exit | undefined {
  try {
    run((item) => {
      const exit = runRound(item)
      if (exit) throw new LoopEnd(exit)
    })
  } catch (error) {
    if (!(error instanceof LoopEnd)) throw error
    return error.exit === 'break' ? undefined : error.exit
  }
  return undefined
}

function bindLoopNames(left: Loop['left'], item: Value, round: Scope, evaluation: Evaluation): void {
  if (left.type === 'VariableDeclaration') {
    const target = left.kind === 'var' ? functionScope(round) : round
    const [declaration] = left.declarations
    if (!declaration) return
    bindPattern(declaration.id, item, round, evaluation, (pattern, one) => {
      if (pattern.type === 'Identifier') declare(target, pattern.name, one)
    })
    return
  }
  bindPattern(left, item, round, evaluation, (target, one) => {
    const place = placeOf(target, round.file)
    if (target.type !== 'Identifier') throw new Unevaluable('uses a loop without `const` or `let`', place)
    const binding = findBinding(round, target.name)
    if (!binding) throw new Unevaluable(`assigns to \`${target.name}\``, place)
    binding.value = one
  })
}

function runSwitch(node: SwitchStatement, scope: Scope, evaluation: Evaluation): Exit | undefined {
  const value = evaluation.evaluate(node.discriminant, scope)
  const inner = createScope(scope, scope.file)
  const matching = node.cases.findIndex(({ test }) => test && isEqual(evaluation.evaluate(test, inner), value))
  const first = matching >= 0 ? matching : node.cases.findIndex(({ test }) => !test)
  if (first < 0) return undefined
  for (const { consequent } of node.cases.slice(first)) {
    const exit = runBlock(consequent, inner, evaluation)
    if (exit) return exit.kind === 'break' && exit.label === undefined ? undefined : exit
  }
  return undefined
}

/** Runs `try`. Only errors that the code could catch are caught, not what cannot be evaluated. */
function runTry(node: Extract<Statement, { type: 'TryStatement' }>, scope: Scope, evaluation: Evaluation): Exit | undefined {
  const { depth } = evaluation.budget
  try {
    return runStatement(node.block, scope, evaluation)
  } catch (error) {
    if (!(error instanceof ThrownValue) || !node.handler) throw error
    evaluation.budget.depth = depth
    // An error of the host is slow to create.
    spend(evaluation.budget, 20, error.place)
    const inner = createScope(scope, scope.file)
    if (node.handler.param) {
      bindPattern(node.handler.param, error.value, inner, evaluation, (target, one) => {
        if (target.type === 'Identifier') declare(inner, target.name, one)
      })
    }
    return runStatement(node.handler.body, inner, evaluation)
  }
}

/** Converts the key of a property. */
export function toKey(value: Value, evaluation: Evaluation, scope: Scope, node: object): string {
  return typeof value === 'string' ? value : toText(value, evaluation, placeOf(node, scope.file))
}
