import {
  closeSync,
  constants,
  type Dirent,
  type FSWatcher,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  watch,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename, join, relative, sep } from 'node:path'
import type { Transform } from 'node:stream'
import type { Zlib } from 'node:zlib'
import failures from '../../texts/failures.json' with { type: 'json' }
import { codeOf, FilesError } from '../text/errors.ts'
import { readOwn } from '../text/json/json-values.ts'
import { limitBounds } from '../text/plain/limits.ts'
import { normalizePath } from '../text/plain/paths.ts'
import { createLinkResolver, isGitFolder, isInside, type OwnedPath } from './boundary.ts'
import { type FileState, type Files, manifestName, type ReadResult } from './files.ts'

/**
 * Opens the files below an absolute folder. Follows links that stay below it.
 *
 * Reads synchronously, which is much faster for a description of thousands of files.
 */
export function openDiskFiles(root: OwnedPath): Files {
  const realRoot = realpathSync.native(root)
  const resolveLinks = createLinkResolver()
  return {
    read: async (path, limitBytes = limitBounds['document-size'].byDefault) =>
      readInside(realRoot, path, limitBytes, resolveLinks, readOpened),
    readParts: (path, limitBytes, onPart) =>
      readInside(realRoot, path, limitBytes, resolveLinks, (file) => {
        readInParts(file, onPart)
        return new Uint8Array()
      }),
    list: async (folder) => listInside(realRoot, folder).sort(),
    stateOf: (path) => readState(realRoot, path),
  }
}

type ReadContent = (file: number, size: number) => Uint8Array

function readInside(
  realRoot: string,
  path: string,
  limitBytes: number,
  resolveLinks: (path: string) => string,
  readContent: ReadContent,
): ReadResult {
  const fullPath = toFullPath(realRoot, path)
  if (fullPath === undefined) return { kind: 'outside' }
  // No file system has a name with a null character, and Node throws on it.
  if (fullPath.includes('\0') || isWindowsPath(path, sep)) return { kind: 'missing' }
  try {
    return readRealPath(realRoot, realpathSync.native(fullPath), limitBytes, readContent) ?? linkChanged
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException // Everything `node:fs` throws has this shape.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return { kind: 'unreadable', reason: readOwn(failures.read, code) ?? code }
    // A link that leaves the root gives `outside` whether or not its target exists, so that it cannot be used to probe the disk.
    return isInside(realRoot, resolveLinks(fullPath)) ? { kind: 'missing' } : { kind: 'outside' }
  }
}

function readState(realRoot: string, path: string): FileState | undefined {
  const fullPath = toFullPath(realRoot, path)
  if (fullPath === undefined || fullPath.includes('\0') || isWindowsPath(path, sep)) return undefined
  try {
    const real = realpathSync.native(fullPath)
    const stats = isInside(realRoot, real) ? statSync(real) : undefined
    return stats?.isFile() ? { sizeBytes: stats.size, stamp: readStamp(real) } : undefined
  } catch {
    return undefined // Reading the file reports the reason.
  }
}

const linkChanged: ReadResult = { kind: 'unreadable', reason: 'it changed while it was being read' }

/** Prevents blocking on a pipe or device and following a link. Windows has neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads a file at a path with resolved links; `undefined` if it has become a link. Throws if it cannot be opened. */
function readRealPath(realRoot: string, path: string, limitBytes: number, readContent: ReadContent): ReadResult | undefined {
  const identity = path.slice(realRoot.endsWith(sep) ? realRoot.length : realRoot.length + 1)
  if (!isInside(realRoot, path) || (identity.includes('.') && identity.split(sep).some(isGitFolder))) return { kind: 'outside' }
  let file: number
  try {
    file = openSync(path, openFlags)
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return undefined
    throw error
  }
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) return { kind: 'folder' }
    if (!stats.isFile()) return { kind: 'unreadable', reason: notRegular }
    if (stats.size > limitBytes) return { kind: 'too-large', sizeBytes: stats.size, limitBytes }
    return {
      kind: 'file',
      bytes: readContent(file, stats.size),
      identity: sep === '/' ? identity : identity.replaceAll(sep, '/'),
    }
  } finally {
    closeSync(file)
  }
}

