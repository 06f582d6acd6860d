import type { Function as FunctionNode } from 'estree-jsx'
import { describeKind } from '../values/operators.ts'
import {
  builtIn,
  type Evaluation,
  type FunctionValue,
  isKind,
  type MdxPlace,
  nest,
  placeOf,
  refuseFunction,
  type Scope,
  spend,
  ThrownValue,
  toList,
  Unevaluable,
  type Value,
} from '../values/values.ts'
import { bindPattern } from './bind-pattern.ts'
import { createScope, declare, declareLazily } from './names.ts'
import { runBody } from './run-statements.ts'

/** Calls a function of the evaluated code, or one of the language that is implemented here. */
export function callFunction(callee: Value, args: readonly Value[], evaluation: Evaluation, place: MdxPlace): Value {
  if (isKind(callee, 'built-in')) {
    spend(evaluation.budget, 1 + args.length, place)
    return callee.call(args, evaluation, place)
  }
  if (isKind(callee, 'missing')) throw new Unevaluable(`uses \`${callee.from}\``, place, { reported: true })
  if (!isKind(callee, 'function')) throw new ThrownValue(`calls ${describeKind(callee)}`, place, 'not a function')
  const { node } = callee
  if (node.async) throw refuseFunction(callee)
  if (!node.generator) return runFunction(callee, args, evaluation, place)
  return {
    kind: 'generator',
    holds: [callee, ...args],
    run: (onYield) => {
      runFunction(callee, args, evaluation, place, onYield)
    },
  }
}

/** The name of the built-in that `yield` calls, which no code can declare. */
export const yieldName = 'yield'

function runFunction(
  { node, scope: outer }: FunctionValue,
  args: readonly Value[],
  evaluation: Evaluation,
  place: MdxPlace,
  onYield?: (value: Value) => void,
): Value {
  nest(evaluation.budget, place)
  spend(evaluation.budget, evaluation.budget.limits.stepsOfValue, place)
  const scope = createScope(outer, outer.file, true)
  if (node.type === 'FunctionExpression' && node.id) declare(scope, node.id.name, toFunction(node, node.id.name, outer))
  if (node.type !== 'ArrowFunctionExpression') {
    declareLazily(scope, 'this', () => refuseThis(node, outer))
    declareLazily(scope, 'arguments', () => toList(args))
  }
  if (onYield)
    declare(
      scope,
      yieldName,
      builtIn(yieldName, ([value]) => void onYield(value)),
    )
  for (const [index, parameter] of node.params.entries()) {
    const value = parameter.type === 'RestElement' ? toList(args.slice(index)) : args[index]
    bindPattern(parameter, value, scope, evaluation, (target, one) => {
      if (target.type === 'Identifier') declare(scope, target.name, one)
    })
  }
  const result =
    node.body.type === 'BlockStatement' ? runBody(node.body.body, scope, evaluation) : evaluation.evaluate(node.body, scope)
  evaluation.budget.depth--
  return result
}

function refuseThis(node: FunctionNode, { file }: Scope): never {
  throw new Unevaluable('uses `this`', placeOf(node, file))
}

/** Creates a function value. Its name is for messages. */
export function toFunction(node: FunctionNode, name: string, scope: Scope): FunctionValue {
  return { kind: 'function', node, name, scope, entries: new Map() }
}
