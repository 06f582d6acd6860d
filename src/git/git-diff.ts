import type { FilesChanged } from '../status/types.ts'
import { GitError } from '../text/errors.ts'
import type { FileChange } from '../text/plain/source-file.ts'
import { type LocalCommit, literalPaths } from './commit.ts'
import { type Git, toGitError } from './git.ts'
import type { Remote } from './refs.ts'

/**
 * Reads the changes of a commit with the contents that git stores, to make the same commit through the API.
 *
 * @throws {GitError} for executable files, links and submodules, which the API would turn into plain files.
 */
export async function readCommitChanges(git: Git, commit: LocalCommit): Promise<readonly FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', commit.baseSha, commit.sha]
  const output = await git.run(args)
  if (output.code !== 0) throw toGitError('read the changes of the commit', output)
  const rows = readRows(output.stdout)
  const special = rows.find(({ mode, status }) => status !== 'D' && mode !== '100644')
  if (special) {
    throw new GitError(
      `Cannot commit \`${special.path}\` through the API: ${specialModes.get(special.mode) ?? 'it is not a plain file'}`,
      {
        hint: 'Use `commit-method: git`, or replace it with a plain file. The GitHub API writes only plain files',
      },
    )
  }
  const contents = await readBlobs(
    git,
    rows.filter(({ status }) => status !== 'D').map(({ blob }) => blob),
  )
  return rows.map(({ path, status, blob }): FileChange => {
    if (status === 'D') return { kind: 'delete', path, before: '' }
    const content = contents.get(blob) ?? ''
    return status === 'A' ? { kind: 'add', path, content } : { kind: 'modify', path, before: '', content }
  })
}

const specialModes = new Map([
  ['100755', 'it is executable, and the API would remove that mode'],
  ['120000', 'it is a symbolic link, which the API would turn into a plain file'],
  ['160000', 'it is a submodule'],
])

interface Row {
  readonly path: string
  readonly mode: string
  readonly status: string
  readonly blob: string
}

/** `:<old mode> <mode> <old blob> <blob> <status>`, then the path. */
function readRows(stdout: string): readonly Row[] {
  const fields = stdout.split('\0')
  const rows: Row[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = '', , blob = '', status = ''] = fields[index]?.split(' ') ?? []
    rows.push({ path: fields[index + 1] ?? '', mode, blob, status })
  }
  return rows
}

/** Reads all blobs with one process, which prints `<id> blob <bytes>`, the content and a line break for each. */
async function readBlobs(git: Git, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const output = await git.run(['cat-file', '--batch'], { input: blobs.map((blob) => `${blob}\n`).join('') })
  if (output.code !== 0) throw toGitError('read the files of the commit', output)
  const bytes = Buffer.from(output.stdout)
  const contents = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at)
    const [blob = '', , size = '0'] = bytes.toString('utf8', at, end).split(' ')
    contents.set(blob, bytes.toString('utf8', end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return contents
}

/**
 * Lists the files that differ between two commits, or gives the reason why it cannot. Fetches `before` if the clone lacks it.
 *
 * A rename is reported as one removed and one added file.
 *
 * @param before 40 hexadecimal digits.
 * @param after A commit in the clone.
 * @throws {GitError} when git cannot be started.
 */
export async function readFilesChanged(
  git: Git,
  remote: Remote,
  before: string,
  after: string,
): Promise<
  { readonly kind: 'read'; readonly filesChanged: FilesChanged } | { readonly kind: 'unknown'; readonly reason: string }
> {
  if (!(await hasCommit(git, before)) && !(await fetchCommit(git, remote, before))) {
    return { kind: 'unknown', reason: `\`${before.slice(0, 7)}\` cannot be fetched` }
  }
  const diff = await git.run(['diff', '--name-status', '--no-renames', '-z', before, after, '--'])
  if (diff.code !== 0) return { kind: 'unknown', reason: `\`${before.slice(0, 7)}\` cannot be compared` }
  return { kind: 'read', filesChanged: parseNameStatus(diff.stdout) }
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
    const diff = await git.run(['diff', ...format, baseSha, '--', ...part], {
      environment: literalPaths,
    })
    if (diff.code !== 0) throw toGitError('compare the work tree with the base', diff)
    for (const [path, ranges] of parseChangedLines(diff.stdout)) changed.set(path, ranges)
    const untracked = await git.run(['ls-files', '--others', '-z', '--', ...part], { environment: literalPaths })
    for (const path of untracked.stdout.split('\0')) {
      if (path !== '') changed.set(path, [{ first: 1, last: Number.POSITIVE_INFINITY }])
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

/** Whether a commit is in the clone. @throws {GitError} when git cannot be started. */
export async function hasCommit(git: Git, sha: string): Promise<boolean> {
  return (await git.run(['cat-file', '-e', `${sha}^{commit}`])).code === 0
}

/** Fetches a commit without its history if the clone is shallow. Returns false if it cannot be fetched. */
export async function fetchCommit(git: Git, remote: Remote, sha: string): Promise<boolean> {
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  // A fetch with `--depth` would make a complete clone shallow.
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetched = await git.run(['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, sha], {
    environment: remote.environment,
  })
  return fetched.code === 0
}

/** Source: git-diff, "Raw output format", `-z`: status and path, each followed by a NUL. */
function parseNameStatus(text: string): FilesChanged {
  const changed = { added: [] as string[], modified: [] as string[], removed: [] as string[] }
  const fields = text.split('\0')
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [status, path] = [fields[index], fields[index + 1]]
    if (path === undefined) break
    // `T`: a file became a link, or a link a file.
    changed[status === 'A' ? 'added' : status === 'D' ? 'removed' : 'modified'].push(path)
  }
  for (const paths of [changed.added, changed.modified, changed.removed]) paths.sort()
  return changed
}
