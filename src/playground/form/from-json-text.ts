import { say } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'

/** Parses JSON as a form value, or explains why a form would lose data. */
export function fromJsonText(text: string): { readonly value: FieldValue | undefined } | { readonly problem: string } {
  if (text.trim() === '') return { value: undefined }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: say('Invalid JSON: {problem}', error instanceof Error ? error.message : String(error)) }
  }
  // A result of JSON.parse is a FieldValue.
  if (toTokens(text) === toTokens(JSON.stringify(value))) return { value: value as FieldValue }
  return {
    problem: say('The form would lose data: the JSON has a duplicate key, or a number with more digits than browsers support'),
  }
}

/** The JSON text without whitespace and with normalized strings and numbers. */
function toTokens(text: string): string {
  return text.replace(
    /((?<!\\)"(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|\s+/g,
    (_whole, quoted: string | undefined, number: string | undefined) =>
      quoted !== undefined ? JSON.stringify(JSON.parse(quoted)) : number !== undefined ? toPlainNumber(number) : '',
  )
}

/** Normalizes equal numbers such as `1.50` and `15e-1`. A number that does not fit a double is left unchanged. */
function toPlainNumber(text: string): string {
  const digits = text
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|(?<!0)0+$/g, '')
  return digits.length <= 15 && Number.isFinite(Number(text)) ? String(Number(text)) : text
}
