import type { Description, Tag } from '../openapi/types.ts'
import { listSchemas, listSubjects } from './list-subjects.ts'
import type { PageSubject } from './types.ts'

/** A description as pages look at it. */
export interface DescriptionIndex {
  /** Operations and webhooks in page order; hidden and excluded ones are in it. */
  readonly subjects: readonly PageSubject[]
  readonly byTarget: ReadonlyMap<string, PageSubject>
  readonly tags: readonly Tag[]
  /** In document order; hidden and excluded ones are in it. */
  readonly schemas: readonly PageSubject[]
  readonly schemaNames: ReadonlySet<string>
}

/** Makes the subjects of a description quick to find. */
export function indexDescription(description: Description): DescriptionIndex {
  const subjects = listSubjects(description)
  return {
    subjects,
    byTarget: new Map(subjects.map((subject) => [subject.target, subject])),
    tags: description.tags,
    schemas: listSchemas(description),
    schemaNames: new Set(description.schemas.map(({ name }) => name)),
  }
}
