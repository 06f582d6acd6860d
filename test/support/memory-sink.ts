import type { ArchiveSink } from '../../src/github/repositories/archives.ts'

/** Keeps the files in memory. */
export function createMemorySink(): ArchiveSink {
  const files = new Map<string, Uint8Array>()
  return {
    write: async (path, bytes) => {
      files.set(path, bytes)
    },
    read: async (path) => {
      const bytes = files.get(path)
      if (!bytes) throw new Error(`The archive has no file ${path}`)
      return bytes
    },
    clear: async () => files.clear(),
  }
}
