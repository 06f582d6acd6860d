import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import { isDocsConfigPath } from '../../docs/config/config-files.ts'
import { ConfigError, FilesError, GitError } from '../../text/errors.ts'
import { escapeLines, escapeText } from '../../text/plain/escape-text.ts'
import { capitalize } from '../../text/plain/lists.ts'
import type { ExitCode, Output } from './cli-context.ts'

const unreadableCodes: readonly string[] = [
  'docs-config-missing',
  'file-missing',
  'file-unreadable',
  'file-outside-boundary',
  'url-unreachable',
  'url-refused',
] satisfies Finding['code'][]

/**
 * Whether a diagnostic means that the command could not run, because a document named on the command line or in `docs.json` is unreadable.
 *
 * A `$ref` to an unreadable file is an error in the document instead.
 */
export function isUnreadable({ code, severity, pointer, file }: Diagnostic): boolean {
  // An info says where a moved document was found.
  if (!unreadableCodes.includes(code) || severity === 'info') return false
  // A `$ref` can move part of `docs.json` to a file with any name.
  const isNamed = isDocsConfigPath(file) || /\/openapi(\/\d+)?(\/source)?$/.test(pointer)
  return pointer === '' || (code.startsWith('url-') && isNamed)
}

/** 2 if an input could not be read, 1 if there is an error or work is left to do (`isOpen`), else 0. */
export function toExitCode(diagnostics: readonly Diagnostic[], { isOpen = false } = {}): ExitCode {
  if (diagnostics.some(isUnreadable)) return 2
  return isOpen || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}

/** Prints unreadable arguments, which have no source line, as errors of the command. Returns the other diagnostics. */
export function reportUnreadable(diagnostics: readonly Diagnostic[], output: Output): Diagnostic[] {
  const isArgument = (diagnostic: Diagnostic) => isUnreadable(diagnostic) && diagnostic.pointer === ''
  for (const diagnostic of diagnostics.filter(isArgument)) output.write(describeUnreadable(diagnostic))
  return diagnostics.filter((diagnostic) => !isArgument(diagnostic))
}

/** Formats `openapi-pages: cannot read x.yaml: no such file` and the hint, with a final newline. */
function describeUnreadable({ code, file, message, hint }: Diagnostic): string {
  const text = code === 'docs-config-missing' ? `cannot find ${file}` : message.replaceAll('`', '')
  const sentence = hint && `${capitalize(hint)}${hint.endsWith('?') ? '' : '.'}`
  return formatError(`${text.slice(0, 1).toLowerCase()}${text.slice(1)}`, sentence)
}

/** Formats the error that stopped a command, with its hint and a final newline. Only unexpected errors show their stack. */
export function describeError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof GitError) {
    return formatError(
      error.message.replace(/^(?:Cannot|Unexpected|Missing) /, (start) => start.toLowerCase()),
      error.hint,
    )
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `openapi-pages: unexpected error\n${escapeLines(stack)}\n\nThis is a bug in openapi-pages. Please report it with the lines above:\nhttps://github.com/openapi-pages/openapi-pages/issues\n`
}

/** Formats `openapi-pages: message`, with the hint on a second line. */
export function formatError(message: string, hint: string | undefined): string {
  return `openapi-pages: ${escapeText(message)}\n${hint === undefined ? '' : `  ${escapeText(hint)}\n`}`
}
