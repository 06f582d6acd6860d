/**
 * A planned change of one file. Paths are relative to the boundary with `/`.
 *
 * `before` is the content the plan is based on, so that a writer can detect later changes.
 */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'modify'; readonly path: string; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }

/** The line ending of a text file. */
export type LineEnding = 'lf' | 'crlf'

/** The most common line ending of some texts. Undefined without line breaks or with as many of each. */
export function findLineEnding(texts: Iterable<string>): LineEnding | undefined {
  let [lf, crlf] = [0, 0]
  for (const text of texts) {
    const withReturn = text.split('\r\n').length - 1
    crlf += withReturn
    lf += text.split('\n').length - 1 - withReturn
  }
  return lf === crlf ? undefined : crlf > lf ? 'crlf' : 'lf'
}

/** Converts `\n` to the line endings of a file. Text that already contains `\r\n` is not changed. */
export function withLineEndings(text: string, ending: LineEnding | undefined): string {
  return ending !== 'crlf' || text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n')
}
