import { formatCount } from '../diagnostics/diagnostic.ts'
import { type Annotation, formatAnnotations, toPlaceText } from '../diagnostics/format-github.ts'
import { formatSarifLog, limitResults } from '../diagnostics/format-sarif.ts'
import { escapeText, toXmlAttributes, toXmlLines } from '../text/plain/escape-text.ts'
import { startOfFile } from '../text/plain/source-file.ts'
import { describeAcceptance, describeLevel } from './accepted-changes.ts'
import { describeChange, toChangeAnnotation } from './change-annotation.ts'
import { type ChangeLevel, changeCodes, changeUrl, compareLevels } from './change-codes.ts'
import { countChanges } from './changes-json.ts'
import { formatOperation, groupChanges } from './changes-text.ts'
import type { Change, Comparison } from './types.ts'

const annotationLevels: { readonly [level in ChangeLevel]: Annotation['level'] } = {
  breaking: 'error',
  risky: 'warning',
  compatible: 'notice',
}

/**
 * Formats changes as workflow commands for GitHub Actions, which become annotations on the lines of the revision.
 *
 * Files are relative to the root of the repository. Something that was removed needs a place from `placeInRevision`; otherwise the place
 * in the base is only in the message. GitHub shows ten errors, ten warnings and ten notices per step. Returns `''` without changes.
 */
export function formatChangesGithub({ changes }: Comparison): string {
  return formatAnnotations(
    changes.map((change) => toChangeAnnotation(change, change.accepted ? 'notice' : annotationLevels[change.level])),
  )
}

const sarifLevels = { breaking: 'error', risky: 'warning', compatible: 'note' } as const satisfies Record<ChangeLevel, string>

/**
 * Formats the changes of documents as SARIF 2.1.0, for code scanning and editors. Ends with a newline.
 *
 * Results are on the lines of the revision, as in {@link formatChangesGithub}; the place in the base is a related location. The limits are
 * those of `formatSarif`.
 */
export function formatChangesSarif(comparisons: readonly Comparison[], { version }: { readonly version?: string } = {}): string {
  const results = comparisons
    .flatMap((comparison) => comparison.changes.map((change) => ({ change, place: toDocumentPlace(comparison) })))
    .sort((a, b) => compareLevels(a.change, b.change))
  const changes = results.map(({ change }) => change)
  const keptResults = results.slice(0, limitResults(changes.length, countChanges(changes).breaking))
  return formatSarifLog({
    version,
    isComplete: true,
    notification:
      keptResults.length === changes.length
        ? undefined
        : `${formatCount(keptResults.length, 'result')} of ${formatCount(changes.length, 'change')} are included, the most severe first. The JSON format has all of them`,
    rules: [...new Set(keptResults.map(({ change }) => change.code))].map((code) => {
      const row = changeCodes[code]
      const instead = row.instead !== undefined ? `\n\n**Instead:** ${row.instead}.` : ''
      return {
        id: code,
        title: row.title,
        help: `${row.why}${instead}`,
        url: changeUrl(code),
        level: typeof row.level === 'string' ? sarifLevels[row.level] : undefined,
      }
    }),
    results: keptResults.map(({ change, place }) => {
      const { code, level, accepted, base, operations, fingerprint } = change
      const revision = change.revision ?? change.surrounding
      const related = revision && base ? [{ file: base.file, range: base.range, message: 'In the base' }] : []
      return {
        ruleId: code,
        // GitHub ignores suppressions.
        level: accepted ? 'note' : sarifLevels[level],
        suppression: accepted && escapeText(describeAcceptance(change) ?? ''),
        message: describeChange(change).join('\n'),
        place: revision ?? base ?? place,
        related,
        identity: [fingerprint, level],
        properties: {
          level,
          operations: operations.slice(0, maxOperations).map((operation) => escapeText(formatOperation(operation))),
          ...(base === null ? {} : { basePointer: base.pointer }),
          ...(revision === undefined ? {} : { pointer: revision.pointer }),
        },
      }
    }),
  })
}

/** Maximum number of operations of a result: a component can have thousands. */
const maxOperations = 100

function toDocumentPlace({ revision }: Comparison) {
  return { file: revision.document, range: startOfFile }
}

/**
 * Formats the changes of documents as a JUnit report with a test case per change. Ends with a newline.
 *
 * Changes for which `fails` is true are failures. The others are passed tests. Without changes, the report has one passed test, because
 * Jenkins rejects reports without tests.
 *
 * @see https://github.com/testmoapp/junitxml
 */
export function formatChangesJunit(comparisons: readonly Comparison[], fails: (change: Change) => boolean): string {
  const changes = comparisons.flatMap((comparison) => comparison.changes)
  const suites = comparisons.flatMap(({ revision, changes: own }) =>
    groupChanges(own).map(({ name: group, grouped }) => {
      const name = comparisons.length === 1 ? group : `${revision.document}: ${group}`
      const cases = grouped.map((change) => renderTestCase(name, change, fails(change)))
      const failures = grouped.filter(fails).length
      return `  <testsuite ${toXmlAttributes({ name, tests: grouped.length, failures, errors: 0, skipped: 0, time: 0 })}>\n${cases.join('')}  </testsuite>\n`
    }),
  )
  const none = 'No changes for API clients'
  if (suites.length === 0) {
    suites.push(
      `  <testsuite ${toXmlAttributes({ name: 'Document', tests: 1, failures: 0, errors: 0, skipped: 0, time: 0 })}>\n    <testcase ${toXmlAttributes({ name: none, classname: 'Document', time: 0 })}/>\n  </testsuite>\n`,
    )
  }
  const counts = { tests: Math.max(1, changes.length), failures: changes.filter(fails).length, errors: 0, time: 0 }
  const [first, ...others] = comparisons
  const name =
    first && others.length === 0
      ? `API changes: ${first.base.document} → ${first.revision.document}`
      : `API changes in ${formatCount(comparisons.length, 'document')}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${toXmlAttributes({ name, ...counts })}>\n${suites.join('')}</testsuites>\n`
}

function renderTestCase(group: string, change: Change, isFailure: boolean): string {
  const { code, message, base, revision } = change
  const place = revision ?? base
  const attributes = toXmlAttributes({
    name: `${message} (${code})`,
    classname: group,
    time: 0,
    ...(place ? { file: place.file, line: place.range.start.line } : {}),
  })
  const text = toXmlLines([
    `${describeLevel(change)}: ${changeUrl(code)}`,
    ...(base ? [`base: ${toPlaceText(base.file, base.range.start)}`] : []),
    ...(revision ? [`revision: ${toPlaceText(revision.file, revision.range.start)}`] : []),
    ...describeChange(change).slice(1),
  ])
  const body = isFailure
    ? `<failure ${toXmlAttributes({ message, type: code })}>${text}</failure>`
    : `<system-out>${text}</system-out>`
  return `    <testcase ${attributes}>\n      ${body}\n    </testcase>\n`
}
