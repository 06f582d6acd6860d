import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where the files of an archive go. Paths were checked before they come here. */
export interface ArchiveSink {
  write(path: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a file that was written. */
  read(path: string): Promise<Uint8Array>
  /** Takes away what was written, for another try. */
  clear(): Promise<void>
}

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

/**
 * Writes the files below a folder that nobody else uses and that is new or empty. No link is ever made in it, so no path can lead out.
 *
 * @throws {NodeJS.ErrnoException} what the disk says, such as `ENOSPC`.
 */
export function createFolderSink(folder: string): ArchiveSink {
  const made = new Set<string>()
  return {
    write: async (path, bytes) => {
      const fullPath = join(folder, path)
      const parent = dirname(fullPath)
      if (!made.has(parent)) {
        await mkdir(parent, { recursive: true, mode: 0o700 })
        made.add(parent)
      }
      // `wx`: a file that is there already, by whatever trick of names, is never written through.
      await writeFile(fullPath, bytes, { flag: 'wx', mode: 0o600 })
    },
    read: (path) => readFile(join(folder, path)),
    clear: async () => {
      made.clear()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
