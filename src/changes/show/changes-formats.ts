import { formatCount } from '../../diagnostics/diagnostic.ts'
import { formatJunitReport, formatSarifLog, limitResults } from '../../diagnostics/format-ci.ts'
import { type Annotation, formatAnnotations, toAnnotationPlace, toPlaceText } from '../../diagnostics/format-text.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { startOfFile } from '../../text/plain/source-file.ts'
import {
  type Change,
  type ChangedOperation,
  type ChangeLevel,
  type Comparison,
  changeCodes,
  changeUrl,
  compareLevels,
  countChanges,
  type DocumentComparison,
  describeAcceptance,
  describeLevel,
  type LocatedPlace,
} from '../change.ts'
import { formatOperation, groupChanges, listFacts, nameOperation } from './changes-text.ts'

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
  const suites = comparisons.flatMap(({ revision, changes: own }) =>
    groupChanges(own).map(({ name: group, grouped }) => {
      const name = comparisons.length === 1 ? group : `${revision.document}: ${group}`
      return { name, cases: grouped.map((change) => toTestCase(name, change, fails(change))) }
    }),
  )
  const none = { attributes: { name: 'No changes for API clients', classname: 'Document' } }
  const [first, ...others] = comparisons
  const title =
    first && others.length === 0
      ? `API changes: ${first.base.document} → ${first.revision.document}`
      : `API changes in ${formatCount(comparisons.length, 'document')}`
  return formatJunitReport(title, suites.length === 0 ? [{ name: 'Document', cases: [none] }] : suites)
}

function toTestCase(group: string, change: Change, isFailure: boolean) {
  const { code, message, base, revision } = change
  const place = revision ?? base
  const at = place ? { file: place.file, line: place.range.start.line } : {}
  const lines = [
    `${describeLevel(change)}: ${changeUrl(code)}`,
    ...(base ? [`base: ${toPlaceText(base.file, base.range.start)}`] : []),
    ...(revision ? [`revision: ${toPlaceText(revision.file, revision.range.start)}`] : []),
    ...listFacts(change),
  ]
  const attributes = { name: `${message} (${code})`, classname: group, ...at }
  return { attributes, lines, failure: isFailure ? { message, type: code } : undefined }
}

/** Creates an annotation on the line of a change in the revision, if it has one. Document text is escaped. */
export function toChangeAnnotation(change: Change, annotationLevel: Annotation['level']): Annotation {
  const { code, base } = change
  const revision = change.revision ?? change.surrounding
  const lines = describeChange(change)
  if (base) lines.push(`base: ${toPlaceText(base.file, base.range.start)}`)
  lines.push(changeUrl(code))
  const place = revision && toAnnotationPlace(revision.file, revision.range)
  if (revision && !place) lines.push(toPlaceText(revision.file, revision.range.start))
  return { level: annotationLevel, message: lines.join('\n'), title: `${describeLevel(change)}: ${code}`, place }
}

/** The operation, message, affected operations, acceptance and hint, as escaped lines. */
function describeChange(change: Change): string[] {
  const operation = nameOperation(change)
  return [`${operation === undefined ? '' : `${escapeText(operation)}: `}${escapeText(change.message)}`, ...listFacts(change)]
}

/**
 * The output of `changes --format json`. The shape is stable: fields are only ever added.
 *
 * Accepted changes are listed and counted with their level, like all others.
 */
export interface ChangesJson
  extends Pick<Comparison, 'base' | 'revision' | 'clients'>,
    Readonly<Record<Change['level'], number>> {
  readonly version: 1
  readonly changes: readonly ChangeJson[]
  /** The operations with parts that cannot be read in one of the versions. Absent if there are none. */
  readonly incomplete?: readonly ChangedOperation[]
  /** The number of errors of each version, with which `changes` can be incomplete. Absent if there are none. */
  readonly errors?: DocumentComparison['errors']
}

export interface ChangeJson
  extends Pick<
    Change,
    'code' | 'level' | 'method' | 'path' | 'operations' | 'subject' | 'message' | 'hint' | 'fingerprint' | 'clients'
  > {
  /** Present if `operations` is shortened, because the lists of all changes together are too long. */
  readonly shortened?: true
  readonly base: PlaceJson | null
  readonly revision: PlaceJson | null
}

