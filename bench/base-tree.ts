import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Has the tree of one commit, which later runs use again. */
const folder = join(root, 'build/base')

/** The code before the change. */
export interface Base {
  readonly commit: string
  /** Why this commit. */
  readonly reason: string
}

/**
 * The commit to compare with: `revision`, otherwise the last commit on `main` that this branch contains. On `main` itself, that is the current
 * commit if something is not committed, and the one before it otherwise.
 *
 * @throws {Error} if there is no such commit.
 */
export function findBase(revision: string | undefined): Base {
  if (revision !== undefined) return { commit: resolve(revision), reason: `--base ${revision}` }
  const head = resolve('HEAD')
  const main = tryGit('merge-base', 'HEAD', 'main') ?? tryGit('merge-base', 'HEAD', 'origin/main')
  if (main === undefined) throw new Error('Cannot find the branch `main`. Name a commit: --base REV')
  if (main !== head) return { commit: main, reason: 'the last commit on main' }
  if (git('status', '--porcelain') !== '') return { commit: head, reason: 'HEAD, without what is not committed' }
  return { commit: resolve('HEAD^'), reason: 'the commit before HEAD' }
}

/** Checks out a commit below `build/`, builds it, and returns its folder. Does nothing if an earlier run did it. */
export function prepareTree(commit: string): string {
  const tree = join(folder, commit.slice(0, 12))
  if (existsSync(join(tree, 'build/stamp.txt'))) return tree
  removeTrees()
  mkdirSync(folder, { recursive: true })
  git('worktree', 'add', '--quiet', '--detach', '--force', tree, commit)
  const hasSamePackages = readFileSync(join(tree, 'package-lock.json')).equals(readFileSync(join(root, 'package-lock.json')))
  if (hasSamePackages) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'ignore', shell: process.platform === 'win32' })
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
  return tree
}

function removeTrees(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  git('worktree', 'prune')
}

/** @throws {Error} if there is no such commit. */
function resolve(revision: string): string {
  const commit = tryGit('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)
  if (commit === undefined) throw new Error(`Cannot find the commit \`${revision}\``)
  return commit
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function tryGit(...args: readonly string[]): string | undefined {
  try {
    return git(...args)
  } catch {
    return undefined
  }
}
