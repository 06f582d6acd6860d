import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { isUrl } from '../text/relative-path.ts'
import { type SourceFile, toSourceFile } from '../text/source-file.ts'

/** Reads the files that diagnostics stand in once more, to show the lines around them. What cannot be read is left out. */
export async function readSources(
  diagnostics: readonly Diagnostic[],
  boundary: string,
): Promise<ReadonlyMap<string, SourceFile>> {
  const files = openDiskFiles(boundary)
  const sources = new Map<string, SourceFile>()
  for (const path of new Set(diagnostics.map(({ file }) => file))) {
    if (isUrl(path)) continue
    const result = await files.read(path)
    if (result.kind === 'file') sources.set(path, toSourceFile(path, result.bytes))
  }
  return sources
}
