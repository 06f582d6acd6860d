import table from '../../texts/changes.json' with { type: 'json' }
import type { Finding } from '../diagnostics/diagnostic.ts'
import type { Api } from '../model/api.ts'
import { isObject, pointerChild } from '../text/json/json-values.ts'
import { parseSource } from '../text/parse-source.ts'
import { toOneLine } from '../text/plain/escape-text.ts'
import { listChoices } from '../text/plain/lists.ts'
import type { AllowedUrl } from '../text/plain/paths.ts'
import type { Range, SourceFile } from '../text/plain/source-file.ts'
import { suggest } from '../text/plain/suggest.ts'

/** The effect of a change on API clients: it breaks some of them, it may break some of them, or it breaks none. */
export type ChangeLevel = 'breaking' | 'risky' | 'compatible'

/** The levels, the most severe first. */
export const changeLevels: readonly ChangeLevel[] = ['breaking', 'risky', 'compatible']

/** The levels that a setting can give to a code. `off` leaves out the changes with the code. */
export const levelSettings: readonly (ChangeLevel | 'off')[] = [...changeLevels, 'off']

/** Orders changes by level, the most severe first. */
export function compareLevels(a: { readonly level: ChangeLevel }, b: { readonly level: ChangeLevel }): number {
  return changeLevels.indexOf(a.level) - changeLevels.indexOf(b.level)
}

type Attention = Pick<Change, 'level'> & { readonly accepted?: object }

/** Sorts changes that need no attention last: accepted ones, then compatible ones. */
export function compareAttention(a: Attention, b: Attention): number {
  const needed = ({ level, accepted }: Attention) => level !== 'compatible' && !accepted
  return Number(needed(b)) - Number(needed(a)) || compareLevels(a, b)
}

/** The default levels of a code: one for all, or one for data in requests and one for data in responses. */
type Levels = ChangeLevel | { readonly request: ChangeLevel; readonly response: ChangeLevel }

interface CodeRow {
  readonly level: Levels
  /** Short title for headings and lists. */
  readonly title: string
  /** Whom it breaks, or why it breaks no client. Sentences in Markdown for `docs/change-codes.md`. */
  readonly why: string
  /** How to make the change without breaking clients, in the imperative and without a final full stop. */
  readonly instead?: string
}

/** The stable name of a kind of change. All codes are in `texts/changes.json`. */
export type ChangeCode = keyof typeof table

/**
 * All codes of changes with their default levels, in the order of the documentation.
 *
 * The data that a client sends may only widen, and the data that it receives may only narrow.
 */
export const changeCodes = table as { readonly [code in ChangeCode]: CodeRow }

/** Whether a string is the code of a change. */
export function isChangeCode(text: string): text is ChangeCode {
  return Object.hasOwn(changeCodes, text)
}

/** The default level of a code for data that clients send (`request`) or receive (`response`). */
export function defaultLevel(code: ChangeCode, direction: 'request' | 'response'): ChangeLevel {
  const { level } = changeCodes[code]
  return typeof level === 'string' ? level : level[direction]
}

/** How to make a change with a code without breaking clients, if there is a way. */
export function findCompatibleWay(code: ChangeCode): string | undefined {
  return changeCodes[code].instead
}

/** The URL of a code's documentation. */
export function changeUrl(code: ChangeCode): AllowedUrl {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#${code}` as AllowedUrl
}

/** What a change concerns: data that is sent, data that is returned, an operation as a whole, or the document. */
export type ChangeSubject = 'request' | 'response' | 'operation' | 'document'

/** An operation by method (lower case) and path. A webhook has the path `webhook:<name>`. */
export interface ChangedOperation {
  readonly method: string
  readonly path: string
}

/** A location in one of the two descriptions. */
export type ChangePlace = Pick<Finding, 'file' | 'pointer' | 'on'>

/** A location with its lines and columns. */
export interface LocatedPlace extends ChangePlace {
  readonly range: Range
}

