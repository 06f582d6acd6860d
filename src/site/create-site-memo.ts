import type { SitePlan } from './types.ts'

/**
 * Makes a place to keep what is the same on every page of a site. It has a map for each site, which lives as long as the site's plan does: a
 * site that is read again has a plan of its own, and begins with an empty one.
 */
export function createSiteMemo<Key, Value>(): (plan: SitePlan) => Map<Key, Value> {
  const memos = new WeakMap<SitePlan, Map<Key, Value>>()
  return (plan) => {
    let memo = memos.get(plan)
    if (!memo) {
      memo = new Map()
      memos.set(plan, memo)
    }
    return memo
  }
}
