import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/text/json/json-values.ts'
import { groupBy } from '../src/text/plain/lists.ts'

interface Package {
  readonly name: string
  readonly version: string
  readonly license: string
  /** What stands before the terms, such as the copyright. */
  readonly notice: string
  readonly terms: string
}

/**
 * The licenses of all packages in a bundle, sorted by name. Packages with the same terms share one text, below the notices of each: most have those of MIT.
 *
 * @param modules Absolute paths of the bundled modules. Modules that the bundler adds have no path.
 * @throws {Error} when a package names no license.
 */
export function collectLicenses(modules: readonly string[]): string {
  // The innermost `node_modules` of the path contains the package.
  const folders = new Set(modules.flatMap((path) => /.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(path)?.[0] ?? []))
  const packages = [...folders]
    .map(readPackage)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
  const byTerms = groupBy(packages, ({ terms }) => terms.replace(/\s+/g, ' '))
  const texts = [...byTerms.values()].map((group) => {
    const notices = group.map(({ name, version, license, notice }) => `${name} ${version}\n${license}\n\n${notice}`.trimEnd())
    return `${notices.join('\n\n')}\n\n${group[0]?.terms ?? ''}`.trimEnd()
  })
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function readPackage(folder: string): Package {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name))
  const license = isObject(manifest) ? (manifest['license'] ?? (file === undefined ? undefined : 'See below')) : undefined
  if (!isObject(manifest) || typeof license !== 'string') throw new Error(`${folder} names no license`)
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  // The first words of MIT, ISC and BSD. Without them, all of the text is terms.
  const start = Math.max(0, text.search(/^[ \t]*(?:Permission|Redistribution) /m))
  return {
    name: String(manifest['name']),
    version: String(manifest['version']),
    license,
    notice: text.slice(0, start).trim(),
    terms: text.slice(start).trim(),
  }
}
