import type { AcceptInput, Store } from '../../store/types.ts'

/** What a webhook is to change, all in one transaction with its delivery id. */
export type Plan = Omit<AcceptInput, 'delivery' | 'idempotency'>

/** Nothing to do: the delivery alone is remembered. */
export const noWork: Plan = {}

/** What planning reads. It asks GitHub nothing: the answer to a webhook waits for it. */
export interface PlanContext {
  readonly store: Store
  readonly now: () => Date
}
