import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'

// `npm ci` has to pass on a machine without Python and compilers, for this project and for one that depends on the package.

interface LockedPackage {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>> // As npm's documentation of package-lock.json says.
}
const locked = Object.entries(packages).filter(([path]) => path !== '')

test('only development dependencies have install scripts, and those need no compiler', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript)
  const { allowScripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { allowScripts: object }
  expect(Object.keys(allowScripts).sort()).toEqual(scripts.map(([path]) => path.replace('node_modules/', '')).sort())
  expect(scripts).toEqual([
    // Replaces a starter script by the program that is already there: works without it.
    ['node_modules/esbuild', expect.objectContaining({ dev: true })],
    // Installs the `node` program of this platform, from a package of the registry.
    ['node_modules/node', expect.objectContaining({ dev: true })],
  ])
})

test('no dependency has a binding.gyp, from which npm makes an install script', () => {
  const installed = locked.filter(([path]) => existsSync(join(projectFolder, path, 'package.json')))
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.map(([path]) => path).filter((path) => existsSync(join(projectFolder, path, 'binding.gyp')))).toEqual([])
})
