import { countFindings, type Diagnostic, type FindingCounts, formatCount, formatCounts } from '../diagnostics/diagnostic.ts'
import { maskSecrets } from '../text/plain/escape-text.ts'

/** A `queued` record can only end as `failure`, because it did not run. */
export type UpdateEnd<Update extends OpenUpdate> = {
  readonly status: Update['status'] extends 'in_progress' ? 'success' | 'failure' : 'failure'
  /** One human-readable line. Longer text is cut. */
  readonly summary: string
  /** ISO 8601, UTC, milliseconds. A time before `createdAt` (after the clock was set back) becomes `createdAt`. */
  readonly endedAt: string
  /** Last lines of the log. */
  readonly logs?: readonly string[]
}

interface QueueUpdateOptions
  extends UpdateAuthor,
    Pick<UpdateFields, 'projectId' | 'subdomain' | 'createdAt' | 'commit' | 'source'> {
  /** From `nextUpdateId`. */
  readonly id: string
  /** First lines of the log, such as "GitHub truncated the list of files". */
  readonly logs?: readonly string[]
}

/**
 * Creates a record in the state `queued`.
 *
 * @throws {Error} when the ID is not a UUIDv7, the time is not ISO 8601 in UTC with milliseconds, or the SHA is not 40
 * hexadecimal digits.
 */
export function queueUpdate(options: QueueUpdateOptions): QueuedUpdate {
  const { id, projectId, subdomain, createdAt, author, authorInfo, commit, source } = options
  if (!isUpdateId(id)) throw new Error(`Cannot queue an update: unexpected id \`${id}\`, expected a UUIDv7`)
  if (!isTime(createdAt)) throw new Error(`Cannot queue an update: unexpected time \`${createdAt}\`, expected ISO 8601 in UTC`)
  if (!/^[0-9a-f]{40}$/.test(commit.sha)) throw new Error(`Cannot queue an update: unexpected sha \`${commit.sha}\``)
  return {
    _id: id,
    projectId,
    createdAt,
    status: 'queued',
    summary: '',
    logs: options.logs ? toBoundedLogs([], options.logs) : [],
    subdomain,
    author,
    ...(authorInfo && { authorInfo }),
    commit,
    source,
  }
}

/**
 * `queued` → `in_progress`.
 *
 * @param summary One line about the current step.
 * @throws {Error} when the record is not queued, whatever its type claims.
 */
export function startUpdate(update: QueuedUpdate, summary: string): RunningUpdate {
  // Widened: a record from the store may come from another version.
  const status: string = update.status
  if (status !== 'queued') throw new Error(`Cannot start update \`${update._id}\`: it is \`${status}\`, expected \`queued\``)
  return { ...update, status: 'in_progress', summary }
}

/** Maximum number of characters of a summary. */
export const summaryCharacters = 300

/**
 * `in_progress` → `success` or `failure`, `queued` → `failure`. The result never changes again.
 *
 * @throws {Error} when the record has ended, a queued record would end as `success`, or `endedAt` is not a valid time.
 */
export function finishUpdate<Update extends OpenUpdate>(update: Update, end: UpdateEnd<Update>): EndedUpdate {
  // Widened: a record from the store may come from another version.
  const from: string = update.status
  const allowed: readonly string[] = from === 'in_progress' ? ['success', 'failure'] : from === 'queued' ? ['failure'] : []
  if (!allowed.includes(end.status))
    throw new Error(`Cannot end update \`${update._id}\` as \`${end.status}\`: it is \`${from}\``)
  if (!isTime(end.endedAt)) throw new Error(`Cannot end update \`${update._id}\`: unexpected time \`${end.endedAt}\``)
  const logs = end.logs?.length ? toBoundedLogs(update.logs, end.logs) : update.logs
  const wasSetBack = end.endedAt < update.createdAt
  const endedAt = wasSetBack ? update.createdAt : end.endedAt
  return { ...update, status: end.status, summary: toSummary(end.summary), logs, endedAt }
}

