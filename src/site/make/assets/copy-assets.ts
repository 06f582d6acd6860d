import { type Finding, formatCount } from '../../../diagnostics/diagnostic.ts'
import { isLfsPointer } from '../../../docs/read/find-docs.ts'
import { type Files, type ReadResult, readEach } from '../../../files/files.ts'
import { formatLimit, type Limits, limitHint } from '../../../text/plain/limits.ts'
import { isDataFile, joinPath } from '../../../text/plain/paths.ts'
import type { ImageSize } from '../../page/site-context.ts'
import { assetType, findSvgRisk } from '../../plan/file-types.ts'
import type { EarlierBuild, EmitFile, RememberedAsset } from '../render-memory.ts'
import { readImageSize } from './read-image-sizes.ts'

/** Top-level directories with images, videos and fonts that are always published, since other sites may link to them. */
const publicFolders = /^(?:public|static|assets|images|img|logo|media|fonts)\//i

/** Lists the files of a docs directory that are always published. Paths are relative to it. */
export function listPublicAssets(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    const type = publicFolders.test(path) ? assetType(path) : undefined
    return type === 'inert' || type === 'svg'
  })
}

/** Reports the files that a build refuses because of their content: Git LFS pointers, recorded traffic, and drawings that could run code. */
export async function reportRefused(paths: readonly string[], published: PublishedFiles): Promise<readonly Finding[]> {
  const { root, files } = published
  const findings: Finding[] = []
  const isShort = (path: string) => assetType(path) !== 'svg' && !isDataFile(path)
  const read = (path: string) => files.read(joinPath(root, path), isShort(path) ? pointerBytes : undefined)
  for await (const [path, result] of readEach(paths, read)) {
    const refusal = findRefusal(path, result, published)
    if (refusal) findings.push(toRefusal(root, path, ...refusal))
  }
  return findings
}

/** A pointer has less. */
const pointerBytes = 1_024

const pointer = [
  'it is a Git LFS pointer to the file',
  'Get the file with `git lfs pull`, or include LFS objects in archives on GitHub',
] as const

const recorded = [
  'it is recorded traffic',
  'Remove the link. Recordings hold secrets, and clients files the names of clients. `traffic` in the configuration file says which files they are',
] as const

function toRefusal(root: string, path: string, reason: string, hint: string): Finding {
  const message = `Cannot publish \`${path}\`: ${reason}`
  return { code: 'asset-refused', message, file: joinPath(root, path), pointer: '', offsets: { start: 0, end: 0 }, hint }
}

const sameNameHint = 'Rename one of them: many file systems are case-insensitive'

interface PublishedFiles {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly files: Files
  /** See `ReadSite.isTraffic`. */
  readonly isTraffic: (path: string) => boolean
}

interface AssetOptions extends PublishedFiles {
  readonly limits: Limits
  /** Images with a needed size. */
  readonly images: ReadonlySet<string>
  readonly emit: EmitFile
}

/** The most bytes of images that are kept in memory until they are copied. Others are read again. */
const maxHeldBytes = 32 * 1024 * 1024

/**
 * Copies files of a docs directory to the site. Reads each file once. Files that are unchanged since an earlier build are not read.
 *
 * Their bytes are written, because a hard link would let a tool that edits the site change the repository.
 */
