import type { FieldValue } from './types.ts'

/** A value as the raw editor shows it. */
export function toRawText(value: FieldValue | undefined, isJson: boolean): string {
  return value === undefined ? '' : typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
}
