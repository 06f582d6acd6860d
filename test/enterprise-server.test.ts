import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')

/**
 * The files that name github.com, with the reason why they do not assume it. All others take the server from the environment or
 * the settings.
 */
const allowed: readonly (readonly [file: RegExp, words: RegExp])[] = [
  // The documentation and issues of this project.
  [/./, /github\.com\/openapi-pages\/openapi-pages/g],
  // The default of a setting or variable that names another server.
  [/^app\/base\/config\/settings\.ts$/, /'https:\/\/github\.com'|https:\/\/github\.example\.com/g],
  [/^app\/base\/config\/setting-readers\.ts$/, /[Ff]or example `https:\/\/token\.actions\.githubusercontent\.com\/acme`/g],
  // The first line of a pointer file in the Git LFS specification.
  [/^docs\/read\/find-docs\.ts$/, /https:\/\/git-lfs\.github\.com/g],
  // A component of pages that is about github.com by definition.
  [/^site\/page\/components\/github-repo\.tsx$/, /https:\/\/github\.com\/\$\{repo\}/g],
  // The module that distinguishes github.com from an Enterprise Server.
  [/^github\/requests\/github-client\.ts$/, /https:\/\/(?:api\.)?github\.com|token\.actions\.githubusercontent\.com/g],
  // The remote of a clone can be at any of these hosts, or at a named server.
  [/^git\/revisions\.ts$/, /\['github\.com', 'commit'\]/g],
  // This project itself publishes its files there.
  [/./, /https:\/\/raw\.githubusercontent\.com\/openapi-pages\/openapi-pages\//g],
  // The first line of a Git LFS pointer, on every host.
  [/^site\/make\//, /https:\/\/git-lfs\.github\.com\/spec\//g],
  [/^github\//, /\?\? 'https:\/\/api\.github\.com'/g],
  [/^action\/inputs\/inputs\.ts$/, /: 'github\.com'/g],
  [/^action\/inputs\/workflow-event\.ts$/, /read\('GITHUB_(?:API|SERVER)_URL', 'https:\/\/(?:api\.)?github\.com'\)/g],
  [/^cli\/commands\/update-command\.ts$/, /env\['GITHUB_SERVER_URL'\] \|\| 'https:\/\/github\.com'/g],
  [/^action\//, /\?\? 'https:\/\/(?:api\.)?github\.com'/g],
]

test('does not assume anywhere in the source that GitHub is github.com', () => {
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => /\.tsx?$/.test(entry.name))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(source, path)
    let code = readFileSync(path, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, '')
    for (const [file, words] of allowed) if (file.test(name)) code = code.replace(words, '')
    return [...code.matchAll(/.*(?:\bgithub\.com(?![a-z])|githubusercontent|ghcr\.io).*/g)].map(
      ([line]) => `${name}: ${line.trim()}`,
    )
  })
  expect(found).toEqual([])
})
