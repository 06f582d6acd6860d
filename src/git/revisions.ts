import type { Files, ReadResult } from '../files/files.ts'
import type { FilesChanged } from '../status/update-record.ts'
import { type Answer, ask, GitError } from '../text/errors.ts'
import { normalizePath } from '../text/plain/paths.ts'
import type { FileChange } from '../text/plain/source-file.ts'
import { fetchRef, findRevision, isShallow, type LocalCommit, literalPaths, type Remote } from './commit.ts'
import { findGit, type Git, readGit, toPaths, toRecords } from './git.ts'

/** The files of one commit. */
export interface RevisionFiles extends Files {
  readonly sha: string
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

/** Links that are followed for one path. */
const maxLinks = 10

/** The size of the files that one git process reads. A larger file has its own process. */
const maxBatchBytes = 16 * 1024 * 1024

/** What to do if a revision does not exist. */
export const missingRevisionHint =
  'Check its name. A shallow clone lacks older commits: run `git fetch --unshallow`, or set `fetch-depth: 0` for `actions/checkout`'

/**
 * Opens the files of a revision, such as `main` or `HEAD~1`, without touching the work tree.
 *
 * @throws {GitError} if the revision does not exist.
 */
export async function openRevision(git: Git, revision: string): Promise<RevisionFiles> {
  const sha = await findRevision(git, revision)
  if (sha === undefined) throw new GitError(`Cannot find the git revision \`${revision}\``, { hint: missingRevisionHint })
  const tree = await readTree(git, sha)
  const readBlob = createBlobReader(git)
  const read = async (path: string, limitBytes: number, links: number): Promise<ReadResult> => {
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
  const list = async (...options: readonly string[]) =>
    await readGit(git, 'read the files of the commit', ['ls-tree', '-r', '-z', ...options, '--full-tree', sha])
  let listed = await ask(() => list('-l'))
  const missing = new Set<string>()
  if (listed.kind === 'unknown') {
    // Git cannot tell the size of a file whose content a partial clone lacks, and older versions stop there.
    listed = await ask(() => list())
    const missingArgs = ['rev-list', '--objects', '--no-walk', '--missing=print', sha]
    const objects = await ask(() => readGit(git, 'read the objects of the commit', missingArgs))
    if (listed.kind === 'unknown' || objects.kind === 'unknown') {
      throw new GitError(`Cannot read the files of the commit ${sha.slice(0, 7)}: the clone lacks some of its objects`, {
        hint: 'Run `git fetch --refetch --no-filter` to complete a partial clone',
      })
    }
    for (const [, oid = ''] of objects.value.matchAll(/^\?(\w+)$/gm)) missing.add(oid)
  }
  const tree = new Map<string, TreeEntry>()
  for (const line of listed.value.split('\0')) {
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
    const blobs = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      if (open?.oids === oids) open = undefined
      return await readBlobs(git, [...oids])
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

/** Reads blobs with one process. Returns those that git could read, by object name. @throws {GitError} */
async function readBlobs(git: Git, oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const options = { input: oids.map((oid) => `${oid}\n`).join(''), encoding: 'latin1' } as const
  const stdout = await readGit(git, 'read the files of the commit', ['cat-file', '--batch'], options)
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

/** Commits that change files, newest first. */
interface FileCommits {
  /** Dates are ISO 8601 in UTC. */
  readonly commits: readonly { readonly sha: string; readonly date: string }[]
  /** Whether there are more than were asked for, or the clone lacks older commits. */
  readonly isCut: boolean
}

/**
 * Lists the tags of commits. Dates are ISO 8601 in UTC: of the tag if it has one, else of the commit.
 *
 * @throws {GitError} if the tags cannot be read.
 */
export async function listTags(git: Git): Promise<{ readonly tag: string; readonly sha: string; readonly date: string }[]> {
  const format = '%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)%00%(objecttype)%00%(*objecttype)'
  const listed = await readGit(git, 'list the tags', ['for-each-ref', `--format=${format}`, 'refs/tags'])
  return listed.split('\n').flatMap((line) => {
    const [tag = '', object = '', peeled = '', seconds = '', type, peeledType] = line.split('\0')
    const isCommit = (peeled === '' ? type : peeledType) === 'commit'
    return isCommit ? [{ tag, sha: peeled || object, date: toDate(seconds) }] : []
  })
}

/**
 * Lists the commits of the current branch that change files, newest first, without those of merged branches.
 *
 * @param paths of files and folders, relative to the folder of `git`. @throws {GitError} if the commits cannot be read.
 */
export async function listCommits(git: Git, paths: readonly string[], limit: number): Promise<FileCommits> {
  const literal = paths.map((path) => `:(literal)${path}`)
  const args = ['log', '--first-parent', `--max-count=${limit + 1}`, '--format=%H %ct', '--', ...literal]
  const commits = (await readGit(git, 'list the commits', args)).split('\n').flatMap((line) => {
    const [sha = '', seconds = ''] = line.split(' ')
    return sha === '' ? [] : [{ sha, date: toDate(seconds) }]
  })
  return { commits: commits.slice(0, limit), isCut: commits.length > limit || (await isShallow(git)) }
}

/** The path of a file in an older commit, if git finds that it was renamed. @throws {GitError} if git cannot tell. */
export async function findEarlierPath(git: Git, path: string, older: string, newer: string): Promise<string | undefined> {
  const args = ['diff', '--relative', '--find-renames', '--diff-filter=R', '--name-status', '-z', older, newer]
  const renames = toRecords(await readGit(git, 'find an earlier path', args), 3)
  return renames.find(([, , to]) => to === path)?.[1]
}

/**
 * Opens the files of a commit below the folder of `git`, which can be inside a larger repository. Nothing outside of the folder can be read.
 *
 * @throws {GitError} if the commit does not exist, or on reading a file whose content a partial clone lacks.
 */
export async function openCommit(git: Git, sha: string): Promise<RevisionFiles> {
  const revision = await openRevision(git, sha)
  const files: RevisionFiles = {
    ...revision,
    async read(path, limitBytes) {
      const result = await revision.read(path, limitBytes)
      // A version whose files are unknown must not look like the first one.
      if (result.kind === 'unreadable' && result.reason === missingBlob)
        throw new GitError(`${path} of ${sha.slice(0, 7)}: ${missingBlob}`)
      return result
    },
  }
  const prefix = (await readGit(git, 'find the top of the work tree', ['rev-parse', '--show-prefix'])).replace(/\n$/, '')
  if (prefix === '') return files
  return {
    sha,
    async read(path, limitBytes) {
      const result = await files.read(prefix + path, limitBytes)
      if (result.kind !== 'file' || result.identity === undefined) return result
      if (!result.identity.startsWith(prefix)) return { kind: 'outside' }
      return { ...result, identity: result.identity.slice(prefix.length) }
    },
    list: async (folder) => (await files.list((prefix + folder).replace(/\/$/, ''))).map((path) => path.slice(prefix.length)),
  }
}

/**
 * The URL of the repository on the web, without a final slash, from the remote `origin`. Only for hosts whose commits have known URLs. Never
 * contains credentials.
 *
 * @param server the URL of GitHub, such as that of a GitHub Enterprise Server. @throws {GitError} if git cannot tell.
 */
export async function findCommitUrl(git: Git, server: string | undefined): Promise<((sha: string) => string) | undefined> {
  const address = ((await findGit(git, 'find the remote', ['remote', 'get-url', 'origin'])) ?? '')
    .trim()
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const [, host = '', rest = ''] =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^/@\s]*@)?([\w.-]+)(?::\d+(?=\/))?[:/]([^\s?#]+)$/.exec(address) ?? []
  const path = rest.replace(/^\/+/, '')
  const own = server !== undefined && URL.canParse(server) ? new URL(server) : undefined
  const segment = own?.hostname === host ? 'commit' : commitSegments.get(host)
  if (segment === undefined || !/^[\w./~-]+$/.test(path)) return undefined
  const origin = own?.hostname === host ? own.origin : `https://${host}`
  return (sha) => `${origin}/${path}/${segment}/${sha}`
}

const commitSegments: ReadonlyMap<string, string> = new Map([
  ['github.com', 'commit'],
  ['gitlab.com', '-/commit'],
  ['bitbucket.org', 'commits'],
  ['codeberg.org', 'commit'],
])

/** @throws {GitError} if the tag has no date. */
function toDate(seconds: string): string {
  const date = new Date(Number(seconds) * 1000)
  if (seconds === '' || Number.isNaN(date.getTime())) throw new GitError(`Cannot read the date \`${seconds}\` of a commit`)
  return date.toISOString()
}

/**
 * Reads the changes of a commit with the contents that git stores, to make the same commit through the API.
 *
 * @throws {GitError} for executable files, links and submodules, which the API would turn into plain files.
 */
export async function readCommitChanges(git: Git, commit: LocalCommit): Promise<readonly FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', commit.baseSha, commit.sha]
  const rows = readRows(await readGit(git, 'read the changes of the commit', args))
  const special = rows.find(({ mode, status }) => status !== 'D' && mode !== '100644')
  if (special) {
    throw new GitError(
      `Cannot commit \`${special.path}\` through the API: ${specialModes.get(special.mode) ?? 'it is not a plain file'}`,
      {
        hint: 'Use `commit-method: git`, or replace it with a plain file. The GitHub API writes only plain files',
      },
    )
  }
  const written = rows.filter(({ status }) => status !== 'D')
  const contents = await readBlobs(
    git,
    written.map(({ blob }) => blob),
  )
  return rows.map(({ path, status, blob }): FileChange => {
    if (status === 'D') return { kind: 'delete', path, before: '' }
    const content = contents.get(blob)?.toString() ?? ''
    return status === 'A' ? { kind: 'add', path, content } : { kind: 'modify', path, before: '', content }
  })
}

const specialModes = new Map([
  ['100755', 'it is executable, and the API would remove that mode'],
  ['120000', 'it is a symbolic link, which the API would turn into a plain file'],
  ['160000', 'it is a submodule'],
])

/** `:<old mode> <mode> <old blob> <blob> <status>`, then the path. */
function readRows(stdout: string) {
  return toRecords(stdout, 2).map(([row = '', path = '']) => {
    const [, mode = '', , blob = '', status] = row.split(' ')
    return { path, mode, blob, status }
  })
}

/**
 * Lists the files that differ between two commits. Fetches `before` if the clone lacks it.
 *
 * A rename is reported as one removed and one added file.
 *
 * @param before 40 hexadecimal digits.
 * @param after A commit in the clone.
 */
export async function readFilesChanged(git: Git, remote: Remote, before: string, after: string): Promise<Answer<FilesChanged>> {
  return await ask(async () => {
    await ensureCommit(git, before, () => remote)
    const args = ['diff', '--name-status', '--no-renames', '-z', before, after, '--']
    return parseNameStatus(await readGit(git, `compare \`${before.slice(0, 7)}\``, args))
  })
}

/** Lines that count from 1. The last line is included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/**
 * Lists the changed lines of files of the work tree since a commit, by path. Files that Git does not track count as changed completely.
 * Files without changes are missing.
 *
 * @param contextLines the number of unchanged lines that count around each change.
 * @throws {GitError} when git refuses the comparison.
 */
export async function readChangedLines(
  git: Git,
  baseSha: string,
  paths: readonly string[],
  contextLines: number,
): Promise<ReadonlyMap<string, readonly LineRange[]>> {
  const changed = new Map<string, readonly LineRange[]>()
  // Command lines are limited in length.
  for (let index = 0; index < paths.length; index += 100) {
    const part = paths.slice(index, index + 100)
    const format = ['--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/', `--unified=${contextLines}`]
    const compare = async (...args: readonly string[]) =>
      await readGit(git, 'compare the work tree with the base', [...args, '--', ...part], { environment: literalPaths })
    for (const [path, ranges] of parseChangedLines(await compare('diff', ...format, baseSha))) changed.set(path, ranges)
    for (const path of toPaths(await compare('ls-files', '--others', '-z'))) {
      changed.set(path, [{ first: 1, last: Number.POSITIVE_INFINITY }])
    }
  }
  return changed
}

/** Source: git-diff, "Generating patch text with -p". Counts the lines of each hunk, because they can look like headers. */
function parseChangedLines(patch: string): ReadonlyMap<string, readonly LineRange[]> {
  const changed = new Map<string, LineRange[]>()
  let ranges: LineRange[] = []
  let [oldLeft, newLeft] = [0, 0]
  for (const line of patch.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      if (!line.startsWith('+') && !line.startsWith('\\')) oldLeft--
      if (!line.startsWith('-') && !line.startsWith('\\')) newLeft--
      continue
    }
    if (line.startsWith('+++ b/')) {
      ranges = []
      // Git ends a path that contains a space with a tab.
      changed.set(line.slice(6).replace(/\t$/, ''), ranges)
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!hunk) continue
    const [, oldCount = '1', first = '0', newCount = '1'] = hunk
    ;[oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
    if (newLeft > 0) ranges.push({ first: Number(first), last: Number(first) + newLeft - 1 })
  }
  return changed
}

/** Fetches a commit that the clone lacks. @throws {GitError} if that fails. */
export async function ensureCommit(git: Git, sha: string, getRemote: () => Remote | Promise<Remote>): Promise<void> {
  if ((await findRevision(git, sha)) === undefined) await fetchRef(git, await getRemote(), sha.slice(0, 7), sha)
}

/** Source: git-diff, "Raw output format", `-z`: status and path, each followed by a NUL. */
function parseNameStatus(text: string): FilesChanged {
  const changed = { added: [] as string[], modified: [] as string[], removed: [] as string[] }
  for (const [status, path = ''] of toRecords(text, 2)) {
    // `T`: a file became a link, or a link a file.
    changed[status === 'A' ? 'added' : status === 'D' ? 'removed' : 'modified'].push(path)
  }
  for (const paths of [changed.added, changed.modified, changed.removed]) paths.sort()
  return changed
}
