import type { FollowReference, Place } from '../openapi/follow-reference.ts'
import type { OpenApiRelease } from '../openapi/types.ts'
import type { SchemaTarget } from './types.ts'

/** What is needed to read any part of one description. */
export interface ReferenceContext {
  readonly release: OpenApiRelease
  /** The entry document. */
  readonly root: Place
  readonly follow: FollowReference
}

const schemaPointer = /^\/components\/schemas\/([^/]+)$/

/** The named schema of the entry document that stands at a place. */
export function findSchemaTarget({ root }: ReferenceContext, { file, pointer }: Place): SchemaTarget | undefined {
  if (file !== root.file) return undefined
  const name = schemaPointer.exec(pointer)?.[1]
  return name === undefined ? undefined : { name: name.replaceAll('~1', '/').replaceAll('~0', '~') }
}
