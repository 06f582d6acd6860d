import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { escapeText } from '../text/escape-text.ts'
import { toLines } from './describe-error.ts'

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
  return pointer === '' || (code.startsWith('url-') && /(?:^|\/)docs\.json$/.test(file))
}

/** Splits off what a person is told as an error of the command: an argument that cannot be read has no line to show. */
export function splitUnreadable(diagnostics: readonly Diagnostic[]): { unreadable: Diagnostic[]; findings: Diagnostic[] } {
  const isArgument = (diagnostic: Diagnostic) => isUnreadable(diagnostic) && diagnostic.pointer === ''
  return {
    unreadable: diagnostics.filter(isArgument),
    findings: diagnostics.filter((diagnostic) => !isArgument(diagnostic)),
  }
}

/** `openapi-pages: cannot read x.yaml: no such file`, and what to do. Ends with a line end. */
export function describeUnreadable({ code, file, message, hint }: Diagnostic): string {
  const words = code === 'docs-config-missing' ? `cannot find ${file}` : message.replaceAll('`', '')
  const [first = '', ...paste] = (hint ?? '').split('\n')
  const sentence = `${first.slice(0, 1).toUpperCase()}${first.slice(1)}${paste.length > 0 ? ':' : '.'}`
  const lines = toLines(`${words.slice(0, 1).toLowerCase()}${words.slice(1)}`, hint === undefined ? undefined : sentence)
  return `${lines}${paste.map((line) => `${escapeText(line)}\n`).join('')}`
}
