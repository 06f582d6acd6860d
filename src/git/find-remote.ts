import { GitError } from '../errors.ts'
import type { Git } from './git.ts'
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
