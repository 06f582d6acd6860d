import { hash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError, FilesError } from '../text/errors.ts'
import { isObject } from '../text/json/json-values.ts'
import { folderOf, isGitFolder, joinOwned, type OwnPath, resolveThroughLinks, type UserPath } from './boundary.ts'
import { readStamp } from './disk-files.ts'
import { clearStaging, createFile, deferSignals, makeRealFolder, makeStagingFolder, toFilesError } from './disk-writes.ts'
import { manifestName } from './files.ts'

export interface PublishedFolder {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  /** Total size of the files of the site. */
  readonly sizeBytes: number
  /**
   * Earlier files that are no longer part of the site but were changed after they were written, and were therefore kept. Sorted.
   */
  readonly kept: readonly string[]
}

/** The output folder of a build. Removes files that an earlier build wrote and this one does not, and changes no other files. */
interface OutputFolder {
  /** Stages a file until `publish` and returns its hash. Refuses a path that was added already. */
  add(path: string, content: string | Uint8Array): string
  /** Keeps existing files if all of them are unchanged since they were written and have these hashes. Otherwise keeps none. */
  keep(files: readonly KeptFile[]): boolean
  /** Reads the current file at a path, before `publish`; undefined if there is none. */
  read(path: string): Uint8Array | undefined
  /** Moves all files into place and removes earlier ones that were not added again. The folder is unchanged before this call. */
  publish(): Promise<PublishedFolder>
  /** Discards the staged files. */
  discard(): void
  /** After `publish`: the stamp of a file of the site; undefined if changes cannot be detected. */
  stampOf(path: string): string | undefined
}

/** A file and its `hashContent`. */
interface KeptFile {
  readonly path: string
  readonly hash: string
  /** Its stamp when it had this hash. If the stamp is unchanged, the file is not read. */
  readonly stamp?: string | undefined
}

interface AddedFile {
  /** Its name in the manifest. */
  readonly key: string
  readonly hash: string
  /** The staged file; undefined for a file already in place. */
  readonly staged: string | undefined
  readonly stamp?: string | undefined
}

interface OutputFolderOptions {
  /** Accept foreign files in the folder, and replace them if they collide with a file of the site. */
  readonly force: boolean
  /** The folder as the user wrote it. */
  readonly shown: string
}

/**
 * Opens an absolute folder for writing. Writes nothing yet; the folder need not exist. Follows links to the folder (see `resolveOutput`),
 * and none inside it.
 *
 * @throws {ConfigError} when it contains files that no build wrote.
 */
export function openOutputFolder(folder: UserPath | OwnPath, { force, shown }: OutputFolderOptions): OutputFolder {
  const root = resolveThroughLinks(folder)
  rejectFileAsParent(root, shown)
  const isNew = lstatSync(root, { throwIfNoEntry: false }) === undefined
  const before = readManifest(root)
  if (!before && !force) rejectForeignFiles(root, shown)
  const known = before ?? new Map<string, string>()
  const added = new Map<string, AddedFile>()
  /** Paths as seen by disks that ignore case. */
  const taken = new Map<string, string>()
  const foreign: string[] = []
  let sizeBytes = 0
  let staging: OwnPath | undefined
  let stagedCount = 0
  const stage = (content: string | Uint8Array): string => {
    staging ??= makeStaging(root, shown)
    const path = joinOwned(staging, String(stagedCount++))
    createFile(path, content)
    return path
  }
  const toBytes = createEncoder()
  const rejectLinks = createLinkCheck(root)
  const discard = () => {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true, maxRetries: 3 })
    staging = undefined
    if (isNew) removeIfEmpty(root)
  }
  return {
    add(path, content) {
      if (path.split('/').some(isGitFolder))
        throw new FilesError(`Cannot write ${shown}/${path}: it is inside \`.git\``, { path })
      const other = taken.get(path.toLowerCase())
      if (other !== undefined) throw new FilesError(`Cannot write ${path}: it has the same name as ${other}`, { path })
      taken.set(path.toLowerCase(), path)
      const bytes = toBytes(content)
      const hash = hashContent(bytes)
      const key = keyOf(path)
      sizeBytes += bytes.length
      if (!isNew) rejectLinks(path)
      const existing = isNew ? undefined : readExisting(root, path)
      const existingHash = existing && hashContent(existing)
      const isSame = existingHash === hash
      if (existing && !isSame && known.get(key) !== existingHash) foreign.push(path)
      try {
        added.set(path, { key, hash, staged: isSame ? undefined : stage(bytes) })
      } catch (error) {
        discard()
        throw toFilesError(error, 'write', `${shown}/${path}`)
      }
      return hash
    },
    keep(files) {
      const existing: (Omit<AddedFile, 'staged'> & { readonly path: string; readonly size: number })[] = []
      for (const file of files) {
        const { path, hash } = file
        const key = keyOf(path)
        rejectLinks(path)
        if (known.get(key) !== hash || taken.has(path.toLowerCase())) return false
        const stamp = readStamp(`${root}/${path}`)
        const isKnown = stamp !== undefined && stamp === file.stamp
        const content = isKnown ? undefined : readExisting(root, path)
        if (!isKnown && (!content || hashContent(content) !== hash)) return false
        existing.push({ path, key, hash, stamp, size: content?.length ?? Number(stamp?.split('-')[0]) })
      }
      for (const { path, size, ...file } of existing) {
        taken.set(path.toLowerCase(), path)
        sizeBytes += size
        added.set(path, { ...file, staged: undefined })
      }
      return true
    },
    read(path) {
      rejectLinks(path)
      return readExisting(root, path)
    },
    stampOf: (path) => added.get(path)?.stamp ?? readStamp(join(root, path)),
    discard,
    async publish() {
      if (foreign.length > 0 && !force) {
        discard()
        throw toForeignError(foreign.sort(), shown)
      }
      try {
        let published: PublishedFolder = { written: 0, unchanged: 0, removed: 0, sizeBytes, kept: [] }
        await deferSignals(() => {
          published = putInPlace({ root, known, added, stage }, sizeBytes)
        })
        return published
      } catch (error) {
        throw toFilesError(error, 'write the site to', shown)
      } finally {
        discard()
      }
    },
  }
}

