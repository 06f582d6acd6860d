import type { Place } from '../openapi/follow-reference.ts'
import type { ObjectTable } from '../openapi/tables/shape.ts'

/** A component of slices. One that is called as in the description is the same in all of them, and is written once. */
export interface SlicedComponent {
  readonly group: string
  readonly name: string
  readonly place: Place
  readonly table: ObjectTable
  /** Absent until it was needed, and where it is not the same in each slice. */
  written?: WrittenComponent
}

interface WrittenComponent {
  readonly json: string
  /** Characters, as slices count them. */
  readonly length: number
  /** What it refers to, in order. */
  readonly uses: readonly SlicedComponent[]
}
