import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'

// `npm ci` must pass on a machine without Python and compilers.

interface LockedPackage {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>> // Documented in npm's description of package-lock.json.
}
const locked = Object.entries(packages).filter(([path]) => path !== '')

test('has install scripts only in development dependencies, without a compiler', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript)
  const { allowScripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { allowScripts: object }
  expect(Object.keys(allowScripts).sort()).toEqual(scripts.map(([path]) => path.replace('node_modules/', '')).sort())
  // It installs the `node` program of this platform, from a package of the registry.
  expect(scripts).toEqual([['node_modules/node', expect.objectContaining({ dev: true })]])
})

test('has no dependency with a binding.gyp, from which npm creates an install script', () => {
  const installed = locked.filter(([path]) => existsSync(join(projectFolder, path, 'package.json')))
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.map(([path]) => path).filter((path) => existsSync(join(projectFolder, path, 'binding.gyp')))).toEqual([])
})
