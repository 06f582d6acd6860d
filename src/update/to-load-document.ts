import type { ReadResult } from '../files/files.ts'
import type { LoadDocument, LoadedDocument } from '../openapi/load-document.ts'
import { type Limits, limitHint } from '../text/limits.ts'
import { isUrl } from '../text/relative-path.ts'
import type { UpdateEnvironment } from './types.ts'

type Failure = Extract<LoadedDocument, { kind: 'failed' }>

/**
 * The loader of one description for the core: a path is read below the boundary, an address is fetched.
 *
 * Of addresses only the entry document itself is asked for: a document must not make us call hosts that nobody named.
 */
export function toLoadDocument(
  { files, fetchDocument }: Pick<UpdateEnvironment, 'files' | 'fetchDocument'>,
  entryPath: string,
  limits: Limits,
): LoadDocument {
  return async (path) => {
    if (path === entryPath && isUrl(path)) return await fetchDocument(path, limits)
    if (isUrl(path)) return refusedReference
    const result = await files.read(path, limits.values['document-size'])
    if (result.kind !== 'file') return toFailure(result, limitHint('document-size', limits, 'split the document'))
    const { bytes, identity } = result
    return { kind: 'loaded', bytes, ...(identity === undefined ? {} : { identity }) }
  }
}

const refusedReference: Failure = {
  kind: 'failed',
  code: 'url-refused',
  reason: 'a `$ref` to an address is not followed',
  hint: 'commit the file beside the document and refer to its path',
}

/** Says why reading a path gave no file, in words for a finding. `sizeHint` is what to do about a file that is too large. */
export function toFailure(result: Exclude<ReadResult, { kind: 'file' }>, sizeHint?: string): Failure {
  switch (result.kind) {
    case 'missing':
      return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    case 'folder':
      return { kind: 'failed', code: 'file-unreadable', reason: 'it is a folder', hint: 'name a file in it' }
    case 'outside':
      return {
        kind: 'failed',
        code: 'file-outside-boundary',
        reason: 'it is outside the folder that may be read',
        hint: 'move it into the repository, or widen the boundary',
      }
    case 'unreadable':
      return { kind: 'failed', code: 'file-unreadable', reason: result.reason }
    case 'too-large':
      return {
        kind: 'failed',
        code: 'file-too-large',
        reason: `${result.sizeBytes} bytes, more than ${result.limitBytes}`,
        ...(sizeHint === undefined ? {} : { hint: sizeHint }),
      }
  }
}
