import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A copy of the project for tests with other code. */
export interface ChangedCopy {
  /**
   * Whether unit tests pass, with other code in a file if there is one.
   *
   * @param tests Files and folders of tests, relative to the project.
   * @param changed `file` is relative to the project.
   */
  passes(tests: readonly string[], changed?: { readonly file: string; readonly source: string }): boolean
  remove(): void
}

/** Copies the project. Its packages are links, and what was built is copied, because tests write there. */
export function copyProject(): ChangedCopy {
  const copy = mkdtempSync(join(tmpdir(), 'openapi-pages-changed-'))
  const leftOut = new Set(['node_modules', '.git', 'build/base'].map((name) => join(root, name)))
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const run = (tests: readonly string[]) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    // Tests of the app are programs. A run without a test fails nothing.
    const projects = ['--project', 'unit', '--project', 'programs', '--passWithNoTests']
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, '--bail', '1', ...tests], {
      cwd: copy,
      // A change can make a loop endless.
      timeout: 900_000,
      stdio: 'ignore',
    })
    return status === 0
  }
  return {
    passes(tests, changed) {
      if (!changed) return run(tests)
      const path = join(copy, changed.file)
      const before = readFileSync(path, 'utf8')
      writeFileSync(path, changed.source)
      const passed = run(tests)
      writeFileSync(path, before)
      return passed
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}
