import type {
  Directive,
  ForInStatement,
  ForOfStatement,
  Pattern,
  Statement,
  SwitchStatement,
  VariableDeclaration,
} from 'estree-jsx'
import { bindPattern } from './bind-pattern.ts'
import { isThemeState, readThemeState } from './both-themes.ts'
import { spend, ThrownValue, Unevaluable } from './evaluation.ts'
import { createScope, declare, functionScope } from './name-scope.ts'
import { placeOf } from './node-place.ts'
import { isEqual, isTruthy, toText } from './operators.ts'
import { iterate, listEntries } from './read-member.ts'
import type { Evaluation, FunctionValue, Scope, Value } from './types.ts'
import { toObject } from './value-kinds.ts'

/** How a statement ended, unless it simply continues. */
type Exit = { readonly kind: 'return'; readonly value: Value } | { readonly kind: 'break' | 'continue'; readonly label?: string }

type Statements = readonly (Statement | Directive)[]

/** Runs the body of a function and returns its result. */
export function runBody(body: Statements, scope: Scope, evaluation: Evaluation): Value {
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

function runStatement(node: Statement | Directive, scope: Scope, evaluation: Evaluation): Exit | undefined {
  const place = placeOf(node, scope.file)
  spend(evaluation.budget, 1, place)
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
      return runEach(node, scope, evaluation)
    case 'ForStatement': {
      const outer = createScope(scope, scope.file)
      if (node.init?.type === 'VariableDeclaration') declareVariables(node.init, outer, evaluation)
      else if (node.init) evaluation.evaluate(node.init, outer)
      while (!node.test || isTruthy(evaluation.evaluate(node.test, outer))) {
        spend(evaluation.budget, 1, place)
        // Functions in the body keep the values of the round that created them.
        const round = createScope(scope, scope.file)
        for (const [name, binding] of outer.names) declare(round, name, binding.value)
        const exit = endLoop(runStatement(node.body, round, evaluation))
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
        const exit = endLoop(runStatement(node.body, createScope(scope, scope.file), evaluation))
        if (exit) return exit === 'break' ? undefined : exit
      }
      return undefined
    }
    case 'SwitchStatement':
      return runSwitch(node, scope, evaluation)
    case 'BreakStatement':
    case 'ContinueStatement':
      if (node.label) throw new Unevaluable('uses a label', place)
      return { kind: node.type === 'BreakStatement' ? 'break' : 'continue' }
    case 'ThrowStatement':
      throw new ThrownValue('throws an error', place, evaluation.evaluate(node.argument, scope))
    case 'TryStatement': {
      const exit = runTry(node, scope, evaluation)
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
function endLoop(exit: Exit | undefined): Exit | 'break' | undefined {
  if (exit?.kind === 'return') return exit
  return exit?.kind === 'break' ? 'break' : undefined
}

function runEach(node: ForOfStatement | ForInStatement, scope: Scope, evaluation: Evaluation): Exit | undefined {
  const place = placeOf(node, scope.file)
  const value = evaluation.evaluate(node.right, scope)
  const items =
    node.type === 'ForInStatement'
      ? listEntries(value, evaluation, place).map(([key]) => key)
      : [...iterate(value, evaluation, place)]
  for (const item of items) {
    spend(evaluation.budget, 1, place)
    const round = createScope(scope, scope.file)
    const pattern: Pattern | undefined = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
    if (!pattern || node.left.type !== 'VariableDeclaration') throw new Unevaluable('uses a loop without `const` or `let`', place)
    bindPattern(pattern, item, round, evaluation, (target, one) => {
      if (target.type === 'Identifier') declare(round, target.name, one)
    })
    const exit = endLoop(runStatement(node.body, round, evaluation))
    if (exit) return exit === 'break' ? undefined : exit
  }
  return undefined
}

function runSwitch(node: SwitchStatement, scope: Scope, evaluation: Evaluation): Exit | undefined {
  const value = evaluation.evaluate(node.discriminant, scope)
  const inner = createScope(scope, scope.file)
  const matching = node.cases.findIndex(({ test }) => test && isEqual(evaluation.evaluate(test, inner), value))
  const first = matching >= 0 ? matching : node.cases.findIndex(({ test }) => !test)
  if (first < 0) return undefined
  for (const { consequent } of node.cases.slice(first)) {
    const exit = runBlock(consequent, inner, evaluation)
    if (exit) return exit.kind === 'break' ? undefined : exit
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
      const value = typeof error.value === 'string' ? toObject([['message', error.value]]) : error.value
      bindPattern(node.handler.param, value, inner, evaluation, (target, one) => {
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
