import { callFunction } from './call-function.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { maxPageSteps } from './evaluation.ts'
import type { Evaluation, SiteBudget } from './types.ts'

/** Starts the evaluation of a page. `site` is shared by the pages of a site. */
export function createEvaluation(site: SiteBudget): Evaluation {
  const evaluation: Evaluation = {
    effects: 0,
    themeStates: 0,
    isDark: false,
    budget: { steps: maxPageSteps, site, depth: 0, isUsedUp: false },
    evaluate: (node, scope) => evaluateExpression(node, scope, evaluation),
    call: (callee, args, place) => callFunction(callee, args, evaluation, place),
  }
  return evaluation
}