/** Reading from the checked handle is faster than reading by path. */
function readOpened(file: number, size: number): Uint8Array {
  // Virtual files, as in /proc, report a size of 0.
  if (size === 0) return readFileSync(file)
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

function readInParts(file: number, onPart: (part: Uint8Array) => boolean): void {
  const bytes = Buffer.allocUnsafe(1024 * 1024)
  let read = readSync(file, bytes)
  while (read > 0 && onPart(bytes.subarray(0, read))) read = readSync(file, bytes)
}

/**
 * Whether a path from a document names a file only on Windows, where `\` separates folders and `:` follows a drive or precedes a stream.
 * Such a path is missing everywhere, so that a document is valid on all systems or on none.
 *
 * @param separator of this system.
 */
export function isWindowsPath(path: string, separator: string): boolean {
  return separator === '\\' && /[\\:]/.test(path) && !/^file:/i.test(path)
}

function toFullPath(realRoot: string, path: string): string | undefined {
  if (/^file:/i.test(path)) {
    try {
      // Loaded only here, to keep the start of `check` fast.
      return process.getBuiltinModule('node:url').fileURLToPath(path)
    } catch {
      return undefined // A path on another machine.
    }
  }
  const normalized = normalizePath(path)
  if (normalized === '..' || normalized.startsWith('../')) return undefined
  return sep === '/' && realRoot !== sep ? `${realRoot}/${normalized}` : join(realRoot, normalized)
}

const notRegular = 'not a regular file'

/** Folders with very many files and no documentation. */
const ignoredFolders = new Set(['.git', 'node_modules'])

function listInside(realRoot: string, folder: string): string[] {
  const top = normalizePath(folder)
  if (top === '..' || top.startsWith('../') || top.includes('\0')) return []
  const paths: string[] = []
  const waiting = [top]
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    const entries = readFolder(join(realRoot, current))
    if (current !== top && entries.some(({ name }) => name === manifestName)) continue
    for (const entry of entries) {
      const path = current === '' ? entry.name : `${current}/${entry.name}`
      if (entry.isDirectory()) {
        if (!ignoredFolders.has(entry.name)) waiting.push(path)
      } else if (entry.isFile() || (entry.isSymbolicLink() && readState(realRoot, path))) paths.push(path)
    }
  }
  return paths
}

/** The entries of a folder; empty if it cannot be opened, as its files could not be read either. */
function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Reads a file in a directory to which another user or program may have added links. Returns `undefined` if it does not exist.
 *
 * @throws {FilesError} if it is a link or not a regular file. @throws {NodeJS.ErrnoException} if it cannot be read.
 */
export function readRealFile(path: OwnedPath): Buffer | undefined {
  if (!isRealFile(path)) return undefined
  const file = openSync(path, openFlags)
  try {
    if (!fstatSync(file).isFile()) throw toKindError(path, 'not a regular file')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Whether a file exists.
 *
 * @throws {FilesError} if it is a link, also one without a target.
 */
export function isRealFile(path: string): boolean {
  const stats = lookAt(path)
  if (stats?.isSymbolicLink()) throw toKindError(path, 'a symbolic link')
  return stats !== undefined
}

/** What is at a path, without following links to it. */
export function lookAt(path: string): Stats | undefined {
  return look(() => lstatSync(path, { throwIfNoEntry: false }))
}

function look<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    // Nothing exists below a file.
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function toKindError(path: string, kind: string): FilesError {
  return new FilesError(`Cannot use ${path}: it is ${kind}`, { path, hint: 'Replace it with a regular file' })
}

/** Two changes within this time may have the same timestamp. */
const settledMs = 20

/**
 * A stamp that changes whenever a file is written: its size, times and inode (no program can set the time of the inode's change).
 *
 * Undefined if a change could go unnoticed: for anything but a file, on disks with times in whole seconds, and for a file that
 * was just written.
 */
export function readStamp(path: string): string | undefined {
  const stats = look(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  if (!stats?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ctimeMs, ino, dev } = stats
  if (ctimeNs % 1_000_000_000n === 0n || Date.now() - Number(ctimeMs) < settledMs) return undefined
  return [size, mtimeNs, ctimeNs, ino, dev].join('-')
}

interface FolderWatch {
  close(): void
}

/** How long to wait for further changes before reporting: editors write a file in several steps. */
const quietMs = 40

/**
 * Reports changed paths below an absolute folder (relative to it, with `/`), some milliseconds after the last change. May report
 * a path that did not change. Changes that cannot be watched are not reported.
 *
 * Uses one watch per folder on Linux, where Node's recursive watch needs one per file. Does not follow links.
 */
export function watchFolder(root: OwnedPath, onChange: (paths: readonly string[]) => void): FolderWatch {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const note = (path: string) => {
    const inside = relative(root, path).split(sep)
    if (inside.some((name) => ignoredFolders.has(name))) return
    changed.add(inside.join('/'))
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changed].sort()
      changed.clear()
      onChange(paths)
    }, quietMs)
  }
  const isRecursive = process.platform === 'darwin' || process.platform === 'win32'
  const watches = isRecursive ? watchRecursively(root, note) : watchEachFolder(root, note)
  return {
    close() {
      clearTimeout(timer)
      watches.close()
    },
  }
}

function watchRecursively(root: string, note: (path: string) => void): FolderWatch {
  const watcher = watch(root, { recursive: true }, (_event, name) => note(join(root, name ?? '')))
  watcher.on('error', ignore)
  return watcher
}

