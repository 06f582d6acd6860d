import { GitError } from '../text/errors.ts'
import { type Git, toGitError } from './git.ts'

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
  const output = await git.run(headArgs)
  if (output.code === 0) return output.stdout.trim()
  // With `--quiet`, exit code 1 means that there is no commit; other failures have other codes.
  if (output.code !== 1) throw toGitError('read the commit of the work tree', output)
  throw new GitError('Cannot commit: the repository has no commit yet', { hint: 'Create and push a first commit' })
}

/** The commit of the work tree; undefined without a commit or a work tree. @throws {GitError} when git cannot be started. */
export async function findHead(git: Git): Promise<string | undefined> {
  const output = await git.run(headArgs)
  return output.code === 0 ? output.stdout.trim() : undefined
}

const headArgs = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']

/**
 * Reads the commits of remote branches in one request. A branch that does not exist is absent from the result.
 *
 * @throws {GitError} when the remote cannot be read.
 */
export async function readTips(git: Git, remote: Remote, branches: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`)
  const output = await git.run(['ls-remote', remote.name, ...refs], { environment: remote.environment })
  if (output.code !== 0) throw toGitError(`read \`${branches[0]}\` of the remote`, output)
  const tips = new Map<string, string>()
  for (const line of output.stdout.split('\n')) {
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
 * @throws {GitError} when git cannot be started.
 */
export async function readFirstParent(git: Git, sha: string | undefined): Promise<string | undefined> {
  if (sha === undefined) return undefined
  // `rev-parse <sha>^1` fails in a shallow clone; the commit object still names its parents.
  const { code, stdout } = await git.run(['cat-file', 'commit', sha])
  if (code !== 0) return undefined
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
  const listed = await git.run(['remote'])
  if (listed.code !== 0) throw toGitError('find the remote', listed)
  const names = listed.stdout.split('\n').filter((name) => name !== '')
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

async function toTokenEnvironment(git: Git, name: string, token: string): Promise<{ [name: string]: string }> {
  const { stdout } = await git.run(['remote', 'get-url', '--push', name])
  const origin = /^https?:\/\/(?:[^@/]*@)?([^/]+)/i.exec(stdout.trim())
  if (!origin) return {}
  const key = `http.${stdout.trim().slice(0, stdout.indexOf(':'))}://${origin[1]}/.extraheader`
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
