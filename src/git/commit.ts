import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Answer, ask, GitError } from '../text/errors.ts'
import { joinPath } from '../text/plain/paths.ts'
import type { FileChange, LineEnding } from '../text/plain/source-file.ts'
import { findGit, findRepository, type Git, gitMessages, openGit, readGit, toGitError, toPaths, toRecords } from './git.ts'

/** A file of the work tree that is committed with its current content, such as a document that an earlier step regenerated. */
export interface AddedFile {
  /** Relative to the work tree. */
  readonly path: string
  /** Undefined: the commit deletes the file. */
  readonly bytes: Uint8Array | undefined
}

/** A commit that exists only in the local clone. */
export interface LocalCommit {
  readonly sha: string
  /** Its parent, the commit that the changes were made on. */
  readonly baseSha: string
  readonly message: string
}

/** Author and committer of a commit. */
export interface Committer {
  readonly name: string
  readonly email: string
}

/** Reads a committer, as `Name <email>`. */
export function parseCommitter(text: string): Committer | undefined {
  const [, name, email] = /^([^<>\n]*[^<>\s])\s*<([^<>\s@]+@[^<>\s]+)>$/.exec(text) ?? []
  return name === undefined || email === undefined ? undefined : { name, email }
}

/**
 * Writes changes, commits them and publishes the commit. Restores the files if `publish` resolves with undefined or throws.
 *
 * The commit is made locally even when it is published through GitHub's API, so that git applies filters, line endings, ignore
 * rules and modes.
 *
 * @throws {GitError} when git refuses the commit. Errors of `write` and `publish` are passed on.
 */
export async function commitLocally(
  git: Git,
  options: {
    readonly changes: readonly FileChange[]
    readonly added: readonly AddedFile[]
    readonly message: string
    readonly committer: Committer
    readonly write: (changes: readonly FileChange[]) => Promise<void>
    /** Restores added files that were replaced when the work tree moved to another commit. */
    readonly restore: (files: readonly AddedFile[]) => Promise<void>
    readonly publish: (commit: LocalCommit) => Promise<string | undefined>
  },
): Promise<string | undefined> {
  const { changes, added, message, committer, write, restore, publish } = options
  const baseSha = await readHead(git)
  const paths = [...new Set([...changes, ...added].map(({ path }) => path))]
  await write(changes)
  try {
    await commitPaths(git, { paths, message, committer })
  } catch (error) {
    await git.run(['reset', '--quiet', ...fromInput], { input: toPathspecs(paths), environment: literalPaths })
    await write(changes.map(invertChange))
    throw error
  }
  let sha: string | undefined
  try {
    sha = await publish({ sha: await readHead(git), baseSha, message })
    return sha
  } finally {
    if (sha === undefined) {
      await git.run(['reset', '--keep', baseSha])
      await restore(added)
    }
  }
}

function invertChange(change: FileChange): FileChange {
  if (change.kind === 'add') return { kind: 'delete', path: change.path, before: change.content }
  if (change.kind === 'delete') return { kind: 'add', path: change.path, content: change.before }
  return { kind: 'modify', path: change.path, before: change.content, content: change.before }
}

/**
 * Commits exactly the files at these paths (relative to the work tree) with their content on disk. Does not touch other staged or
 * changed files.
 *
 * @throws {GitError} when git refuses it.
 */
