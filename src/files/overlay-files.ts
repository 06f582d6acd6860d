import type { FileChange } from '../text/file-change.ts'
import { limitBounds } from '../text/limits.ts'
import type { Files } from './files.ts'

/** Files with the content of one path given, whatever stands there: a document that comes from standard input. */
export function overlayFiles(files: Files, path: string, bytes: Uint8Array): Files {
  return {
    async read(asked, limitBytes = limitBounds['document-size'].byDefault) {
      if (asked !== path) return await files.read(asked, limitBytes)
      if (bytes.length > limitBytes) return { kind: 'too-large', sizeBytes: bytes.length, limitBytes }
      return { kind: 'file', bytes }
    },
    list: (folder) => files.list(folder),
  }
}

/** Files as they would be once changes are written. */
export function changedFiles(files: Files, changes: readonly FileChange[]): Files {
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return {
    read: async (asked) => {
      const change = byPath.get(asked)
      if (!change) return await files.read(asked)
      return change.kind === 'delete' ? { kind: 'missing' } : { kind: 'file', bytes: new TextEncoder().encode(change.content) }
    },
    list: async (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`
      const paths = (await files.list(folder)).filter((path) => byPath.get(path)?.kind !== 'delete')
      const added = changes.flatMap(({ kind, path }) => (kind === 'add' && path.startsWith(prefix) ? [path] : []))
      return added.length === 0 ? paths : [...new Set([...paths, ...added])].sort()
    },
  }
}
