import type { ObjectRule } from './shape.ts'

/** One rule that applies several to the same object, in their order. */
export function joinRules(...rules: readonly ObjectRule[]): ObjectRule {
  return (value, walk, table) => {
    for (const rule of rules) rule(value, walk, table)
  }
}