async function commitPaths(
  git: Git,
  options: { readonly paths: readonly string[]; readonly message: string; readonly committer: Committer },
): Promise<void> {
  const { name, email } = options.committer
  const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
  const input = toPathspecs(options.paths)
  const added = await git.run(['add', '--all', ...fromInput], { input, environment: literalPaths })
  if (added.code !== 0) {
    const found = await ask(() => findIgnored(git, options.paths))
    const [ignored] = found.kind === 'known' ? found.value : []
    if (ignored === undefined) throw toGitError('stage the pages', added)
    throw new GitError(`Cannot commit \`${ignored}\`: it is ignored by \`.gitignore\``, {
      hint: 'Remove the directory of the pages from `.gitignore`, or set `materialize: false` for the division',
    })
  }
  // `whitespace` keeps lines that begin with `#`, which the default cleanup removes as comments.
  const commitArgs = ['commit', '--quiet', '--only', '--cleanup=whitespace', `--message=${options.message}`, ...fromInput]
  const committed = await git.run(commitArgs, { input, environment: { ...identity, ...literalPaths } })
  if (committed.code !== 0) throw toGitError('commit the pages', committed)
}

/** Makes git read the paths of `toPathspecs` from its standard input. */
export const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

/** Makes git read paths literally: `*` and `:` are not patterns. */
export const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

export function toPathspecs(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}

/** The paths that differ from a commit in the work tree, staged or not. @throws {GitError} if git cannot tell. */
export async function readChangedPaths(
  git: Git,
  commit = 'HEAD',
  pathspecs: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const args = ['diff', '--name-only', '--no-renames', '-z', commit, '--', ...pathspecs]
  return new Set(toPaths(await readGit(git, 'read the changes of the work tree', args)))
}

/** The paths of the newest commit, or of a tree. @throws {GitError} if git cannot tell. */
export async function readCommittedPaths(git: Git, tree = 'HEAD'): Promise<ReadonlySet<string>> {
  const args = ['ls-tree', '-r', '--name-only', '--full-tree', '-z', tree]
  return new Set(toPaths(await readGit(git, 'read the files of the commit', args)))
}

/**
 * Checks that committing these changes, which are not written yet, would commit no other local changes except the added files.
 *
 * @throws {GitError} when one of the files has uncommitted changes.
 */
export async function checkCommitted(
  git: Git,
  { changes, added }: { readonly changes: readonly FileChange[]; readonly added: readonly AddedFile[] },
): Promise<void> {
  const dirty = await readChangedPaths(git)
  const known = await readCommittedPaths(git)
  const wanted = new Set(added.map(({ path }) => path))
  const first = changes.find(
    (change) => !wanted.has(change.path) && (dirty.has(change.path) || (change.kind !== 'add' && !known.has(change.path))),
  )
  if (!first) return
  throw new GitError(`Cannot commit \`${first.path}\`: it has uncommitted changes`, {
    hint: 'Commit or discard the changes made by earlier steps. This commit may only contain the changes of openapi-pages',
  })
}

/** Whether the clone lacks older commits. @throws {GitError} if git cannot tell. */
export async function isShallow(git: Git): Promise<boolean> {
  const said = (await readGit(git, 'read the history', ['rev-parse', '--is-shallow-repository'])).trim()
  if (said === 'true' || said === 'false') return said === 'true'
  // Git before 2.15 repeats the option.
  throw new GitError('Cannot read the history: this version of git does not tell whether it is complete', { hint: 'Update git' })
}

/**
 * Fetches a ref or a commit, without its history if the clone is shallow.
 *
 * @param name for messages. @throws {GitError} when the remote refuses it.
 */
export async function fetchRef(git: Git, remote: Remote, name: string, ref = name): Promise<void> {
  // A fetch with `--depth` would make a complete clone shallow.
  const depth = (await isShallow(git)) ? ['--depth=1'] : []
  const args = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, ref]
  await readGit(git, `fetch \`${name}\``, args, { environment: remote.environment })
}

/** The remote that a work tree fetches from and pushes to. */
export interface Remote {
  readonly name: string
  /** Environment for commands that contact the remote. Passes the token to git without exposing it. */
  readonly environment: { readonly [name: string]: string }
}

/**
 * Reads the commit of the work tree.
 *
 * @throws {GitError} when there is none.
 */
export async function readHead(git: Git): Promise<string> {
  const head = await findRevision(git, 'HEAD')
  if (head !== undefined) return head
  throw new GitError('Cannot commit: the repository has no commit yet', { hint: 'Create and push a first commit' })
}

