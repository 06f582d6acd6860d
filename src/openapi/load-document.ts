/** Why a document could not be loaded, in words for a finding; or its text. */
export type LoadedDocument =
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly code: LoadFailureCode; readonly reason: string; readonly hint?: string }

export type LoadFailureCode =
  | 'file-missing'
  | 'file-unreadable'
  | 'file-outside-boundary'
  | 'file-too-large'
  | 'url-unreachable'
  | 'url-refused'

/**
 * Gives the bytes of a document by its path relative to the boundary, or by its URL.
 *
 * `reason` completes "Cannot read `x`: …", for example `no such file`. Never rejects.
 */
export type LoadDocument = (path: string) => Promise<LoadedDocument>
