import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { splitReference } from '../openapi/split-reference.ts'
import { valueAtPointer } from '../text/json-pointer.ts'
import type { ReferenceContext } from './context.ts'

/**
 * The schema that a value of `discriminator.mapping` leads to: the name of a schema, else a reference.
 *
 * Source: OpenAPI 3.2.0, "Discriminator Object": what could be both is a name.
 */
export function findMappedSchema(value: string, file: string, context: ReferenceContext): Place | undefined {
  const named = childPlace(context.schemas, value)
  if (named.value !== undefined) return named
  const target = splitReference(value, file)
  if (target.kind !== 'file') return undefined
  const found = valueAtPointer(context.documentValue(target.path), target.fragment)
  return found === undefined ? undefined : { file: target.path, pointer: target.fragment, value: found }
}