/** The commit that a revision names; undefined if the clone has none of this name. @throws {GitError} if git cannot tell. */
export async function findRevision(git: Git, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  return (await findGit(git, `read the commit \`${revision}\``, args))?.trim()
}

/**
 * Reads the commits of remote branches in one request. A branch that does not exist is absent from the result.
 *
 * @throws {GitError} when the remote cannot be read.
 */
export async function readTips(git: Git, remote: Remote, branches: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`)
  const args = ['ls-remote', remote.name, ...refs]
  const listed = await readGit(git, `read \`${branches[0]}\` of the remote`, args, { environment: remote.environment })
  const tips = new Map<string, string>()
  for (const line of listed.split('\n')) {
    const [sha = '', ref = ''] = line.split('\t')
    // The patterns also match the end of longer names.
    if (refs.includes(ref)) tips.set(ref.slice('refs/heads/'.length), sha)
  }
  return tips
}

/**
 * The first parent of a merge commit, even in a shallow clone that lacks the parent; undefined if `sha` is not a merge commit or
 * not in the clone.
 *
 * @throws {GitError} if git cannot tell.
 */
export async function readFirstParent(git: Git, sha: string | undefined): Promise<string | undefined> {
  if (sha === undefined || (await findRevision(git, sha)) === undefined) return undefined
  // `rev-parse <sha>^1` fails in a shallow clone; the commit object still names its parents.
  const stdout = await readGit(git, `read \`${sha.slice(0, 7)}\``, ['cat-file', 'commit', sha])
  const head = stdout.slice(0, stdout.indexOf('\n\n'))
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent)
  return parents.length > 1 ? parents[0] : undefined
}

/**
 * Finds the remote to push to: `origin`, or the only one there is.
 *
 * A given token replaces the credentials of the checkout. It reaches git through the environment, never through the command line,
 * and only for the host of the remote.
 *
 * @throws {GitError} when there is no remote, or several without an `origin`.
 */
export async function findRemote(git: Git, token: string | undefined): Promise<Remote> {
  const names = (await readGit(git, 'find the remote', ['remote'])).split('\n').filter((name) => name !== '')
  const name = names.includes('origin') ? 'origin' : names[0]
  if (name === undefined) {
    throw new GitError('Cannot push: the repository has no remote', { hint: 'Add one with `git remote add origin <url>`' })
  }
  if (names.length > 1 && name !== 'origin') {
    throw new GitError(`Cannot push: the repository has ${names.length} remotes and none is named \`origin\``, {
      hint: 'Rename the remote to push to with `git remote rename <name> origin`',
    })
  }
  return { name, environment: token === undefined ? {} : await toTokenEnvironment(git, name, token) }
}

/** @throws {GitError} if git cannot tell. */
export async function readPushUrl(git: Git, name: string): Promise<string> {
  return (await readGit(git, 'find the remote', ['remote', 'get-url', '--push', name])).trim()
}

async function toTokenEnvironment(git: Git, name: string, token: string): Promise<{ [name: string]: string }> {
  const url = await readPushUrl(git, name)
  const origin = /^https?:\/\/(?:[^@/]*@)?([^/]+)/i.exec(url)
  if (!origin) return {}
  const key = `http.${url.slice(0, url.indexOf(':'))}://${origin[1]}/.extraheader`
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64')
  const first = Number(process.env['GIT_CONFIG_COUNT'] ?? '0') || 0
  return {
    GIT_CONFIG_COUNT: String(first + 2),
    // The empty value removes the header of the checkout. GitHub refuses a request with two such headers.
    [`GIT_CONFIG_KEY_${first}`]: key,
    [`GIT_CONFIG_VALUE_${first}`]: '',
    [`GIT_CONFIG_KEY_${first + 1}`]: key,
    [`GIT_CONFIG_VALUE_${first + 1}`]: `AUTHORIZATION: basic ${credentials}`,
  }
}

