import type { Files } from './files.ts'

/** Files whose folders are listed once each, as they are at first: a large one takes as long as to read many files. */
export function listedOnce(files: Files): Files {
  const listed = new Map<string, Promise<readonly string[]>>()
  return {
    read: (path, limitBytes) => files.read(path, limitBytes),
    list: async (folder) => {
      const known = listed.get(folder) ?? files.list(folder)
      listed.set(folder, known)
      return [...(await known)]
    },
  }
}
