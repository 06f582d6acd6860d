import { ConfigError, FilesError, GitError } from '../errors.ts'
import { escapeText } from '../text/escape-text.ts'

/**
 * Says why a command could not run: what it was given, what it expected, and where to read on. Ends with a line end.
 *
 * Only an error that nobody foresaw shows its stack, since only there it helps.
 */
export function describeError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof GitError) {
    return toLines(error.message, error.hint)
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const shown = stack.split('\n').map(escapeText).join('\n')
  return `openapi-pages: unexpected error\n${shown}\n\nThis is a fault of openapi-pages. Please report it with the lines above:\nhttps://github.com/openapi-pages/openapi-pages/issues\n`
}

/** `openapi-pages: message`, and what to do on a line of its own. */
export function toLines(message: string, hint: string | undefined): string {
  return `openapi-pages: ${escapeText(message)}\n${hint === undefined ? '' : `  ${escapeText(hint)}\n`}`
}
