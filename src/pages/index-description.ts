import type { Description } from '../openapi/types.ts'
import { listSchemas, listSubjects } from './list-subjects.ts'
import type { DescriptionIndex } from './types.ts'

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
