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
