import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder with its content (a link as `-> target`, an empty folder as `folder/`), except `.git`. */
export function readTree(folder: string): { [path: string]: string } {
  const tree: { [path: string]: string } = {}
  for (const path of listPaths(folder)) {
    const stats = lstatSync(join(folder, path))
    if (stats.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(folder, path))}`
    else if (stats.isFile()) tree[path] = readFileSync(join(folder, path), 'utf8')
    else if (readdirSync(join(folder, path)).length === 0) tree[`${path}/`] = ''
  }
  return tree
}

/** The modification time of each file below a folder, in nanoseconds. */
export function readTimes(folder: string): { [path: string]: bigint } {
  const files = listPaths(folder).filter((path) => lstatSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, lstatSync(join(folder, path), { bigint: true }).mtimeNs]))
}

/** Does not follow links, unlike the recursion of `readdirSync`. */
function listPaths(folder: string, below = ''): string[] {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).filter((entry) => entry.name !== '.git')
  const paths = entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? [path, ...listPaths(folder, path)] : [path]
  })
  return paths.sort()
}
