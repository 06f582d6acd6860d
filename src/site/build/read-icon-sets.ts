import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { createIconSets } from '../render/icons/icon-sets.ts'

/**
 * The icon sets of the package, next to the bundle, or in `build/` when running from source. Shared by all sites of a process.
 *
 * @throws on use if they were not built.
 */
export const packageIcons = createIconSets((set) => {
  const here = fileURLToPath(import.meta.url)
  const candidates = ['../../icons', '../../../../build/icons', '../../../../icons'].map((path) =>
    join(here, path, `${set}.txt.br`),
  )
  const path = candidates.find((candidate) => existsSync(candidate))
  if (path === undefined) throw new Error('Cannot find the icon sets: run `npm run build`')
  return brotliDecompressSync(readFileSync(path)).toString('utf8')
})
