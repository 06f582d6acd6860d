import { parentPointer, parsePointer } from '../text/json-pointer.ts'
import type { WalkedDocument } from './document-set.ts'
import type { ObjectTable, Shape } from './tables/shape.ts'

/** What is expected at a place of a document: an object with fields, or a list or mapping whose entries are all of one shape. */
export interface Spot {
  /** Absent for a list or mapping of names. */
  readonly table: ObjectTable | undefined
  /** Absent for an object. */
  readonly entries: Shape | undefined
  readonly isMap: boolean
}

/** Tells what is expected at a pointer, from the nearest place around it that the document was walked from. */
export function spotAt({ walkedFrom }: WalkedDocument, pointer: string): Spot | undefined {
  for (let from = pointer; ; from = parentPointer(from)) {
    const top = walkedFrom.get(from)
    if (top) {
      let spot: Spot | undefined = { table: top, entries: undefined, isMap: false }
      for (const segment of parsePointer(pointer.slice(from.length))) {
        const shape: Shape | undefined = spot && (shapeIn(spot, segment) ?? ofAnyName(spot, segment))
        spot = shape && toSpot(shape)
      }
      if (spot) return spot
    }
    if (from === '') return undefined
  }
}

/** What is expected of a field or an entry; absent where nothing of this very name is. */
export function shapeIn({ table, entries }: Spot, name: string): Shape | undefined {
  if (!table) return entries
  if (name.startsWith('x-')) return undefined
  const field =
    table.fields.get(name) ??
    [...(table.variants?.tables.values() ?? [])].find(({ fields }) => fields.has(name))?.fields.get(name)
  // A pattern that takes any name tells nothing.
  return field?.shape ?? table.patterns.find(({ pattern }) => pattern.test(name) && !pattern.test('name'))?.shape
}

/** A Callback Object takes what is an expression, and that can be any text. */
export function ofAnyName({ table }: Spot, name: string): Shape | undefined {
  return name.startsWith('x-') ? undefined : table?.patterns.find(({ pattern }) => pattern.test(name))?.shape
}

/** What is expected in a value of a shape. */
export function toSpot(shape: Shape): Spot {
  if (shape.kind === 'list' || shape.kind === 'map')
    return { table: undefined, entries: shape.inner, isMap: shape.kind === 'map' }
  return { table: shape.table ?? shape.inner?.table, entries: undefined, isMap: false }
}
