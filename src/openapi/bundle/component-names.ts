import { parsePointer } from '../../text/json/json-values.ts'
import { withoutDocumentExtension } from '../../text/plain/paths.ts'
import { objectTable } from '../tables/object-tables.ts'
import type { OpenApiRelease, Place } from '../types.ts'
import type { ObjectTable } from '../walk.ts'

/** The group of `components` for each kind of object, by table key. */
export type ComponentGroups = ReadonlyMap<string, string>

/**
 * Lists the kinds of objects that can move to `components`, such as `Schema` → `schemas`.
 *
 * Path items are inlined: `components.pathItems` is new in 3.1, and few tools support it.
 */
export function componentGroups(release: OpenApiRelease): ComponentGroups {
  const groups = new Map<string, string>()
  for (const [group, { shape }] of objectTable(release, 'Components').fields) {
    const table: ObjectTable | undefined = shape.inner?.table
    if (table && table.key !== 'Path Item') groups.set(table.key, group)
  }
  return groups
}

/**
 * Names an object that moves to `components`: the last segment of its pointer, or the file name for a whole file. If the name is taken,
 * the previous segment or a number is added.
 *
 * Source: OpenAPI 3.1.1, "Components Object": names have letters, digits, `.`, `-` and `_`.
 */
export function nameComponent({ file, pointer }: Pick<Place, 'file' | 'pointer'>, isTaken: (name: string) => boolean): string {
  const folders = withoutDocumentExtension(file).split('/')
  const steps = [...folders, ...parsePointer(pointer)].map(toName).filter((step) => step !== '')
  const last = steps.at(-1) ?? 'component'
  const above = steps.at(-2)
  const candidates = [last, ...(above === undefined ? [] : [`${above}_${last}`])]
  for (let number = 2; ; number++) {
    const free = candidates.find((name) => !isTaken(name))
    if (free !== undefined) return free
    candidates.push(`${last}_${number}`)
  }
}

function toName(step: string): string {
  return step.replace(/[^\w.-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '')
}