interface ChangeOf<At extends ChangePlace> {
  /** Stable. Documented in `docs/change-codes.md`. */
  readonly code: ChangeCode
  readonly level: ChangeLevel
  /** The operation in the spelling of the base, or `null` for a change of a component or of the document. */
  readonly method: string | null
  readonly path: string | null
  /** Every operation that the change affects, in the spelling of the base. Empty for a change of the document. */
  readonly operations: readonly ChangedOperation[]
  readonly subject: ChangeSubject
  /** One sentence without a final full stop; names in backticks. */
  readonly message: string
  /** How to make the change without breaking clients, in the imperative and without a final full stop. */
  readonly hint?: string
  /** `null` for something that was added. */
  readonly base: At | null
  /** `null` for something that was removed. */
  readonly revision: At | null
  /**
   * Identifies the change in a list of accepted changes: 16 hexadecimal digits. It depends on the names and values in the message, and not
   * on files, lines, the other words of the message, levels, or the operations that use a component.
   */
  readonly fingerprint: string
  /** Present if clients are recorded: what the change does to each of them. */
  readonly clients?: readonly ClientEffect[]
  /** Present if the team accepts the change; see `markAccepted`. It stays listed, but meets no threshold such as `--fail-on`. */
  readonly accepted?: ChangeAcceptance
}

/**
 * What a change does to a client, the worst first. `unused`: its recordings never saw the place, which is no promise. `unknown`: too much of its
 * recordings is not known.
 */
export const clientEffects = ['hurts', 'may-hurt', 'unknown', 'safe', 'unused'] as const

/** What a change does to a recorded client. */
export interface ClientEffect {
  readonly client: string
  readonly effect: (typeof clientEffects)[number]
  /** The operation with the worst effect; `null` if the client calls none that the change concerns. */
  readonly operation: ChangedOperation | null
  /** The JSON Pointer of the changed place in the base. */
  readonly place: string | null
  /** Completes "`checkout-web` …", without values: "sends `price`". */
  readonly why: string
}

/** Who accepts a change, and why. */
interface ChangeAcceptance {
  readonly reason: string
  readonly author: string
  /** Whether the revision adds the acceptance, so that both are reviewed together. */
  readonly isNew: boolean
}

/** One change with its places as pointers. */
export interface UnlocatedChange extends ChangeOf<ChangePlace> {
  /** Of a change of one value to another: what its fingerprint covers besides the values, for `findAcceptedSteps`. */
  readonly identity?: string
}

/** One change. Plain data. */
export interface Change extends ChangeOf<LocatedPlace> {
  /** For something that was removed: the nearest object around it that still exists in the revision. From `placeInRevision`. */
  readonly surrounding?: LocatedPlace
}

/** One of the two descriptions of a comparison. */
export interface ComparedDocument {
  /** Path of the entry document relative to the boundary, or its URL. */
  readonly document: string
  /** The `info.version`, or `''` without one. */
  readonly version: string
}

/** A client whose record the revision adds, removes, or makes smaller. */
export interface ComparedClient {
  readonly client: string
  readonly state: 'added' | 'removed' | 'narrowed'
}

interface ComparisonOf<One extends ChangeOf<ChangePlace>> {
  readonly base: ComparedDocument
  readonly revision: ComparedDocument
  /**
   * Breaking changes first, then risky and compatible ones. Within a level: changes of the document, then in the order of the first
   * affected operation.
   */
  readonly changes: readonly One[]
  /** Absent if the revision changes the record of no client. */
  readonly clients?: readonly ComparedClient[]
}

/** The result of `compare`. `locateChanges` adds lines and columns. */
export type UnlocatedComparison = ComparisonOf<UnlocatedChange>

/** The changes between two descriptions. Plain data. */
export type Comparison = ComparisonOf<Change>

/** The changes of one document of a docs directory. Plain data. */
export interface DocumentComparison {
  /** The path of the entry document relative to the boundary, in the revision if it exists there. */
  readonly document: string
  /** `added` and `removed`: the document exists in one version only, and all its operations are changes. */
  readonly kind: 'compared' | 'added' | 'removed'
  /** Absent if a version cannot be read as OpenAPI. */
  readonly comparison: Comparison | undefined
  /** The number of errors of each version. With errors, the changes can be incomplete. */
  readonly errors: { readonly base: number; readonly revision: number }
  /** The operations with parts that cannot be read in one of the versions, so that these parts are not compared. Default: none. */
  readonly incomplete?: readonly ChangedOperation[]
}

