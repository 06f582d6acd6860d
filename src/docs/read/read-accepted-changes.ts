import {
  type AcceptedChange,
  acceptedFileName,
  maxAcceptedFileBytes,
  parseAcceptedChanges,
} from '../../changes/accepted-changes.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { configFileNames, docsConfigNames } from '../config/config-files.ts'
import { toFailure } from './to-load-document.ts'

/** The file with accepted changes. */
export interface AcceptedFile {
  /** Relative to the boundary. The file may not exist. */
  readonly path: string
  /** Empty without the file, and if it has errors. */
  readonly entries: readonly AcceptedChange[]
  /** Errors. */
  readonly findings: readonly Finding[]
  /** Absent if the file does not exist or cannot be read. */
  readonly source: SourceFile | undefined
}

/** Reads a file with accepted changes. A missing file has no entries. */
export async function readAcceptedFile(path: string, files: Files): Promise<AcceptedFile> {
  const result = await files.read(path, maxAcceptedFileBytes)
  if (result.kind === 'missing') return { path, entries: [], findings: [], source: undefined }
  if (result.kind !== 'file') {
    const { code, reason } = toFailure(result)
    const finding: Finding = { code, message: `Cannot read \`${path}\`: ${reason}`, file: path, pointer: '' }
    return { path, entries: [], findings: [finding], source: undefined }
  }
  const source = toSourceFile(path, result.bytes)
  return { path, ...(await parseAcceptedChanges(source)), source }
}

/**
 * Finds the path of the file with accepted changes of a document. The file may not exist.
 *
 * Searches from the folder of the document upward, within the boundary, for the file itself, a configuration file or a `docs.json`. The file
 * is beside the first of them.
 *
 * Without any of them, the file is at the top of the boundary, where a check of the repository reads it. The same applies to documents at URLs.
 */
export async function findAcceptedFile(entry: string, files: Files): Promise<string> {
  for (let current = isUrl(entry) ? '' : parentPath(entry); ; current = parentPath(current)) {
    for (const name of [acceptedFileName, ...configFileNames, ...docsConfigNames]) {
      // The content is not needed.
      const { kind } = await files.read(joinPath(current, name), 0)
      if (kind === 'file' || kind === 'too-large') return joinPath(current, acceptedFileName)
    }
    if (current === '') return acceptedFileName
  }
}
