import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { LookName } from '../../../docs/config/project-config.ts'
import { type AssetPaths, hashForName } from '../../page/site-context.ts'
import { createIconSets } from '../../plan/icon-sets.ts'
import type { SiteFile } from '../../plan/types.ts'

/** The scripts and the stylesheet of every site, as built for this package. */
interface SiteAssets {
  readonly paths: AssetPaths
  readonly files: readonly SiteFile[]
  /** Reads the scripts for diagrams, which only sites with diagrams contain. */
  readonly readDiagrams: () => readonly SiteFile[]
  /** Identifies the installed program by its content. Absent when running from source, which can change at any time. */
  readonly stamp: string | undefined
  /** Files that only the preview adds to pages. */
  readonly preview: { readonly stylesheet: Uint8Array; readonly script: Uint8Array }
}

/** Directory for the assets in the built site. */
const folder = '_assets'

/** The directory in it with the scripts for diagrams. */
const diagramFolder = 'diagrams'
const entries = new Set(['theme.js', 'page.js', 'oauth.js', 'send-feedback.js', 'site.css', 'playground.css'])

/**
 * Reads the assets from the package.
 *
 * @throws if they were not built.
 */
export function readSiteAssets(): SiteAssets {
  const from = findBuilt('site')
  const readFiles = (path: string) => readNames(path).map((name) => ({ name, content: readFileSync(join(path, name)) }))
  const files = readFiles(from)
  // All scripts for diagrams are in one compressed file. The part of its name before the first dot is the name of their entry point.
  const [diagrams = ''] = readNames(join(from, diagramFolder))
  const previewFile = (name: string) => files.find((file) => file.name === name)?.content ?? new Uint8Array()
  const named = files.filter(({ name }) => !/^(?:preview|review)\./.test(name)).map(({ name, content }) => toAsset(name, content))
  const pathOf = (name: string) => named.find((file) => file.name === name)?.path ?? ''
  const paths = {
    stylesheet: pathOf('site.css'),
    theme: pathOf('theme.js'),
    page: pathOf('page.js'),
    oauth: pathOf('oauth.js'),
    diagrams: `${folder}/${diagramFolder}/${diagrams.replace(/\..*/, '.js')}`,
    feedback: pathOf('send-feedback.js'),
    playground: pathOf('playground.css'),
  }
  return {
    paths,
    files: named.map(({ path, content }) => ({ path, content })),
    readDiagrams: () => unpackScripts(join(from, diagramFolder, diagrams)),
    stamp: readStamp(join(fileURLToPath(import.meta.url), '../content-hash.txt')),
    preview: { stylesheet: previewFile('preview.css'), script: previewFile('preview.js') },
  }
}

/**
 * Finds a directory of the build: next to the bundle, or in `build/` when running from source.
 *
 * @throws if it was not built.
 */
function findBuilt(name: 'site' | 'icons'): string {
  const here = fileURLToPath(import.meta.url)
  const candidates = [`../../${name}`, `../../../../../build/${name}`, `../../../../${name}`].map((path) => join(here, path))
  const found = candidates.find((path) => readNames(path).length > 0)
  if (found === undefined) throw new Error(`Cannot find build/${name}: run \`npm run build\``)
  return found
}

/** Reads the stylesheet of a review. The Action has no other file of a site, and this one next to the bundle. */
export function readReviewStyles(): string {
  const own = join(fileURLToPath(import.meta.url), '../review.css')
  return readFileSync(existsSync(own) ? own : join(findBuilt('site'), 'review.css'), 'utf8')
}

/** Reads the font Inter for text, WOFF2. */
export function readTextFont(): Uint8Array {
  return readFileSync(join(findBuilt('site'), 'fonts/inter.woff2'))
}

/** Reads the stylesheet of a look; empty for the default one, which is part of the stylesheet of every site. */
export function readLook(look: LookName): string {
  return look === 'clear' ? '' : readFileSync(join(findBuilt('site'), 'looks', `${look}.css`), 'utf8')
}

function unpackScripts(path: string): SiteFile[] {
  const scripts: Readonly<Record<string, string>> = JSON.parse(brotliDecompressSync(readFileSync(path)).toString())
  return Object.entries(scripts).map(([name, text]) => ({
    path: `${folder}/${diagramFolder}/${name}`,
    content: Buffer.from(text),
  }))
}

/** Entry points get a name with a hash. The bundler already adds one to chunks, and scripts import them by that name. */
function toAsset(name: string, content: Uint8Array): SiteFile & { readonly name: string } {
  return {
    name,
    path: `${folder}/${entries.has(name) ? name.replace('.', `-${hashForName(content)}.`) : name}`,
    content: new Uint8Array(content),
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
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
  } catch {
    return []
  }
}

/**
 * The icon sets of the package. Shared by all sites of a process.
 *
 * @throws on use if they were not built.
 */
export const packageIcons = createIconSets((set) =>
  brotliDecompressSync(readFileSync(join(findBuilt('icons'), `${set}.txt.br`))).toString('utf8'),
)
