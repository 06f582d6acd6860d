import type { Files } from '../../src/files/files.ts'
import { manifestName } from '../../src/files/files.ts'
import { limitBounds } from '../../src/text/plain/limits.ts'
import { normalizePath, parentPath } from '../../src/text/plain/paths.ts'

/** Files in memory by path, for an unpacked archive or tests. Text is stored as UTF-8. */
export function createMemoryFiles(contents: { readonly [path: string]: string | Uint8Array }): Files {
  const byPath = new Map<string, Uint8Array>()
  for (const [path, content] of Object.entries(contents)) {
    byPath.set(normalizePath(path), typeof content === 'string' ? new TextEncoder().encode(content) : content)
  }
  const isBelow = (folder: string, path: string) => folder === '' || path.startsWith(`${folder}/`)
  return {
    read: async (path, limitBytes = limitBounds['document-size'].byDefault) => {
      const normalized = normalizePath(path)
      // It has no location on disk.
      if (/^file:/i.test(path)) return { kind: 'outside' }
      if (normalized === '..' || normalized.startsWith('../')) return { kind: 'outside' }
      const bytes = byPath.get(normalized)
      if (bytes && bytes.length > limitBytes) return { kind: 'too-large', sizeBytes: bytes.length, limitBytes }
      if (bytes) return { kind: 'file', bytes }
      const isFolder = normalized === '' || [...byPath.keys()].some((known) => isBelow(normalized, known))
      return isFolder ? { kind: 'folder' } : { kind: 'missing' }
    },
    list: async (folder) => {
      const top = normalizePath(folder)
      const isLeftOut = (path: string) =>
        path
          .split('/')
          .slice(0, -1)
          .some((step) => step === '.git' || step === 'node_modules')
      const paths = [...byPath.keys()].filter((path) => isBelow(top, path) && !isLeftOut(path.slice(top.length)))
      const sites = paths.filter((path) => path.endsWith(`/${manifestName}`)).map(parentPath)
      return paths.filter((path) => !sites.some((site) => site !== top && isBelow(site, path))).sort()
    },
  }
}
