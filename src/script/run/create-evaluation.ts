import { pageLimits } from '../values/evaluation.ts'
import type { Evaluation, EvaluationLimits, GlobalNames, SiteBudget } from '../values/types.ts'
import { callFunction } from './call-function.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { pageNames } from './known-names.ts'

interface EvaluationOptions {
  readonly limits: EvaluationLimits
  readonly globals: GlobalNames
}

const pageOptions: EvaluationOptions = { limits: pageLimits, globals: pageNames }

/** Starts an evaluation, by default of a page. `site` is shared by the pages of a site. */
export function createEvaluation(site: SiteBudget, { limits, globals }: EvaluationOptions = pageOptions): Evaluation {
  const evaluation: Evaluation = {
    effects: 0,
    themeStates: 0,
    isDark: false,
    globals,
    budget: { limits, steps: limits.steps, site, depth: 0, isUsedUp: false },
    evaluate: (node, scope) => evaluateExpression(node, scope, evaluation),
    call: (callee, args, place) => callFunction(callee, args, evaluation, place),
  }
  return evaluation
}
