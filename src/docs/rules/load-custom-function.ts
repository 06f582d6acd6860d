import type { Files } from '../../files/files.ts'
import type { LoadedFunction, RulesetLoader } from '../../rules/read/read-rulesets.ts'
import type { FunctionEntry } from '../../rules/read/types.ts'
import type { FunctionDefinition } from '../../rules/ruleset.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { toFailure } from '../read/to-load-document.ts'

/** The most files that a function and what it imports may have. */
const maxFiles = 50
const maxBytes = 1024 * 1024
/** The most strings in them that are tried as paths of imports. */
const maxSpecifiers = 1_000

/**
 * Loads a function in a JavaScript file with the files that it imports, all of which have to be inside the boundary.
 *
 * @param runWithin see `RulesetLoader`. The top level of a file is evaluated here, and its patterns can take exponential time.
 */
export async function loadCustomFunction(
  { name, file }: FunctionEntry,
  files: Files,
  coreFunctions: ReadonlyMap<string, FunctionDefinition>,
  runWithin: RulesetLoader['runWithin'],
): Promise<LoadedFunction> {
  if (isUrl(file)) {
    const message = `Cannot read the function \`${name}\`: functions of a ruleset at a URL are not read`
    return { kind: 'failed', message, hint: 'Commit the ruleset and its functions, and use its path', sources: [] }
  }
  const result = await files.read(file, maxBytes)
  if (result.kind !== 'file') {
    const { reason, hint } = toFailure(result)
    const message = `Cannot read the function \`${name}\` in \`${file}\`: ${reason}`
    return { kind: 'failed', message, ...(hint !== undefined && { hint }), sources: [] }
  }
  const source = toSourceFile(file, result.bytes)
  const sources = await loadImports(source, files)
  const { readCustomFunction } = await import('../../rules/custom/read-custom-function.ts')
  const load = (specifier: string, from: string) => sources.get(joinPath(parentPath(from), specifier))
  const read = runWithin(() => readCustomFunction({ name, source, load, coreFunctions }))
  if (read) return { ...read, sources: [...sources.values()] }
  const message = `Cannot read the function \`${name}\` in \`${file}\`: it takes too long`
  return { kind: 'failed', message, hint: 'Simplify the code and the patterns outside of its functions', sources: [source] }
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
