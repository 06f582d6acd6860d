import type { Files, ReadResult } from '../../files/files.ts'
import { joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import type { ExtractedArchive } from './extract-archive.ts'

/** Maximum number of links followed in one path, as on Linux. */
const linkLimit = 40

/**
 * The files of an archive, for an update. The archive is the boundary.
 *
 * Links are followed by name, within the archive only. Files that were left out or refused are reported as unreadable or too
 * large, not as missing.
 *
 * @param readBytes Reads a kept file: `sink.read`, or from the folder of a sink in another process.
 */
export function createArchiveFiles(
  archive: Pick<ExtractedArchive, 'kept' | 'leftOut' | 'links' | 'refused'>,
  readBytes: (path: string) => Promise<Uint8Array>,
  options: { readonly limitBytes: number },
): Files {
  const keptPaths = new Set(archive.kept)
  const leftOut = new Set(archive.leftOut)
  const links = new Map(Object.entries(archive.links))
  const refused = new Map(archive.refused.map((entry) => [entry.path, entry]))
  const folders = new Set<string>([''])
  for (const path of [...keptPaths, ...leftOut, ...links.keys()]) {
    for (let folder = parentPath(path); !folders.has(folder); folder = parentPath(folder)) folders.add(folder)
  }
  const read = async (path: string, limitBytes = options.limitBytes): Promise<ReadResult> => {
    const found = followLinks(normalizePath(path), links)
    if (typeof found !== 'string') return found
    if (keptPaths.has(found)) {
      const bytes = await readBytes(found)
      return bytes.length > limitBytes ? { kind: 'too-large', sizeBytes: bytes.length, limitBytes } : { kind: 'file', bytes }
    }
    if (folders.has(found)) return { kind: 'folder' }
    if (leftOut.has(found)) return { kind: 'unreadable', reason: 'the app does not read files of this type' }
    const entry = refused.get(found)
    if (entry?.sizeBytes !== undefined) return { kind: 'too-large', sizeBytes: entry.sizeBytes, limitBytes: options.limitBytes }
    return entry ? { kind: 'unreadable', reason: entry.reason } : { kind: 'missing' }
  }
  const list = async (folder: string): Promise<readonly string[]> => {
    const top = normalizePath(folder)
    const linked = [...links.keys()].filter((path) => {
      const target = followLinks(path, links)
      return typeof target === 'string' && keptPaths.has(target)
    })
    return [...keptPaths, ...linked].filter((path) => isListed(path, top)).sort()
  }
  return { read, list }
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
