import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import type { CheckContext } from './check.ts'

/** One group of `components` of the entry document; its value is `undefined` where there is none. */
export function findComponents({ root, follow }: CheckContext, group: string): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), group))
}