function watchEachFolder(root: string, note: (path: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const add = (folder: string, isNew: boolean) => {
    if (lookAt(folder)?.isDirectory() !== true) return
    try {
      const watcher = watch(folder, (event, name) => {
        const path = join(folder, name ?? '')
        if (event === 'rename') renew(path)
        note(path)
      })
      watcher.on('error', ignore)
      watchers.set(folder, watcher)
    } catch {
      return // The system has no more watches available.
    }
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) {
        // It may have been written before the watch began.
        if (isNew) note(path)
      } else if (!ignoredFolders.has(entry.name)) add(path, isNew)
    }
  }
  /** Renews the watch of a folder that was created, removed or replaced: a watch does not survive its folder. */
  const renew = (path: string) => {
    for (const [folder, watcher] of watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue
      watcher.close()
      watchers.delete(folder)
    }
    if (path !== root && !ignoredFolders.has(basename(path))) add(path, true)
  }
  add(root, false)
  return {
    close() {
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function ignore(): void {}

/** The bytes ended without a proof that they are complete. */
class IncompleteError extends Error {}

/** More bytes arrived than the limit allows. */
export class TooLargeError extends Error {}

interface WholeOptions {
  /** The value of `Content-Encoding`. Default: not encoded. */
  readonly encoding?: string | undefined
  /** The most bytes, encoded or decoded. Default: no limit. */
  readonly limitBytes?: number
  /** The number of decoded bytes, if it is known. */
  readonly sizeBytes?: number
}

type Decode = (source: Source) => AsyncIterable<Uint8Array>

/** The encodings that are decoded. Decoders are loaded on demand, because few processes need them. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (source) => decodeStream(source, zlib().createGunzip())],
  ['x-gzip', (source) => decodeStream(source, zlib().createGunzip())],
  ['deflate', (source) => decodeStream(source, zlib().createInflate())],
  ['br', (source) => decodeStream(source, zlib().createBrotliDecompress())],
  ['zstd', ({ chunks }) => decodeFrames(chunks)],
])

function findDecoder(encoding: string): Decode | undefined {
  return decoders.get(encoding.trim().toLowerCase())
}

/** Whether a value of `Content-Encoding` is decoded. */
export function canDecode(encoding: string): boolean {
  return findDecoder(encoding) !== undefined
}

export const acceptedEncodings = 'gzip, deflate, br, zstd'

/**
 * Yields the decoded bytes of a response, an archive or another stream. They are whole only if it ends without an error: then the announced
 * length, the last chunk or the end of the encoding was reached, or the connection ended in order and the request was not aborted.
 *
 * @throws {IncompleteError} without this proof, or for an unknown encoding. @throws {TooLargeError}
 */
export async function* readWhole(
  stream: AsyncIterable<Uint8Array>,
  { encoding = 'identity', limitBytes = Number.POSITIVE_INFINITY, sizeBytes }: WholeOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const decode = findDecoder(encoding)
  if (!decode && !/^\s*(?:identity\s*)?$/i.test(encoding)) throw new IncompleteError('its content encoding is not supported')
  const received = { bytes: 0, hasEnded: false }
  const chunks = receive(stream, received, limitBytes)
  let size = 0
  for await (const chunk of decode?.({ chunks, received }) ?? chunks) {
    size += chunk.byteLength
    if (size > limitBytes) throw new TooLargeError(`more than ${limitBytes} bytes`)
    yield chunk
  }
  if (sizeBytes !== undefined && size !== sizeBytes) throw new IncompleteError(`it has ${size} bytes instead of ${sizeBytes}`)
}

/** Most decoders ignore what follows the end of the first stream. */
async function* decodeStream({ chunks, received }: Source, decoder: Transform & Zlib): AsyncGenerator<Uint8Array> {
  // The reader of the decoder gets the error.
  yield* process.getBuiltinModule('node:stream').pipeline(chunks, decoder, () => undefined)
  if (!received.hasEnded || decoder.bytesWritten !== received.bytes)
    throw new IncompleteError('its compressed response has data after its end')
}

/** The most frames of one response. An empty one has 9 bytes, and each needs a decoder. */
const maxFrames = 1_000

/** Zstandard has any number of frames, and its decoder reads one. */
async function* decodeFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = await readWholeBytes(chunks)
  let frames = 0
  do {
    if (++frames > maxFrames) throw new IncompleteError(`its compressed response has more than ${maxFrames} parts`)
    const decoder = zlib().createZstdDecompress()
    decoder.end(rest)
    yield* decoder
    rest = rest.subarray(decoder.bytesWritten)
  } while (rest.length > 0)
}

/** Collects what {@link readWhole} yields. */
export async function readWholeBytes(stream: AsyncIterable<Uint8Array>, options?: WholeOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readWhole(stream, options)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Received {
  bytes: number
  hasEnded: boolean
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  /** What of it was read. */
  readonly received: Readonly<Received>
}

/** Yields the bytes of a stream as they arrive. */
async function* receive(stream: AsyncIterable<Uint8Array>, received: Received, limitBytes: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    received.bytes += chunk.byteLength
    if (received.bytes > limitBytes) throw new TooLargeError(`more than ${limitBytes} bytes`)
    yield chunk
  }
  if ('complete' in stream && !isWhole(stream as unknown as IncomingMessage))
    throw new IncompleteError('the host closed the connection')
  received.hasEnded = true
}

/** Node also calls a response without a length complete after a reset, or after the request was aborted. */
function isWhole({ complete, headers, socket }: IncomingMessage): boolean {
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding']?.toLowerCase() === 'chunked'
  return complete && (hasLength || !socket.errored)
}

function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}
