import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The settings of every test. See `vitest.config.ts`. */
export const gitConfig = join(import.meta.dirname, 'gitconfig')

/**
 * Copies a folder that the run makes once. Git needs about ten processes for a repository with a remote, and a copy needs none.
 *
 * @param key Identifies the content.
 * @param make Fills an empty folder, for the first test that needs it. The content must not name this folder.
 */
export function copyTemplate(key: string, folder: string, make: (folder: string) => void): void {
  const templates = join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? tmpdir(), 'templates')
  const template = join(templates, createHash('sha256').update(key).digest('hex').slice(0, 20))
  if (!existsSync(template)) {
    mkdirSync(templates, { recursive: true })
    const made = mkdtempSync(join(templates, 'new-'))
    make(made)
    try {
      renameSync(made, template)
    } catch {
      // Another worker has made the same.
      rmSync(made, { recursive: true, force: true, maxRetries: 3 })
    }
  }
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true })
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
