import { hasMistyped, reportField } from '../hints/report-problem.ts'
import type { ObjectRule } from '../walk.ts'

/**
 * Reports a schema with `type: array` but no `items`. Source: OpenAPI 3.0.4, "Schema Object", `items`: it MUST be present if the type is
 * `array`.
 *
 * This is a warning: the official schema of 3.0 accepts such schemas, and tools read them as arrays of any values.
 */
export const arrayItems: ObjectRule = (value, walk, table) => {
  if (value['type'] !== 'array' || value['items'] !== undefined) return
  if (hasMistyped(walk, table, value, ['items'])) return
  reportField(walk, table, {
    code: 'array-items',
    key: 'type',
    on: 'value',
    message: 'Missing `items` in a Schema Object with `type: array`',
    hint: 'Add `items` with the schema of the entries, or `items: {}` to allow any entry',
  })
}