/**
 * Makes a function that returns the bytes of a file, until the next call. They are always in the same memory: new memory for each file of a large
 * site takes longer than hashing and writing it, and piles up until it is collected.
 */
function createEncoder(): (content: string | Uint8Array) => Uint8Array {
  let memory = Buffer.alloc(0)
  return (content) => {
    if (typeof content !== 'string') return content
    const length = Buffer.byteLength(content)
    if (length > memory.length) memory = Buffer.allocUnsafeSlow(length)
    memory.write(content)
    return memory.subarray(0, length)
  }
}

function toForeignError(paths: readonly string[], shown: string): ConfigError {
  const [first = '', ...others] = paths
  if (others.length === 0) {
    return new ConfigError(`Cannot replace ${first} in ${shown}: it was changed or created outside of openapi-pages`, {
      hint: 'Remove it, or replace it with --force',
    })
  }
  const message = `Cannot replace ${first} and ${others.length} more in ${shown}: they were changed or created outside of openapi-pages`
  return new ConfigError(message, { hint: 'Remove them, or replace them with --force' })
}

interface Publication {
  readonly root: UserPath | OwnPath
  /** The earlier manifest. */
  readonly known: ReadonlyMap<string, string>
  readonly added: ReadonlyMap<string, AddedFile>
  /** Writes to a new file beside the others and returns its path. */
  stage(content: string): string
}

function putInPlace({ root, known, added, stage }: Publication, sizeBytes: number): PublishedFolder {
  const stale: string[] = []
  const kept: string[] = []
  const now = new Map([...added.values()].map(({ key, hash }) => [key, hash]))
  const isAllThere = [...known.keys()].every((key) => now.has(key))
  for (const path of isAllThere ? [] : listFiles(root)) {
    const hash = known.get(keyOf(path))
    if (hash === undefined || added.has(path)) continue
    const existing = readExisting(root, path)
    if (existing && hashContent(existing) === hash) stale.push(path)
    else kept.push(path)
  }
  const changed = [...added].filter(([, { staged }]) => staged !== undefined)
  makeRealFolder(root)
  // Lists old and new files until all are in place: after a crash here, the next build still recognizes them.
  const listed = isAllThere ? now : new Map([...known, ...now])
  if (changed.length > 0 || stale.length > 0) writeManifest(root, listed, stage)
  // Deletions go first: a file may be in the place of a new folder, and on some disks only the case of a name changes.
  for (const path of stale) removeFile(root, path)
  const made = new Set<string>()
  for (const [path, { staged }] of changed) {
    const target = join(root, path)
    const folder = joinOwned(root, dirname(path))
    if (!made.has(folder)) makeRealFolder(folder)
    made.add(folder)
    renameSync(staged ?? '', target)
  }
  if (changed.length === 0 || listed !== now) writeManifest(root, now, stage)
  return { written: changed.length, unchanged: added.size - changed.length, removed: stale.length, sizeBytes, kept: kept.sort() }
}

function removeFile(root: string, path: string): void {
  unlinkSync(join(root, path))
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) removeIfEmpty(join(root, folder))
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It does not exist or contains other files.
  }
}

