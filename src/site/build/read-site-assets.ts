import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetPaths } from '../render/site-context.ts'
import type { SiteFile } from '../render/types.ts'

/** The scripts and the stylesheet of every site, as built for this package. */
export interface SiteAssets {
  readonly paths: AssetPaths
  readonly files: readonly SiteFile[]
  /** Identifies the installed program by its content. Absent when running from source, which can change at any time. */
  readonly stamp: string | undefined
  /** Files that only the preview adds to pages. */
  readonly preview: { readonly stylesheet: Uint8Array; readonly script: Uint8Array }
}

/** Directory for the assets in the built site. */
const folder = '_assets'

/**
 * Reads the assets from the package: next to the bundle, or from `build/` when running from source.
 *
 * @throws if they were not built.
 */
export function readSiteAssets(): SiteAssets {
  const here = fileURLToPath(import.meta.url)
  const candidates = ['../../site', '../../../../build/site', '../../../../site'].map((path) => join(here, path))
  const from = candidates.find((path) => readNames(path).includes('page.js'))
  if (from === undefined) throw new Error('Cannot find the site scripts: run `npm run build`')
  const files = readNames(from).map((name) => ({ name, content: readFileSync(join(from, name)) }))
  const previewFile = (name: string) => files.find((file) => file.name === name)?.content ?? new Uint8Array()
  const named = files
    .filter(({ name }) => !name.startsWith('preview.'))
    .map(({ name, content }) => {
      // The bundler already adds a hash to chunks, and scripts import them by that name.
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

/** The bundle has a file with a hash of its content. The Node.js version can affect the output too. */
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
