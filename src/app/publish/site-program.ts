import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RunProgram, runUntrusted } from '../isolate/untrusted-process.ts'

/** The bundled program that builds sites. */
export interface SiteProgram {
  /** Runs it in a child process. */
  readonly run: RunProgram
  /** A hash of the program. Pages rendered by another version are not reused. */
  readonly stamp: string
}

/**
 * Finds the program. Node.js cannot run the page components from source, so a clone needs the bundle.
 *
 * @returns `undefined` if it was not built.
 */
export function findSiteProgram(): SiteProgram | undefined {
  const isBuilt = !import.meta.url.endsWith('.ts')
  const entry = new URL(isBuilt ? '../app/site-child.js' : '../../../build/app/site-child.js', import.meta.url)
  const assets = new URL('../site/', entry)
  if (!existsSync(entry) || !existsSync(assets)) return undefined
  const run: RunProgram = (work, ...rest) => runUntrusted({ ...work, program: entry }, ...rest)
  return { run, stamp: `${hashFolders([new URL('./', entry), assets])} ${process.version}` }
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
