import type { Diagnostic } from './diagnostic.ts'

/** The same diagnostics with other names for their files, for example relative to the working directory. */
export function renameFiles(diagnostics: readonly Diagnostic[], rename: (file: string) => string): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    file: rename(diagnostic.file),
    related: diagnostic.related.map((place) => ({ ...place, file: rename(place.file) })),
  }))
}