/** The ignored ones of some paths. @throws {GitError} if git cannot tell. */
export async function findIgnored(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  return paths.length > 0 && findRepository(git.folder) ? await listIgnored(git, paths) : []
}

/**
 * Asks git about the files around a folder. Outside of a work tree, the answers are known: there is nothing to find.
 *
 * @param onUnknown Called with a line if git does not answer, once. Whoever asks for left-out files says it, where it matters.
 */
export function askGit(folder: string, onUnknown?: (line: string) => void) {
  const git = openGit(folder)
  let isSaid = false
  const askAnd = async <Value>(question: () => Promise<Value>): Promise<Answer<Value>> => {
    const answer = await ask(question)
    if (answer.kind === 'unknown' && !isSaid) onUnknown?.(`${answer.reason}. ${answer.hint ?? ''}`)
    isSaid ||= answer.kind === 'unknown'
    return answer
  }
  return {
    /** Returns the ignored ones of some paths relative to the folder. Tracked paths are never ignored. */
    async findIgnored(paths: readonly string[]): Promise<Answer<readonly string[]>> {
      return await askAnd(async () => await findIgnored(git, paths))
    },
    /**
     * Returns the files below a folder that are absent although nothing shows that a person deleted them, for example those that a sparse
     * checkout leaves out.
     */
    async findLeftOut(below: string): Promise<Answer<readonly string[]>> {
      return await ask(async () => {
        const at = openGit(join(folder, below))
        if (!findRepository(at.folder)) return []
        const lines = toPaths(await readGit(at, 'read the repository', ['ls-files', '-v', '-z']))
        const letters = new Map(lines.map((line) => [line.slice(2), line.slice(0, 1)]))
        const isAbsent = (path: string) => !existsSync(join(at.folder, path))
        await checkIndex(at, (path) => !letters.has(path) && isAbsent(path))
        // `H` are files whose absence in the work tree Git reports, and `M` those in conflict. Others can be absent without that.
        const paths = [...letters].flatMap(([path, letter]) => ('HM'.includes(letter) ? [] : [path]))
        return paths.filter(isAbsent).map((path) => joinPath(below, path))
      })
    },
    /** Reads the date of the newest commit of each file in some files and folders. None in a shallow clone, whose oldest commit has every file. */
    async findDates(paths: readonly string[]): Promise<Answer<ReadonlyMap<string, string>>> {
      return await ask(async () => {
        if (paths.length === 0 || !(await hasHistory(git))) return new Map()
        const args = ['log', '--format=%x00%cI', '--name-only', '--relative', '-z', '--', ...paths]
        return parseDates(await readGit(git, 'read the dates of files', args, { environment: literalPaths }))
      })
    },
    /** Reads the date of the commit that wrote a line of a file. Not with `blame`, which runs the filters of the repository. */
    async findLineDate(path: string, line: number): Promise<Answer<string | undefined>> {
      return await ask(async () => {
        if (!(await hasHistory(git))) return undefined
        const range = `-L${line},${line}:${path}`
        const output = await git.run(['log', '-1', '--format=%cI', '--no-ext-diff', '--no-textconv', '--no-patch', range])
        if (output.code !== 0 && !gitMessages.noLine.test(output.text)) throw toGitError('read the date of a line', output)
        const [date = ''] = output.code === 0 ? output.stdout.split('\n') : []
        return date === '' ? undefined : new Date(date).toISOString()
      })
    },
    /** Reads the line endings that `.gitattributes` sets for files. Paths without a rule are absent from the result. */
    async findLineEndings(paths: readonly string[]): Promise<Answer<ReadonlyMap<string, LineEnding>>> {
      return await askAnd(async () => {
        if (paths.length === 0 || !findRepository(folder)) return new Map()
        const args = ['check-attr', '-z', '--stdin', 'text', 'eol']
        return parseLineEndings(await readGit(git, 'read the repository', args, { input: toPathspecs(paths) }))
      })
    },
  }
}

