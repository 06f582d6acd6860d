import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Contents by path. `null` deletes the file. */
export interface FileContents {
  readonly [path: string]: string | null
}

/** A bare repository, as on a server, with the clone of a person who pushes to it. */
export interface GitRemote {
  /** Contains everything. Removed when the running test has ended. */
  readonly folder: string
  /** The bare repository. */
  readonly path: string
  /**
   * Commits changes of files on the newest commit of a branch (a new one begins at `main`), pushes it as a person would, and
   * returns the commit.
   */
  push(files: FileContents, branch?: string): string
  /** Clones like `actions/checkout`: one commit, HEAD detached. Returns the folder. */
  checkOut(branch?: string): string
  /** The commit of a branch. */
  tip(branch?: string): string
  /** The text of a file in the newest commit of a branch; undefined if there is none. */
  read(path: string, branch?: string): string | undefined
  /** The `git log` output for the newest commit in a given format. */
  log(format: string, branch?: string): string
  /** Makes the server run a shell script before it accepts a push. */
  setHook(name: 'pre-receive' | 'update', script: string): void
}

/** Runs git without the user's settings. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: gitEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

/** The same environment for git on every machine. */
const gitEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  // A test may change the owner of a repository.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_AUTHOR_NAME: 'Pat',
  GIT_AUTHOR_EMAIL: 'pat@example.com',
  GIT_COMMITTER_NAME: 'Pat',
  GIT_COMMITTER_EMAIL: 'pat@example.com',
}

/** Creates a remote with these files on `main`. */
export function makeGitRemote(files: FileContents): GitRemote {
  const folder = makeTemporaryFolder()
  const path = join(folder, 'remote.git')
  const person = join(folder, 'person')
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', path)
  git(folder, 'init', '--quiet', '--initial-branch=main', person)
  git(person, 'remote', 'add', 'origin', path)
  let checkouts = 0
  const remote: GitRemote = {
    folder,
    path,
    push: (contents, branch = 'main') => {
      pull(person, path, branch)
      for (const [file, content] of Object.entries(contents)) writeOrDelete(join(person, file), content)
      git(person, 'add', '--all')
      git(person, 'commit', '--quiet', '--allow-empty', '--message=A change by Pat')
      git(person, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
      return git(person, 'rev-parse', 'HEAD')
    },
    checkOut: (branch = 'main') => {
      const checkout = join(folder, `checkout-${++checkouts}`)
      git(folder, 'clone', '--quiet', '--depth=1', `--branch=${branch}`, `file://${path}`, checkout)
      git(checkout, 'checkout', '--quiet', '--detach')
      return checkout
    },
    tip: (branch = 'main') => git(path, 'rev-parse', `refs/heads/${branch}`),
    read: (file, branch = 'main') => {
      try {
        return execFileSync('git', ['show', `refs/heads/${branch}:${file}`], {
          cwd: path,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        return undefined
      }
    },
    log: (format, branch = 'main') => git(path, 'log', '-1', `--format=${format}`, `refs/heads/${branch}`),
    setHook: (name, script) => {
      writeFileSync(join(path, 'hooks', name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(path, 'hooks', name), 0o755)
    },
  }
  remote.push(files)
  return remote
}

/** Moves to the newest commit of a branch, or of `main` if the branch does not exist. */
function pull(person: string, remote: string, branch: string): void {
  const known = git(remote, 'for-each-ref', '--format=%(refname)').split('\n')
  const base = [`refs/heads/${branch}`, 'refs/heads/main'].find((ref) => known.includes(ref))
  if (base === undefined) return
  git(person, 'fetch', '--quiet', 'origin', base)
  git(person, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
}

function writeOrDelete(path: string, content: string | null): void {
  mkdirSync(dirname(path), { recursive: true })
  if (content === null) rmSync(path)
  else writeFileSync(path, content)
}
