import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyTemplate, gitConfig, readHead } from './repository-template.ts'
import { runProgram } from './small-process/run-program.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** A repository whose commits and tags a test creates. */
export interface GitHistory {
  readonly folder: string
  /** The date of the next commit or tag. Each commit is one day later than the one before. */
  date: string
  /** Runs git without the user's settings, and returns its output. */
  git(...args: string[]): string
  /** Commits files (`null` deletes one) and symbolic links, and returns the commit. */
  commit(files: { readonly [path: string]: string | null }, links?: { readonly [path: string]: string }): string
  tag(name: string): void
}

/**
 * Creates an empty repository with the branch `main`.
 *
 * @param folder Default: a temporary folder that is removed when the running test has ended.
 */
export function makeHistory(folder: string = makeTemporaryFolder()): GitHistory {
  const history: GitHistory = {
    folder,
    date: '2026-01-01T12:00:00Z',
    git: (...args) =>
      runProgram('git', args, {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: '/nonexistent',
          GIT_CONFIG_GLOBAL: gitConfig,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_AUTHOR_NAME: 'Pat',
          GIT_AUTHOR_EMAIL: 'pat@example.com',
          GIT_COMMITTER_NAME: 'Pat',
          GIT_COMMITTER_EMAIL: 'pat@example.com',
          GIT_AUTHOR_DATE: history.date,
          GIT_COMMITTER_DATE: history.date,
        },
      })
        .toString()
        .trim(),
    commit(files, links = {}) {
      for (const path of [...Object.keys(files), ...Object.keys(links)])
        mkdirSync(dirname(join(folder, path)), { recursive: true })
      for (const [path, content] of Object.entries(files)) {
        if (content === null) rmSync(join(folder, path))
        else writeFileSync(join(folder, path), content)
      }
      for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path))
      history.git('add', '--all')
      history.git('commit', '--quiet', '--message', 'Change')
      history.date = new Date(Date.parse(history.date) + 24 * 60 * 60 * 1000).toISOString()
      return readHead(join(folder, '.git')) ?? history.git('rev-parse', 'HEAD')
    },
    tag(name) {
      history.git('tag', name)
    },
  }
  copyTemplate('empty repository', folder, (template) => {
    runProgram('git', ['init', '--quiet', '--initial-branch=main'], { cwd: template })
  })
  return history
}
