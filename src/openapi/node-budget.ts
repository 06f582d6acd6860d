/**
 * What a reader may still produce while it expands one schema, operation or list of entries.
 *
 * A few kilobytes can describe more values, variants and nested callbacks than a machine can list. So every reader that expands what a document
 * refers to spends one budget, and says "shortened" where it ends.
 */
export interface NodeBudget {
  left: number
  /** Whether something was left out. */
  isShortened: boolean
}

/** What real descriptions need, several times over. */
const nodeLimits = {
  /** Schemas that are matched with values for one sample. One that is tried counts as 10, and real samples try at most 1,500. */
  sample: 30_000,
  /** Schemas that are matched with all examples and other values of a description, about one second of work. */
  values: 2_000_000,
  /** Schemas with another page whose content one schema shows in place. */
  content: 1_000,
  /** Operations of callbacks inside the callbacks of an operation. */
  callbacks: 50,
  /** Operations in the lists of all changes of a comparison. */
  operations: 20_000,
} as const

export function startBudget(reader: keyof typeof nodeLimits): NodeBudget {
  return { left: nodeLimits[reader], isShortened: false }
}

/** Spends nodes. `false` if too few are left: the reader leaves out what it would have produced. */
export function spendNodes(budget: NodeBudget, count = 1): boolean {
  if (budget.left < count) budget.isShortened = true
  // What is smaller does not fit either, so that the end is one place.
  if (budget.isShortened) return false
  budget.left -= count
  return true
}
