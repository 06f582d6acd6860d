import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { createIconSets } from '../../plan/icon-sets.ts'
import { findBuilt } from './read-site-assets.ts'

/**
 * The icon sets of the package. Shared by all sites of a process.
 *
 * @throws on use if they were not built.
 */
export const packageIcons = createIconSets((set) =>
  brotliDecompressSync(readFileSync(join(findBuilt('icons'), `${set}.txt.br`))).toString('utf8'),
)
