import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a build reads, besides the installed packages, which the lock file names. */
const inputs = [
  'examples/ci',
  'examples/workflows',
  'locales',
  'src',
  'scripts',
  'texts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
/** The committed part of what it writes. */
const committed = ['dist']

const stampPath = (root: string) => join(root, 'build/stamp.txt')

/** Whether `build/` and `dist/` are what a complete build of the current source has written. */
export function isBuilt(root: string): boolean {
  return existsSync(stampPath(root)) && readFileSync(stampPath(root), 'utf8') === `${hash(root, inputs)} ${hash(root, committed)}`
}

/**
 * Called before a build starts, which makes an earlier stamp wrong.
 *
 * @returns A function to call when a complete build has ended.
 */
export function startStamp(root: string): () => void {
  const before = hash(root, inputs)
  if (!isBuilt(root)) rmSync(stampPath(root), { force: true })
  return () => writeFileSync(stampPath(root), `${before} ${hash(root, committed)}`)
}

function hash(root: string, paths: readonly string[]): string {
  const sum = createHash('sha256')
  const add = (path: string): void => {
    sum.update(`${path}\n`)
    const full = join(root, path)
    if (!statSync(full).isDirectory()) sum.update(readFileSync(full))
    else for (const name of readdirSync(full).sort()) add(`${path}/${name}`)
  }
  for (const path of paths) add(path)
  return sum.digest('hex')
}
