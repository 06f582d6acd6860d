import { hashContent, type KeptFile } from '../../files/output-folder.ts'
import type { RenderedPage } from '../page/output/render-site-page.tsx'
import type { ImageSize } from '../page/site-context.ts'
import type { SiteFile } from '../plan/types.ts'

/** The record of a build: everything except the bytes, which are in the output. */
export interface RenderMemory {
  /** By route. */
  readonly pages: ReadonlyMap<string, RememberedPage>
  /** Files that combine many pages, by group name. */
  readonly groups: ReadonlyMap<string, RememberedGroup>
  /** Copied files of the docs directory, by path relative to it. */
  readonly assets: ReadonlyMap<string, RememberedAsset>
}

/** A copied file that is the same if its source is. */
export interface RememberedAsset {
  /** The stamp of the source, see `FileState`. */
  readonly source: string
  readonly sizeBytes: number
  /** The display size, if pages need it. */
  readonly image?: ImageSize
  /** The copy. */
  readonly files: readonly KeptFile[]
}

/** The record of a rendered page. */
export interface RememberedPage extends Pick<RenderedPage, 'links' | 'findings' | 'search'> {
  readonly key: string
  /** Hash of the texts of `uses`. */
  readonly texts: string
  readonly uses: readonly string[]
  /** Hash of the sizes of the images among the links. */
  readonly imageSizes: string
  /** IDs of the headings and parameters. Absent if there are many and none was linked. */
  readonly ids?: readonly string[]
  /** The Markdown. The length is in UTF-16 code units. */
  readonly text: { readonly hash: string; readonly length: number }
  /** The HTML first, then the attachments. */
  readonly files: readonly KeptFile[]
}

/** Files that are the same if the key is. */
export interface RememberedGroup {
  readonly key: string
  readonly files: readonly KeptFile[]
  /** Routes of the pages with their Markdown in the single file, in order. */
  readonly routes?: readonly string[]
  /** The length of the text before the first of them, in UTF-16 code units. */
  readonly startLength?: number
}

export const emptyMemory: RenderMemory = { pages: new Map(), groups: new Map(), assets: new Map() }

/** Returns the record with the current stamps of the files. */
export function stampMemory(
  { pages, groups, assets }: RenderMemory,
  stampOf: (path: string) => string | undefined,
): RenderMemory {
  const stamp = <Part extends { readonly files: readonly KeptFile[] }>(parts: ReadonlyMap<string, Part>) =>
    new Map(
      [...parts].map(([name, part]) => {
        const files = part.files.map(({ path, hash }) => ({ path, hash, stamp: stampOf(path) }))
        return [name, { ...part, files }] as const
      }),
    )
  return { pages: stamp(pages), groups: stamp(groups), assets: stamp(assets) }
}

/** Formats the record with a checksum, for `parseRenderMemory`. */
export function formatRenderMemory({ pages, groups, assets }: RenderMemory, stamp: string): string {
  const body = JSON.stringify({ pages: [...pages], groups: [...groups], assets: [...assets] })
  return `${hashContent(`${stamp}\n${body}`)}\n${body}\n`
}

/** Parses the record. Returns an empty one if the text is damaged or from another version of the program, so that every page is rendered. */
export function parseRenderMemory(text: string, stamp: string): RenderMemory {
  const [sum = '', body = ''] = text.split('\n', 2)
  if (hashContent(`${stamp}\n${body}`) !== sum) return emptyMemory
  // This version wrote it.
  const { pages, groups, assets } = JSON.parse(body) as { [part in keyof RenderMemory]: Iterable<never> }
  return { pages: new Map(pages), groups: new Map(groups), assets: new Map(assets) }
}

/** The output of an earlier build, for rendering only the changes. */
export interface EarlierBuild {
  /** Identifies the program. Output of another version is not reused. If empty, nothing is reused or recorded. */
  readonly stamp: string
  readonly memory: RenderMemory
  /** Keeps files of the output, or none if one is missing or changed. */
  readonly keep: (files: readonly KeptFile[]) => boolean
  /** Reads a file of the earlier build with the Markdown of many pages. Returns `undefined` if it is not available. */
  readonly read: (path: string) => Uint8Array | undefined
}

export const noEarlierBuild: EarlierBuild = { stamp: '', memory: emptyMemory, keep: () => false, read: () => undefined }

/** Receives a file of the site and returns its `hashContent`. */
export type EmitFile = (file: SiteFile) => string

/** Hashes plain data in the same way as files. */
export function hashOf(value: unknown): string {
  // `JSON.stringify` returns `undefined` for `undefined`.
  return hashContent(JSON.stringify(value) ?? '')
}
