import {
  type ChangeCounts,
  type ChangedOperation,
  changeLevels,
  countChanges,
  toChangedKey,
  toPathShape,
} from '../../../changes/change.ts'
import { type Changelog, type ChangelogChange, type ChangelogEntry, unreleased } from '../../../changes/compare/changelog.ts'
import { toOneLine } from '../../../text/plain/escape-text.ts'
import { addTo, groupBy, onceFor } from '../../../text/plain/lists.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { PageSubjectRef } from '../../plan/types.ts'
import { claimId, toElementId } from '../element-ids.ts'

/** The newest version that changed an operation, webhook or schema. */
export interface LastChange {
  /** Whether the version added it. */
  readonly kind: 'added' | 'changed'
  readonly name: string
  /** The element ID of the version on the changelog page. */
  readonly id: string
  readonly changes: readonly ChangelogChange[]
}

/** Computed once per changelog, because every page of the API needs it. */
const indexOf = onceFor(indexChanges)

/** Finds the newest changes of a page's operation, webhook or schema. */
export function findLastChange(changelog: Changelog, subject: PageSubjectRef): LastChange | undefined {
  const key = toKey(subject)
  return key === undefined ? undefined : indexOf(changelog).get(key)
}

function toKey(subject: PageSubjectRef): string | undefined {
  if (subject.kind === 'schema') return `schema ${subject.name}`
  if (subject.kind === 'webhook') return `webhook:${subject.name}`
  return subject.kind === 'operation' ? toOperationKey(subject.target) : undefined
}

/** Identifies an operation whatever the names of its path parameters, from `GET /pets/{id}`. All methods of a webhook have the same key. */
export function toOperationKey(target: string): string {
  const space = target.indexOf(' ')
  const path = target.slice(space + 1)
  return path.startsWith('webhook:') ? path : `${target.slice(0, space).toLowerCase()} ${toPathShape(path)}`
}

function indexChanges({ entries }: Changelog): ReadonlyMap<string, LastChange> {
  const ids = toEntryIds(entries)
  const index = new Map<string, LastChange>()
  for (const entry of entries) {
    const found = new Map<string, ChangelogChange[]>()
    for (const change of entry.changes) {
      const operations = change.operations.map(({ method, path }) => toOperationKey(`${method} ${path}`))
      const keys = new Set([...operations, ...change.schemas.map((name) => `schema ${name}`)])
      for (const key of keys) addTo(found, key, change)
    }
    for (const [key, changes] of found) {
      if (index.has(key)) continue
      const kind = changes.some(({ code }) => code === 'operation-added' || code === 'webhook-added') ? 'added' : 'changed'
      index.set(key, { kind, name: entry.name, id: ids.get(entry) ?? '', changes })
    }
  }
  return index
}

/** The element ID of each version on the changelog page. */
function toEntryIds(entries: readonly ChangelogEntry[]): ReadonlyMap<ChangelogEntry, string> {
  const taken = new Set<string>()
  return new Map(entries.map((entry) => [entry, claimId(toElementId('version', entry.name), taken)]))
}

/** Such as `Changed in 2.4.0`. */
export function nameLastChange(
  { kind, name }: Pick<LastChange, 'kind' | 'name'>,
  { changelog: texts, language }: Messages,
): string {
  if (name === unreleased) return kind === 'added' ? texts.addedUnreleased : texts.changedUnreleased
  if (/^\d{4}-\d{2}-\d{2}/.test(name))
    return formatMessage(kind === 'added' ? texts.addedOn : texts.changedOn, { date: name }, language)
  return formatMessage(kind === 'added' ? texts.addedIn : texts.changedIn, { version: name }, language)
}

/** The name of a version. */
export function nameVersion({ name }: Pick<ChangelogEntry, 'name'>, { changelog: texts }: Messages): string {
  return name === unreleased ? texts.unreleased : name
}

/** Such as `breaking`, or `breaking, accepted`. */
export function nameLevel({ level, accepted }: ChangelogChange, { changelog: texts, language }: Messages): string {
  return accepted ? formatMessage(texts.levelAccepted, { level: texts[level] }, language) : texts[level]
}

