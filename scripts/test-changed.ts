import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { selectByPath } from '../test/lanes.ts'

// npm run test:changed -- BASE
// Runs the browser and end-to-end files that test something that differs from where this branch left BASE, uncommitted changes included.

const root = join(import.meta.dirname, '..')
const [base, ...rest] = process.argv.slice(2)
if (base === undefined || base.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run test:changed -- BASE\nFor example: npm run test:changed -- origin/main')
  process.exit(2)
}

const git = (...args: readonly string[]) => {
  const result = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (result.status !== 0) {
    console.error(`Cannot compare with ${base}: ${result.stderr.trim()}`)
    process.exit(2)
  }
  return result.stdout
}
const fork = git('merge-base', '--', base, 'HEAD').trim()
const changed = [
  ...git('diff', '--name-only', '--no-renames', '-z', fork).split('\0'),
  ...git('ls-files', '--others', '--exclude-standard', '-z').split('\0'),
].filter((path) => path !== '')
const files = selectByPath(root, changed)
console.log(`${changed.length} files differ from ${base}; ${files.length} browser and end-to-end files test them`)
if (files.length > 0) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'by-path', ...files], { cwd: root, stdio: 'inherit' })
  process.exit(run.status ?? 1)
}
