/**
 * What is to happen to one file. Paths are relative to the boundary with `/`.
 *
 * `before` is the content the plan was made on, so that a writer can notice that the file has changed since.
 */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'modify'; readonly path: string; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }

/** How the lines of a text file end. */
export type LineEnding = 'lf' | 'crlf'

/** The line ending that most lines of some texts have; undefined where there is no line break, or as many of each. */
export function findLineEnding(texts: Iterable<string>): LineEnding | undefined {
  let [lf, crlf] = [0, 0]
  for (const text of texts) {
    const withReturn = text.split('\r\n').length - 1
    crlf += withReturn
    lf += text.split('\n').length - 1 - withReturn
  }
  return lf === crlf ? undefined : crlf > lf ? 'crlf' : 'lf'
}

/** Gives a text with `\n` the line endings of a file; one that has `\r\n` already, as an edited text may, stays as it is. */
export function withLineEndings(text: string, ending: LineEnding | undefined): string {
  return ending !== 'crlf' || text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n')
}