/** Such as `3 breaking, 1 risky`. */
export function countLevels(counts: ChangeCounts, { changelog: texts, language }: Messages): string {
  return ([...changeLevels, 'accepted'] as const)
    .filter((level) => counts[level] > 0)
    .map((level) => formatMessage(texts.count, { count: counts[level], level: texts[level] }, language))
    .join(', ')
}

/** The most changes of a version, and of all versions, that are listed. */
const maxChanges = { ofVersion: 100, ofAll: 2_000 } as const

/** A version with the changes that are listed. */
export interface ListedEntry<Listed = ChangelogChange> {
  readonly entry: ChangelogEntry
  readonly id: string
  readonly listed: readonly Listed[]
  /** The number of changes that are not listed. */
  readonly left: number
}

/** Limits the changes of a changelog to what a page can show. Breaking changes come first in each version. */
export function listEntries(changelog: Pick<Changelog, 'entries'>): ListedEntry[] {
  return limitEntries(changelog, (changes) => changes)
}

/** The same with the changes of each version joined, see `joinChanges`. */
export function listRootEntries(changelog: Pick<Changelog, 'entries'>): ListedEntry<RootChange>[] {
  return limitEntries(changelog, joinChanges)
}

function limitEntries<Listed>(
  { entries }: Pick<Changelog, 'entries'>,
  listChanges: (changes: readonly ChangelogChange[]) => readonly Listed[],
): ListedEntry<Listed>[] {
  const ids = toEntryIds(entries)
  let left: number = maxChanges.ofAll
  return entries.map((entry) => {
    const all = listChanges(entry.changes)
    const listed = all.slice(0, Math.min(left, maxChanges.ofVersion))
    left -= listed.length
    return { entry, id: ids.get(entry) ?? '', listed, left: all.length - listed.length }
  })
}

/** One change of the API, with everything that it touches. */
export interface RootChange {
  /** The message, and for a single operation the operation. */
  readonly change: ChangelogChange
  /** One for each level, and for requests and responses if their levels differ. Starts with the one that needs most attention. */
  readonly parts: readonly ChangelogChange[]
  /** Every operation that the change touches, in the order of the changes. */
  readonly operations: readonly ChangedOperation[]
}

/**
 * Joins what readers see as one change: the same change of several operations, and that of a shared schema in requests and in responses. The changes of a
 * group of operations have the same level and reason.
 */
function joinChanges(changes: readonly ChangelogChange[]): RootChange[] {
  const groups = groupBy(changes, ({ message, operation, level, subject, accepted }) =>
    JSON.stringify(operation ? [message, level, subject, accepted?.reason] : [message]),
  )
  return Array.from(groups.values(), (group) => {
    const operations = new Map(group.flatMap((change) => change.operations).map((one) => [toChangedKey(one), one]))
    const parts = new Map(group.map((part) => [JSON.stringify([part.level, part.subject, part.accepted?.reason]), part]))
    // Groups are never empty.
    const [change] = group as [ChangelogChange]
    return { change, parts: [...parts.values()], operations: [...operations.values()] }
  })
}

/** Tells a change in requests from the same change in responses, which can have another level. `among` has both. */
export function nameDirection(
  change: ChangelogChange,
  among: readonly ChangelogChange[],
  { changelog: texts }: Messages,
): string {
  const { operation, subject, message } = change
  if (operation || !among.some((other) => other !== change && other.message === message)) return ''
  return subject === 'request' ? ` ${texts.inRequests}` : subject === 'response' ? ` ${texts.inResponses}` : ''
}

/** `Accepted: The last client moved`, on one line, for an accepted change. The text is not escaped. */
export function describeReason({ accepted }: ChangelogChange, { changelog, language }: Messages): string | undefined {
  return accepted && formatMessage(changelog.reason, { reason: toOneLine(accepted.reason.trim()) }, language)
}

/** What a version changed, in one line. */
export function describeEntry({ changes, isFirst }: Pick<ChangelogEntry, 'changes' | 'isFirst'>, messages: Messages): string {
  const texts = messages.changelog
  if (isFirst) return texts.first
  return changes.length === 0 ? texts.none : countLevels(countChanges(changes), messages)
}

/** The changes that a version does not list. */
export function describeRest(left: number, listed: number, { changelog: texts, language }: Messages): string {
  return formatMessage(listed === 0 ? texts.left : texts.moreLeft, { count: left }, language)
}
