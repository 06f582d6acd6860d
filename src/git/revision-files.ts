import { GitError } from '../text/errors.ts'
import { normalizePath } from '../text/plain/paths.ts'
import type { Git } from './git.ts'

/** The result of reading a path of a revision. */
type RevisionFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly identity: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly sizeBytes: number; readonly limitBytes: number }

/** The files of one commit. */
export interface RevisionFiles {
  readonly sha: string
  read(path: string, limitBytes?: number): Promise<RevisionFile>
  list(folder: string): Promise<readonly string[]>
}

interface TreeEntry {
  readonly mode: string
  readonly oid: string
  /** NaN if the clone lacks the blob. */
  readonly sizeBytes: number
}

/** The mode of a symbolic link in a tree. */
const linkMode = '120000'

const missingBlob = 'the partial clone lacks its content. Run `git fetch --refetch --no-filter` to complete it'

/** Whether a file could not be read because the clone lacks its content, so that nothing is known about it. */
export function isLacking(result: RevisionFile): result is Extract<RevisionFile, { readonly kind: 'unreadable' }> {
  return result.kind === 'unreadable' && result.reason === missingBlob
}

/** Links that are followed for one path. */
const maxLinks = 10

/** The size of the files that one git process reads. A larger file has its own process. */
const maxBatchBytes = 16 * 1024 * 1024

/**
 * Opens the files of a revision, such as `main` or `HEAD~1`, without touching the work tree.
 *
 * @throws {GitError} if the revision does not exist.
 */
export async function openRevision(git: Git, revision: string): Promise<RevisionFiles> {
  const found = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  const sha = found.stdout.trim()
  if (found.code !== 0 || sha === '') {
    throw new GitError(`Cannot find the git revision \`${revision}\``, {
      hint: 'Check its name. A shallow clone lacks older commits: run `git fetch --unshallow`, or set `fetch-depth: 0` for `actions/checkout`',
    })
  }
  const tree = await readTree(git, sha)
  const readBlob = createBlobReader(git)
  const read = async (path: string, limitBytes: number, links: number): Promise<RevisionFile> => {
    const normalized = normalizePath(path)
    if (normalized === '..' || normalized.startsWith('../')) return { kind: 'outside' }
    const entry = tree.get(normalized)
    if (!entry) return { kind: isFolder(tree, normalized) ? 'folder' : 'missing' }
    if (Number.isNaN(entry.sizeBytes)) return { kind: 'unreadable', reason: missingBlob }
    if (entry.sizeBytes > limitBytes) return { kind: 'too-large', sizeBytes: entry.sizeBytes, limitBytes }
    const bytes = await readBlob(entry)
    if (!bytes) return { kind: 'unreadable', reason: 'git cannot read it' }
    if (bytes.length > limitBytes) return { kind: 'too-large', sizeBytes: bytes.length, limitBytes }
    if (entry.mode !== linkMode) return { kind: 'file', bytes, identity: normalized }
    if (links >= maxLinks) return { kind: 'unreadable', reason: 'its symbolic links form a cycle' }
    const target = bytes.toString('utf8')
    if (target.startsWith('/')) return { kind: 'outside' }
    return await read(`${normalized}/../${target}`, limitBytes, links + 1)
  }
  return {
    sha,
    read: async (path, limitBytes = Number.POSITIVE_INFINITY) => await read(path, limitBytes, 0),
    list: async (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`
      return [...tree.keys()].filter((path) => path.startsWith(prefix)).sort()
    },
  }
}

/** The files of a commit by path. Submodules are left out. */
async function readTree(git: Git, sha: string): Promise<ReadonlyMap<string, TreeEntry>> {
  let { code, stdout } = await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', sha])
  const missing = new Set<string>()
  if (code !== 0) {
    // Git cannot tell the size of a file whose content a partial clone lacks, and older versions stop there.
    ;({ code, stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', sha]))
    const objects = await git.run(['rev-list', '--objects', '--no-walk', '--missing=print', sha])
    if (code !== 0 || objects.code !== 0) {
      throw new GitError(`Cannot read the files of the commit ${sha.slice(0, 7)}: the clone lacks some of its objects`, {
        hint: 'Run `git fetch --refetch --no-filter` to complete a partial clone',
      })
    }
    for (const [, oid = ''] of objects.stdout.matchAll(/^\?(\w+)$/gm)) missing.add(oid)
  }
  const tree = new Map<string, TreeEntry>()
  for (const line of stdout.split('\0')) {
    const [, mode = '', type, oid = '', size, path] = /^(\d+) (\w+) (\w+)(?: +(\d+|-|BAD))?\t(.+)$/s.exec(line) ?? []
    if (type === 'blob' && path !== undefined)
      tree.set(path, { mode, oid, sizeBytes: missing.has(oid) ? Number.NaN : Number(size ?? 0) })
  }
  return tree
}

/** Reads blobs. One git process reads all that are asked for at the same time. */
function createBlobReader(git: Git): (entry: TreeEntry) => Promise<Buffer | undefined> {
  interface Batch {
    readonly oids: Set<string>
    sizeBytes: number
    readonly blobs: Promise<ReadonlyMap<string, Buffer>>
  }
  let open: Batch | undefined
  const startBatch = (): Batch => {
    const oids = new Set<string>()
    const blobs = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (open?.oids === oids) open = undefined
      return readBlobs(git, [...oids])
    })
    return { oids, sizeBytes: 0, blobs }
  }
  return async ({ oid, sizeBytes }) => {
    if (!open || open.sizeBytes + sizeBytes > maxBatchBytes) open = startBatch()
    open.oids.add(oid)
    open.sizeBytes += sizeBytes
    return (await open.blobs).get(oid)
  }
}

/** The blobs that git can read, by object name. */
async function readBlobs(git: Git, oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const input = oids.map((oid) => `${oid}\n`).join('')
  const { stdout } = await git.run(['cat-file', '--batch'], { input, encoding: 'latin1' })
  const blobs = new Map<string, Buffer>()
  // Each is `<object name> blob <size>`, a line break, the content and another line break.
  for (let start = 0, end = stdout.indexOf('\n'); end !== -1; end = stdout.indexOf('\n', start)) {
    const [oid = '', type, size] = stdout.slice(start, end).split(' ')
    start = end + 1
    if (type !== 'blob') continue
    blobs.set(oid, Buffer.from(stdout.slice(start, start + Number(size)), 'latin1'))
    start += Number(size) + 1
  }
  return blobs
}

function isFolder(tree: ReadonlyMap<string, TreeEntry>, path: string): boolean {
  for (const file of tree.keys()) if (path === '' || file.startsWith(`${path}/`)) return true
  return false
}
