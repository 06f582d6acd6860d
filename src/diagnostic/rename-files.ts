import type { Diagnostic } from './diagnostic.ts'

/**
 * The same diagnostics with other names for their files, for example relative to the working directory.
 *
 * Where a message names the file it is about, it names it likewise.
 */
export function renameFiles(diagnostics: readonly Diagnostic[], rename: (file: string) => string): Diagnostic[] {
  const names = new Map<string, string>()
  const nameOf = (file: string) => {
    let name = names.get(file)
    if (name === undefined) {
      name = rename(file)
      names.set(file, name)
    }
    return name
  }
  return diagnostics.map((diagnostic) => {
    const file = nameOf(diagnostic.file)
    if (file === diagnostic.file && diagnostic.related.every((place) => nameOf(place.file) === place.file)) return diagnostic
    return {
      ...diagnostic,
      file,
      message: diagnostic.message.replaceAll(`\`${diagnostic.file}\``, () => `\`${file}\``),
      related: diagnostic.related.map((place) => ({ ...place, file: nameOf(place.file) })),
    }
  })
}
