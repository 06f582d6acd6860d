import { sample } from 'openapi-sampler'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'
import { inlineSchema } from './inline-schema.ts'
import { keepReferred } from './keep-referred.ts'
import type { SchemaSide } from './to-schema-view.ts'

/** Longest sample of a request with all optional fields, as JSON with a value a line. */
const maxRequestLines = 60

/** By what their schema leads to and whose eyes see it: the same bodies stand in many operations. */
const keepSample = keepReferred<unknown>()

/**
 * An example made from a schema: its own examples and defaults first, else a value of each type. `undefined` where none can be made. Made
 * once for schemas that are referred to.
 */
export function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  return keepSample(schema, side, context, () => makeSample(schema, side, context))
}

function makeSample(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const inlined = inlineSchema(schema, context)
  if (!isObject(inlined)) return undefined
  const options = { skipReadOnly: side === 'request', skipWriteOnly: side === 'response', quiet: true }
  try {
    const whole = sampleSilently(inlined, options)
    // Of a request with very many optional fields those stand that it has to have.
    if (side !== 'request' || JSON.stringify(whole, null, 1).split('\n').length <= maxRequestLines) return whole
    const least = sampleSilently(inlined, { ...options, skipNonRequired: true })
    return isObject(least) && Object.keys(least).length === 0 && isObject(whole) ? keepFirst(whole) : least
  } catch {
    // The library throws on keywords of the wrong type, which a document with faults may have.
    return undefined
  }
}

/** The library tells the console what it cannot merge, also when asked to be quiet: without a place, and in the midst of our own lines. */
const sampleSilently: typeof sample = (...given) => {
  const { warn } = console
  console.warn = () => {}
  try {
    return sample(...given)
  } finally {
    console.warn = warn
  }
}

/** Lines of the sample of a request that has nothing it must have. */
const maxOptionalLines = 10

/** The first fields of a sample that fit into a few lines. */
function keepFirst(whole: JsonObject): JsonObject {
  const kept: { [name: string]: unknown } = {}
  let left = maxOptionalLines
  for (const name of Object.keys(whole)) {
    const lines = JSON.stringify(whole[name] ?? null, null, 1).split('\n').length
    if (lines > left || name === '__proto__') continue
    kept[name] = whole[name]
    left -= lines
  }
  return kept
}
