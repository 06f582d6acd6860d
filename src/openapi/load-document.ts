import type { Limits } from '../text/limits.ts'

/** Why a document could not be loaded, in words for a finding; or its text. */
export type LoadedDocument =
  | {
      readonly kind: 'loaded'
      readonly bytes: Uint8Array
      /** One path for all that lead to the file, relative to the boundary; absent where every file has one path. */
      readonly identity?: string
    }
  | { readonly kind: 'failed'; readonly code: LoadFailureCode; readonly reason: string; readonly hint?: string }

export type LoadFailureCode =
  | 'file-missing'
  | 'file-unreadable'
  | 'file-outside-boundary'
  | 'file-too-large'
  | 'url-unreachable'
  | 'url-refused'

/**
 * Gives the bytes of a document by its path relative to the boundary, by a `file:` address, or by its URL.
 *
 * `reason` completes "Cannot read `x`: …", for example `no such file`. Never rejects.
 */
export type LoadDocument = (path: string) => Promise<LoadedDocument>

/** Gives the bytes of a document by its URL, within limits of size and time; else as `LoadDocument`. */
export type FetchDocument = (url: string, limits?: Limits) => Promise<LoadedDocument>
