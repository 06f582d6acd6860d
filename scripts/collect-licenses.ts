import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/source/is-object.ts'

/**
 * The licenses of all packages in a bundle, sorted by name, from the statistics of its bundler.
 *
 * The option of ncc for this omits every package whose modules it joins with others: 21 of 25 here.
 *
 * @throws {Error} when a package names no license.
 */
export function collectLicenses(statistics: unknown): string {
  const folders = new Set<string>()
  collectFolders(statistics, folders)
  const packages = [...folders]
    .map(readPackage)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
  const texts = packages.map(({ name, version, license, text }) => `${name} ${version}\n${license}\n\n${text}`.trimEnd())
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The statistics list modules. Joined modules are nested in the module that they were joined to. */
function collectFolders(value: unknown, folders: Set<string>): void {
  if (!isObject(value)) return
  // `type|loader!loader!path|hash`. The innermost `node_modules` of the path contains the package.
  const path = (
    String(value['identifier'] ?? '')
      .split('!')
      .at(-1) ?? ''
  )
    .replace(/^[\w/-]+\|/, '')
    .replace(/[?|].*$/, '')
  const folder = /.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(path)?.[0]
  if (folder !== undefined) folders.add(folder)
  const modules = value['modules']
  if (Array.isArray(modules)) for (const module of modules) collectFolders(module, folders)
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
