import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { GitHubError } from '../errors.ts'
import type { ArchiveLimits } from './archive-limits.ts'
import { toArchivePath, toCollisionForm } from './archive-path.ts'
import type { ArchiveSink } from './archive-sink.ts'

/** What came out of an archive. Paths are relative to the repository with `/`. Plain data: a worker can be handed it. */
export interface ExtractedArchive {
  /** Files that are in the sink, in the order of the archive. */
  readonly kept: readonly string[]
  /** Files that the filter did not want. */
  readonly leftOut: readonly string[]
  /** Links by path, with what they point at as the archive says it: nothing was written for them. */
  readonly links: { readonly [path: string]: string }
  /** Entries that were refused, with a reason for a log line. At most 1,000 are listed; `refusedCount` has them all. */
  readonly refused: readonly RefusedEntry[]
  readonly refusedCount: number
  readonly compressedBytes: number
  readonly expandedBytes: number
}

interface RefusedEntry {
  /** As the archive has it, cut at 200 characters; may hold anything. */
  readonly path: string
  /** A clause: `its path leads out of the archive`. */
  readonly reason: string
  /** Set where the entry is a file that is only too large. */
  readonly sizeBytes?: number
}

/** Only the first refusals are listed. */
const listedRefusals = 1_000
/** Below this a ratio says nothing: a small file of blanks is no bomb. */
const ratioFromBytes = 16 * 1024 ** 2

/**
 * Unpacks a gzipped tar as a stream into a sink, holding at most one file in memory.
 *
 * Only plain files arrive in the sink, each under a path that was checked and that no earlier one had. Links are remembered and not
 * made; devices, pipes and everything else are refused, one by one, and the rest is read.
 *
 * @throws {GitHubError} `refused` when a limit is reached or the bytes are no such archive, `unreachable` when they end too early.
 */
export async function extractArchive(
  source: AsyncIterable<Uint8Array>,
  sink: ArchiveSink,
  options: {
    readonly limits: ArchiveLimits
    /** Which files are wanted; others are read over. */
    readonly keep: (path: string, sizeBytes: number) => boolean
    readonly signal?: AbortSignal
  },
): Promise<ExtractedArchive> {
  const { limits, keep, signal } = options
  const kept: string[] = []
  const leftOut: string[] = []
  const links: { [path: string]: string } = Object.create(null)
  const refused: RefusedEntry[] = []
  const taken = new TakenPaths()
  let [compressedBytes, expandedBytes, keptBytes, entries, refusedCount] = [0, 0, 0, 0, 0]
  const refuse = (entry: RefusedEntry) => {
    refusedCount++
    if (refused.length < listedRefusals) refused.push({ ...entry, path: entry.path.slice(0, 200) })
  }
  async function* countCompressed() {
    for await (const chunk of source) {
      compressedBytes += chunk.length
      if (compressedBytes > limits.compressedBytes) throw overLimit('compressed', limits.compressedBytes, 'bytes')
      yield chunk
    }
  }
  async function* countExpanded(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      expandedBytes += chunk.length
      if (expandedBytes > limits.expandedBytes) throw overLimit('expanded', limits.expandedBytes, 'bytes')
      if (expandedBytes > ratioFromBytes && expandedBytes > compressedBytes * limits.ratio) {
        throw overLimit('expanded', limits.ratio, 'times its size')
      }
      yield chunk
    }
  }
  const unpack = tar.extract()
  const readEntries = async () => {
    for await (const entry of unpack) {
      entries++
      if (entries > limits.entries) throw overLimit('unpacked', limits.entries, 'entries')
      const { name, type, size = 0, linkname } = entry.header
      const place = toArchivePath(name)
      if (place.kind === 'refused') refuse({ path: name, reason: place.reason })
      else if (place.kind === 'path' && type !== 'directory') {
        const { path } = place
        const clash = taken.clashOf(path)
        if (type !== 'file' && type !== 'contiguous-file' && type !== 'symlink') refuse({ path, reason: describeType(type) })
        else if (clash !== undefined) refuse({ path, reason: clash })
        else if (type === 'symlink') {
          taken.add(path)
          links[path] = linkname ?? ''
        } else if (!keep(path, size)) {
          taken.add(path)
          leftOut.push(path)
        } else if (size > limits.fileBytes) {
          taken.add(path)
          refuse({ path, reason: `it has ${size} bytes, the limit is ${limits.fileBytes}`, sizeBytes: size })
        } else {
          keptBytes += size
          if (kept.length + 1 > limits.keptFiles) throw overLimit('unpacked', limits.keptFiles, 'files that an update reads')
          if (keptBytes > limits.keptBytes) throw overLimit('unpacked', limits.keptBytes, 'bytes that an update reads')
          taken.add(path)
          await sink.write(path, await readAll(entry as AsyncIterable<Uint8Array>)) // It yields buffers.
          kept.push(path)
        }
      }
      entry.resume()
    }
  }
  const [streamed, read] = await Promise.allSettled([
    pipeline(countCompressed, createGunzip(), countExpanded, unpack, { ...(signal ? { signal } : {}) }),
    readEntries(),
  ])
  const errors = [read, streamed].flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (errors.length > 0) throw toArchiveError(errors)
  return { kept, leftOut, links, refused, refusedCount, compressedBytes, expandedBytes }
}

/** Which paths are in use, so that no entry takes the place of another or turns a file into a folder. */
class TakenPaths {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  clashOf(path: string): string | undefined {
    const form = toCollisionForm(path)
    if (this.#files.has(form)) return 'another entry has its name, maybe in other letters'
    if (this.#folders.has(form)) return 'a folder has its name'
    return parentsOf(form).some((parent) => this.#files.has(parent)) ? 'a file stands where its folder should be' : undefined
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

async function readAll(entry: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function describeType(type: string | null | undefined): string {
  return type === 'link' ? 'it is a hard link' : `it is no file (${type ?? 'unknown'})`
}

function overLimit(what: string, limit: number, unit: string): GitHubError {
  return new GitHubError(`Cannot read the archive: ${what} it is over ${limit.toLocaleString('en-US')} ${unit}`, {
    failure: 'refused',
    operation: 'read archive',
    hint: 'keep large and generated files out of the repository',
  })
}

/**
 * Tells what really happened: one end of a stream that fails makes the other fail too, with words that say nothing.
 *
 * Too early an end is worth another try, bytes that are no archive are not.
 */
function toArchiveError(errors: readonly unknown[]): unknown {
  const ours = errors.find((error) => error instanceof GitHubError)
  if (ours) return ours
  const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code) // Streams and the disk throw nothing else.
  // The disk's own errors keep their class: they are not about the archive.
  const disk = errors.find((error) => /^E[A-Z]+$/.test(codeOf(error)) && codeOf(error) !== 'ECONNRESET')
  if (disk) return disk
  const cause = errors.find((error) => codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') ?? errors[0]
  const message = cause instanceof Error ? cause.message : String(cause)
  const isCut = /unexpected end|terminated|premature|abort|socket|ECONNRESET/i.test(`${codeOf(cause)} ${message}`)
  return new GitHubError(`Cannot read the archive: ${isCut ? 'the connection was lost' : message}`, {
    failure: isCut ? 'unreachable' : 'refused',
    operation: 'read archive',
    cause,
  })
}
