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
import { toComparable } from '../../changes/compare/compare.ts'
import type { Files } from '../../files/files.ts'
import { checkDescription, type DescriptionCheck } from '../../openapi/checks/check-description.ts'
import type { PublicOnly } from '../../openapi/public/restriction-marks.ts'
import type { FetchDocument } from '../../openapi/types.ts'
import { isObject } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lazy.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { parentPath, relativePath } from '../../text/plain/paths.ts'
import { bytesOf, type SourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import type { CheckedDocument } from '../check/check-documents.ts'
import type { ComparisonSettings, SiteSetting } from '../config/project-config.ts'
import { type AcceptedFile, readAcceptedFile } from '../read/read-accepted-changes.ts'
import { toLoadDocument, toOverlayOptions } from '../read/to-load-document.ts'

/** An earlier version of the files, such as a tagged commit. */
export interface FileVersion {
  /** Such as `2.4.0`. Without a name, the entry is named by `info.version` or the date. */
  readonly name: string | undefined
  /** ISO 8601 in UTC. */
  readonly date: string
  readonly sha: string
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
  /** See `SiteSetting`. */
  readonly restricted: SiteSetting['restricted']
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
      /** The `info.version` of both. */
      readonly versions: { readonly older: string; readonly newer: string }
    })

/**
 * Compares a document with its earlier versions, newest first. Each entry has the changes from one version to the next.
 *
 * A version without the document ends the list, and versions that cannot be read as OpenAPI are skipped. Returns `undefined` if the document
 * itself cannot be read. Reads no URLs.
 *
 * @param history `isCut`: whether there are older versions than those listed.
 */
export async function readChangelog(
  document: Pick<CheckedDocument, 'path' | 'check'>,
  { versions, isCut }: { readonly versions: readonly FileVersion[]; readonly isCut: boolean },
  options: ChangelogOptions,
): Promise<Changelog | undefined> {
  const publicOnly = { ...toPublicOnly(document.check), withRestricted: options.restricted === 'publish' }
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
      options.restricted,
      document.check.restricted,
    ])
    let step = options.cache.get(key)
    if (!step) {
      options.onProgress?.(`comparing ${newer.path} with ${older.name ?? older.sha.slice(0, 7)}`)
      try {
        step = await compareWithOlder(newer, older, today, { ...options, publicOnly })
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
      const { path } = step
      const { overlays, fetched }: Pick<Newer, 'overlays' | 'fetched'> = newer
      newer = {
        id: older.sha,
        path,
        version: older,
        infoVersion: step.versions.older,
        overlays,
        fetched,
        load: lazy(() => loadOlder(older, path, { ...options, overlays, fetched, publicOnly })),
      }
    }
  }
  if (newer.version && !isCut) list.addFirst(newer.version)
  return { entries: list.entries, isCut }
}

/** Hides in older versions what they restrict, and what the current one restricts: its name would be that of a removed part. */
function toPublicOnly({ restricted, restrictedTargets }: DescriptionCheck): PublicOnly {
  // A position in a list can be that of another part.
  const places = Array.isArray(restricted) ? restricted.filter((place) => !/\/\d+$/.test(place)) : []
  return {
    hides: (target) => restrictedTargets?.has(target) === true,
    hidesSome: restricted !== undefined,
    places,
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
  readonly load: () => Promise<Loaded | undefined>
}

interface Loaded {
  readonly comparable: ComparableDescription
  readonly sources: ReadonlyMap<string, SourceFile>
  readonly infoVersion: string
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
    load: async () => loaded,
  }
}

function hashSources(sources: ReadonlyMap<string, SourceFile>): (readonly string[])[] {
  return [...sources].map(([file, source]) => [file, createHash('sha256').update(bytesOf(source)).digest('hex')])
}

async function compareWithOlder(
  newer: Newer,
  older: FileVersion,
  today: string,
  { settings, limits, accepted, publicOnly }: ChangelogOptions & { readonly publicOnly: PublicOnly },
): Promise<CachedStep> {
  const files = await older.open()
  const isMissing = (await files.read(newer.path)).kind === 'missing'
  const path = isMissing ? await older.findEarlierPath(newer.path, newer.version) : newer.path
  if (path === undefined) return { kind: 'missing' }
  const after = await newer.load()
  if (after && path === newer.path && (await hasSameFiles(after.sources, files))) return { kind: 'same' }
  const before = await loadOlder(older, path, { limits, overlays: newer.overlays, fetched: newer.fetched, publicOnly })
  if (!before || !after) return { kind: 'unreadable' }
  const step = compareForChangelog(before.comparable, after.comparable, { today, ...settings })
  const versions = { older: before.infoVersion, newer: after.infoVersion }
  // The current file can change without a new version, so its entries do not belong in the cache.
  const { entries } = newer.version ? await readAcceptedFile(accepted.path, await newer.version.open()) : { entries: [] }
  const changes = acceptInChangelog(step.changes, entries, toAcceptedName(newer.path, accepted))
  return { kind: 'compared', path, versions, ...step, changes }
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

/** Reads an older version of a document, with the overlays of the current one as they were. */
async function loadOlder(
  version: FileVersion,
  path: string,
  {
    limits,
    overlays: paths,
    fetched,
    publicOnly,
  }: Pick<ChangelogOptions, 'limits'> & Pick<Newer, 'overlays' | 'fetched'> & { readonly publicOnly: PublicOnly },
) {
  const files = await version.open()
  const fetchDocument: FetchDocument = async (url) => {
    const source = fetched.get(url)
    if (source) return { kind: 'loaded', bytes: bytesOf(source) }
    return { kind: 'failed', code: 'url-refused', reason: 'older versions read no URLs' }
  }
  const overlays = await toOverlayOptions(paths, { skipsMissing: true })
  const check = await checkDescription(path, toLoadDocument({ files, fetchDocument }, path, limits, paths), {
    limits,
    errorsOnly: true,
    overlays,
    publicOnly,
  })
  return toLoaded(check)
}

function toLoaded(check: DescriptionCheck): Loaded | undefined {
  const comparable = toComparable(check)
  if (!comparable) return undefined
  const info = isObject(comparable.root.value) ? comparable.root.value['info'] : undefined
  const version = isObject(info) ? info['version'] : undefined
  const infoVersion = typeof version === 'string' || typeof version === 'number' ? String(version) : ''
  return { comparable, sources: check.sources, infoVersion }
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

/** Formats comparisons with a checksum, for `parseChangelogSteps`. `stamp` identifies the program, because another release can compare differently. */
export function formatChangelogSteps(steps: ReadonlyMap<string, CachedStep>, stamp: string): string {
  const body = JSON.stringify([...steps])
  return `${toKey([stamp, body])}\n${body}\n`
}

/** Parses comparisons. Returns none if the text is damaged or of another program. */
export function parseChangelogSteps(text: string, stamp: string): Map<string, CachedStep> {
  const [sum = '', body = ''] = text.split('\n', 2)
  // The checksum proves the shape: only `formatChangelogSteps` of the same program creates it.
  return sum === toKey([stamp, body]) ? new Map(JSON.parse(body) as [string, CachedStep][]) : new Map()
}
