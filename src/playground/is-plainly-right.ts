import type { MergedSchema } from './merge-schema.ts'
import type { FieldValue } from './types.ts'

/** Whether a value is right without a closer look: of a type that its schema has, which has no limits for it. What this says, `checkValue` says too. */
export function isPlainlyRight(value: FieldValue, { types, enum: values, isNullable, keywords }: MergedSchema): boolean {
  if (value instanceof File) return true
  if (value === null) return isNullable
  if (values) return values.includes(value)
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  const isOfType = types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
  const limits = /^(?:pattern|format|multipleOf|m(?:in|ax)(?:imum|Length|Items|Properties)|exclusiveM.*)$/
  const isNumber = typeof value === 'number'
  // What formats of numbers say is not looked at.
  return isOfType && !Object.keys(keywords).some((key) => limits.test(key) && !(isNumber && key === 'format'))
}
