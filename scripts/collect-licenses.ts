import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/text/json/json-values.ts'

/**
 * The licenses of all packages in a bundle, sorted by name.
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
  const texts = packages.map(({ name, version, license, text }) => `${name} ${version}\n${license}\n\n${text}`.trimEnd())
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function readPackage(folder: string): { name: string; version: string; license: string; text: string } {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name))
  const license = isObject(manifest) ? (manifest['license'] ?? (file === undefined ? undefined : 'See below')) : undefined
  if (!isObject(manifest) || typeof license !== 'string') throw new Error(`${folder} names no license`)
  return {
    name: String(manifest['name']),
    version: String(manifest['version']),
    license,
    text: file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'),
  }
}
