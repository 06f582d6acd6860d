import { parseWrittenJson } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'

/** Parses JSON as a form value, or explains why a form would lose data. */
export function fromJsonText(text: string): { readonly value: FieldValue | undefined } | { readonly problem: string } {
  if (text.trim() === '') return { value: undefined }
  let value: unknown
  try {
    value = parseWrittenJson(text)
  } catch (error) {
    return { problem: say('Invalid JSON: {problem}', error instanceof Error ? error.message : String(error)) }
  }
  // A result of parsing JSON is a FieldValue.
  if (toTokens(text) === toTokens(JSON.stringify(value))) return { value: value as FieldValue }
  return {
    problem: say('The form would lose data: the JSON has a duplicate key, or a number with more digits than browsers support'),
  }
}

/** The JSON text without whitespace and with normalized strings. */
function toTokens(text: string): string {
  return text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, (_whole, quoted: string | undefined) =>
    quoted === undefined ? '' : JSON.stringify(JSON.parse(quoted)),
  )
}
