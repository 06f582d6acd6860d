import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, pointerChild } from '../text/json/json-values.ts'
import { parseSource } from '../text/parse-source.ts'
import { toOneLine } from '../text/plain/escape-text.ts'
import { listChoices } from '../text/plain/lists.ts'
import type { SourceFile } from '../text/plain/source-file.ts'
import { suggest } from '../text/plain/suggest.ts'
import type { Change } from './change.ts'

/** The name of the file with accepted changes, in the docs directory or beside the configuration file. */
export const acceptedFileName = 'openapi-pages.accepted.yaml'

/** The largest file with accepted changes, in bytes. */
export const maxAcceptedFileBytes = 1024 * 1024

/** An entry of the file: a change that the team accepts. */
export interface AcceptedChange {
  /** See `Change.fingerprint`. */
  readonly fingerprint: string
  /** The code of the change. It must match, so that an entry cannot claim to be about something else. */
  readonly code: string
  /** The operation, such as `GET /pets`, for people. */
  readonly operation?: string
  /** The message of the change, for people. */
  readonly message: string
  /** The entry document relative to the file, or its URL. Without it, the entry is for all documents. */
  readonly document?: string
  readonly reason: string
  readonly author: string
  /** `YYYY-MM-DD`. */
  readonly date: string
}

/** The fields in the order in which they are written, with the length of the longest value. */
export const acceptedFields = {
  fingerprint: 16,
  code: 100,
  operation: 10_000,
  message: 10_000,
  document: 10_000,
  reason: 1_000,
  author: 200,
  date: 10,
} as const satisfies { readonly [field in keyof AcceptedChange]-?: number }

type Field = keyof typeof acceptedFields

const fields = Object.keys(acceptedFields) as Field[] // The keys of an object literal.
const optionalFields: readonly Field[] = ['operation', 'document']

const patterns: { readonly [field in Field]?: { readonly pattern: RegExp; readonly expected: string } } = {
  fingerprint: { pattern: /^[0-9a-f]{16}$/, expected: '16 hexadecimal digits in quotes' },
  date: { pattern: /^\d{4}-\d\d-\d\d$/, expected: 'a date such as `2026-03-01`' },
}

/**
 * Parses the file with accepted changes (YAML or JSON): a list of entries.
 *
 * With any problem there are no entries, so that a damaged file never accepts a change. All problems are errors.
 */
