// A script cannot interrupt Mermaid, so the size of a diagram is limited before it is drawn. Drawing 500 lines takes seconds. The
// largest of 365 diagrams in 40 repositories has 3,803 characters and 103 lines.

const mostCharacters = 10_000
const mostLines = 500

/** The limit that a diagram exceeds, as text for the reader. */
export function findExceededLimit(source: string): string | undefined {
  if (source.length > mostCharacters) return describe('characters', source.length, mostCharacters)
  const lines = source.split('\n').length
  if (lines > mostLines) return describe('lines', lines, mostLines)
  // Block diagrams draw every empty column.
  const columns = /\bspace:(\d{4,})/.exec(source)?.[1]
  return columns === undefined ? undefined : `Unexpected \`space:${columns}\`, expected at most 999 columns`
}

function describe(unit: string, count: number, most: number): string {
  return `Unexpected ${count.toLocaleString('en')} ${unit}, expected at most ${most.toLocaleString('en')}`
}
