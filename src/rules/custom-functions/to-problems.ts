import { Unevaluable } from '../../script/values/evaluation.ts'
import { describeKind, toText } from '../../script/values/operators.ts'
import { iterate } from '../../script/values/read-member.ts'
import type { Evaluation, Value } from '../../script/values/types.ts'
import { getEntry, isKind } from '../../script/values/value-kinds.ts'
import type { RuleProblem } from '../ruleset.ts'

type Place = Unevaluable['place']

/** Reads the result of a function: nothing, or a list of problems. */
export function toProblems(result: Value, evaluation: Evaluation, place: Place): readonly RuleProblem[] {
  if (result === undefined) return []
  if (!isKind(result, 'list') && !isKind(result, 'collection') && !isKind(result, 'generator'))
    throw new Unevaluable(`returns ${describeKind(result)} instead of a list of problems`, place)
  return iterate(result, evaluation, place).map((problem) => toProblem(problem, evaluation, place))
}

function toProblem(problem: Value, evaluation: Evaluation, place: Place): RuleProblem {
  if (!isKind(problem, 'object'))
    throw new Unevaluable(`returns ${describeKind(problem)} in its list, instead of an object with \`message\``, place)
  const message = getEntry(problem, 'message', place)
  if (typeof message !== 'string')
    throw new Unevaluable(`returns a problem whose \`message\` is ${describeKind(message)} instead of a string`, place)
  const path = getEntry(problem, 'path', place)
  if (path === undefined || path === null) return { message }
  if (!isKind(path, 'list'))
    throw new Unevaluable(`returns a problem whose \`path\` is ${describeKind(path)} instead of a list of keys`, place)
  return { message, path: path.items.map((key) => (typeof key === 'number' ? key : toText(key, evaluation, place))) }
}
