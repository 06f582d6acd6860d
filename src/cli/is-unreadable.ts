import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { isDocsConfigPath } from '../docs/project-config.ts'

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

/** Splits off what a person is told as an error of the command: an argument that cannot be read has no line to show. */
export function splitUnreadable(diagnostics: readonly Diagnostic[]): { unreadable: Diagnostic[]; findings: Diagnostic[] } {
  const isArgument = (diagnostic: Diagnostic) => isUnreadable(diagnostic) && diagnostic.pointer === ''
  return {
    unreadable: diagnostics.filter(isArgument),
    findings: diagnostics.filter((diagnostic) => !isArgument(diagnostic)),
  }
}
