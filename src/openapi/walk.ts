import type { Finding } from '../diagnostic/diagnostic.ts'
import { escapePointerSegment } from '../text/json-pointer.ts'
import type { Limits } from '../text/limits.ts'
import type { Syntax } from '../text/parse-source.ts'
import type { MetObjects } from './met-objects.ts'
import type { ObjectTable } from './tables/shape.ts'
import type { OpenApiRelease } from './types.ts'

/** The state of a walk through one document. One object for the whole check, changed in place: nothing is made for a node. */
export interface Walk {
  file: string
  syntax: Syntax
  readonly release: OpenApiRelease
  /** The version as the entry document writes it. */
  readonly version: string
  /** The keys and indexes from the top of the document to the current value. */
  path: (string | number)[]
  readonly limits: Limits
  /** Deepest nesting that is looked into. */
  readonly maxDepth: number
  /** The innermost Schema Object with an `$id` around the current value. */
  resource: SchemaResource | undefined
  /** `jsonSchemaDialect` names keywords that the tables do not know, so Schema Objects are not looked into. */
  foreignDialect: boolean
  readonly findings: Finding[]
  /** What checks look at after the walk. */
  readonly met: MetObjects
  readonly suggest: Suggest
  /** Findings whose hint quotes a value as it is written: their index in `findings` → the value's key. */
  readonly unquoted: Map<number, string>
  /** The first release after this one in which an object of the tables has a field; absent where there is none. */
  laterRelease(table: string, field: string): OpenApiRelease | undefined
  /** The nesting limit was reported for this document. */
  tooDeep: boolean
  /** Told of every reference, in a place where an object of `table` is expected; `path` leads to the object that has the `$ref`. */
  onReference(reference: string, table: ObjectTable): void
}

/** The candidate nearest to a mistyped word; see `suggest`. Candidates are only listed when they are looked at. */
export type Suggest = (word: string, listCandidates: () => readonly string[]) => string | undefined

/** Source: JSON Schema 2020-12, core, section 4.3.5. */
export interface SchemaResource {
  /** The `$id`, resolved against the one around it. */
  readonly id: string
  /** Where the schema stands. */
  readonly pointer: string
}

/**
 * The pointer of the current value.
 *
 * Its steps are joined at once: V8 keeps a text that grows step by step as a chain of its parts, and a document can have thousands of faults.
 */
export function currentPointer({ path }: Walk): string {
  return toPointer(path)
}

/** The pointer that leads by these steps. */
export function toPointer(path: readonly (string | number)[]): string {
  // Of the right length from the start: a list that grows takes as much memory again.
  const steps = new Array<string | number>(path.length + 1).fill('')
  for (let index = 0; index < path.length; index++) {
    const step = path[index] ?? ''
    steps[index + 1] = typeof step === 'number' ? step : escapePointerSegment(step)
  }
  return steps.join('/')
}
