import type { Files } from '../../files/files.ts'
import type { FunctionEntry, LoadedFunction } from '../../rules/ruleset.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { toFailure } from '../read/find-docs.ts'

/** The most files that a function and what it imports may have. */
const maxFiles = 50
const maxBytes = 1024 * 1024
/** The most strings in them that are tried as paths of imports. */
const maxSpecifiers = 1_000

/**
 * Loads a function in a JavaScript file with the files that it imports, all of which have to be inside the boundary.
 */
export async function loadCustomFunction({ name, file }: FunctionEntry, files: Files): Promise<LoadedFunction> {
  if (isUrl(file)) {
    const message = `Cannot read the function \`${name}\`: functions of a ruleset at a URL are not read`
    return { kind: 'failed', message, hint: 'Commit the ruleset and its functions, and use its path' }
  }
  const result = await files.read(file, maxBytes)
  if (result.kind !== 'file') {
    const { reason, hint } = toFailure(result)
    const message = `Cannot read the function \`${name}\` in \`${file}\`: ${reason}`
    return { kind: 'failed', message, hint }
  }
  const source = toSourceFile(file, result.bytes)
  const sources = await loadImports(source, files)
  const load = (specifier: string, from: string) => sources.get(joinPath(parentPath(from), specifier))
  return { kind: 'loaded', source, sources: [...sources.values()], load }
}

const extensions = ['', '.js', '.cjs', '.mjs', '.json', '/index.js']

/** Reads the files that a script may import. Every string that starts as a relative path counts. */
async function loadImports(entry: SourceFile, files: Files): Promise<ReadonlyMap<string, SourceFile>> {
  const sources = new Map([[entry.path, entry]])
  let left = maxSpecifiers
  for (const { path, text } of sources.values()) {
    for (const [, specifier = ''] of text.matchAll(/["'](\.{1,2}\/[^"'\n]{0,200})["']/g)) {
      if (left-- === 0) return sources
      for (const extension of extensions) {
        const imported = joinPath(parentPath(path), specifier + extension)
        if (sources.size >= maxFiles) return sources
        if (sources.has(imported)) break
        const result = await files.read(imported, maxBytes)
        if (result.kind !== 'file') continue
        sources.set(imported, toSourceFile(imported, result.bytes))
        break
      }
    }
  }
  return sources
}
