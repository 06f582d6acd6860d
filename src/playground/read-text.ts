import type { FieldValue } from './types.ts'

/** What was typed into a field, as a value: a number where only one is allowed and it is kept exactly, else the text. Nothing typed is nothing. */
export function readText(text: string, types: readonly string[]): FieldValue | undefined {
  if (text === '') return undefined
  if (types.includes('string') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  // A double keeps 15 digits.
  return Number.isFinite(Number(text)) && text.replace(/e.*|\D/gi, '').length <= 15 ? Number(text) : text
}
