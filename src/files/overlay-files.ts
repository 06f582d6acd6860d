import type { Files } from './files.ts'

/** Files with the content of one path given, whatever stands there: a document that comes from standard input. */
export function overlayFiles(files: Files, path: string, bytes: Uint8Array): Files {
  return {
    read: async (asked) => (asked === path ? { kind: 'file', bytes } : await files.read(asked)),
    list: (folder) => files.list(folder),
  }
}