/** Whether a folder has commits, and all of them. @throws {GitError} if git cannot tell. */
async function hasHistory(git: Git): Promise<boolean> {
  if (!findRepository(git.folder) || (await isShallow(git))) return false
  // Not its commit, which a damaged repository lacks.
  return (await findGit(git, 'read the history', ['rev-parse', '--verify', '--quiet', 'HEAD'])) !== undefined
}

/** Git answers about no path if one is in a submodule or behind a link. The work tree has no rules for those. */
async function listIgnored(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  const output = await git.run(['check-ignore', '-z', '--stdin'], { input: toPathspecs(paths) })
  if (output.code !== 128) return output.code === 0 ? toPaths(output.stdout) : []
  const [, path = '', submodule = ''] = gitMessages.otherTree.exec(output.text) ?? []
  const other = path.startsWith(`${submodule}/`) ? submodule : dirname(path)
  const others = paths.filter((each) => !each.startsWith(`${other}/`))
  if (others.length === paths.length) throw toGitError('read the repository', output)
  return await listIgnored(git, others)
}

/**
 * Checks that the index can show what was deleted: git reads a damaged one as if it had fewer files.
 *
 * @param isLacking Whether neither the index nor the work tree has a file of the folder.
 * @throws {GitError} if the index is damaged or lost, or if most files of the folder were not checked out.
 */
async function checkIndex(git: Git, isLacking: (path: string) => boolean): Promise<void> {
  const path = join((await readGit(git, 'find the index', ['rev-parse', '--absolute-git-dir'])).trim(), 'index')
  const bytes = existsSync(path) ? readFileSync(path) : undefined
  // It ends with its hash, or with zeros if `index.skipHash` is set.
  const isWhole = (size: number) => {
    const end = bytes?.subarray(-size)
    if (!bytes || !end || end.every((byte) => byte === 0)) return true
    const { createHash } = process.getBuiltinModule('node:crypto')
    return createHash(size === 20 ? 'sha1' : 'sha256')
      .update(bytes.subarray(0, -size))
      .digest()
      .equals(end)
  }
  const tree = await findGit(git, 'read the commit of the work tree', ['rev-parse', '--verify', '--quiet', 'HEAD:./'])
  const committed = tree === undefined ? [] : [...(await readCommittedPaths(git, tree.trim()))]
  const isLost = !bytes && committed.length > 0
  if (isLost || ![20, 32].some(isWhole)) throw toGitError('read the index', { code: 128, text: 'index file' })
  if (committed.filter(isLacking).length * 2 <= committed.length) return
  throw new GitError('Cannot read the repository: the index lacks most files of the commit', {
    hint: 'Check them out with `git checkout HEAD -- .` in the docs directory, or commit their deletion',
  })
}

/** The newest commits come first. */
function parseDates(stdout: string): ReadonlyMap<string, string> {
  const dates = new Map<string, string>()
  let date = ''
  for (const part of stdout.split('\0').map((one) => one.trim())) {
    if (/^\d{4}-\d\d-\d\dT[\d:+-]+Z?$/.test(part)) date = new Date(part).toISOString()
    else if (part !== '' && !dates.has(part)) dates.set(part, date)
  }
  return dates
}

/** For each path: path, attribute, value. `eol` alone implies `text`. If `text` is unset, git converts nothing. */
function parseLineEndings(stdout: string): ReadonlyMap<string, LineEnding> {
  const endings = new Map<string, LineEnding>()
  const unset = new Set<string>()
  for (const [path = '', attribute, value] of toRecords(stdout, 3)) {
    if (attribute === 'text' && value === 'unset') unset.add(path)
    if (attribute === 'eol' && !unset.has(path) && (value === 'lf' || value === 'crlf')) endings.set(path, value)
  }
  return endings
}