/** The text as the one line of a summary, with masked secrets. */
export function toSummary(text: string): string {
  const line = toVisibleText(
    maskSecrets(text.slice(0, 10 * summaryCharacters))
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return line.length > summaryCharacters ? `${line.slice(0, summaryCharacters - 1)}…` : line
}

/** Limits of a record's `logs`, including the line that counts dropped lines. */
export const logLimits = { lines: 500, bytes: 64 * 1024, lineCharacters: 2_000 } as const

/**
 * Adds lines to the logs of a record that has not ended.
 *
 * Secrets are masked, text with line breaks becomes several lines, control characters are written as `\u001b`, and a line over
 * `logLimits.lineCharacters` is cut. Over the limits, the first lines are kept, and the last line counts the dropped ones.
 */
export function appendLogs<Update extends OpenUpdate>(update: Update, lines: readonly string[]): Update {
  if (lines.length === 0) return update
  return { ...update, logs: toBoundedLogs(update.logs, lines) }
}

/** Adds lines to `logs` by the rules of `appendLogs`. */
export function toBoundedLogs(logs: readonly string[], added: readonly string[]): readonly string[] {
  // An empty list would become one empty line below.
  if (added.length === 0) return logs
  const lines = added.flatMap((text) => text.split(lineBreak))
  // Cut before any search, then joined, because a private key may span several lines.
  const shown = lines.slice(0, logLimits.lines).map((line) => line.slice(0, 4 * logLimits.lineCharacters))
  const cleaned = maskSecrets(shown.join('\n')).split(lineBreak).map(toSafeLine)
  const keptLines = [...logs]
  let dropped = droppedCount(keptLines.at(-1))
  if (dropped > 0) keptLines.pop()
  let bytes = keptLines.reduce((sum, line) => sum + sizeOf(line), 0)
  for (const line of cleaned) {
    const size = sizeOf(line)
    // Reserves one line for the count.
    if (dropped > 0 || keptLines.length >= logLimits.lines - 1 || bytes + size > logLimits.bytes - countLineBytes) {
      dropped += 1
    } else {
      keptLines.push(line)
      bytes += size
    }
  }
  dropped += lines.length - shown.length
  if (dropped > 0) keptLines.push(`… ${dropped} more ${dropped === 1 ? 'line was' : 'lines were'} dropped`)
  return keptLines
}

const countLineBytes = 64
const lineBreak = /\r\n|[\n\r\u2028\u2029]/

/** Size in UTF-8 bytes, with the line break. */
function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1
}

function droppedCount(line: string | undefined): number {
  const count = line && /^… (\d{1,15}) more lines? (?:was|were) dropped$/.exec(line)?.[1]
  return count ? Number(count) : 0
}

function toSafeLine(line: string): string {
  const visible = toVisibleText(line)
  const cut = visible.length > logLimits.lineCharacters ? `${visible.slice(0, logLimits.lineCharacters - 1)}…` : visible
  // An input line that looks like the count must not be counted.
  return droppedCount(cut) > 0 ? `.${cut}` : cut
}

