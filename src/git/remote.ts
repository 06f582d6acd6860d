import { GitError } from '../errors.ts'
import type { Git, GitOutput } from './git.ts'
import { toGitError } from './to-git-error.ts'

/** Where a work tree fetches from and pushes to. */
export interface Remote {
  readonly name: string
  /** What commands to this remote need in their environment: how the token is given to git without showing it. */
  readonly environment: { readonly [name: string]: string }
}

/**
 * Finds the remote to push to: `origin`, else the only one there is.
 *
 * A token that is given is used instead of credentials that the checkout has kept. It reaches git through the environment,
 * never through the command line, and only for the host of the remote.
 *
 * @throws {GitError} when there is no remote, or several without an `origin`.
 */
export async function findRemote(git: Git, token: string | undefined): Promise<Remote> {
  const listed = await git.run(['remote'])
  if (listed.code !== 0) throw toGitError('find the remote', listed)
  const names = listed.stdout.split('\n').filter((name) => name !== '')
  const name = names.includes('origin') ? 'origin' : names[0]
  if (name === undefined) {
    throw new GitError('Cannot push: the repository has no remote', { hint: 'add one with `git remote add origin <url>`' })
  }
  if (names.length > 1 && name !== 'origin') {
    throw new GitError(`Cannot push: the repository has ${names.length} remotes and none is \`origin\``, {
      hint: 'call the one to push to `origin`, with `git remote rename`',
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
    // The empty value drops what the checkout has kept; with two such headers GitHub refuses the request.
    [`GIT_CONFIG_KEY_${first}`]: key,
    [`GIT_CONFIG_VALUE_${first}`]: '',
    [`GIT_CONFIG_KEY_${first + 1}`]: key,
    [`GIT_CONFIG_VALUE_${first + 1}`]: `AUTHORIZATION: basic ${credentials}`,
  }
}

/**
 * The commit that a branch of the remote is at; undefined where the remote has no such branch.
 *
 * @throws {GitError} when the remote cannot be asked.
 */
export async function readTip(git: Git, remote: Remote, branch: string): Promise<string | undefined> {
  const output = await git.run(['ls-remote', remote.name, `refs/heads/${branch}`], { environment: remote.environment })
  if (output.code !== 0) throw toGitError(`read \`${branch}\` of the remote`, output)
  // The pattern also matches the end of longer names.
  const line = output.stdout.split('\n').find((candidate) => candidate.endsWith(`\trefs/heads/${branch}`))
  return line?.split('\t')[0]
}

/**
 * Moves the work tree to the newest commit of a branch, and gives its id. Changes in the tree that are not committed stay;
 * where they would be lost nothing is moved.
 *
 * @throws {GitError} when the branch cannot be fetched, or when it changes a file that has changes here.
 */
export async function moveToTip(git: Git, remote: Remote, branch: string): Promise<string> {
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  // A clone with its whole history must not be cut by a fetch of one commit.
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, `refs/heads/${branch}`]
  const fetched = await git.run(fetchArgs, { environment: remote.environment })
  if (fetched.code !== 0) throw toGitError(`fetch \`${branch}\``, fetched)
  const moved = await git.run(['reset', '--keep', 'FETCH_HEAD'], { environment: remote.environment })
  if (moved.code !== 0) throw toMoveError(branch, moved)
  return readHead(git)
}

function toMoveError(branch: string, output: GitOutput): GitError {
  const file = /Entry '([^']+)' not uptodate|'([^']+)' would be overwritten/.exec(output.stderr)
  if (!file) return toGitError(`move to the newest commit of \`${branch}\``, output)
  return new GitError(
    `Cannot move to the newest commit of \`${branch}\`: it changes \`${file[1] ?? file[2]}\`, which has changes here`,
    {
      hint: 'commit or drop the changes of the steps before this one',
    },
  )
}

/**
 * The commit that the work tree is at.
 *
 * @throws {GitError} when there is none.
 */
export async function readHead(git: Git): Promise<string> {
  const output = await git.run(['rev-parse', '--verify', 'HEAD^{commit}'])
  if (output.code === 0) return output.stdout.trim()
  if (!/Needed a single revision/.test(output.stderr)) throw toGitError('read the commit of the work tree', output)
  throw new GitError('Cannot commit: the repository has no commit yet', { hint: 'make and push a first commit' })
}
