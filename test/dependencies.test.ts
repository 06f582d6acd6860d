import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectLicenses } from '../scripts/collect-licenses.ts'
import { projectFolder } from './support/action-harness.ts'

// `npm ci` must pass on a machine without Python and compilers.

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
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

test('the licenses of a bundle have each word of each package, in one block with its name, and each text of MIT once', () => {
  const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as LockedPackage
  const installed = locked.map(([path]) => join(projectFolder, path)).filter((folder) => existsSync(join(folder, 'package.json')))
  const folders = installed.filter((folder) => typeof readManifest(folder).license === 'string')
  const written = collectLicenses(folders.map((folder) => join(folder, 'index.js')))
  const blocks = written.split(`\n\n${'-'.repeat(80)}\n\n`)
  const missing = folders.flatMap((folder) => {
    const { name, version } = readManifest(folder)
    const block = blocks.find((text) => `\n${text}`.includes(`\n${name} ${version}\n`))?.replace(/\s+/g, ' ') ?? ''
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each))
    const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.filter((line) => !block.includes(line.trim().replace(/\s+/g, ' '))).map((line) => [name, line])
  })
  expect([folders.length > 100, missing]).toEqual([true, []])
  const terms = blocks.map((text) => text.slice(Math.max(0, text.search(/^Permission /m))).replace(/\s+/g, ' '))
  expect(new Set(terms).size).toBe(terms.length)
})
