import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The program that builds sites, as the build of this package made it. */
export interface SiteProgram {
  /** The entry point of the child process. */
  readonly url: URL
  /** Names it by its content: what another one rendered is not taken over. */
  readonly stamp: string
}

/**
 * Finds the program. Pages are rendered by components, which Node does not read as they are written: in a clone the built JavaScript is taken.
 *
 * @returns `undefined` where it was not built.
 */
export function findSiteProgram(): SiteProgram | undefined {
  const isBuilt = !import.meta.url.endsWith('.ts')
  const entry = new URL(isBuilt ? './site-child.js' : '../../../build/js/app/run/site-child.js', import.meta.url)
  const assets = new URL('../../../site/', entry)
  if (!existsSync(entry) || !existsSync(assets)) return undefined
  return { url: entry, stamp: `${hashFolders([new URL('../../', entry), assets])} ${process.version}` }
}

function hashFolders(folders: readonly URL[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const names = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:js|css)$/.test(name),
    )
    for (const name of names.sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  }
  return hash.digest('hex').slice(0, 32)
}
