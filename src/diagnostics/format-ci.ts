import { createHash } from 'node:crypto'
import { escapeText, toOneLine, toSafeJson, toXmlAttributes, toXmlLines } from '../text/plain/escape-text.ts'
import { groupBy } from '../text/plain/lists.ts'
import type { Severity } from './codes.ts'
import { type Diagnostic, ruleNameOf, ruleUrlOf } from './diagnostic.ts'
import { toPlaceText } from './format-github.ts'

/**
 * Formats diagnostics as one line each: `file:line:column: message [severity/code]`. Ends with a newline. Returns `''` for no diagnostics.
 *
 * Source: the `unix` format of ESLint.
 */
export function formatUnix(diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map((diagnostic) => {
    const { severity, file, range } = diagnostic
    return `${toPlaceText(file, range.start)}: ${describe(diagnostic)} [${severity}/${escapeText(ruleNameOf(diagnostic))}]\n`
  })
  return lines.join('')
}

const checkstyleSeverities: { readonly [severity in Severity]: string } = { error: 'error', warning: 'warning', info: 'info' }

/** Formats diagnostics as a Checkstyle report. Ends with a newline. @see https://checkstyle.org/ */
export function formatCheckstyle(diagnostics: readonly Diagnostic[]): string {
  const files = [...groupBy(diagnostics, ({ file }) => file)].map(([file, found]) => {
    const rows = found.map((diagnostic) => {
      const { severity, range } = diagnostic
      const { line, column } = range.start
      const source = `openapi-pages.${ruleNameOf(diagnostic)}`
      const attributes = { line, column, severity: checkstyleSeverities[severity], message: describe(diagnostic), source }
      return `    <error ${toXmlAttributes(attributes)}/>\n`
    })
    return `  <file ${toXmlAttributes({ name: file })}>\n${rows.join('')}  </file>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${files.join('')}</checkstyle>\n`
}

/**
 * Formats diagnostics as a JUnit report with a test suite per file and a test case per diagnostic. Ends with a newline.
 *
 * Errors are failures. Warnings and infos are passed tests. A document without diagnostics is one passed test.
 *
 * @param documents the documents that were checked.
 * @see https://github.com/testmoapp/junitxml
 */
export function formatJunit(diagnostics: readonly Diagnostic[], documents: readonly string[]): string {
  const found = groupBy(diagnostics, ({ file }) => file)
  const named = [...new Set([...documents, ...diagnostics.map(({ file }) => file)])]
  // Jenkins rejects reports without tests.
  const files = named.length === 0 ? ['No documents'] : named
  const suites = files.map((file) => {
    const own = found.get(file) ?? []
    const valid = { name: 'No problems', classname: file, time: 0 }
    const cases = own.length === 0 ? [`    <testcase ${toXmlAttributes(valid)}/>\n`] : own.map(renderTestCase)
    const counts = { tests: cases.length, failures: countErrors(own), errors: 0, skipped: 0, time: 0 }
    return `  <testsuite ${toXmlAttributes({ name: file, ...counts })}>\n${cases.join('')}  </testsuite>\n`
  })
  const tests = files.reduce((sum, file) => sum + Math.max(1, found.get(file)?.length ?? 0), 0)
  const all = { name: 'openapi-pages check', tests, failures: countErrors(diagnostics), errors: 0, time: 0 }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${toXmlAttributes(all)}>\n${suites.join('')}</testsuites>\n`
}

function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length
}

function renderTestCase(diagnostic: Diagnostic): string {
  const { severity, message, file, range, hint } = diagnostic
  const rule = ruleNameOf(diagnostic)
  const name = `${toPlaceText(file, range.start)} ${message} (${rule})`
  const attributes = toXmlAttributes({ name, classname: file, time: 0, file, line: range.start.line })
  const text = toXmlLines([
    `${severity}: ${escapeText(message)}`,
    ...(hint === undefined ? [] : [`hint: ${escapeText(toOneLine(hint))}`]),
    toPlaceText(file, range.start),
    ruleUrlOf(diagnostic),
  ])
  const body =
    severity === 'error'
      ? `<failure ${toXmlAttributes({ message, type: rule })}>${text}</failure>`
      : `<system-out>${text}</system-out>`
  return `    <testcase ${attributes}>\n      ${body}\n    </testcase>\n`
}

const gitlabSeverities: { readonly [severity in Severity]: string } = { error: 'critical', warning: 'minor', info: 'info' }

/**
 * Formats diagnostics as a code quality report of GitLab. Ends with a newline.
 *
 * A fingerprint depends on the problem and its location in the document, not on lines, so that GitLab recognizes known problems.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function formatGitlab(diagnostics: readonly Diagnostic[]): string {
  const seen = new Map<string, number>()
  const issues = diagnostics.map((diagnostic) => {
    const { severity, message, file, range, pointer } = diagnostic
    const rule = ruleNameOf(diagnostic)
    const identity = JSON.stringify([rule, file, pointer, message])
    const count = seen.get(identity) ?? 0
    seen.set(identity, count + 1)
    return {
      description: describe(diagnostic),
      check_name: rule,
      fingerprint: createHash('sha256').update(`${identity}\0${count}`).digest('hex'),
      severity: gitlabSeverities[severity],
      location: { path: file, lines: { begin: range.start.line, end: Math.max(range.start.line, range.end.line) } },
    }
  })
  return `${toSafeJson(issues)}\n`
}

/** The message and hint in one line, escaped. */
function describe({ message, hint }: Diagnostic): string {
  return hint === undefined ? escapeText(message) : `${escapeText(message)}. ${escapeText(toOneLine(hint))}`
}
