import { reportField } from '../hints/report-problem.ts'
import type { ObjectRule } from '../walk.ts'

/**
 * Reports a schema that is both `readOnly` and `writeOnly`. Source: OpenAPI 3.0.4, "Schema Object".
 *
 * From 3.1 on, JSON Schema defines both keywords and does not forbid the combination, so it is a warning.
 */
export const readWriteOnly: ObjectRule = (value, walk, table) => {
  if (value['readOnly'] !== true || value['writeOnly'] !== true) return
  reportField(walk, table, {
    code: 'read-write-only',
    key: 'writeOnly',
    on: 'key',
    message: 'Unexpected `writeOnly: true` together with `readOnly: true`, expected only one of them',
    hint: 'Remove one of them: the value would appear in neither requests nor responses',
    severity: walk.release === '3.0' ? 'error' : 'warning',
  })
}
