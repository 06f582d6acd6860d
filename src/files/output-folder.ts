import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError, FilesError } from '../text/errors.ts'
import { isObject, parseJson } from '../text/json/json-values.ts'
import { createFileClaims } from '../text/plain/paths.ts'
import { folderOf, isGitFolder, joinOwned, type OwnPath, resolveThroughLinks, type UserPath } from './boundary.ts'
import { lookAt, readStamp } from './disk-files.ts'
import {
  clearStaging,
  createFile,
  deferSignals,
  makeRealFolder,
  makeStagingFolder,
  removeTemporary,
  toFilesError,
} from './disk-writes.ts'
import { manifestName } from './files.ts'
import { moveFiles, withoutChanges } from './move-files.ts'

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
export interface KeptFile {
  readonly path: string
  readonly hash: string
  /** Its stamp when it had this hash. If the stamp is unchanged, the file is not read. */
  readonly stamp?: string | undefined
}

interface AddedFile {
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
  const isNew = lookAt(root) === undefined
  const before = readManifest(root)
  if (!before && !force) rejectForeignFiles(root, shown)
  const known = before ?? new Map<string, string>()
  const added = new Map<string, AddedFile>()
  const claims = createFileClaims<{ readonly path: string }>()
  const take = (path: string) => {
    const other = claims.claim({ path })
    if (other) throw new FilesError(`Cannot write ${path}: it cannot be beside ${other.path}`, { path })
  }
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
    if (staging !== undefined) removeTemporary(staging)
    staging = undefined
    if (isNew) removeIfEmpty(root)
  }
  return {
    add(path, content) {
      if (path.split('/').some(isGitFolder))
        throw new FilesError(`Cannot write ${shown}/${path}: it is inside \`.git\``, { path })
      take(path)
      const bytes = toBytes(content)
      const hash = hashContent(bytes)
      sizeBytes += bytes.length
      if (!isNew) rejectLinks(path)
      const existing = isNew ? undefined : readExisting(root, path)
      const existingHash = existing && hashContent(existing)
      const isSame = existingHash === hash
      if (existing && !isSame && !isKnown(known, path, existingHash)) foreign.push(path)
      try {
        added.set(path, { hash, staged: isSame ? undefined : stage(bytes) })
      } catch (error) {
        discard()
        throw withoutChanges(toFilesError(error, 'write', `${shown}/${path}`))
      }
      return hash
    },
    keep(files) {
      const existing: (Omit<AddedFile, 'staged'> & { readonly path: string; readonly size: number })[] = []
      for (const file of files) {
        const { path, hash } = file
        rejectLinks(path)
        if (!isKnown(known, path, hash)) return false
        const stamp = readStamp(`${root}/${path}`)
        const isSame = stamp !== undefined && stamp === file.stamp
        const content = isSame ? undefined : readExisting(root, path)
        if (!isSame && (!content || hashContent(content) !== hash)) return false
        existing.push({ path, hash, stamp, size: content?.length ?? Number(stamp?.split('-')[0]) })
      }
      for (const { path, size, ...file } of existing) {
        take(path)
        sizeBytes += size
        added.set(path, { ...file, staged: undefined })
      }
      return true
    },
    read(path) {
      rejectLinks(path)
      return readExisting(root, path)
    },
    stampOf: (path) => (added.has(path) ? (added.get(path)?.stamp ?? readStamp(join(root, path))) : undefined),
    discard,
    async publish() {
      if (foreign.length > 0 && !force) {
        discard()
        throw toForeignError(foreign.sort(), shown)
      }
      const openStaging = () => {
        const opened = staging ?? makeStaging(root, shown)
        // From here, `moveFiles` removes it: it has the earlier files if they cannot be restored.
        staging = undefined
        return opened
      }
      try {
        return { ...(await deferSignals(() => putInPlace({ root, shown, known, added, openStaging }))), sizeBytes }
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
  readonly shown: string
  /** The earlier manifest. */
  readonly known: ReadonlyMap<string, string>
  readonly added: ReadonlyMap<string, AddedFile>
  readonly openStaging: () => OwnPath
}

/** Changes all files or none. */
function putInPlace({ root, shown, known, added, openStaging }: Publication): Omit<PublishedFolder, 'sizeBytes'> {
  const stale: string[] = []
  const kept: string[] = []
  const now = new Map([...added].map(([path, { hash }]) => [hashContent(path), hash]))
  const isAllThere = [...known.keys()].every((key) => now.has(key))
  for (const path of isAllThere ? [] : listFiles(root)) {
    if (!known.has(hashContent(path)) || added.has(path)) continue
    const existing = readExisting(root, path)
    if (existing && isKnown(known, path, hashContent(existing))) stale.push(path)
    else kept.push(path)
  }
  const changed = [...added].flatMap(([path, { staged }]) => (staged === undefined ? [] : [{ path, staged }]))
  const result = { written: changed.length, unchanged: added.size - changed.length, removed: stale.length, kept: kept.sort() }
  const manifest = formatManifest(now)
  const isChanged = changed.length + stale.length > 0
  if (!isChanged && readExisting(root, manifestName)?.toString() === manifest) return result
  const staging = openStaging()
  let path = manifestName
  const explain = (error: unknown) => toFilesError(error, 'write', `${shown}/${path}`)
  moveFiles(root, staging, explain, (moves) => {
    makeRealFolder(root)
    // Lists the earlier and the new content of files until all are in place: after a crash here, the next build still recognizes both.
    const both = new Map([...known, ...[...now].map(([key, hash]) => [key, `${known.get(key) ?? ''} ${hash}`] as const)])
    const manifests = [formatManifest(both), manifest].map((text, index) => {
      const staged = joinOwned(staging, `${index}.manifest`)
      createFile(staged, text)
      return staged
    })
    if (isChanged) moves.put(manifests[0] ?? '', join(root, path))
    // Deletions go first: a file may be in the place of a new folder, and on some disks only the case of a name changes.
    for (path of stale) moves.remove(join(root, path))
    for (const file of changed) {
      path = file.path
      moves.put(file.staged, join(root, path))
    }
    path = manifestName
    moves.put(manifests[1] ?? '', join(root, path))
  })
  return result
}

/** Whether the manifest lists a content of a file. After a killed build, it can list several. */
function isKnown(manifest: ReadonlyMap<string, string>, path: string, hash: string | undefined): boolean {
  return hash !== undefined && manifest.get(hashContent(path))?.includes(hash) === true
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It does not exist or contains other files.
  }
}

/** Reads the file at a path; undefined for a directory, which may have only files that are removed. Does not follow links, which may point to foreign files. */
function readExisting(root: string, path: string): Buffer | undefined {
  const target = join(root, path)
  const stats = lookAt(target)
  if (!stats || stats.isDirectory()) return undefined
  if (stats.isFile()) return readFileSync(target)
  throw toTakenError(path, stats.isSymbolicLink() ? 'a symbolic link' : 'a special file')
}

/** Makes a function that refuses a path below the root with a link in place of a folder. Checks each folder once. */
function createLinkCheck(root: string): (path: string) => void {
  const checked = new Set<string>(['.'])
  const check = (folder: string) => {
    if (checked.has(folder)) return
    check(dirname(folder))
    if (lookAt(join(root, folder))?.isSymbolicLink()) throw toTakenError(folder, 'a symbolic link')
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
  if (!lookAt(root)?.isDirectory()) return undefined
  const text = readExisting(root, manifestName)?.toString()
  if (text === undefined) return undefined
  const value = parseJson(text)
  // With a damaged manifest, all files are foreign.
  const files = isObject(value) ? value['files'] : undefined
  const entries = isObject(files) ? Object.entries(files) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function formatManifest(files: ReadonlyMap<string, string>): string {
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ version: 1, generator: 'openapi-pages', files: sorted })}\n`
}

function rejectForeignFiles(root: string, shown: string): void {
  const stats = lookAt(root)
  if (!stats) return
  if (!stats.isDirectory())
    throw new ConfigError(`Cannot build into ${root}: it is a file`, { hint: 'Choose a directory with -o' })
  const names = readdirSync(root).filter((name) => name !== '.git' && !name.startsWith(stagingPrefix))
  if (names.length === 0) return
  const some = names.sort().slice(0, 3).join(', ')
  throw new ConfigError(`Cannot build into ${shown}: it contains other files (${some}${names.length > 3 ? ', …' : ''})`, {
    hint: 'Choose an empty directory with -o, or use --force to build into it and keep its other files',
  })
}

function rejectFileAsParent(root: string, shown: string): void {
  for (let folder = dirname(root), below = root; folder !== below; below = folder, folder = dirname(folder)) {
    if (lookAt(folder)?.isFile() !== true) continue
    throw new ConfigError(`Cannot build into ${shown}: ${folder} is a file`, { hint: 'Choose a directory with -o' })
  }
}

/** All files below a folder, relative to it, without following links. */
function listFiles(root: string): string[] {
  const paths: string[] = []
  const waiting = lookAt(root)?.isDirectory() ? [''] : []
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

/** Length of `hashContent`, in hexadecimal digits. */
export const hashLength = 32

/** The hash that identifies the content of a file. */
export function hashContent(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, hashLength)
}
