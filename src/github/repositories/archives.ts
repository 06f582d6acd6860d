import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { folderOf, joinOwned, type OwnPath } from '../../files/boundary.ts'
import { readWhole, readWholeBytes } from '../../files/disk-files.ts'
import { disk } from '../../files/disk-writes.ts'
import type { Files, ReadResult } from '../../files/files.ts'
import { GitHubError } from '../../text/errors.ts'
import { joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { callGitHub, toOperation } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/github-client.ts'

/** Maximum number of attempts after lost connections. */
const attempts = 3

/**
 * Downloads the files of a commit and unpacks them as a stream into a new or empty folder that nothing else uses.
 *
 * @throws {GitHubError} `not-found` when the commit is gone, `refused` for an archive over a limit, `unreachable` after three lost
 * connections. A system error of the disk, such as `ENOSPC`.
 */
export async function readArchive(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string,
  folder: OwnPath,
  options: {
    readonly limits?: Partial<ArchiveLimits>
    readonly keep?: (path: string, sizeBytes: number) => boolean
    readonly signal?: AbortSignal
  } = {},
): Promise<Archive> {
  const limits = { ...defaultArchiveLimits, ...options.limits }
  const operation = toOperation('read archive', repository, 'contents: read', sha)
  const clock = AbortSignal.timeout(limits.timeMs)
  const signal = options.signal ? AbortSignal.any([options.signal, clock]) : clock
  for (let attempt = 1; ; attempt++) {
    try {
      const source = await callGitHub(operation, () => requestTarball(client, repository, sha, signal))
      return await extractArchive(source, folder, { limits, keep: options.keep ?? isReadByUpdate, signal })
    } catch (error) {
      await disk.rm(folder, { recursive: true, force: true })
      if (clock.aborted) {
        const message = `Cannot ${operation.operation} on ${operation.on}: timed out after ${limits.timeMs} ms`
        throw new GitHubError(message, { failure: 'refused', ...operation })
      }
      const isLost = error instanceof GitHubError && error.failure === 'unreachable'
      if (!isLost || attempt >= attempts || signal.aborted) throw error
    }
  }
}

/** The files that an update reads: documents, pages and ignore files. A document may have any of these extensions. */
export function isReadByUpdate(path: string): boolean {
  return /\.(json|jsonc|ya?ml|mdx?|markdown|txt)$/i.test(path) || /(^|\/)\.(gitignore|mintignore)$/.test(path)
}

async function requestTarball(
  client: GitHubClient,
  { owner, repo }: RepositoryName,
  sha: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  // GitHub redirects to another host. `fetch` follows without sending the token.
  const { data, status }: { readonly data: unknown; readonly status: number } = await client.request(
    'GET /repos/{owner}/{repo}/tarball/{ref}',
    {
      owner,
      repo,
      ref: sha,
      request: { parseSuccessResponseBody: false, signal },
    },
  )
  if (status !== 200) {
    const message = `Cannot read the archive: GitHub responded with ${status}`
    throw new GitHubError(message, { failure: 'unreachable', operation: 'read archive' })
  }
  return data as AsyncIterable<Uint8Array> // Unparsed, the body is the web stream of `fetch`, which Node can iterate.
}

/** Maximum number of links followed in one path, as on Linux. */
const linkLimit = 40

/**
 * The files of an archive that was unpacked into a folder, for an update. The archive is the boundary.
 *
 * Links are followed by name, within the archive only. Files that were left out or refused are reported as unreadable or too
 * large, not as missing.
 */
export function createArchiveFiles(
  { folder, archive }: UnpackedArchive,
  fileLimitBytes: number = defaultArchiveLimits.fileBytes,
): Files {
  const keptPaths = new Set(archive.kept)
  const leftOut = new Set(archive.leftOut)
  const links = new Map(Object.entries(archive.links))
  const refused = new Map(archive.refused.map((entry) => [entry.path, entry]))
  const folders = new Set<string>([''])
  for (const path of [...keptPaths, ...leftOut, ...links.keys()]) {
    for (let folder = parentPath(path); !folders.has(folder); folder = parentPath(folder)) folders.add(folder)
  }
  const read = async (path: string, limitBytes = fileLimitBytes): Promise<ReadResult> => {
    const found = followLinks(normalizePath(path), links)
    if (typeof found !== 'string') return found
    if (keptPaths.has(found)) {
      const bytes = await readFile(join(folder, found))
      return bytes.length > limitBytes ? { kind: 'too-large', sizeBytes: bytes.length, limitBytes } : { kind: 'file', bytes }
    }
    if (folders.has(found)) return { kind: 'folder' }
    if (leftOut.has(found)) return { kind: 'unreadable', reason: 'the app does not read files of this type' }
    const entry = refused.get(found)
    if (entry?.sizeBytes !== undefined) return { kind: 'too-large', sizeBytes: entry.sizeBytes, limitBytes: fileLimitBytes }
    return entry ? { kind: 'unreadable', reason: entry.reason } : { kind: 'missing' }
  }
  const list = async (below: string): Promise<readonly string[]> => {
    const top = normalizePath(below)
    const linked = [...links.keys()].filter((path) => {
      const target = followLinks(path, links)
      return typeof target === 'string' && keptPaths.has(target)
    })
    return [...keptPaths, ...linked].filter((path) => isListed(path, top)).sort()
  }
  // A file that is new in each folder has no stamp.
  const stateOf = (path: string) => {
    const found = followLinks(normalizePath(path), links)
    if (typeof found !== 'string' || !keptPaths.has(found)) return undefined
    return { sizeBytes: statSync(join(folder, found)).size, stamp: undefined }
  }
  return { read, list, stateOf }
}

function isListed(path: string, top: string): boolean {
  if (top !== '' && !path.startsWith(`${top}/`)) return false
  const below = path.slice(top === '' ? 0 : top.length + 1)
  return !below
    .split('/')
    .slice(0, -1)
    .some((step) => step === '.git' || step === 'node_modules')
}

/** Resolves the links of a path, or gives the reason why it cannot. */
function followLinks(path: string, links: ReadonlyMap<string, string>): string | ReadResult {
  let current = path
  for (let followed = 0; followed <= linkLimit; followed++) {
    if (current === '..' || current.startsWith('../')) return { kind: 'outside' }
    const steps = current.split('/')
    const end = steps.findIndex((_step, index) => links.has(steps.slice(0, index + 1).join('/')))
    if (end === -1) return current
    const link = steps.slice(0, end + 1).join('/')
    const target = links.get(link) ?? ''
    if (target.startsWith('/') || target === '' || target.includes('\0')) return { kind: 'outside' }
    current = joinPath(joinPath(parentPath(link), target), steps.slice(end + 1).join('/'))
  }
  return { kind: 'unreadable', reason: 'its symbolic links form a cycle' }
}

/** The content of an archive. Paths are relative to the repository, with `/`. Plain data that can be sent to a worker. */
export interface Archive {
  /** Files that were written, in the order of the archive. */
  readonly kept: readonly string[]
  /** Files that the filter excluded. */
  readonly leftOut: readonly string[]
  /** Targets of links by path, as written in the archive. Links are not created. */
  readonly links: { readonly [path: string]: string }
  /** Refused entries, with a reason for a log line. At most 1,000 are listed; `refusedCount` counts all. */
  readonly refused: readonly RefusedEntry[]
  readonly refusedCount: number
  readonly expandedBytes: number
}

/** An archive, and the folder that it was unpacked into. */
export interface UnpackedArchive {
  readonly folder: OwnPath
  readonly archive: Archive
}

interface RefusedEntry {
  /** The untrusted path, cut at 200 characters. */
  readonly path: string
  /** A clause, such as `its path points outside the archive`. */
  readonly reason: string
  /** Set if the file is only too large. */
  readonly sizeBytes?: number
}

/** Only the first refusals are listed. */
const listedRefusals = 1_000

/** The ratio is not checked below this size: a small file of spaces is harmless. */
const ratioFromBytes = 16 * 1024 ** 2

/**
 * Unpacks a gzipped tar into a folder as a stream, holding at most one file in memory.
 *
 * Writes only plain files, each under a checked and unique path. Records links without creating them, so no path can leave the folder. Refuses
 * devices, pipes and other entries one by one.
 *
 * @throws {GitHubError} `refused` when a limit is exceeded or the archive is invalid, `unreachable` when it is truncated.
 */
async function extractArchive(
  source: AsyncIterable<Uint8Array>,
  folder: OwnPath,
  options: {
    readonly limits: ArchiveLimits
    /** Which files to keep; others are skipped. */
    readonly keep: (path: string, sizeBytes: number) => boolean
    readonly signal?: AbortSignal
  },
): Promise<Archive> {
  const { limits, keep, signal } = options
  const kept: string[] = []
  const leftOut: string[] = []
  const links = new Map<string, string>()
  const refused: RefusedEntry[] = []
  const taken = new TakenPaths()
  const write = createWrite(folder)
  let [compressedBytes, expandedBytes, keptBytes, entries, refusedCount] = [0, 0, 0, 0, 0]
  const refuse = (entry: RefusedEntry) => {
    refusedCount++
    if (refused.length < listedRefusals) refused.push({ ...entry, path: entry.path.slice(0, 200) })
  }
  async function* countCompressed() {
    for await (const chunk of source) {
      compressedBytes += chunk.length
      if (compressedBytes > limits.compressedBytes) throw overLimit(limits.compressedBytes, 'compressed bytes')
      yield chunk
    }
  }
  async function* countExpanded(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of readWhole(chunks, { encoding: 'gzip' })) {
      expandedBytes += chunk.length
      if (expandedBytes > limits.expandedBytes) throw overLimit(limits.expandedBytes, 'uncompressed bytes')
      if (expandedBytes > ratioFromBytes && expandedBytes > compressedBytes * limits.ratio) {
        throw overLimit(limits.ratio, 'times its compressed size')
      }
      yield chunk
    }
  }
  const unpack = tar.extract()
  const readEntries = async () => {
    for await (const entry of unpack) {
      entries++
      if (entries > limits.entries) throw overLimit(limits.entries, 'entries')
      const { name, type, size = 0, linkname } = entry.header
      const place = toArchivePath(name)
      if (place.kind === 'refused') refuse({ path: name, reason: place.reason })
      else if (place.kind === 'path' && type !== 'directory') {
        const { path } = place
        const clash = taken.clashOf(path)
        if (type === 'link') refuse({ path, reason: 'it is a hard link' })
        else if (type !== 'file' && type !== 'contiguous-file' && type !== 'symlink')
          refuse({ path, reason: `it is not a file (${type ?? 'unknown'})` })
        else if (clash !== undefined) refuse({ path, reason: clash })
        else if (type === 'symlink') {
          taken.add(path)
          links.set(path, linkname ?? '')
        } else if (!keep(path, size)) {
          taken.add(path)
          leftOut.push(path)
        } else if (size > limits.fileBytes) {
          taken.add(path)
          refuse({ path, reason: `it has ${size} bytes, more than the limit of ${limits.fileBytes}`, sizeBytes: size })
        } else {
          keptBytes += size
          if (kept.length + 1 > limits.keptFiles) throw overLimit(limits.keptFiles, 'documents and pages')
          if (keptBytes > limits.keptBytes) throw overLimit(limits.keptBytes, 'bytes of documents and pages')
          taken.add(path)
          await write(path, await readWholeBytes(entry as AsyncIterable<Uint8Array>, { sizeBytes: size })) // It yields buffers.
          kept.push(path)
        }
      }
      entry.resume()
    }
  }
  const [streamed, read] = await Promise.allSettled([
    pipeline(countCompressed, countExpanded, unpack, { ...(signal ? { signal } : {}) }),
    readEntries(),
  ])
  const errors = [read, streamed].flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (errors.length > 0) throw toArchiveError(errors)
  return { kept, leftOut, links: Object.fromEntries(links), refused, refusedCount, expandedBytes }
}

