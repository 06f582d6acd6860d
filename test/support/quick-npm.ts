import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt } from '../../scripts/build-stamp.ts'

const root = join(import.meta.dirname, '../..')

/** Whether `npm ci` has installed here what the lock file names. */
function hasLockedPackages(): boolean {
  const read = (path: string): { readonly [path: string]: { readonly integrity?: string; readonly optional?: boolean } } =>
    existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')).packages : {}
  const { '': _, ...locked } = read('package-lock.json')
  const installed = read('node_modules/.package-lock.json')
  return (
    Object.entries(locked).every(([path, { optional }]) => optional || installed[path] !== undefined) &&
    Object.entries(installed).every(([path, { integrity }]) => locked[path]?.integrity === integrity)
  )
}

/**
 * Writes a program `npm` into a folder that is the first of a `PATH`. It copies what newcomers wait for longest, and leaves all other
 * commands to the npm of this machine. On `npm ci`, these are the installed packages, as a link to their folder. On
 * `npm run build` and `npm run packages`, it is the build, if a complete one of the same source was made here. `.ci/run` starts with both
 * commands in a clone.
 *
 * @param cases Further cases of a shell's `case "$*" in`.
 */
export function writeQuickNpm(folder: string, cases: readonly string[] = []): void {
  const copyBuild = `mkdir build && cp -a '${root}/build/'{app,cli,icons,js,licenses,server,site,types} build && cp -a '${root}/dist' .`
  const steps = [
    hasLockedPackages() && `ci*) exec ln -s '${root}/node_modules' . ;;`,
    isBuilt(root) && `'run build') ${copyBuild}; exit ;;`,
    isBuilt(root) && `'run packages') ${copyBuild} && exec node scripts/pack.ts ;;`,
    ...cases,
  ]
  const body = steps.filter((step) => step !== false).join('\n')
  const text = `#!/bin/bash\ncase "$*" in\n${body}\nesac\nPATH=\${PATH#*:} exec npm "$@"\n`
  writeFileSync(join(folder, 'npm'), text, { mode: 0o755 })
}