/** Lines and columns start at 1. Columns are in UTF-16 units. */
interface PlaceJson {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly pointer: string
}

/** A comparison in the stable JSON shape. */
export function toChangesJson({ base, revision, changes, clients }: Comparison, document?: Doubts): ChangesJson {
  const listed = listChanges(changes, startBudget('operations'))
  return {
    version: 1,
    base,
    revision,
    ...countLevels(changes),
    changes: listed,
    ...(clients && { clients }),
    ...toDoubts(document),
  }
}

/** Why the changes of a document can be incomplete. */
type Doubts = Pick<DocumentComparison, 'incomplete' | 'errors'>

function toDoubts({ incomplete, errors }: Partial<Doubts> = {}): Pick<ChangesJson, 'incomplete' | 'errors'> {
  return { ...(incomplete && { incomplete }), ...(errors && errors.base + errors.revision > 0 && { errors }) }
}

function countLevels(changes: readonly Change[]): Pick<ChangesJson, Change['level']> {
  const count = (level: Change['level']) => changes.filter((change) => change.level === level).length
  return { breaking: count('breaking'), risky: count('risky'), compatible: count('compatible') }
}

/** The output of `changes --format json` for directories. The shape is stable: fields are only ever added. */
interface DirectoryChangesJson extends Pick<ChangesJson, 'version' | Change['level']> {
  /** All documents, also those without changes, sorted by path. */
  readonly documents: readonly DocumentChangesJson[]
}

interface DocumentChangesJson extends Pick<ChangesJson, 'changes' | 'clients' | 'incomplete' | 'errors' | Change['level']> {
  /** The path in the revision if the document exists there. */
  readonly document: string
  /** `unreadable`: a version cannot be read as OpenAPI, so there are no changes. */
  readonly kind: DocumentComparison['kind'] | 'unreadable'
  /** `null` for a document that was added or is unreadable. */
  readonly base: Comparison['base'] | null
  /** `null` for a document that was removed or is unreadable. */
  readonly revision: Comparison['revision'] | null
}

/** The comparison of directories in the stable JSON shape. */
export function toDirectoryChangesJson(documents: readonly DocumentComparison[]): DirectoryChangesJson {
  const budget = startBudget('operations')
  return {
    version: 1,
    ...countLevels(documents.flatMap(({ comparison }) => comparison?.changes ?? [])),
    documents: documents.map((compared) => {
      const { document, kind, comparison } = compared
      const changes = comparison?.changes ?? []
      return {
        document,
        kind: comparison ? kind : 'unreadable',
        base: comparison && kind !== 'added' ? comparison.base : null,
        revision: comparison && kind !== 'removed' ? comparison.revision : null,
        ...countLevels(changes),
        changes: listChanges(changes, budget),
        ...(comparison?.clients && { clients: comparison.clients }),
        ...toDoubts(compared),
      }
    }),
  }
}

/** A change of a component lists each operation that uses it. With many of both, the lists would be far longer than the documents. */
function listChanges(changes: readonly Change[], budget: NodeBudget): ChangeJson[] {
  return changes.map((change) => {
    const count = change.operations.length
    const isWhole = count <= 1 || spendNodes(budget, count)
    return toChangeJson(change, isWhole ? change.operations : change.operations.slice(0, 1), isWhole)
  })
}

function toChangeJson(
  { code, level, method, path, subject, message, hint, base, revision, fingerprint, clients }: Change,
  operations: Change['operations'],
  isWhole: boolean,
): ChangeJson {
  return {
    code,
    level,
    method,
    path,
    operations,
    ...(isWhole ? {} : { shortened: true }),
    subject,
    message,
    ...(hint === undefined ? {} : { hint }),
    base: base && toPlaceJson(base),
    revision: revision && toPlaceJson(revision),
    fingerprint,
    ...(clients && { clients }),
  }
}

function toPlaceJson({ file, range, pointer }: LocatedPlace): PlaceJson {
  return { file, line: range.start.line, column: range.start.column, pointer }
}