/** Paths in use, so that no entry replaces another one or turns a file into a folder. */
class TakenPaths {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  clashOf(path: string): string | undefined {
    const form = toCollisionForm(path)
    if (this.#files.has(form)) return 'another entry has the same name, or one that differs only in case'
    if (this.#folders.has(form)) return 'a directory has the same name'
    return parentsOf(form).some((parent) => this.#files.has(parent)) ? 'its directory is a file' : undefined
  }

  add(path: string): void {
    const form = toCollisionForm(path)
    this.#files.add(form)
    for (const parent of parentsOf(form)) this.#folders.add(parent)
  }
}

function parentsOf(path: string): string[] {
  const steps = path.split('/').slice(0, -1)
  return steps.map((_step, index) => steps.slice(0, index + 1).join('/'))
}

function overLimit(limit: number, unit: string): GitHubError {
  return new GitHubError(`Cannot read the archive: it exceeds the limit of ${limit.toLocaleString('en-US')} ${unit}`, {
    failure: 'refused',
    operation: 'read archive',
    hint: 'Remove large and generated files from the repository',
  })
}

/**
 * Finds the original error: when one end of a stream fails, the other one fails with an unrelated error.
 *
 * A truncated archive can be retried, an invalid one cannot.
 */
function toArchiveError(errors: readonly unknown[]): unknown {
  const ours = errors.find((error) => error instanceof GitHubError)
  if (ours) return ours
  const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code) // Streams and the disk throw nothing else.
  // Errors of the disk are not caused by the archive and keep their class.
  const disk = errors.find((error) => /^E[A-Z]+$/.test(codeOf(error)) && codeOf(error) !== 'ECONNRESET')
  if (disk) return disk
  const cause = errors.find((error) => codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') ?? errors[0]
  const message = cause instanceof Error ? cause.message : String(cause)
  const isCut = /unexpected end|after its end|instead of|terminated|premature|abort|socket|ECONNRESET/i.test(
    `${codeOf(cause)} ${message}`,
  )
  return new GitHubError(`Cannot read the archive: ${isCut ? 'the connection was lost' : message}`, {
    failure: isCut ? 'unreachable' : 'refused',
    operation: 'read archive',
    cause,
  })
}

/** Limits of one archive, each configurable. Exceeding one ends the run. */
export const defaultArchiveLimits = {
  /** Size of the download. */
  compressedBytes: 512 * 1024 ** 2,
  /** Total size of the files, including skipped ones. */
  expandedBytes: 4 * 1024 ** 3,
  /** Maximum expansion ratio above 16 MiB. An archive bomb reaches about 1,000. */
  ratio: 250,
  /** Total number of files, folders and links. */
  entries: 500_000,
  /** Files that are kept. */
  keptFiles: 50_000,
  keptBytes: 512 * 1024 ** 2,
  /** A larger file is left out and reported; the others are read. */
  fileBytes: 64 * 1024 ** 2,
  /** From the request to the last byte. */
  timeMs: 300_000,
}
export type ArchiveLimits = Readonly<typeof defaultArchiveLimits>

/** Writes files below a folder. */
function createWrite(folder: OwnPath): (path: string, bytes: Uint8Array) => Promise<void> {
  const made = new Set<string>()
  return async (path, bytes) => {
    const fullPath = joinOwned(folder, path)
    const parent = folderOf(fullPath)
    if (!made.has(parent)) {
      await disk.mkdir(parent, { recursive: true, mode: 0o700 })
      made.add(parent)
    }
    await disk.createFile(fullPath, bytes, 0o600)
  }
}

/** The path of an archive entry, or the reason for refusing it. */
type ArchivePath =
  | { readonly kind: 'path'; readonly path: string }
  /** GitHub's outer folder. */
  | { readonly kind: 'top' }
  | { readonly kind: 'refused'; readonly reason: string }

/** The longest path that every system accepts, in UTF-8 bytes. */
const pathLimitBytes = 4_096
const nameLimitBytes = 255

/**
 * Removes the outer folder from the name of an entry. Refuses every name that could leave the archive or that git would not check
 * out.
 */
export function toArchivePath(name: string): ArchivePath {
  const refuse = (reason: string): ArchivePath => ({ kind: 'refused', reason })
  if (/[\u0000-\u001F\u007F]/.test(name)) return refuse('its name contains a control character')
  if (name.includes('\uFFFD')) return refuse('its name is not UTF-8')
  if (name.startsWith('/')) return refuse('its path is absolute')
  if (Buffer.byteLength(name) > pathLimitBytes) return refuse('its path is too long')
  const [, ...steps] = name.replace(/(?<!\/)\/+$/, '').split('/')
  if (steps.length === 0) return name.includes('..') ? refuse('its path points outside the archive') : { kind: 'top' }
  if (name.startsWith('../') || steps.includes('..')) return refuse('its path points outside the archive')
  if (steps.some((step) => step === '' || step === '.')) return refuse('its path has an empty segment')
  if (steps.some((step) => step.includes('\\'))) return refuse('its name contains a backslash')
  if (/^[a-z]:/i.test(steps[0] ?? '')) return refuse('its path contains a drive letter')
  if (steps.some(isGitFolder)) return refuse('its path contains `.git`')
  if (steps.some((step) => Buffer.byteLength(step) > nameLimitBytes)) return refuse('its name is too long')
  return { kind: 'path', path: steps.join('/') }
}

/** Paths with the same form are one file on a system that ignores case or Unicode normalization. */
function toCollisionForm(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Whether a file system may read a name as `.git`: upper case, trailing dots, short names, invisible characters. */
function isGitFolder(step: string): boolean {
  const plain = step
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase()
  return plain === '.git' || /^git~\d+$/.test(plain) || plain.startsWith('.git:')
}
