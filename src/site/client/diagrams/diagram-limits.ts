import { formatMessage } from '../../messages/format-message.ts'
import { diagrams } from '../../messages/script-messages.ts'

// A script cannot interrupt Mermaid, so the size of a diagram is limited before it is drawn. Drawing 500 lines takes seconds. The
// largest of 365 diagrams in 40 repositories has 3,803 characters and 103 lines.

const mostCharacters = 10_000
const mostLines = 500

const english: Readonly<Record<keyof typeof diagrams, string>> = diagrams

/** The limit that a diagram exceeds, as text for the reader. */
export function findExceededLimit(source: string, texts = english, language = 'en'): string | undefined {
  const describe = (message: string, count: number, most: number) => formatMessage(message, { count, most }, language)
  if (source.length > mostCharacters) return describe(texts.tooManyCharacters, source.length, mostCharacters)
  const lines = source.split('\n').length
  if (lines > mostLines) return describe(texts.tooManyLines, lines, mostLines)
  // Block diagrams draw every empty column.
  const columns = /\bspace:(\d{4,})/.exec(source)?.[1]
  return columns === undefined ? undefined : formatMessage(texts.tooManyColumns, { columns }, language)
}