/** Reads the file at a path. Does not follow links, which may point to foreign files. */
function readExisting(root: string, path: string): Buffer | undefined {
  const target = join(root, path)
  const stats = lstatSync(target, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (stats.isFile()) return readFileSync(target)
  throw toTakenError(path, stats.isDirectory() ? 'a directory' : stats.isSymbolicLink() ? 'a symbolic link' : 'a special file')
}

/** Makes a function that refuses a path below the root with a link in place of a folder. Checks each folder once. */
function createLinkCheck(root: string): (path: string) => void {
  const checked = new Set<string>(['.'])
  const check = (folder: string) => {
    if (checked.has(folder)) return
    check(dirname(folder))
    if (lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink()) throw toTakenError(folder, 'a symbolic link')
    checked.add(folder)
  }
  return (path) => check(dirname(path))
}

function toTakenError(path: string, what: string): ConfigError {
  return new ConfigError(`Cannot write ${path}: the output directory contains ${what} with that name`, {
    hint: 'Remove it, or choose another directory with -o',
  })
}

function readManifest(root: string): Map<string, string> | undefined {
  if (!lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const text = readExisting(root, manifestName)?.toString()
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return new Map() // A damaged manifest: treat all files as foreign.
  }
  const files = isObject(value) ? value['files'] : undefined
  const entries = isObject(files) ? Object.entries(files) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function writeManifest(root: string, files: ReadonlyMap<string, string>, stage: Publication['stage']): void {
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  const text = `${JSON.stringify({ version: 1, generator: 'openapi-pages', files: sorted })}\n`
  const target = join(root, manifestName)
  if (readExisting(root, manifestName)?.toString() === text) return
  renameSync(stage(text), target)
}

function rejectForeignFiles(root: string, shown: string): void {
  const names = readNames(root).filter((name) => name !== '.git' && !name.startsWith(stagingPrefix))
  if (names.length === 0) return
  const some = names.sort().slice(0, 3).join(', ')
  throw new ConfigError(`Cannot build into ${shown}: it contains other files (${some}${names.length > 3 ? ', …' : ''})`, {
    hint: 'Choose an empty directory with -o, or use --force to build into it and keep its other files',
  })
}

function rejectFileAsParent(root: string, shown: string): void {
  for (let folder = dirname(root), below = root; folder !== below; below = folder, folder = dirname(folder)) {
    try {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isFile() !== true) continue
    } catch {
      continue // Below a file. The next folder is checked in the next round.
    }
    throw new ConfigError(`Cannot build into ${shown}: ${folder} is a file`, { hint: 'Choose a directory with -o' })
  }
}

function readNames(root: string): string[] {
  const stats = lstatSync(root, { throwIfNoEntry: false })
  if (!stats) return []
  if (!stats.isDirectory())
    throw new ConfigError(`Cannot build into ${root}: it is a file`, { hint: 'Choose a directory with -o' })
  return readdirSync(root)
}

/** All files below a folder, relative to it, without following links. */
function listFiles(root: string): string[] {
  const paths: string[] = []
  const waiting = lstatSync(root, { throwIfNoEntry: false })?.isDirectory() ? [''] : []
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && !entry.name.startsWith(stagingPrefix)) waiting.push(path)
      } else if (entry.isFile()) paths.push(path)
    }
  }
  return paths
}

const stagingPrefix = '.openapi-pages-new-'

/**
 * Creates the staging folder beside the output folder, so that renames stay on one disk, and a killed run leaves nothing in a published
 * folder. It is inside if the folder around it is on another disk, or not writable. Removes the files of killed runs.
 *
 * @throws {FilesError} if another build is running.
 */
function makeStaging(root: UserPath | OwnPath, shown: string): OwnPath {
  const parent = folderOf(root)
  makeRealFolder(parent)
  const prefix = `.openapi-pages-site-${hashContent(root).slice(0, 8)}-`
  const isThere = existsSync(root)
  const name = clearStaging(parent, prefix) ?? (isThere ? clearStaging(root, stagingPrefix) : undefined)
  if (name !== undefined) {
    throw new FilesError(`Cannot build into ${shown}: another build is running there`, {
      path: shown,
      hint: `Wait until it has ended, or choose another directory with -o. If none is running, remove \`${name}\``,
    })
  }
  try {
    if (!isThere || statSync(root).dev === statSync(parent).dev) return makeStagingFolder(parent, prefix)
  } catch {
    // It is not writable.
  }
  makeRealFolder(root)
  return makeStagingFolder(root, stagingPrefix)
}

function keyOf(path: string): string {
  return hashContent(path)
}

/** Length of `hashContent`, in hexadecimal digits. */
export const hashLength = 32

/** The hash that identifies the content of a file. */
export function hashContent(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, hashLength)
}
