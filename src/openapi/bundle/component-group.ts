import { objectTable } from '../tables/object-tables.ts'
import type { ObjectTable } from '../tables/shape.ts'
import type { OpenApiRelease } from '../types.ts'

/** The group of `components` for each kind of object that has one, by the key of its table. */
export type ComponentGroups = ReadonlyMap<string, string>

/**
 * Lists the kinds of objects that a reference may lead to under `components`, as `Schema` → `schemas`.
 *
 * Path items are not among them: `components.pathItems` came with 3.1 and few tools look there, so they are written where they are used.
 */
export function componentGroups(release: OpenApiRelease): ComponentGroups {
  const groups = new Map<string, string>()
  for (const [group, { shape }] of objectTable(release, 'Components').fields) {
    const table: ObjectTable | undefined = shape.inner?.table
    if (table && table.key !== 'Path Item') groups.set(table.key, group)
  }
  return groups
}
