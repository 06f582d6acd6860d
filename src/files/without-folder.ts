import type { Files } from './files.ts'

/** Files as if a folder below them had nothing in it. */
export function withoutFolder(files: Files, folder: string): Files {
  const prefix = `${folder}/`
  return {
    read: async (path) => (path.startsWith(prefix) ? { kind: 'missing' } : await files.read(path)),
    list: async (asked) => (await files.list(asked)).filter((path) => !path.startsWith(prefix)),
  }
}