export async function parseAcceptedChanges(
  source: SourceFile,
): Promise<{ readonly entries: readonly AcceptedChange[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report = (finding: Omit<Finding, 'file'>) => findings.push({ ...finding, file: source.path })
  const { value, faults } = await parseSource(source)
  for (const { related: _, ...fault } of faults) if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  if (findings.length > 0 || value === undefined || value === null) return { entries: [], findings }
  if (!Array.isArray(value)) {
    const hint = 'Begin each entry with a dash. `openapi-pages accept` writes entries'
    report({
      code: 'wrong-type',
      message: 'Unexpected content of the file with accepted changes, expected a list',
      pointer: '',
      hint,
    })
    return { entries: [], findings }
  }
  const entries = value.flatMap((entry: unknown, index) => readEntry(entry, pointerChild('', String(index)), report) ?? [])
  return { entries: findings.length === 0 ? entries : [], findings }
}

function readEntry(
  entry: unknown,
  pointer: string,
  report: (finding: Omit<Finding, 'file'>) => void,
): AcceptedChange | undefined {
  if (!isObject(entry)) {
    report({ code: 'wrong-type', message: 'Unexpected entry, expected a mapping with `fingerprint` and `reason`', pointer })
    return undefined
  }
  for (const key of Object.keys(entry).filter((name) => !fields.some((field) => field === name))) {
    const near = suggest(key, fields)
    const hint = near === undefined ? 'Use a comment for other information' : `Did you mean \`${near}\`?`
    const message = `Unexpected field \`${key}\`, expected ${listChoices(fields)}`
    report({ code: 'unknown-field', message, pointer: pointerChild(pointer, key), on: 'key', hint })
  }
  const read: { [field in Field]?: string } = {}
  for (const field of fields) {
    const value = entry[field]
    if (value === undefined) {
      if (!optionalFields.includes(field)) report({ code: 'missing-field', message: `Missing \`${field}\``, pointer })
      continue
    }
    const problem = findProblem(field, value)
    if (problem === undefined && typeof value === 'string') read[field] = value
    else report({ code: 'wrong-value', message: `Unexpected \`${field}\`: ${problem}`, pointer: pointerChild(pointer, field) })
  }
  const { fingerprint, code, message, reason, author, date, ...others } = read
  const required = [fingerprint, code, message, reason, author, date]
  if (!required.every((value) => value !== undefined)) return undefined
  return { ...others, fingerprint, code, message, reason, author, date } as AcceptedChange // All fields were checked above.
}

function findProblem(field: Field, value: unknown): string | undefined {
  const { pattern, expected } = patterns[field] ?? { pattern: /\S/, expected: 'text' }
  if (typeof value !== 'string' || !pattern.test(value)) return `expected ${expected}`
  const most = acceptedFields[field]
  return value.length > most ? `it has ${value.length} characters, expected at most ${most}` : undefined
}

/** The entries of both versions that concern one document. */
interface AcceptedEntries {
  /** The entries of the revision. */
  readonly revision: readonly AcceptedChange[]
  /** The entries of the base. Absent if they are unknown, so that no entry counts as new. */
  readonly base?: readonly AcceptedChange[] | undefined
  /** The entry document of the revision as the entries name it. */
  readonly document: string
}

/**
 * Marks the breaking and risky changes that an entry accepts. They stay listed.
 *
 * An entry matches by fingerprint, code and document. Compatible changes need no acceptance.
 */
export function markAccepted<One extends { readonly changes: readonly Change[] }>(
  comparison: One,
  entries: AcceptedEntries,
): One {
  if (entries.revision.length === 0) return comparison
  const accepted = createFindAccepted(entries.revision, entries.document)
  const known = entries.base && createFindAccepted(entries.base, entries.document)
  const mark = (change: Change): Change => {
    const entry = change.level === 'compatible' ? undefined : accepted(change)
    if (!entry) return change
    const { reason, author } = entry
    return { ...change, accepted: { reason, author, isNew: known !== undefined && known(change) === undefined } }
  }
  return { ...comparison, changes: comparison.changes.map(mark) }
}

/** What identifies a change in a list of accepted changes. */
type ChangeIdentity = Pick<Change, 'fingerprint' | 'code'>

/** Creates a function that finds the entry of a change in a document. */
export function createFindAccepted(
  entries: readonly AcceptedChange[],
  document: string,
): (change: ChangeIdentity) => AcceptedChange | undefined {
  const known = new Map<string, AcceptedChange>()
  for (const entry of entries) {
    const key = `${entry.fingerprint} ${entry.code}`
    // After a merge, a change can have two entries. The first counts.
    if ((entry.document ?? document) === document && !known.has(key)) known.set(key, entry)
  }
  return ({ fingerprint, code }) => known.get(`${fingerprint} ${code}`)
}

/** `breaking`, or `breaking, accepted`. */
export function describeLevel({ level, accepted }: Pick<Change, 'level'> & { readonly accepted?: object }): string {
  return accepted ? `${level}, accepted` : level
}

/** `accepted by Ada: The last client moved in March`, on one line. The text is not escaped. */
export function describeAcceptance({ accepted }: Pick<Change, 'accepted'>): string | undefined {
  if (!accepted) return undefined
  const isNew = accepted.isNew ? ' (new in this revision)' : ''
  return toOneLine(`accepted by ${accepted.author}${isNew}: ${accepted.reason.trim()}`)
}
