import type { JsonObject } from '../../text/is-object.ts'
import { type FieldFinding, hasMistyped, nameObject, reportField } from '../report-fault.ts'
import type { Walk } from '../walk.ts'
import type { ObjectTable } from './shape.ts'

/** Says that `field` is not allowed beside `other`, which the object has too. */
export function reportConflict(walk: Walk, table: ObjectTable, value: JsonObject, field: string, other: string): void {
  const message = `Unexpected \`${field}\` beside \`${other}\` in ${nameObject(walk, table, value)}, expected only one of them`
  reportField(walk, table, { code: 'field-conflict', key: field, on: 'key', message })
}

/** Says that `field` is not allowed here; `where` completes "in …". */
export function reportForbidden(walk: Walk, table: ObjectTable, field: string, where: string, hint?: string): void {
  const finding: FieldFinding = { code: 'field-conflict', key: field, on: 'key', message: `Unexpected \`${field}\` in ${where}` }
  reportField(walk, table, hint === undefined ? finding : { ...finding, hint })
}

/** Says that the object lacks something; `wanted` names it, fields between backticks. Not where one of these is mistyped. */
export function reportMissing(
  walk: Walk,
  table: ObjectTable,
  value: JsonObject,
  wanted: string,
  hint?: string,
  severity: 'error' | 'warning' = 'error',
): void {
  const fields = [...wanted.matchAll(/`(\w+)/g)].map((match) => match[1] ?? '')
  if (hasMistyped(walk, table, value, fields)) return
  const message = `Missing ${wanted} in ${nameObject(walk, table, value)}`
  reportField(walk, table, { code: 'missing-field', key: undefined, on: 'key', message, hint, severity })
}

/** Tells whether the object has a field, whatever its value. */
export function has(value: JsonObject, field: string): boolean {
  return Object.hasOwn(value, field)
}
