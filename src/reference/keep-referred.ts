import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'

/** Most of a kind that are kept for a description; when there are more, all are forgotten. */
const maxKept = 1_000

/**
 * Keeps what is made of places that are nothing but a reference: many lead to the same, which then is made once. `words` tell apart what else it
 * depends on. What is written in place is made each time.
 */
export function keepReferred<Made>(): (place: Place, words: string, context: ReferenceContext, make: () => Made) => Made {
  const byContext = new WeakMap<ReferenceContext, Map<string, { readonly made: Made }>>()
  return ({ file, value }, words, context, make) => {
    const reference = isObject(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined
    if (typeof reference !== 'string') return make()
    const kept = byContext.get(context) ?? new Map<string, { readonly made: Made }>()
    byContext.set(context, kept)
    const key = `${words}\n${file}\n${reference}`
    const known = kept.get(key)
    if (known) return known.made
    const made = make()
    if (kept.size >= maxKept) kept.clear()
    kept.set(key, { made })
    return made
  }
}
