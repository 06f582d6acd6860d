import { hash } from 'node:crypto'
import { applyFileChanges } from '../../files/apply-file-changes.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import type { DocumentCopies, DocumentCopy } from '../../files/fetch-document.ts'
import type { Files } from '../../files/files.ts'
import { parseJson, readOwn, readText } from '../../text/json/json-values.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { decodeUtf8, toFileChange } from '../../text/plain/source-file.ts'

/** The directory of copies in a docs directory, next to the lock file. Hidden, so that its files are not taken for documents. */
const copiesFolder = '.openapi-pages-cache'

/** The largest record of a copy. */
const maxRecordBytes = 64 * 1024

/**
 * Opens the copies of remote documents in a docs directory. Each copy has a record with its URL, its validators, the hash of its
 * content and the time of the last confirmation. A copy that does not match its record is ignored.
 *
 * @param boundary absolute; `files` are relative to it. @param root the docs directory, relative to the boundary.
 */
export function openDocumentCopies(boundary: OwnedPath, root: string, files: Files): DocumentCopies {
  const pathOf = (url: string, kind: 'json' | 'txt') => joinPath(root, `${copiesFolder}/${hashOf(url).slice(0, 32)}.${kind}`)
  const readText = async (path: string, limitBytes: number): Promise<string | undefined> => {
    const result = await files.read(path, limitBytes)
    return result.kind === 'file' ? decodeUtf8(result.bytes) : undefined
  }
  return {
    async find(url, limits) {
      const record = parseRecord(await readText(pathOf(url, 'json'), maxRecordBytes))
      if (record?.document !== url) return undefined
      const text = await readText(pathOf(url, 'txt'), limits.values['document-size'])
      if (text === undefined || hashOf(text) !== record.hash) return undefined
      return { bytes: new TextEncoder().encode(text), ...record }
    },
    async keep(url, { bytes, validators }) {
      const text = decodeUtf8(bytes)
      // A document in another encoding is reported as an error anyway.
      if (text === undefined) return
      const record = { version: 1, document: url, ...validators, hash: hashOf(text), confirmedAt: new Date().toISOString() }
      const contents = [
        [joinPath(root, `${copiesFolder}/.gitignore`), '*\n'],
        [pathOf(url, 'txt'), text],
        [pathOf(url, 'json'), `${JSON.stringify(record, undefined, 2)}\n`],
      ] as const
      try {
        for (const [path, content] of contents) {
          const before = await readText(path, Number.POSITIVE_INFINITY)
          if (before === content || (before !== undefined && path.endsWith('.gitignore'))) continue
          await applyFileChanges(boundary, [toFileChange(path, before, content)], { writableFolders: [root] })
        }
      } catch {
        // The docs directory is read-only or another process writes the copy. The build does not need it.
      }
    },
  }
}

type CopyRecord = Omit<DocumentCopy, 'bytes'> & { readonly document: string; readonly hash: string }

function parseRecord(text: string | undefined): CopyRecord | undefined {
  const value = parseJson(text ?? '')
  const [document, url, contentHash] = ['document', 'url', 'hash'].map((key) => readText(value, key))
  const confirmedAt = Date.parse(readText(value, 'confirmedAt') ?? '')
  const isComplete = readOwn(value, 'version') === 1 && !Number.isNaN(confirmedAt)
  if (!isComplete || document === undefined || url === undefined || contentHash === undefined) return undefined
  // A value that can be sent in a header.
  const toHeader = (key: string) => /^[\x20-\x7e]{1,1000}$/.exec(readText(value, key) ?? '')?.[0]
  const validators = { url, etag: toHeader('etag'), lastModified: toHeader('lastModified') }
  return { document, validators, hash: contentHash, confirmedAt }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex')
}
