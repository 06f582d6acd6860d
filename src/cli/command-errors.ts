import type { Diagnostic, Finding } from '../diagnostics/diagnostic.ts'
import { isDocsConfigPath } from '../docs-config/project-config.ts'
import { ConfigError, FilesError, GitError } from '../errors.ts'
import { escapeText } from '../source/escape-text.ts'
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
 * Whether a finding says that the command could not run: a document that the command line or `docs.json` names cannot be read.
 *
 * A `$ref` to a file that cannot be read is a fault of the document instead.
 */
export function isUnreadable({ code, pointer, file }: Diagnostic): boolean {
  if (!unreadableCodes.includes(code)) return false
  // A part of `docs.json` can be a file of any name.
  const isNamed = isDocsConfigPath(file) || /\/openapi(\/\d+)?(\/source)?$/.test(pointer)
  return pointer === '' || (code.startsWith('url-') && isNamed)
}

/** Separates arguments that cannot be read, which have no source line to show, from the other diagnostics. */
export function splitUnreadable(diagnostics: readonly Diagnostic[]): { unreadable: Diagnostic[]; findings: Diagnostic[] } {
  const isArgument = (diagnostic: Diagnostic) => isUnreadable(diagnostic) && diagnostic.pointer === ''
  return {
    unreadable: diagnostics.filter(isArgument),
    findings: diagnostics.filter((diagnostic) => !isArgument(diagnostic)),
  }
}

/** 2 where something that was asked for could not be read; 1 where there is an error, or something is left to do (`isOpen`); else 0. */
export function toExitCode(diagnostics: readonly Diagnostic[], { isOpen = false } = {}): ExitCode {
  if (diagnostics.some(isUnreadable)) return 2
  return isOpen || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}

/** Prints the arguments that could not be read as errors of the command. Returns the other diagnostics. */
export function reportUnreadable(diagnostics: readonly Diagnostic[], output: Output): Diagnostic[] {
  const { unreadable, findings } = splitUnreadable(diagnostics)
  for (const diagnostic of unreadable) output.write(describeUnreadable(diagnostic))
  return findings
}

/** `openapi-pages: cannot read x.yaml: no such file`, and what to do. Ends with a line end. */
export function describeUnreadable({ code, file, message, hint }: Diagnostic): string {
  const words = code === 'docs-config-missing' ? `cannot find ${file}` : message.replaceAll('`', '')
  const [first = '', ...paste] = (hint ?? '').split('\n')
  const stop = paste.length > 0 ? ':' : first.endsWith('?') ? '' : '.'
  const sentence = `${first.slice(0, 1).toUpperCase()}${first.slice(1)}${stop}`
  const lines = formatError(`${words.slice(0, 1).toLowerCase()}${words.slice(1)}`, hint === undefined ? undefined : sentence)
  return `${lines}${paste.map((line) => `${escapeText(line.replace(/^`|`$/g, ''))}\n`).join('')}`
}

/**
 * Says why a command could not run: what it was given, what it expected, and where to read on. Ends with a line end.
 *
 * Only an unexpected error shows its stack.
 */
export function describeError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof GitError) {
    return formatError(error.message, error.hint)
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const shown = stack.split('\n').map(escapeText).join('\n')
  return `openapi-pages: unexpected error\n${shown}\n\nThis is a fault of openapi-pages. Please report it with the lines above:\nhttps://github.com/openapi-pages/openapi-pages/issues\n`
}

/** `openapi-pages: message`, and what to do on a line of its own. */
export function formatError(message: string, hint: string | undefined): string {
  return `openapi-pages: ${escapeText(message)}\n${hint === undefined ? '' : `  ${escapeText(hint)}\n`}`
}
