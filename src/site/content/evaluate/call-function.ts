import type { Function as FunctionNode } from 'estree-jsx'
import type { MdxPlace } from '../types.ts'
import { bindPattern } from './bind-pattern.ts'
import { nest, spend, ThrownValue, Unevaluable } from './evaluation.ts'
import { createScope, declare } from './name-scope.ts'
import { placeOf } from './node-place.ts'
import { describeKind } from './operators.ts'
import { runBody } from './run-statements.ts'
import type { Evaluation, FunctionValue, Scope, Value } from './types.ts'
import { isKind, toList } from './value-kinds.ts'

/** Calls a function of the evaluated code, or one of the language that is implemented here. */
export function callFunction(callee: Value, args: readonly Value[], evaluation: Evaluation, place: MdxPlace): Value {
  if (isKind(callee, 'built-in')) {
    spend(evaluation.budget, 1 + args.length, place)
    return callee.call(args, evaluation, place)
  }
  if (isKind(callee, 'missing')) throw new Unevaluable(`uses \`${callee.from}\``, place, { reported: true })
  if (!isKind(callee, 'function')) throw new ThrownValue(`calls ${describeKind(callee)}`, place, 'not a function')
  const { node, scope: outer } = callee
  if (node.async) throw new Unevaluable('uses `async`', placeOf(node, outer.file))
  if (node.generator) throw new Unevaluable('uses a generator', placeOf(node, outer.file))
  nest(evaluation.budget, place)
  const scope = createScope(outer, outer.file, true)
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

/** Creates a function value. Its name is for messages. */
export function toFunction(node: FunctionNode, name: string, scope: Scope): FunctionValue {
  return { kind: 'function', node, name, scope, entries: new Map() }
}
