import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** What is looked through at most, so that a check in the wrong folder ends at once. */
const maxDepth = 3
const maxEntries = 2_000
const maxFound = 5
const headBytes = 4_096

/**
 * Finds a few OpenAPI documents in a folder and the folders near below it, for those who named the folder instead. Paths are relative to it.
 *
 * Only the beginnings of files are read.
 */
export function findNearDocuments(folder: string): string[] {
  const found: string[] = []
  let left = maxEntries
  let level = ['']
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = []
    for (const path of level) {
      for (const entry of readFolder(join(folder, path))) {
        if (left-- <= 0 || found.length >= maxFound) return found
        const child = path === '' ? entry.name : `${path}/${entry.name}`
        if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') below.push(child)
        else if (entry.isFile() && /\.(?:json|ya?ml)$/i.test(entry.name) && isOpenApi(join(folder, child))) found.push(child)
      }
    }
    level = below
  }
  return found
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function isOpenApi(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(headBytes)
      return /(?:^|[{,\s])["']?openapi["']?\s*:\s*["']?3\./.test(head.toString('utf8', 0, readSync(file, head)))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
