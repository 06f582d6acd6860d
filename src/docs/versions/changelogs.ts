import { createHash } from 'node:crypto'
import type { ComparableDescription } from '../../changes/change.ts'
import {
  acceptInChangelog,
  type Changelog,
  type ChangelogEntry,
  type ChangelogStep,
  compareForChangelog,
  renameOperations,
  unreleased,
} from '../../changes/compare/changelog.ts'
import { toComparable, toComparedDocument } from '../../changes/compare/compare.ts'
import { checkDescription, type DescriptionCheck } from '../../checks/check-description.ts'
import type { Files } from '../../files/files.ts'
import type { Readers } from '../../openapi/public/restriction-marks.ts'
import type { FetchDocument } from '../../openapi/types.ts'
import { GitError, GitHubError } from '../../text/errors.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { lazy } from '../../text/plain/lists.ts'
import { isUrl, parentPath, relativePath } from '../../text/plain/paths.ts'
import { bytesOf, type SourceFile } from '../../text/plain/source-file.ts'
import type { ComparisonSettings, Config } from '../config/project-config.ts'
import { toLoadDocument, toOverlayOptions } from '../read/find-docs.ts'
import { type AcceptedFile, readAcceptedFile } from '../read/read-docs-directory.ts'
import type { CheckedDocument, RestrictedVersion } from '../types.ts'
import { selectVersionTags, type TaggedCommit, type VersionCommit } from './version-tags.ts'

/**
 * The history of a repository: a clone, or GitHub. Paths are relative to the boundary.
 *
 * All functions reject with a `GitError` or `GitHubError` if the history cannot be read.
 */
export interface ChangelogHistory {
  /** Lists all tags of commits. `isCut`: whether there are more. */
  listTags(): Promise<{ readonly tags: readonly TaggedCommit[]; readonly isCut: boolean }>
  /** Lists the commits of the branch that change files or folders, newest first, without those of merged branches. */
  listCommits(
    paths: readonly string[],
    limit: number,
  ): Promise<{ readonly commits: readonly Pick<VersionCommit, 'sha' | 'date'>[]; readonly isCut: boolean }>
  open(sha: string): Promise<Files>
  /** The path of a file in an older commit, if it was renamed since. `newer` is `undefined` for the current files. */
  findEarlierPath(path: string, older: string, newer: string | undefined): Promise<string | undefined>
  /** The page of a commit on the web, if known. */
  toUrl(sha: string): string | undefined
  /** Why the history can be incomplete, and how to complete it. */
  explainMissing?(): Promise<string | undefined>
}

interface ChangelogsOptions {
  readonly cache: ChangelogCache
  /** Receives problems, as one line each. A repeated problem is reported once. */
  readonly warn: (message: string) => void
  /** The time in milliseconds, to limit the comparisons. */
  readonly now: () => number
  readonly onProgress?: ((step: string) => void) | undefined
}

interface ChangelogSettings {
  readonly config: Pick<Config, 'changes' | 'limits' | 'site'>
  readonly accepted: AcceptedFile
  readonly root: string
  /** What a version restricts; `undefined` if that is not known. */
  readonly restrictedIn: (version: Files) => Promise<RestrictedVersion | undefined>
  /** Who reads the changelogs. Default: readers without a group. */
  readonly readers?: Readers | undefined
}

/** The most versions of a changelog: tags, or commits. */
const maxVersions = { tags: 50, commits: 200 } as const

/** The longest time for the comparisons of one site. The results are cached, so the next run compares more. */
export const maxChangelogMs = 60_000

/**
 * Creates the function that reads the changelogs of a site, by source. Documents at URLs have none. If the history cannot be read, a warning
 * says why, and changelogs have the versions that were read.
 */
