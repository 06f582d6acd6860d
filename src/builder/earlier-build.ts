import type { SiteFile } from '../site/types.ts'
import { emptyMemory, type RememberedFile, type RenderMemory } from './render-memory.ts'

/** What another build has left, for one that renders only what changed. */
export interface EarlierBuild {
  /** Names the program that renders: what another one made is not taken over. Empty where it is not known; then nothing is remembered either. */
  readonly stamp: string
  readonly memory: RenderMemory
  /** Leaves files as they stand in the output; none of them where one does not stand there. */
  readonly keep: (files: readonly RememberedFile[]) => boolean
  /** The content of a file of the earlier build that has the Markdown of many pages; absent where it is not at hand. */
  readonly read: (path: string) => Uint8Array | undefined
}

export const nothingEarlier: EarlierBuild = { stamp: '', memory: emptyMemory, keep: () => false, read: () => undefined }

/** Takes a file of the site; answers its hash, which is that of `hashContent`. */
export type EmitFile = (file: SiteFile) => string
