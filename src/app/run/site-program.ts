import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The program that builds sites, as the build of this package made it. */
export interface SiteProgram {
  readonly workerUrl: URL
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
  const workerUrl = new URL(isBuilt ? './site-worker.js' : '../../../build/js/app/run/site-worker.js', import.meta.url)
  const assets = new URL('../../../site/', workerUrl)
  if (!existsSync(workerUrl) || !existsSync(assets)) return undefined
  return { workerUrl, stamp: `${hashFolders([new URL('../../', workerUrl), assets])} ${process.version}` }
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
