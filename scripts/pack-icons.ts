import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { iconSetNames } from '../src/site/plan/icon-sets.ts'

/** The fields of an Iconify package that are used. */
interface IconifySet {
  readonly icons: Readonly<Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>>
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
}

interface IconifyInfo {
  readonly name: string
  readonly version: string
  readonly author: { readonly name: string; readonly url: string }
  readonly license: { readonly title: string; readonly url: string }
}

/**
 * Writes each icon set as one compressed text, so that a build reads only the sets it needs and parses nothing, and a file with their licenses. JSON in the
 * bundle would be ten times larger.
 */
export function packIconSets(folder: string): void {
  const require = createRequire(import.meta.url)
  const licenses: string[] = []
  mkdirSync(folder, { recursive: true })
  for (const set of iconSetNames) {
    const read = <Content>(name: string): Content =>
      JSON.parse(readFileSync(require.resolve(`@iconify-json/${set}/${name}`), 'utf8'))
    const text = packIconSet(read<IconifySet>('icons.json'))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
    writeFileSync(join(folder, `${set}.txt.br`), brotliCompressSync(text, { params }))
    const { name, version, author, license } = read<IconifyInfo>('info.json')
    licenses.push(`${name} ${version}\nCopyright ${author.name} (${author.url})\n${license.title} (${license.url})\n`)
  }
  writeFileSync(join(folder, 'licenses.txt'), licenses.join('\n'))
}

/** One line per icon and alias, sorted by name. See `createIconSets`. */
function packIconSet({ icons, aliases = {} }: IconifySet): string {
  const known = new Map<string, string>()
  const lines: string[] = []
  for (const name of Object.keys(icons).sort()) {
    const icon = icons[name]
    if (!icon || icon.width !== undefined || icon.height !== undefined) continue
    // Font Awesome lists its aliases as icons.
    const same = known.get(icon.body)
    if (same === undefined) known.set(icon.body, name)
    lines.push(`${name}\t${same === undefined ? icon.body : `=${same}`}`)
  }
  for (const [name, { parent }] of Object.entries(aliases)) lines.push(`${name}\t=${parent}`)
  return `${lines.sort().join('\n')}\n`
}
