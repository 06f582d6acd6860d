import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetPaths } from '../render/site-context.ts'
import type { SiteFile } from '../render/types.ts'

/** The scripts and the stylesheet that every site has, as the build of this package made them. */
export interface SiteAssets {
  readonly paths: AssetPaths
  readonly files: readonly SiteFile[]
  /** Names the program as it is installed, by its content; absent where it runs from its source, which may change at any time. */
  readonly stamp: string | undefined
  /** What only the preview adds to pages. */
  readonly preview: { readonly stylesheet: Uint8Array; readonly script: Uint8Array }
}

/** Folder of the assets in the built site. */
const folder = '_assets'

/**
 * Reads the assets from where this package has them: beside the bundle, or in `build/` when it runs from its source.
 *
 * @throws when they were not built.
 */
export function readSiteAssets(): SiteAssets {
  const here = fileURLToPath(import.meta.url)
  const candidates = ['../../site', '../../../../build/site', '../../../../site'].map((path) => join(here, path))
  const from = candidates.find((path) => readNames(path).includes('page.js'))
  if (from === undefined) throw new Error('Cannot find the scripts of the site: run `npm run build`')
  const files = readNames(from).map((name) => ({ name, content: readFileSync(join(from, name)) }))
  const previewFile = (name: string) => files.find((file) => file.name === name)?.content ?? new Uint8Array()
  const named = files
    .filter(({ name }) => !name.startsWith('preview.'))
    .map(({ name, content }) => {
      // Chunks have their hash from the bundler, and scripts import them by that name.
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
      const isEntry = ['theme.js', 'page.js', 'oauth.js', 'site.css', 'playground.css'].includes(name)
      return { name, path: `${folder}/${isEntry ? name.replace('.', `-${hash}.`) : name}`, content: new Uint8Array(content) }
    })
  const pathOf = (name: string) => named.find((file) => file.name === name)?.path ?? ''
  return {
    paths: {
      stylesheet: pathOf('site.css'),
      theme: pathOf('theme.js'),
      page: pathOf('page.js'),
      oauth: pathOf('oauth.js'),
      playground: pathOf('playground.css'),
    },
    files: named.map(({ path, content }) => ({ path, content })),
    stamp: readStamp(join(here, '../content-hash.txt')),
    preview: { stylesheet: previewFile('preview.css'), script: previewFile('preview.js') },
  }
}

/** The bundle has a hash of all its files beside it. Another Node may write other bytes. */
function readStamp(path: string): string | undefined {
  try {
    return `${readFileSync(path, 'utf8')} ${process.version}`
  } catch {
    return undefined
  }
}

function readNames(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}