export function createAssetCopies(
  options: AssetOptions,
  { stamp, memory, keep }: Pick<EarlierBuild, 'stamp' | 'memory' | 'keep'>,
) {
  const { root, files, limits, images, isTraffic, emit } = options
  const limitBytes = limits.values['assets-size']
  const findings: (Finding & { readonly path: string })[] = []
  const remembered = new Map<string, RememberedAsset>()
  const sizes = new Map<string, ImageSize | undefined>()
  /** Copied or refused paths by their lower-case form. */
  const done = new Map<string, string>()
  const sized: SizedPath[] = []
  let total = 0
  let isTooLarge = false
  const fileOf = (path: string) => joinPath(root, path)
  const held = createHeldFiles((path) => files.read(fileOf(path), limitBytes))
  const stateOf = (path: string) => files.stateOf?.(fileOf(path))
  const refuse = (path: string, reason: string, hint: string) =>
    void findings.push({ path, ...toRefusal(root, path, reason, hint) })
  const findKnown = (path: string): RememberedAsset | undefined => {
    const known = memory.assets.get(path)
    return known !== undefined && known.source === stateOf(path)?.stamp && !isTraffic(fileOf(path)) ? known : undefined
  }
  const take = (path: string, sizeBytes: number): boolean => {
    total += sizeBytes
    isTooLarge ||= total > limitBytes
    sized.push({ path, sizeBytes })
    return !isTooLarge
  }
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const result = await held.take(path)
    const refusal = findRefusal(path, result, options)
    if (refusal) return refuse(path, ...refusal)
    if (result.kind === 'outside')
      refuse(path, 'it is a symbolic link to a file outside the repository', 'Replace the link with the file')
    if (result.kind === 'too-large' && take(path, result.sizeBytes)) {
      const most = toMegabytes(result.limitBytes)
      refuse(path, `it has ${toMegabytes(result.sizeBytes)}, more than ${most}`, 'Host it on a download server')
    }
    if (result.kind === 'unreadable') refuse(path, result.reason, 'Replace it with a readable regular file')
    return result.kind === 'file' ? result.bytes : undefined
  }
  const copyOne = async (path: string): Promise<void> => {
    const state = stateOf(path)
    if (isTooLarge && state) return void take(path, state.sizeBytes)
    const known = findKnown(path)
    const [file] = known?.files ?? []
    if (known && file && (known.image || !images.has(path)) && keep([file])) {
      sizes.set(path, known.image)
      if (take(path, known.sizeBytes)) remembered.set(path, { ...known, files: [{ path: file.path, hash: file.hash }] })
      return
    }
    const bytes = await read(path)
    if (!bytes) return
    if (images.has(path) && !sizes.has(path)) sizes.set(path, readImageSize(bytes))
    if (!take(path, bytes.length)) return
    const hash = emit({ path, content: bytes })
    const image = sizes.get(path)
    if (stamp === '' || state?.stamp === undefined || (images.has(path) && image === undefined)) return
    remembered.set(path, { source: state.stamp, sizeBytes: bytes.length, ...(image && { image }), files: [{ path, hash }] })
  }
  return {
    /** Copies files of the docs directory. Copies each file once. */
    async copy(paths: Iterable<string>) {
      const wanted = [...new Set(paths)].sort().filter((path) => done.get(path.toLowerCase()) !== path)
      // What is known not to fit is not copied in part, as the host of the site has a limit for all its files.
      isTooLarge ||= wanted.reduce((sum, path) => sum + (stateOf(path)?.sizeBytes ?? 0), total) > limitBytes
      for (const path of wanted) {
        const same = done.get(path.toLowerCase())
        if (same !== undefined) {
          refuse(path, `its name differs from \`${same}\` only in case`, sameNameHint)
          continue
        }
        done.set(path.toLowerCase(), path)
        await copyOne(path)
      }
    },
    /** Reads the size of an image. */
    async sizeOf(path: string) {
      if (sizes.has(path)) return sizes.get(path)
      const known = findKnown(path)
      if (known?.image) return known.image
      const result = await held.peek(path)
      const size = result.kind === 'file' ? readImageSize(result.bytes) : undefined
      sizes.set(path, size)
      return size
    },
    /** Problems of the files that were not copied. They are errors if a page shows the file, see `pagesOf`. */
    findings: (pagesOf: (path: string) => readonly string[]): Finding[] => [
      ...findings.map(({ path, ...finding }) =>
        pagesOf(path).length > 0 ? { ...finding, severity: 'error' as const } : finding,
      ),
      ...(isTooLarge ? [toExcessFinding(sized, pagesOf, { root, limits })] : []),
    ],
    /** Whether files are left out, so that the site must not be published. */
    isTooLarge: () => isTooLarge,
    /** The record for the next build. */
    remembered: () => remembered,
  }
}

/** Reads each file once, also when its size is needed before it is copied. */
function createHeldFiles(read: (path: string) => Promise<ReadResult>) {
  const held = new Map<string, ReadResult>()
  let heldBytes = 0
  return {
    async take(path: string) {
      const result = held.get(path)
      held.delete(path)
      return result ?? (await read(path))
    },
    async peek(path: string) {
      const result = await read(path)
      if (result.kind === 'file' && heldBytes + result.bytes.length <= maxHeldBytes) {
        heldBytes += result.bytes.length
        held.set(path, result)
      }
      return result
    },
  }
}

/** How clients files and recordings begin that the configuration does not name. */
const otherTraffic =
  /^\s*(?:# What [^\n]*clients record|(?:---\s+)?(?:http_)?interactions:|\{\s*"(?:(?:http_)?interactions"|log"\s*:\s*\{\s*"(?:version|creator)"|consumer"\s*:\s*\{\s*"name"))/

/** Why a file is not published, and the hint. */
function findRefusal(
  path: string,
  result: ReadResult,
  { root, isTraffic }: PublishedFiles,
): readonly [reason: string, hint: string] | undefined {
  const file = joinPath(root, path)
  const { bytes, identity = file }: Partial<Extract<ReadResult, { kind: 'file' }>> = result.kind === 'file' ? result : {}
  const begin = isDataFile(path) ? new TextDecoder().decode(bytes?.subarray(0, pointerBytes)) : ''
  if (isTraffic(file) || isTraffic(identity) || otherTraffic.test(begin)) return recorded
  if (!bytes) return undefined
  if (isLfsPointer(bytes)) return pointer
  const risk = assetType(path) === 'svg' ? findSvgRisk(bytes) : undefined
  return risk === undefined ? undefined : [risk, 'Save the drawing without it, or as PNG or WebP']
}

interface SizedPath {
  readonly path: string
  readonly sizeBytes: number
}

function bySize(one: SizedPath, other: SizedPath): number {
  return other.sizeBytes - one.sizeBytes || (one.path < other.path ? -1 : 1)
}

/** One diagnostic for all files over the limit, since the cause is their total. Names the largest, with the pages that show them. */
function toExcessFinding(
  all: readonly SizedPath[],
  pagesOf: (path: string) => readonly string[],
  { root, limits }: Pick<AssetOptions, 'root' | 'limits'>,
): Finding {
  const largest = all.toSorted(bySize).slice(0, 5)
  const list = largest.map(({ path, sizeBytes }) => {
    const [page, ...more] = pagesOf(path)
    const others = more.length === 0 ? '' : ` and ${formatCount(more.length, 'other page')}`
    return `\`${path}\` (${toMegabytes(sizeBytes)}${page === undefined ? '' : `, on \`${page}\`${others}`})`
  })
  const limit = formatLimit('assets-size', limits.values['assets-size'])
  const hint = limitHint('assets-size', limits, 'Host large files on a download server')
  const message = `Cannot publish the site: its files have more than ${limit} together. The largest are ${list.join(', ')}`
  return { ...toRefusal(root, largest[0]?.path ?? '', '', hint), message, severity: 'error' }
}

function toMegabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
