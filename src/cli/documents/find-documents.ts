import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { manifestName } from '../../files/files.ts'

/** Limits of the search, so that a check in the wrong folder fails quickly. */
const maxDepth = 3
const maxEntries = 2_000
const maxFound = 20
const scannedBytes = 4_096

/** What a folder has to publish. Paths are relative to it, with `/`; those nearest to it come first. */
interface NearFiles {
  /** OpenAPI documents. */
  readonly documents: readonly string[]
  /** Folders with a `docs.json` or `mint.json`: `.` for the folder itself. */
  readonly docsDirectories: readonly string[]
}

/** Finds a few OpenAPI documents and docs directories below a folder. Reads only the start of each file, and no hidden folders. */
export function findNearFiles(folder: string): NearFiles {
  const documents: string[] = []
  const docsDirectories = new Set<string>()
  let left = maxEntries
  let level = ['']
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = []
    for (const path of level) {
      const entries = readFolder(join(folder, path))
      // A built site contains the documents that it was built from.
      if (entries.some(({ name }) => name === manifestName)) continue
      for (const entry of entries) {
        if (left-- <= 0 || documents.length >= maxFound) return { documents, docsDirectories: [...docsDirectories] }
        const child = path === '' ? entry.name : `${path}/${entry.name}`
        if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') below.push(child)
        else if (!entry.isFile()) continue
        else if (isDocsConfig(join(folder, child))) docsDirectories.add(path || '.')
        else if (/\.(?:json|ya?ml)$/i.test(entry.name) && isOpenApi(join(folder, child))) documents.push(child)
      }
    }
    level = below
  }
  return { documents, docsDirectories: [...docsDirectories] }
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function isOpenApi(path: string): boolean {
  return /(?:^|[{,\s])["']?openapi["']?\s*:\s*["']?3\./.test(readStart(path))
}

/** Whether a path is an existing `docs.json` or `mint.json`. Projects in the Mint programming language have a `mint.json` too. */
export function isDocsConfig(path: string): boolean {
  const name = basename(path)
  if (name === 'mint.json') return /"navigation"/.test(readStart(path, 65_536))
  return name === 'docs.json' && existsSync(path)
}

/** Returns an empty text if the file cannot be read. */
function readStart(path: string, sizeBytes = scannedBytes): string {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(sizeBytes)
      return head.toString('utf8', 0, readSync(file, head))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** Quotes a path as an argument of a POSIX shell. */
export function quoteForShell(path: string): string {
  const arg = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@:%+,-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`
}
