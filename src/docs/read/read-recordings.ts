import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import {
  type KeptRecordings,
  type OnExchange,
  openHarStream,
  type ReadRecording,
  readRecording,
} from '../../traffic/read-recording.ts'
import { isRecordingName } from '../config/traffic-settings.ts'
import { toFailure } from './find-docs.ts'

/** A file that was not read, or only in part. */
export interface UnreadRecording {
  readonly path: string
  /** Completes "Cannot read the recording …: ". */
  readonly problem: string
}

/** What reading recordings found. */
export interface ReadRecordings {
  readonly unread: readonly UnreadRecording[]
  /** Files of a named folder that are no recordings. */
  readonly others: readonly string[]
  /** Number of files that were read. */
  readonly read: number
  /** Number of exchanges without a URL or status, and of files beyond a limit, of which only the first is in `unread`. */
  readonly incomplete: number
}

const MiB = 1024 * 1024
/** The largest recording. Node.js has no longer strings. */
const maxFileBytes = 512 * MiB - 1024
/** Larger HAR files are read in parts. */
const maxWholeBytes = 64 * MiB
const maxFiles = 10_000
const maxMs = 60_000
/** The most bytes of files whose exchanges are kept. */
const maxKeptBytes = 64 * MiB

/**
 * Reads files and folders with recordings, relative to the root of the files. Passes the exchanges on one by one, in a stable order.
 *
 * Stops after 60 seconds: the other files are `unread`.
 *
 * @param options.dateOf The date of a file, for exchanges without one.
 * @param options.kept What was read before. Receives what can be used again.
 */
export async function readRecordings(
  paths: readonly string[],
  files: Files,
  onExchange: OnExchange,
  { dateOf, kept }: { readonly dateOf: (path: string) => string | undefined; readonly kept?: KeptRecordings | undefined },
): Promise<ReadRecordings> {
  const start = performance.now()
  const unread: UnreadRecording[] = []
  const others: string[] = []
  let [read, incomplete] = [0, 0]
  const listed = await listRecordings(paths, files)
  let leftBytes = maxKeptBytes
  for (const [index, { path, isNamed }] of listed.entries()) {
    if (read >= maxFiles || performance.now() - start > maxMs) {
      const limit = read >= maxFiles ? `${formatNumber(maxFiles)} files` : '60 seconds'
      const left = listed.length - index
      unread.push({ path, problem: `the limit of ${limit} was reached before it and ${formatCount(left - 1, 'other file')}` })
      incomplete += left - 1
      break
    }
    const date = dateOf(path)
    let isLate = false
    const passOn = (exchange: Exchange) => {
      isLate ||= performance.now() - start > maxMs
      if (!isLate) onExchange(exchange.date === undefined ? { ...exchange, date } : exchange)
    }
    const { stamp, sizeBytes = 0 } = files.stateOf?.(path) ?? {}
    leftBytes -= sizeBytes
    const isKept = stamp !== undefined && leftBytes >= 0
    const result = kept && isKept ? await readKept(path, stamp, files, kept, passOn) : await readFile(path, files, passOn)
    incomplete += result.incomplete
    if (result.isOther && !isNamed) others.push(path)
    else if (isLate) unread.push({ path, problem: 'the limit of 60 seconds was reached in it' })
    else if (result.problem !== undefined) unread.push({ path, problem: result.problem })
    else read++
  }
  return { unread, others, read, incomplete }
}

async function listRecordings(paths: readonly string[], files: Files) {
  const listed = new Map<string, boolean>()
  for (const path of paths) {
    const isFolder = (await files.read(path, 1)).kind === 'folder'
    if (!isFolder) listed.set(path, true)
    const inside = isFolder ? (await files.list(path)).filter(isRecordingName) : []
    for (const file of inside) if (!listed.has(file)) listed.set(file, false)
  }
  return [...listed].map(([path, isNamed]) => ({ path, isNamed }))
}

/** Reads a file, unless it is kept and has the same stamp. */
async function readKept(path: string, stamp: string, files: Files, kept: KeptRecordings, onExchange: OnExchange) {
  let known = kept.get(path)
  if (known?.stamp !== stamp) {
    const exchanges: Exchange[] = []
    known = { ...(await readFile(path, files, (exchange) => void exchanges.push(exchange))), stamp, exchanges }
    kept.set(path, known)
  }
  for (const exchange of known.exchanges) onExchange(exchange)
  return known
}

async function readFile(path: string, files: Files, onExchange: OnExchange): Promise<ReadRecording> {
  const sizeBytes = files.stateOf?.(path)?.sizeBytes ?? 0
  if (sizeBytes > maxWholeBytes && files.readParts && /\.har$/i.test(path)) {
    const stream = await openHarStream(path, onExchange)
    const result = files.readParts(path, maxFileBytes, stream.write)
    return result.kind === 'file' ? stream.end() : { problem: toFailure(result).reason, incomplete: 0 }
  }
  const result = await files.read(path, maxFileBytes)
  return result.kind === 'file'
    ? readRecording(path, result.bytes, onExchange)
    : { problem: toFailure(result).reason, incomplete: 0 }
}
