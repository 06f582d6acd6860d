/** A line of a text, without its end. */
export interface Line {
  readonly text: string
  /** The offset at which it starts. */
  readonly start: number
}

/** The line that has an offset in it. */
export function lineAt(text: string, offset: number): Line {
  // Before the first character, `lastIndexOf` would look at that one.
  const start = offset === 0 ? 0 : Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1
  const length = text.slice(start).search(/[\n\r]/)
  return { text: length === -1 ? text.slice(start) : text.slice(start, start + length), start }
}

/** The nearest line above an offset that is neither blank nor a comment. */
export function lineAbove(text: string, offset: number): Line | undefined {
  for (let start = lineAt(text, offset).start; start > 0; ) {
    const line = lineAt(text, start - 1)
    if (/^\s*[^\s#]/.test(line.text)) return line
    start = line.start
  }
  return undefined
}
