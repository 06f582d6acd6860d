import type { EvaluationBudget, EvaluationLimits, Value } from './types.ts'
import type { MdxPlace } from './values.ts'

/** The limits of a page. */
export const pageLimits: EvaluationLimits = {
  steps: 1_000_000,
  nesting: 400,
  text: 200_000,
  items: 50_000,
  stepsOfValue: 0,
  areMatchesInterrupted: false,
}
/** Maximum number of steps for all pages of a site. */
export const maxSiteSteps = 50_000_000

/** Why something cannot be evaluated: `reason` completes a sentence such as "Cannot show `<A>`: it …". */
export class Unevaluable extends Error {
  readonly reason: string
  readonly place: MdxPlace
  /** The cause was reported elsewhere, such as a missing import. */
  readonly isReported: boolean
  readonly isTooComplex: boolean

  constructor(reason: string, place: MdxPlace, is: { readonly reported?: boolean; readonly tooComplex?: boolean } = {}) {
    super(reason)
    this.reason = reason
    this.place = place
    this.isReported = is.reported ?? false
    this.isTooComplex = is.tooComplex ?? false
  }
}

/** An error that the evaluated code throws and can catch. */
export class ThrownValue extends Unevaluable {
  readonly value: Value

  /** `error` is the value of `throw`, or the message of an error of the language. */
  constructor(reason: string, place: MdxPlace, error: string | { readonly value: Value }) {
    super(reason, place)
    this.value =
      typeof error === 'string' ? { kind: 'object', entries: new Map([['message', error]]), errorName: 'TypeError' } : error.value
  }
}

/** Counts work before it is done. */
export function spend(budget: EvaluationBudget, steps: number, place: MdxPlace): void {
  budget.steps -= steps
  budget.site.steps -= steps
  if (budget.steps < 0)
    throw useUp(budget, `needs more than ${budget.limits.steps.toLocaleString('en')} steps`, place, budget.isUsedUp)
  if (budget.site.steps >= 0 || budget.isUsedUp) return
  const { isReported } = budget.site
  budget.site.isReported = true
  throw useUp(budget, `needs more than ${maxSiteSteps.toLocaleString('en')} steps for all pages`, place, isReported)
}

/** Steps for showing children and text after the others were used up. */
const reservedSteps = 100_000

function useUp(budget: EvaluationBudget, reason: string, place: MdxPlace, isReported: boolean): Unevaluable {
  budget.steps = budget.isUsedUp ? 0 : reservedSteps
  budget.isUsedUp = true
  return new Unevaluable(reason, place, { tooComplex: true, reported: isReported })
}

/** Counts characters before they are copied or shown. */
export function spendText(budget: EvaluationBudget, length: number, place: MdxPlace): void {
  const { text } = budget.limits
  if (length > text) throw tooComplex(`makes a string with more than ${text.toLocaleString('en')} characters`, place)
  spend(budget, 1 + Math.ceil(length / 16), place)
}

/** Counts items before they are added to a list or object with `length` items afterwards. */
export function spendItems(budget: EvaluationBudget, length: number, place: MdxPlace): void {
  const { items } = budget.limits
  if (!(length <= items)) throw tooComplex(`makes a list with more than ${items.toLocaleString('en')} items`, place)
  spend(budget, length, place)
}

/** Enters a nested expression, call or element. The caller subtracts it afterwards, also where it catches an error. */
export function nest(budget: EvaluationBudget, place: MdxPlace): void {
  const { nesting } = budget.limits
  if (++budget.depth > nesting) throw tooComplex(`nests more than ${nesting.toLocaleString('en')} calls and expressions`, place)
}

export function tooComplex(reason: string, place: MdxPlace): Unevaluable {
  return new Unevaluable(reason, place, { tooComplex: true })
}
