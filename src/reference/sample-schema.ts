import { sample } from 'openapi-sampler'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'
import { inlineSchema } from './inline-schema.ts'
import type { SchemaSide } from './to-schema-view.ts'

/**
 * An example made from a schema: its own examples and defaults first, else a value of each type. `undefined` where none can be made.
 */
export function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const inlined = inlineSchema(schema, context)
  if (!isObject(inlined)) return undefined
  try {
    return sample(inlined, { skipReadOnly: side === 'request', skipWriteOnly: side === 'response', quiet: true })
  } catch {
    // The library throws on keywords of the wrong type, which a document with faults may have.
    return undefined
  }
}