/** Writes control characters, direction controls and lone surrogates as `\uXXXX`. Keeps tabs. */
export function toVisibleText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The smallest ID of a time: the first 48 bits of a UUIDv7 are its time. @param timeMs Milliseconds since 1970. */
export function toFirstId(timeMs: number): string {
  const time = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Number of random bytes per ID. */
export const updateIdRandomBytes = 10

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text has the form of an update ID: a lower-case UUID of version 7. */
export function isUpdateId(text: string): boolean {
  return pattern.test(text)
}

/**
 * Creates a UUIDv7 from a time and random bytes, greater than the previous one.
 *
 * If the clock has not advanced, the ID is the previous one plus one, so that IDs sort by creation (RFC 9562, section 6.2).
 *
 * @param timeMs Milliseconds since 1970.
 * @param random At least `updateIdRandomBytes` bytes.
 */
export function nextUpdateId(previous: string | undefined, timeMs: number, random: Uint8Array): string {
  const time = Math.floor(timeMs).toString(16).padStart(12, '0')
  const bits = [...random.subarray(0, updateIdRandomBytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (bits.length < 2 * updateIdRandomBytes) throw new Error(`Cannot create an ID: expected ${updateIdRandomBytes} random bytes`)
  const id = format(BigInt(`0x${time}`), BigInt(`0x${bits}`) & randomMask)
  if (previous === undefined || id > previous) return id
  const hex = previous.replaceAll('-', '')
  const [previousTime, previousRandom] = [BigInt(`0x${hex.slice(0, 12)}`), toRandom(hex)]
  return previousRandom < randomMask ? format(previousTime, previousRandom + 1n) : format(previousTime + 1n, 0n)
}

/** 12 bits after the version and 62 after the variant. */
const randomMask = (1n << 74n) - 1n

function toRandom(hex: string): bigint {
  return (BigInt(`0x${hex.slice(13, 16)}`) << 62n) | (BigInt(`0x${hex.slice(16)}`) & ((1n << 62n) - 1n))
}

function format(time: bigint, random: bigint): string {
  const high = (random >> 62n).toString(16).padStart(3, '0')
  const low = ((random & ((1n << 62n) - 1n)) | (1n << 63n)).toString(16).padStart(16, '0')
  const start = time.toString(16).padStart(12, '0')
  return `${start.slice(0, 8)}-${start.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}`
}

/** Whether a text has the time format of records: `2026-11-20T07:15:03.120Z`. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

/**
 * Combines the changes of the commits of a push into its net changes.
 *
 * Added and removed again is no change, removed and added again is modified, added and then modified is added. A path in several
 * lists of one commit counts as removed, then added, then modified.
 *
 * @param commits Oldest first, as in the webhook `push`.
 */
export function foldFilesChanged(commits: readonly FilesChanged[]): FilesChanged {
  const files = new Map<string, { readonly existedBefore: boolean; readonly existsNow: boolean }>()
  const touch = (path: string, existed: boolean, existsNow: boolean) => {
    files.set(path, { existedBefore: files.get(path)?.existedBefore ?? existed, existsNow })
  }
  for (const commit of commits) {
    for (const path of commit.removed) touch(path, true, false)
    for (const path of commit.added) touch(path, false, true)
    for (const path of commit.modified) touch(path, true, true)
  }
  const changed = { added: [] as string[], modified: [] as string[], removed: [] as string[] }
  for (const [path, { existedBefore, existsNow }] of files) {
    if (existsNow) changed[existedBefore ? 'modified' : 'added'].push(path)
    else if (existedBefore) changed.removed.push(path)
  }
  // The default order of `sort` is by UTF-16 units.
  for (const paths of [changed.added, changed.modified, changed.removed]) paths.sort().splice(listedFiles)
  return changed
}

/** The longest list of changed files in a record. */
export const listedFiles = 20_000

/** The summary of a successful record: `Valid: 3 documents, 214 operations. 2 pages would change.` */
export function toValidSummary(counts: {
  readonly documents: number
  readonly operations: number
  readonly problems?: FindingCounts
  /** Pages that `update` would add, change or remove; absent for a check without pages. */
  readonly pages?: number
  /** Whether `update` has written them. */
  readonly isWritten?: boolean
  /** What errors stop, see `describeStopped`. */
  readonly stopped?: string | undefined
}): string {
  const { documents, operations, problems, pages, isWritten = false, stopped } = counts
  const found = problems && problems.warnings + problems.infos > 0 ? `, ${formatCounts(problems)}` : ''
  const without = stopped === undefined ? '' : ` ${stopped}.`
  const valid = `Valid: ${formatCount(documents, 'document')}, ${formatCount(operations, 'operation')}${found}.${without}`
  if (pages === undefined || (pages === 0 && without !== '')) return valid
  if (pages === 0) return `${valid} All pages are up to date.`
  return `${valid} ${formatCount(pages, 'page')} ${isWritten ? 'changed' : 'would change'}.`
}

/**
 * The summary of a record with document errors: the counts of all problems, their location and the first error.
 *
 * @param diagnostics Sorted by location, with at least one error.
 */
export function toFailedSummary(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({ severity }) => severity === 'error')
  if (!first) throw new Error('Cannot summarize a failure without an error')
  const files = new Set(diagnostics.map(({ file }) => file))
  const place = `${first.range.start.line}:${first.range.start.column}`
  const where = files.size === 1 ? first.file : `${files.size} files`
  const at = files.size === 1 ? place : `${first.file}:${place}`
  return `Failed: ${formatCounts(countFindings(diagnostics))} in ${where} (first error at ${at}: ${first.message}).`
}

/** The summary of a run that failed for a reason other than its documents: `Failed: <reason>.` */
export function toBrokenSummary(reason: string): string {
  return `Failed: ${reason.replace(/(?<!\.)\.+$/, '')}.`
}

/** The summary of a run that was lost too often. `lastSeenAt` is ISO 8601. */
export function toLostSummary(times: number, lastSeenAt: string): string {
  const often = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`
  return `Failed: the worker stopped responding ${often}, and the run was not retried (last heartbeat at ${lastSeenAt}).`
}

const notRun = 'Not run'

/** Whether a summary is one of those below: the update ended without a run. Records contain no other sign of it. */
export function isNotRunSummary(summary: string): boolean {
  return summary.startsWith(notRun)
}

/** The summary of an update that was superseded by a newer one of its branch. `sha` is the newest commit. */
export function toSupersededSummary(sha: string): string {
  return `${notRun}: superseded by ${sha.slice(0, 7)}.`
}

/** The summary of an update over the queue limit of its installation. */
export function toQueueFullSummary(most: number): string {
  return `${notRun}: more than ${most.toLocaleString('en-US')} updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).`
}

/** The states of an update. It only moves from left to right, and the two final states never change. */
export const updateStates = ['queued', 'in_progress', 'success', 'failure'] as const

export type UpdateState = (typeof updateStates)[number]

/**
 * What started an update: a webhook, a report of the Action, the HTTP API, a click in the dashboard, or the app itself (retry,
 * re-run, catch-up).
 */
export const updateSources = ['github-app-installation', 'github', 'api', 'dashboard', 'internal'] as const

export type UpdateSource = (typeof updateSources)[number]

/** The net changes of a push. Each list is sorted by UTF-16 units, without duplicates, and no path is in two lists. */
export interface FilesChanged {
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

/** The commit an update is about. */
export interface UpdateCommit {
  /** 40 hexadecimal digits, lower case. */
  readonly sha: string
  /** Full ref, such as `refs/heads/main`. */
  readonly ref: string
  readonly message: string
  readonly filesChanged: FilesChanged
}

/** A commit's author, with what GitHub's payload or API says about the person. */
interface AuthorInfo {
  /** The name in the commit, otherwise the GitHub login. */
  readonly name: string
  /** Absent if GitHub knows no account for the commit. */
  readonly avatarUrl?: string
  /** GitHub's ID, which stays the same after a rename. */
  readonly githubUserId?: number
}

/** The author of an update, in the two fields of its record. */
export interface UpdateAuthor {
  /** The GitHub login, otherwise the name of the commit's author. */
  readonly author: string
  /** Absent in reports of the Action. */
  readonly authorInfo?: AuthorInfo
}

interface UpdateFields extends UpdateAuthor {
  /** UUIDv7 text; sorts by creation. */
  readonly _id: string
  /** `prj_…`. */
  readonly projectId: string
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
  /** One human-readable line; `''` while queued. */
  readonly summary: string
  /** In the order they were written. Limited and masked by `appendLogs`. */
  readonly logs: readonly string[]
  /** Subdomain of the project when the record was created. */
  readonly subdomain: string
  /** Absolute URL, equal to `screenshotLight`; absent until taken. */
  readonly screenshot?: string
  readonly screenshotLight?: string
  readonly screenshotDark?: string
  readonly commit: UpdateCommit
  readonly source: UpdateSource
}

/** Waiting for its turn. */
export interface QueuedUpdate extends UpdateFields {
  readonly status: 'queued'
  readonly summary: ''
  readonly endedAt?: never
}

/** Running, or waiting for the next attempt after a lost run. */
export interface RunningUpdate extends UpdateFields {
  readonly status: 'in_progress'
  readonly endedAt?: never
}

/** Final. */
export interface EndedUpdate extends UpdateFields {
  readonly status: 'success' | 'failure'
  /** ISO 8601, UTC, milliseconds; never before `createdAt`. */
  readonly endedAt: string
}

export type OpenUpdate = QueuedUpdate | RunningUpdate

/**
 * The update status record, exactly as the HTTP API returns it: plain JSON without additional fields.
 *
 * Created and changed only by `queueUpdate`, `startUpdate`, `appendLogs` and `finishUpdate`.
 */
export type UpdateStatus = OpenUpdate | EndedUpdate

/** Readers with a site of their own: those in one of the groups. */
export interface SiteAudience {
  readonly name: string
  readonly groups: readonly string[]
}

/** One docs directory of one repository. */
export interface Project {
  /** `prj_` and 24 hexadecimal digits. Independent of GitHub's IDs. */
  readonly id: string
  /** Absent if no installation of the app has access to the repository (reports of the Action only). */
  readonly installationId?: number
  /** GitHub's ID. Stays the same after a rename or transfer. */
  readonly repositoryId: number
  readonly owner: string
  readonly repo: string
  /** The docs directory relative to the repository with `/`, `''` for the repository itself. Unique per repository. */
  readonly root: string
  /** Whether the directory has a `docs.json`. Without one, the project's checks only validate. */
  readonly hasDocsConfig: boolean
  /** Branch name without `refs/heads/`. */
  readonly defaultBranch: string
  readonly private: boolean
  /** DNS label, unique among all projects. */
  readonly subdomain: string
  /**
   * Who may read the site of a private repository: users with read access to it, or everyone. The site of a public repository is
   * public.
   */
  readonly siteAccess: 'repository' | 'public'
  /** The OpenID Connect issuers whose people may read the site, by their names in the settings of the server. Absent: none. */
  readonly issuers?: readonly string[]
  /** If false, pushes create no records. Set by `openapi-pages-app project set`. */
  readonly enabled: boolean
  /** Number of previews to keep, 0 for none. Absent: the limit of the server, which is also the maximum. */
  readonly maxPreviews?: number
  /** Number of days to keep a preview. Absent: the limit of the server, which is also the maximum. */
  readonly previewDays?: number
  /** Those in the configuration of the default branch. A reader gets the site of the first with one of their groups. Absent: there are none. */
  readonly audiences?: readonly SiteAudience[]
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
}
