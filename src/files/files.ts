import { limitBounds } from '../text/plain/limits.ts'
import { getOrMake } from '../text/plain/lists.ts'
import { joinPath, relativePath } from '../text/plain/paths.ts'
import type { FileChange } from '../text/plain/source-file.ts'

/** The result of reading a path. Only a failing disk throws; a missing file is a result. */
export type ReadResult =
  | {
      readonly kind: 'file'
      readonly bytes: Uint8Array
      /** The path with links resolved, equal for all paths of the same file. Absent if every file has only one path. */
      readonly identity?: string
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  /** The path or a link leaves the root. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly sizeBytes: number; readonly limitBytes: number }

/** Files below one root, which is the boundary: nothing outside can be read through it. */
export interface Files {
  /**
   * Reads the file at a path relative to the root with `/`, or at a `file:` URL. A leading `..` is `outside`.
   *
   * @param limitBytes The largest file to read. Default: the default limit of a document.
   */
  read(path: string, limitBytes?: number): Promise<ReadResult>
  /**
   * Paths of all files below a folder, relative to the root, sorted by UTF-16 units.
   *
   * Leaves out `.git`, `node_modules` and sites made by `build`: their files are not pages or documents. Does not follow links to
   * folders.
   */
  list(folder: string): Promise<readonly string[]>
  /**
   * Reads a file in parts, which are only valid during the call, until `onPart` returns `false`. The bytes of the result are empty. Absent where
   * all files are in memory.
   */
  readParts?(path: string, limitBytes: number, onPart: (part: Uint8Array) => boolean): ReadResult
  /** The size and the stamp of a file, without reading it. Absent where they are not known. */
  stateOf?(path: string): FileState | undefined
}

export interface FileState {
  readonly sizeBytes: number
  /** Changes whenever the file is written; see `readStamp`. `undefined` if a change could go unnoticed. */
  readonly stamp: string | undefined
}

/** Number of files that `readEach` reads in parallel. */
const parallelReads = 64

/** Reads several files, some in parallel, and yields the results in the given order. */
export async function* readEach(
  paths: readonly string[],
  read: (path: string) => Promise<ReadResult>,
): AsyncGenerator<readonly [path: string, result: ReadResult]> {
  for (let start = 0; start < paths.length; start += parallelReads) {
    const batch = paths.slice(start, start + parallelReads)
    yield* await Promise.all(batch.map(async (path) => [path, await read(path)] as const))
  }
}

/** Lists all files below a folder, relative to it. */
export async function listBelow(folder: string, files: Pick<Files, 'list'>): Promise<string[]> {
  const start = folder === '' ? 0 : folder.length + 1
  return (await files.list(folder)).map((path) => path.slice(start))
}

/** Files with the content of some paths replaced, such as a document from standard input. */
export function overlayFiles(files: Files, contents: ReadonlyMap<string, Uint8Array>): Files {
  return {
    ...files,
    async read(path, limitBytes = limitBounds['document-size'].byDefault) {
      const bytes = contents.get(path)
      if (!bytes) return await files.read(path, limitBytes)
      if (bytes.length > limitBytes) return { kind: 'too-large', sizeBytes: bytes.length, limitBytes }
      return { kind: 'file', bytes }
    },
    stateOf: (path) => (contents.has(path) ? undefined : files.stateOf?.(path)),
  }
}

/** Files, and those of folders outside of their root: `outside` has their paths relative to the root, such as `../style`. */
export function withOutsideFolders(files: Files, outside: ReadonlyMap<string, Files>): Files {
  return {
    ...files,
    async read(path, limitBytes) {
      for (const [folder, others] of path.startsWith('../') ? outside : []) {
        const inside = relativePath(folder, path)
        if (inside.startsWith('../')) continue
        const result = await others.read(inside, limitBytes)
        if (result.kind !== 'file' || result.identity === undefined) return result
        return { ...result, identity: joinPath(folder, result.identity) }
      }
      return await files.read(path, limitBytes)
    },
  }
}

/** Files with planned changes applied. */
export function changedFiles(files: Files, changes: readonly FileChange[]): Files {
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return {
    read: async (requestedPath, limitBytes) => {
      const change = byPath.get(requestedPath)
      if (!change) return await files.read(requestedPath, limitBytes)
      return change.kind === 'delete' ? { kind: 'missing' } : { kind: 'file', bytes: new TextEncoder().encode(change.content) }
    },
    list: async (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`
      const paths = (await files.list(folder)).filter((path) => byPath.get(path)?.kind !== 'delete')
      const added = changes.flatMap(({ kind, path }) => (kind === 'add' && path.startsWith(prefix) ? [path] : []))
      return added.length === 0 ? paths : [...new Set([...paths, ...added])].sort()
    },
    stateOf: (path) => (byPath.has(path) ? undefined : files.stateOf?.(path)),
  }
}

/** Files without those that are hidden. */
export function withoutFiles(files: Files, isHidden: (path: string) => boolean): Files {
  return {
    ...files,
    read: async (path, limitBytes) => (isHidden(path) ? { kind: 'missing' } : await files.read(path, limitBytes)),
    list: async (folder) => (await files.list(folder)).filter((path) => !isHidden(path)),
  }
}

/** Caches the list of files of each folder, because listing a large folder takes as long as reading many files. */
export function cacheFileLists(files: Files): Files {
  const listed = new Map<string, Promise<readonly string[]>>()
  return {
    ...files,
    list: async (folder) => [...(await getOrMake(listed, folder, () => files.list(folder)))],
  }
}

/**
 * Name of the manifest in an output folder. It identifies files by hashes only, so that a server that publishes it reveals no
 * hidden pages.
 */
export const manifestName = '.openapi-pages.json'
