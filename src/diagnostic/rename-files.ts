import type { Diagnostic } from './diagnostic.ts'

/**
 * The same diagnostics with other names for their files, for example relative to the working directory.
 *
 * Where a message names the file it is about, it names it likewise.
 */
export function renameFiles(diagnostics: readonly Diagnostic[], rename: (file: string) => string): Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const file = rename(diagnostic.file)
    return {
      ...diagnostic,
      file,
      message: diagnostic.message.replaceAll(`\`${diagnostic.file}\``, () => `\`${file}\``),
      related: diagnostic.related.map((place) => ({ ...place, file: rename(place.file) })),
    }
  })
}
