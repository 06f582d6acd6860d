import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** The settings of every test. See `vitest.config.ts`. */
export const gitConfig = join(import.meta.dirname, 'gitconfig')

/**
 * Copies a folder that the run makes once. Git needs about ten processes for a repository with a remote, and a copy needs none.
 *
 * @param key Identifies the content.
 * @param make Fills an empty folder, for the first test that needs it. The content must not name this folder.
 */
export function copyTemplate(key: string, folder: string, make: (folder: string) => void): void {
  if (!hasTemplate(key)) addTemplate(key, make)
  cpSync(findTemplate(key), folder, { recursive: true, verbatimSymlinks: true })
}

export function hasTemplate(key: string): boolean {
  return existsSync(findTemplate(key))
}

/** Makes a template that {@link copyTemplate} copies. */
export function addTemplate(key: string, make: (folder: string) => void): void {
  const template = findTemplate(key)
  mkdirSync(dirname(template), { recursive: true })
  const made = mkdtempSync(join(dirname(template), 'new-'))
  make(made)
  try {
    renameSync(made, template)
  } catch {
    // Another worker has made the same.
    rmSync(made, { recursive: true, force: true, maxRetries: 3 })
  }
}

function findTemplate(key: string): string {
  const templates = join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? tmpdir(), 'templates')
  return join(templates, createHash('sha256').update(key).digest('hex').slice(0, 20))
}

/** The commit of a branch, from its file; `undefined` if there is no such file. `gitFolder` is a bare repository or `.git`. */
export function readTip(gitFolder: string, branch: string): string | undefined {
  return readLine(join(gitFolder, 'refs/heads', branch))
}

/** The commit of `HEAD`, without a process; `undefined` if it is not in a file. */
export function readHead(gitFolder: string): string | undefined {
  const head = readLine(join(gitFolder, 'HEAD'))
  return head?.startsWith('ref: refs/heads/') ? readTip(gitFolder, head.slice('ref: refs/heads/'.length)) : head
}

function readLine(path: string): string | undefined {
  // A branch `a/b` is in a folder `a`.
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8').trim() : undefined
}

/**
 * The content of an object, from its file, without a process; `undefined` if the object has another kind or is in a pack. The trees of Git have
 * 20 bytes for each ID.
 */
export function readObject(gitFolder: string, kind: 'blob' | 'commit' | 'tree', sha: string): Buffer | undefined {
  const path = join(gitFolder, 'objects', sha.slice(0, 2), sha.slice(2))
  if (!existsSync(path)) return undefined
  const object = inflateSync(readFileSync(path))
  return object.toString('latin1', 0, kind.length + 1) === `${kind} ` ? object.subarray(object.indexOf(0) + 1) : undefined
}

export interface ListedEntry {
  readonly path: string
  /** `100644` for a file, `100755` for a program, `120000` for a symbolic link. */
  readonly mode: string
  readonly sha: string
}

/** All files below a tree, from the files of its objects; `undefined` if one of them is in a pack. */
export function listFiles(gitFolder: string, treeSha: string, folder = ''): readonly ListedEntry[] | undefined {
  const tree = readObject(gitFolder, 'tree', treeSha)
  const entries: ListedEntry[] = []
  for (let at = 0; tree && at < tree.length; ) {
    const end = tree.indexOf(0, at)
    const [mode = '', ...words] = tree.toString('utf8', at, end).split(' ')
    const [path, sha] = [folder + words.join(' '), tree.toString('hex', end + 1, end + 21)]
    at = end + 21
    const below = mode === '40000' ? listFiles(gitFolder, sha, `${path}/`) : [{ path, mode, sha }]
    if (!below) return undefined
    entries.push(...below)
  }
  return tree && entries
}

/** The tree of a commit, from its file; `undefined` if it is in a pack. */
export function readTree(gitFolder: string, commit: string): string | undefined {
  return readObject(gitFolder, 'commit', commit)?.toString('latin1', 'tree '.length, 'tree '.length + 40)
}
