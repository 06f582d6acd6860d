import type { DiagnosticCode, Severity } from './codes.ts'

interface BlockingCode {
  /** Whether `rules` may lower the errors to warnings. */
  readonly mayBeWarning: boolean
  /** The reason, as the second half of a sentence. */
  readonly why: string
}

const mayBeWarning = (why: string): BlockingCode => ({ mayBeWarning: true, why })
const isAlwaysError = (why: string): BlockingCode => ({ mayBeWarning: false, why })

const nothingToShow = isAlwaysError('there is nothing to show')
const partIsLost = isAlwaysError('pages would lack a part of the document')
const oneIsLost = isAlwaysError('pages would show only one of the values')
const nothingIsUpdated = isAlwaysError('nothing is updated')
const overlayIsLost = isAlwaysError('pages would not contain the changes of the overlay')

/**
 * The codes of errors that make a document invalid, so that its pages are not updated, or that stop the update of all pages.
 *
 * `rules` may lower those that do not change what a page shows: pages contain everything that the document says, as it says it.
 */
const blockingCodes = {
  'file-missing': nothingToShow,
  'file-unreadable': nothingToShow,
  'file-outside-boundary': nothingToShow,
  'file-too-large': nothingToShow,
  'url-unreachable': nothingToShow,
  'url-refused': nothingToShow,
  encoding: nothingToShow,
  'empty-document': nothingToShow,
  'json-syntax': nothingToShow,
  'yaml-syntax': nothingToShow,
  'duplicate-key': oneIsLost,
  'too-complex': partIsLost,
  'not-openapi': nothingToShow,
  'unsupported-version': nothingToShow,
  'unknown-field': partIsLost,
  'missing-field': partIsLost,
  'wrong-type': partIsLost,
  'wrong-value': partIsLost,
  'wrong-format': isAlwaysError('pages would have broken links'),
  'wrong-name': mayBeWarning('pages show components with any name'),
  'entry-unique': mayBeWarning('a repeated entry means the same as a single one'),
  'field-conflict': oneIsLost,
  'read-write-only': isAlwaysError('pages would lack the property, in requests and in responses'),
  'reference-unresolved': partIsLost,
  'reference-circular': partIsLost,
  'reference-kind': partIsLost,
  'operation-id-unique': mayBeWarning('each operation has its own page, found by method and path'),
  'parameter-unique': oneIsLost,
  'path-parameter': mayBeWarning('pages show the path and all declared parameters'),
  'path-template': mayBeWarning('each operation has its own page, with the path as written'),
  'security-scheme': mayBeWarning('pages show the name of the scheme'),
  'tag-unique': oneIsLost,
  'tag-parent': isAlwaysError('the group of the tag would have no place in the navigation'),
  'not-overlay': overlayIsLost,
  'overlay-target': overlayIsLost,
  'overlay-conflict': overlayIsLost,
  'mass-removal': nothingIsUpdated,
  'pages-left-out': nothingIsUpdated,
} as const satisfies { readonly [code in DiagnosticCode]?: BlockingCode }

/** The entry of a code. Undefined for a code whose severity can be any. */
export function findBlockingCode(code: DiagnosticCode): BlockingCode | undefined {
  return Object.hasOwn(blockingCodes, code) ? blockingCodes[code as keyof typeof blockingCodes] : undefined
}

/** The codes of errors that `rules` may lower to warnings. */
export const lowerableCodes: readonly DiagnosticCode[] = (Object.keys(blockingCodes) as (keyof typeof blockingCodes)[]).filter(
  (code) => blockingCodes[code].mayBeWarning,
)

/** Whether `rules` may give this severity to the errors of a code. */
export function isAllowedSeverity(code: DiagnosticCode, severity: Severity | 'off'): boolean {
  const row = findBlockingCode(code)
  return row === undefined || severity === 'error' || (severity === 'warning' && row.mayBeWarning)
}

/** Explains a severity that is not allowed, and what to do instead. */
export function explainRefusal(
  code: DiagnosticCode,
  severity: Severity | 'off',
): { readonly message: string; readonly hint: string } {
  const row = findBlockingCode(code)
  const message = `Cannot set \`${code}\` to \`${severity}\`: ${row?.mayBeWarning ? 'it makes a document invalid' : `${row?.why}, so it is always an error`}`
  return { message, hint: row?.mayBeWarning ? `Use \`${code}: warning\`` : waysAroundErrors }
}

const waysAroundErrors =
  'Fix the errors. Until then, `update.onError: operation` updates the pages of all other operations, and a baseline accepts the known errors'
