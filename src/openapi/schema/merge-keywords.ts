import type { JsonObject } from '../../text/json/json-values.ts'
import { readOwn, setOwn } from '../../text/json/json-values.ts'
import { commonTypes, listTypes } from './value-types.ts'

/**
 * Adds the keywords of a schema to those of other schemas that apply to the same value. The first value of a keyword counts; for types and
 * limits, the narrowest; for flags such as `deprecated`, `true`.
 *
 * Leaves out `$ref`, `allOf`, `properties` and `required`, which callers collect themselves.
 */
export function mergeKeywords(keywords: { [key: string]: unknown }, schema: JsonObject): void {
  for (const key of Object.keys(schema)) {
    if (leftOut.has(key)) continue
    const after = schema[key]
    const before = readOwn(keywords, key)
    if (before === undefined) setOwn(keywords, key, after)
    else if (key === 'type') {
      const types = commonTypes(listTypes(before), listTypes(after))
      if (types.length > 0) setOwn(keywords, key, types)
    } else if (typeof before === 'number' && typeof after === 'number') {
      if (limitKeywords.test(key)) setOwn(keywords, key, /min/i.test(key) ? Math.max(before, after) : Math.min(before, after))
    } else if (before === false && after === true && !/^(?:nullable|additional|unevaluated)/.test(key))
      setOwn(keywords, key, true)
  }
}

const leftOut = new Set(['$ref', 'allOf', 'properties', 'required'])

/** Keywords that all apply together, so only the narrowest matters. `minContains` belongs to one `contains`. */
export const limitKeywords = /^(?:exclusive)?m(?:in|ax)(?!Contains)/i
