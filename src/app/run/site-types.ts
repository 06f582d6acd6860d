import type { BuiltPage } from '../../builder/build-site.ts'
import type { ExtractedArchive } from '../../github/extract-archive.ts'

/** What the thread that builds a site is asked to do. Plain data. */
export interface SiteRequest {
  /** The folder that the files of the archive were written to. */
  readonly folder: string
  readonly archive: Pick<ExtractedArchive, 'kept' | 'leftOut' | 'links' | 'refused'>
  readonly limitBytes: number
  /** The docs root, relative to the repository. */
  readonly root: string
  /** Where the site is to be, with its final `/`. */
  readonly url: string
  /** An empty folder for the files of the site, each under its hash; those of `earlier` are left out. */
  readonly output: string
  readonly maxFiles: number
  readonly maxBytes: number
  /** Names the program that renders. */
  readonly stamp: string
  readonly earlier: EarlierSiteFiles | undefined
}

/** An earlier site that this one may go on from. */
export interface EarlierSiteFiles {
  /** What the builder remembers of it. */
  readonly memory: string
  /** Hash and size by path. */
  readonly files: ReadonlyMap<string, { readonly hash: string; readonly sizeBytes: number }>
  /** A folder with the files that have the Markdown of many pages, each under its hash. */
  readonly folder: string
}

/** What was built. Plain data. */
export interface BuiltSiteFiles {
  readonly pageCount: number
  readonly pages: readonly BuiltPage[]
  readonly files: readonly BuiltFile[]
  readonly sizeBytes: number
  /** For the next build. */
  readonly memory: string
  /** What was found, a line each: what the check finds as well, and what only the pages show; bounded. */
  readonly findings: readonly string[]
}

export interface BuiltFile {
  readonly path: string
  readonly hash: string
}

/** What the thread answers. */
export type SiteAnswer =
  | { readonly kind: 'built'; readonly site: BuiltSiteFiles }
  /** `reason` is a clause for the summary. The same files would end the same way, so there is no second try. */
  | { readonly kind: 'refused'; readonly reason: string; readonly setting?: 'SITE_MAX_FILES' | 'SITE_MAX_MB' }
