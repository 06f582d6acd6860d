import type { FieldValue } from './types.ts'

/** Parses JSON as a form value, or explains why a form cannot hold it without losing information. */
export function fromJsonText(text: string): { readonly value: FieldValue | undefined } | { readonly fault: string } {
  if (text.trim() === '') return { value: undefined }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  // A result of JSON.parse is a FieldValue.
  if (toTokens(text) === toTokens(JSON.stringify(value))) return { value: value as FieldValue }
  return {
    fault: 'The form cannot hold this as it is written: it has a number with more digits than a browser keeps, or a key twice',
  }
}

/** The JSON without whitespace and with normalized strings and numbers. */
function toTokens(text: string): string {
  return text.replace(
    /((?<!\\)"(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|\s+/g,
    (_whole, quoted: string | undefined, number: string | undefined) =>
      quoted !== undefined ? JSON.stringify(JSON.parse(quoted)) : number !== undefined ? toPlainNumber(number) : '',
  )
}

/** Normalizes equal numbers such as `1.50` and `15e-1`. A number that a double cannot hold stays as written. */
function toPlainNumber(text: string): string {
  const digits = text
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|(?<!0)0+$/g, '')
  return digits.length <= 15 && Number.isFinite(Number(text)) ? String(Number(text)) : text
}
