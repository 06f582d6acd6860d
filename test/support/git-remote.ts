import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  copyTemplate,
  gitConfig,
  type ListedEntry,
  listFiles,
  readHead,
  readObject,
  readTip,
  readTree,
} from './repository-template.ts'
import { runProgram } from './small-process/run-program.ts'
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
  /** Clones like `actions/checkout`: one commit, HEAD detached. Returns the folder. `url` becomes the URL of `origin`. */
  checkOut(branch?: string, url?: string): string
  /** The commit of a branch. */
  tip(branch?: string): string
  /** The text of a file in the newest commit of a branch; undefined if there is none. */
  read(path: string, branch?: string): string | undefined
  /** The paths of all files in the newest commit of a branch. Throws if there is no such branch. */
  list(branch?: string): readonly string[]
  /** The message of the newest commit. */
  message(branch?: string): string
  /** The `git log` output for the newest commit in a given format. */
  log(format: string, branch?: string): string
  /** Makes the server run a shell script before it accepts a push. */
  setHook(name: 'pre-receive' | 'update', script: string): void
}

/** Runs git without the user's settings. */
export function git(folder: string, ...args: string[]): string {
  return runProgram('git', args, { cwd: folder, env: gitEnvironment }).toString().trim()
}

/** The same environment for git on every machine. */
const gitEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: gitConfig,
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

/**
 * Creates a remote with these files on `main`.
 *
 * @param template The key of a template of its folder, if these files are not all of it.
 */
export function makeGitRemote(files: FileContents, template = JSON.stringify(files)): GitRemote {
  const folder = makeTemporaryFolder()
  const path = join(folder, 'remote.git')
  const person = join(folder, 'person')
  copyTemplate(template, folder, (made) => {
    const [bare, clone] = [join(made, 'remote.git'), join(made, 'person')]
    git(made, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
    mkdirSync(join(bare, 'hooks'))
    git(made, 'init', '--quiet', '--initial-branch=main', clone)
    git(clone, 'remote', 'add', 'origin', '../remote.git')
    pushFiles(clone, files, 'main')
  })
  let checkouts = 0
  const remote: GitRemote = {
    folder,
    path,
    push: (contents, branch = 'main') => {
      pull(person, path, branch)
      return pushFiles(person, contents, branch)
    },
    checkOut: (branch = 'main', url = `file://${path}`) => {
      const checkout = join(folder, `checkout-${++checkouts}`)
      const clone = (to: string) => {
        git(folder, 'clone', '--quiet', '--depth=1', `--branch=${branch}`, `file://${path}`, to)
        git(to, 'checkout', '--quiet', '--detach')
      }
      const sha = readTip(path, branch)
      // A clone also contains the tags of its commit.
      const isTagged = sha === undefined || readdirSync(join(path, 'refs/tags')).length > 0
      if (isTagged) clone(checkout)
      else copyTemplate(`clone of ${branch} at ${sha}`, checkout, clone)
      const config = join(checkout, '.git/config')
      writeFileSync(config, readFileSync(config, 'utf8').replace(/url = .*/, `url = ${url}`))
      // The copies are newer files than those that Git wrote.
      if (!isTagged) git(checkout, 'update-index', '-q', '--refresh')
      return checkout
    },
    tip: (branch = 'main') => readTip(path, branch) ?? git(path, 'rev-parse', `refs/heads/${branch}`),
    read: (file, branch = 'main') => readFileOf(path, branch, file),
    list: (branch = 'main') => listFilesOf(path, branch).map((entry) => entry.path),
    message: (branch = 'main') => {
      const commit = readObject(path, 'commit', remote.tip(branch))?.toString()
      return commit === undefined ? remote.log('%B', branch) : commit.slice(commit.indexOf('\n\n')).trim()
    },
    log: (format, branch = 'main') => git(path, 'log', '-1', `--format=${format}`, `refs/heads/${branch}`),
    setHook: (name, script) => {
      writeFileSync(join(path, 'hooks', name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(path, 'hooks', name), 0o755)
    },
  }
  return remote
}

/** Throws if there is no such branch. */
function listFilesOf(remote: string, branch: string): readonly ListedEntry[] {
  const tree = readTree(remote, readTip(remote, branch) ?? '')
  const listed = tree === undefined ? undefined : listFiles(remote, tree)
  if (listed) return listed
  const lines = git(remote, 'ls-tree', '-r', '-z', `refs/heads/${branch}`).split('\0')
  return lines.flatMap((line) => {
    const [, mode = '', sha = '', path] = /^(\d+) \w+ (\w+)\t([\s\S]+)$/.exec(line) ?? []
    return path === undefined ? [] : [{ path, mode, sha }]
  })
}

function readFileOf(remote: string, branch: string, file: string): string | undefined {
  try {
    const { sha } = listFilesOf(remote, branch).find(({ path }) => path === file) ?? {}
    if (sha === undefined) return undefined
    const options = { cwd: remote, env: gitEnvironment }
    return (readObject(remote, 'blob', sha) ?? runProgram('git', ['cat-file', 'blob', sha], options)).toString()
  } catch {
    return undefined
  }
}

/** Commits changes of files in a clone and pushes them. Returns the commit. */
function pushFiles(clone: string, files: FileContents, branch: string): string {
  for (const [file, content] of Object.entries(files)) writeOrDelete(join(clone, file), content)
  git(clone, 'add', '--all')
  git(clone, 'commit', '--quiet', '--allow-empty', '--message=A change by Pat')
  git(clone, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  return readHead(join(clone, '.git')) ?? git(clone, 'rev-parse', 'HEAD')
}

/** Moves to the newest commit of a branch, or of `main` if the branch does not exist. */
function pull(person: string, remote: string, branch: string): void {
  let base: string | undefined = branch
  let tip = readTip(remote, branch)
  if (tip === undefined) {
    const known = git(remote, 'for-each-ref', '--format=%(refname)').split('\n')
    base = [branch, 'main'].find((name) => known.includes(`refs/heads/${name}`))
    if (base === undefined) return
    tip = readTip(remote, base)
  }
  const isThere = tip !== undefined && tip === readHead(join(person, '.git'))
  if (!isThere) git(person, 'fetch', '--quiet', 'origin', `refs/heads/${base}`)
  git(person, 'reset', '--quiet', '--hard', isThere ? 'HEAD' : 'FETCH_HEAD')
}

function writeOrDelete(path: string, content: string | null): void {
  mkdirSync(dirname(path), { recursive: true })
  if (content === null) rmSync(path)
  else writeFileSync(path, content)
}
