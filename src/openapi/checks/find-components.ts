import { isObject } from '../../text/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { findMistyped } from '../mistyped-fields.ts'
import { objectTable } from '../tables/object-tables.ts'
import type { CheckContext } from './check.ts'

/**
 * One group of `components` of the entry document; its value is `undefined` where there is none.
 *
 * A mistyped `components` or group is taken for it: the walk has told that.
 */
export function findComponents(context: CheckContext, group: string): Place {
  const components = sectionOf(context, context.root, 'OpenAPI', 'components')
  return sectionOf(context, components, 'Components', group)
}

function sectionOf({ follow, release, suggest }: CheckContext, place: Place, table: string, name: string): Place {
  const { value } = place
  const isThere = !isObject(value) || Object.hasOwn(value, name)
  const mistyped = isThere ? undefined : findMistyped(objectTable(release, table), value, name, suggest)
  return follow.end(childPlace(place, mistyped ?? name))
}