export function createReadChangelogs(
  history: ChangelogHistory,
  { cache, warn, now, onProgress }: ChangelogsOptions,
): (documents: readonly CheckedDocument[], settings: ChangelogSettings) => Promise<ReadonlyMap<string, Changelog>> {
  return async (documents, { config: { changes, limits, site }, accepted, root, restrictedIn, readers }) => {
    const { changelog: from, tags: pattern, levels, stability, deprecationDays } = changes
    const changelogs = new Map<string, Changelog>()
    const local = documents.filter(({ path, description }) => !isUrl(path) && description !== undefined)
    if (from === 'off' || local.length === 0) return changelogs
    const endsAt = now() + maxChangelogMs
    let isOverTime = false
    const options = {
      settings: { levels, stability, deprecationDays },
      limits,
      accepted,
      cache,
      isOverTime: () => {
        isOverTime ||= now() > endsAt
        return isOverTime
      },
      onProgress,
      restrictedBy: [root, site.restricted, readers],
      restrictedIn,
    }
    const warned = new Set<string>()
    const warnOnce = (message: string) => {
      if (!warned.has(message)) warn(message)
      warned.add(message)
    }
    const list = from === 'tags' ? listTagged(history, pattern) : listChanging(history)
    for (const document of local) {
      let error: GitError | GitHubError | undefined
      const onError = (reason: unknown) => {
        if (!(reason instanceof GitError || reason instanceof GitHubError)) throw reason
        error = reason
      }
      const { versions, isCut } = await list(document).catch((reason: unknown) => {
        onError(reason)
        return { versions: [], isCut: false }
      })
      const missing = error ? undefined : await history.explainMissing?.()
      if (missing !== undefined) {
        const state = versions.length === 0 ? 'is empty' : 'lacks older versions'
        warnOnce(`The changelog of ${escapeText(document.path)} ${state}: ${missing}`)
      }
      if (missing === undefined && versions.length === 0 && !error) warnOnce(explainEmpty(document, from, pattern))
      const changelog = await readChangelog(document, { versions, isCut }, { ...options, onError })
      if (changelog) changelogs.set(document.source, changelog)
      if (error && !options.isOverTime()) {
        const reason = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`
        warnOnce(`Cannot read the history for the changelog: ${escapeText(toOneLine(reason))}`)
      }
    }
    if (isOverTime) {
      const limit = `${maxChangelogMs / 1000} seconds`
      warnOnce(`The changelog lacks older versions: comparing them takes more than ${limit}. The next build continues from here.`)
    }
    return changelogs
  }
}

/** `isCut`: whether there are older versions than those listed. */
type ListedVersions = { readonly versions: readonly FileVersion[]; readonly isCut: boolean }
type ListVersions = (document: CheckedDocument) => Promise<ListedVersions>

/** The tags are the same for all documents. */
function listTagged(history: ChangelogHistory, pattern: string | undefined): ListVersions {
  return lazy(async () => {
    const { tags, isCut } = await history.listTags()
    const all = selectVersionTags(tags, pattern)
    const versions = all.slice(0, maxVersions.tags).map((commit) => toVersion(history, commit))
    return { versions, isCut: isCut || all.length > versions.length }
  })
}

function listChanging(history: ChangelogHistory): ListVersions {
  return async ({ check }) => {
    const files = [...check.sources.keys()].filter((path) => !isUrl(path))
    const { commits, isCut } = await history.listCommits(files, maxVersions.commits)
    return { versions: commits.map((commit) => toVersion(history, { ...commit, name: undefined })), isCut }
  }
}

function toVersion(history: ChangelogHistory, { sha, name, date }: VersionCommit): FileVersion {
  return {
    sha,
    name,
    date,
    url: history.toUrl(sha),
    open: () => history.open(sha),
    findEarlierPath: (path, newer) => history.findEarlierPath(path, sha, newer?.sha),
  }
}

/** Why a complete history has no versions. */
function explainEmpty({ path }: CheckedDocument, from: 'tags' | 'commits', pattern: string | undefined): string {
  const noVersion =
    from === 'commits'
      ? 'no commit contains the document.'
      : `no tag matches \`${escapeText(pattern ?? 'v*')}\`. Create a tag, or set \`changes.tags\`.`
  return `The changelog of ${escapeText(path)} is empty: ${noVersion}`
}

/** An earlier version of the files, such as a tagged commit. */
interface FileVersion extends VersionCommit {
  /** See `ChangelogEntry.url`. */
  readonly url: string | undefined
  /** Opens the files. Paths are relative to the boundary. */
  open(): Promise<Files>
  /** The path of a file before it was renamed, if it was renamed between this version and a newer one. */
  findEarlierPath(path: string, newer: Pick<FileVersion, 'sha'> | undefined): Promise<string | undefined>
}

interface ChangelogOptions {
  readonly settings: ComparisonSettings
  readonly limits: Limits
  /** The file with accepted changes. Its entries apply to all versions, and those of a version to the changes of this version. */
  readonly accepted: Pick<AcceptedFile, 'path' | 'entries'>
  /** Identifies what `restrictedIn` depends on, besides the version. */
  readonly restrictedBy: unknown
  readonly restrictedIn: ChangelogSettings['restrictedIn']
  /** Comparisons of earlier runs. */
  readonly cache: ChangelogCache
  /** Whether to stop before the next comparison, because the time limit is reached. */
  readonly isOverTime: () => boolean
  /** Called before each comparison. */
  readonly onProgress?: ((step: string) => void) | undefined
  /** Called if the history cannot be read. The changelog then has the versions before. By default, the function rejects. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Stores comparisons by a key that identifies their input. */
export interface ChangelogCache {
  get(key: string): CachedStep | undefined
  set(key: string, step: CachedStep): void
}

/** The comparison of a version with an older one. */
export type CachedStep =
  | { readonly kind: 'same' }
  /** The older version has no such document. */
  | { readonly kind: 'missing' }
  /** The older version cannot be read as OpenAPI. */
  | { readonly kind: 'unreadable' }
  | (ChangelogStep & {
      readonly kind: 'compared'
      /** The path of the document in the older version. */
      readonly path: string
      readonly hidden: Hidden
      /** The `info.version` of both. */
      readonly versions: { readonly older: string; readonly newer: string }
    })

/**
 * Compares a document with its earlier versions, newest first. Each entry has the changes from one version to the next.
 *
 * A version without the document ends the list, and versions that cannot be read as OpenAPI are skipped. Returns `undefined` if the document
 * itself cannot be read. Reads no URLs.
 */
export async function readChangelog(
  document: Pick<CheckedDocument, 'path' | 'check'>,
  { versions, isCut }: ListedVersions,
  options: ChangelogOptions,
): Promise<Changelog | undefined> {
  let newer = toCurrent(document)
  if (!newer) return undefined
  const list = createEntryList(newer.infoVersion)
  for (const older of versions) {
    if (options.isOverTime()) return { entries: list.entries, isCut: true }
    const today = (newer.version ?? older).date.slice(0, 10)
    const key = toKey([
      newer.id,
      newer.path,
      newer.overlays,
      hashSources(newer.fetched),
      older.sha,
      today,
      options.settings,
      options.accepted.path,
      options.restrictedBy,
      newer.hidden,
    ])
    let step = options.cache.get(key)
    if (!step) {
      options.onProgress?.(`comparing ${newer.path} with ${older.name ?? older.sha.slice(0, 7)}`)
      try {
        step = await compareWithOlder(newer, older, today, options)
      } catch (error) {
        if (!options.onError) throw error
        options.onError(error)
        return { entries: list.entries, isCut: true }
      }
    }
    options.cache.set(key, step)
    if (step.kind === 'missing') break
    if (step.kind === 'unreadable') continue
    if (step.kind === 'same') newer = { ...newer, id: older.sha, version: older }
    else {
      const { entries } = options.accepted
      const marked = acceptInChangelog(step.changes, entries, toAcceptedName(newer.path, options.accepted))
      list.add(newer.version, { ...step, changes: marked.map(({ identity: _, ...change }) => change) })
      const { path, hidden } = step
      const { overlays, fetched }: Pick<Newer, 'overlays' | 'fetched'> = newer
      newer = {
        id: older.sha,
        path,
        version: older,
        infoVersion: step.versions.older,
        overlays,
        fetched,
        hidden,
        load: lazy(() => loadOlder(older, path, { path, overlays, fetched, hidden }, options)),
      }
    }
  }
  if (newer.version && !isCut) list.addFirst(newer.version)
  return { entries: list.entries, isCut }
}

/** What a version and the newer ones restrict: targets with `{}` for path parameters, places and values. Older versions lack it, too. */
type Hidden = readonly string[]

const toShape = (target: string) => target.replace(/\{[^{}]*\}/g, '{}')

export function toHidden(
  { restricted, restrictedTargets = new Set(), restrictedNames = [] }: DescriptionCheck,
  newer: Hidden = [],
): Hidden {
  // A position in a list can be that of another part.
  const places = restricted && restricted !== 'unknown' ? restricted.filter((place) => !/\/\d+$/.test(place)) : []
  return [...new Set([...newer, ...[...restrictedTargets].map(toShape), ...places, ...restrictedNames])]
}

/** The terms for a version of the files: without what it restricts itself, and without what a newer one restricts. */
export function hideInOlder({ hides, hidesSome, withRestricted, readers }: RestrictedVersion['publicOnly'], hidden: Hidden) {
  return {
    hides: (source: string, target: string) => hidden.includes(toShape(target)) || hides(source, target),
    hidesSome: hidesSome || hidden.length > 0,
    withRestricted: withRestricted === true,
    places: hidden,
    readers,
  }
}

/** A version that is compared with the next older one. */
interface Newer {
  /** Identifies the content. */
  readonly id: string
  readonly path: string
  /** Absent for the current files. */
  readonly version: FileVersion | undefined
  readonly infoVersion: string
  /** See `DescriptionCheck.overlays`. */
  readonly overlays: readonly string[]
  /** The overlays at URLs as they are now, because their earlier versions are unknown. */
  readonly fetched: ReadonlyMap<string, SourceFile>
  readonly hidden: Hidden
  readonly load: () => Promise<Loaded | undefined>
}

interface Loaded {
  readonly comparable: ComparableDescription
  readonly sources: ReadonlyMap<string, SourceFile>
  readonly infoVersion: string
  readonly hidden: Hidden
}

function toCurrent({ path, check }: Pick<CheckedDocument, 'path' | 'check'>): Newer | undefined {
  const loaded = toLoaded(check)
  if (!loaded) return undefined
  return {
    id: toKey([hashSources(check.sources), check.restricted]),
    path,
    version: undefined,
    infoVersion: loaded.infoVersion,
    overlays: check.overlays,
    fetched: new Map([...check.sources].filter(([file]) => isUrl(file))),
    hidden: loaded.hidden,
    load: async () => loaded,
  }
}

function hashSources(sources: ReadonlyMap<string, SourceFile>): (readonly string[])[] {
  return [...sources].map(([file, source]) => [file, createHash('sha256').update(bytesOf(source)).digest('hex')])
}

async function compareWithOlder(newer: Newer, older: FileVersion, today: string, options: ChangelogOptions): Promise<CachedStep> {
  const { settings, accepted } = options
  const files = await older.open()
  const isMissing = (await files.read(newer.path)).kind === 'missing'
  const path = isMissing ? await older.findEarlierPath(newer.path, newer.version) : newer.path
  if (path === undefined) return { kind: 'missing' }
  const after = await newer.load()
  if (after && path === newer.path && (await hasSameFiles(after.sources, files))) return { kind: 'same' }
  const before = await loadOlder(older, path, newer, options)
  if (!before || !after) return { kind: 'unreadable' }
  const step = compareForChangelog(before.comparable, after.comparable, { today, ...settings })
  const versions = { older: before.infoVersion, newer: after.infoVersion }
  // The current file can change without a new version, so its entries do not belong in the cache.
  const { entries } = newer.version ? await readAcceptedFile(accepted.path, await newer.version.open()) : { entries: [] }
  const changes = acceptInChangelog(step.changes, entries, toAcceptedName(newer.path, accepted))
  return { kind: 'compared', path, hidden: before.hidden, versions, ...step, changes }
}

/** The document as entries of the file name it. */
function toAcceptedName(path: string, { path: file }: Pick<AcceptedFile, 'path'>): string {
  return relativePath(parentPath(file), path)
}

async function hasSameFiles(sources: Loaded['sources'], files: Files): Promise<boolean> {
  for (const [path, source] of sources) {
    if (isUrl(path)) continue
    const result = await files.read(path)
    if (result.kind !== 'file' || !bytesOf(source).equals(result.bytes)) return false
  }
  return true
}

/** Reads an older version of a document, with its overlays and those of the current one as they were. Returns `undefined` if it is not known what of it is public. */
async function loadOlder(
  version: FileVersion,
  path: string,
  { path: newerPath, overlays, fetched, hidden }: Pick<Newer, 'path' | 'overlays' | 'fetched' | 'hidden'>,
  { limits, restrictedIn }: Pick<ChangelogOptions, 'limits' | 'restrictedIn'>,
) {
  const files = await version.open()
  const restricted = await restrictedIn(files)
  if (!restricted || restricted.documents.has(path)) return undefined
  const own = restricted.overlaysOf(path)
  for (const one of own) {
    const isRead = isUrl(one) ? fetched.has(one) : (await files.read(one)).kind === 'file'
    if (!isRead) return undefined
  }
  const paths = [...new Set([...own, ...overlays])]
  // The file can have been renamed.
  const places = hidden.map((place) => (place.startsWith(`${newerPath}#`) ? path + place.slice(newerPath.length) : place))
  const terms = hideInOlder(restricted.publicOnly, hidden)
  const publicOnly = { ...terms, hides: (target: string) => terms.hides(path, target), places }
  const fetchDocument: FetchDocument = async (url) => {
    const source = fetched.get(url)
    if (source) return { kind: 'loaded', bytes: bytesOf(source) }
    return { kind: 'failed', code: 'url-refused', reason: 'older versions read no URLs' }
  }
  const check = await checkDescription(path, toLoadDocument({ files, fetchDocument }, path, limits, paths), {
    limits,
    errorsOnly: true,
    overlays: await toOverlayOptions(paths, { skipsMissing: true }),
    publicOnly,
  })
  return toLoaded(check, places)
}

function toLoaded(check: DescriptionCheck, newer?: Hidden): Loaded | undefined {
  const comparable = toComparable(check)
  if (!comparable) return undefined
  return {
    comparable,
    sources: check.sources,
    infoVersion: toComparedDocument(comparable).version,
    hidden: toHidden(check, newer),
  }
}

/** Collects the entries of a changelog, newest first. */
function createEntryList(currentVersion: string) {
  const entries: ChangelogEntry[] = []
  const names = new Set<string>()
  const renamed = new Map<string, string>()
  let infoVersion = currentVersion
  const push = (version: FileVersion | undefined, isNewVersion: boolean, rest: Pick<ChangelogEntry, 'isFirst' | 'changes'>) => {
    const name =
      version === undefined ? unreleased : (version.name ?? (isNewVersion ? infoVersion : '')) || version.date.slice(0, 10)
    const candidates = version ? [name, `${name} (${version.date.slice(0, 10)})`, `${name} (${version.sha.slice(0, 7)})`] : [name]
    const free = candidates.find((one) => !names.has(one)) ?? `${name} (${version?.sha ?? ''})`
    names.add(free)
    const facts = version && { date: version.date, sha: version.sha, ...(version.url !== undefined && { url: version.url }) }
    entries.push({ name: free, ...facts, ...rest })
  }
  return {
    entries,
    add(version: FileVersion | undefined, step: Extract<CachedStep, { kind: 'compared' }>) {
      const isNewVersion = step.versions.older !== step.versions.newer
      infoVersion = step.versions.newer
      // Without a version, a new `info.version` alone is nothing to read about.
      if (step.changes.length > 0 || (isNewVersion && version)) {
        push(version, isNewVersion, { isFirst: false, changes: renameOperations(step.changes, renamed) })
      }
      for (const [before, after] of step.renamed) renamed.set(before, renamed.get(after) ?? after)
      infoVersion = step.versions.older
    },
    addFirst(version: FileVersion) {
      push(version, true, { isFirst: true, changes: [] })
    },
  }
}

function toKey(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/**
 * Opens the comparisons that an earlier run formatted; none if the text is damaged or of another program, which can compare differently. `stamp` identifies
 * the program. `format` formats those of this run with a checksum.
 */
export function openChangelogSteps(text: string, stamp: string): ChangelogCache & { format(): string } {
  const [sum = '', saved = ''] = text.split('\n', 2)
  // The checksum proves the shape: only `format` of the same program creates it.
  const known = new Map(sum === toKey([stamp, saved]) ? (JSON.parse(saved) as [string, CachedStep][]) : [])
  const used = new Map<string, CachedStep>()
  return {
    get: (key) => known.get(key),
    set(key, step) {
      known.set(key, step)
      used.set(key, step)
    },
    format() {
      const body = JSON.stringify([...used])
      return used.size === 0 ? '' : `${toKey([stamp, body])}\n${body}\n`
    },
  }
}