/** A description that can be compared; see `toComparable`. */
export type ComparableDescription = Api

/** The values of `x-stability-level`, lowest first. */
export const stabilityLevels = ['draft', 'alpha', 'beta', 'stable'] as const
export type StabilityLevel = (typeof stabilityLevels)[number]

export interface CompareOptions {
  /** The current date, `YYYY-MM-DD` in UTC, for the grace periods of deprecated operations, parameters and properties. */
  readonly today: string
  /** Levels by code. `off` leaves out changes with the code. */
  readonly levels?: { readonly [code in ChangeCode]?: ChangeLevel | 'off' }
  /** Operations below this level are not compared. Default: `beta`. */
  readonly stability?: StabilityLevel
  /** The shortest time between a deprecation and its `x-sunset`, in days. `0` (default) requires no date. */
  readonly deprecationDays?: { readonly beta: number; readonly stable: number }
  /** Beginnings of paths without parameters, such as `/v1`, that do not count when operations are matched. */
  readonly ignoredPrefixes?: readonly string[]
}

/** The values of `--fail-on` and of `changes.failOn`. */
export const changeThresholds = ['breaking', 'risky', 'any', 'client', 'client-unknown', 'never'] as const

/**
 * The least severe level of changes that fail: `risky` includes breaking changes. `client`: those that break a recorded client; `client-unknown`: also
 * those that may.
 */
export type ChangeThreshold = (typeof changeThresholds)[number]

/** One threshold or several. */
export type ChangeThresholds = ChangeThreshold | readonly ChangeThreshold[]

/** Whether a change is at least as severe as one of the thresholds. Accepted changes are not. */
export function meetsThreshold(
  { level, accepted, clients = [] }: Pick<Change, 'level' | 'accepted' | 'clients'>,
  thresholds: ChangeThresholds,
): boolean {
  if (accepted) return false
  const isHurt = (effects: readonly ClientEffect['effect'][]) =>
    level !== 'compatible' && clients.some(({ effect }) => effects.includes(effect))
  return [thresholds].flat().some((threshold) => {
    if (threshold === 'client') return isHurt(['hurts'])
    if (threshold === 'client-unknown') return isHurt(['hurts', 'may-hurt', 'unknown'])
    return threshold === 'any' || (threshold !== 'never' && level === 'breaking') || (threshold === 'risky' && level === 'risky')
  })
}

/** The number of changes by level without the accepted ones, and the number of those. */
export type ChangeCounts = Readonly<Record<ChangeLevel | 'accepted', number>>

/** Counts changes by level. Accepted changes are counted separately. */
export function countChanges(changes: readonly (Pick<Change, 'level'> & { readonly accepted?: object })[]): ChangeCounts {
  const counts = { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  for (const { level, accepted } of changes) counts[accepted ? 'accepted' : level]++
  return counts
}

/** Identifies an operation in one version of a description. */
export function toChangedKey({ method, path }: ChangedOperation): string {
  return `${method} ${path}`
}

/** A path without the names of its parameters. A trailing slash makes a difference. */
export function toPathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}')
}

/** The name of the file with accepted changes, in the docs directory or beside the configuration file. */
export const acceptedFileName = 'openapi-pages.accepted.yaml'

/** The largest file with accepted changes, in bytes. */
export const maxAcceptedFileBytes = 1024 * 1024

/** An entry of the file: a change that the team accepts. */
export interface AcceptedChange extends Pick<Change, 'fingerprint' | 'message'> {
  /** The code of the change. It must match, so that an entry cannot claim to be about something else. */
  readonly code: string
  /** The operation, such as `GET /pets`, for people. */
  readonly operation?: string
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

/** `accepted by Ada: The last client moved in March`, on one line. Without the person if the author is empty. The text is not escaped. */
export function describeAcceptance({ accepted }: Pick<Change, 'accepted'>): string | undefined {
  if (!accepted) return undefined
  const isNew = accepted.isNew ? ' (new in this revision)' : ''
  const by = accepted.author === '' ? '' : ` by ${accepted.author}`
  return toOneLine(`accepted${by}${isNew}: ${accepted.reason.trim()}`)
}
