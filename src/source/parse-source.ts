import { defaultLimits } from './limits.ts'
import { findDuplicateKeys, type IntegerReading, mayHaveLargeIntegers, parseExactJson } from './parse-json.ts'
import { type PointerPlace, type PointerTree, toPointerTree } from './pointer-tree.ts'
import { decodeWithoutCaching, type SourceFile, type SyntaxProblem, sizeOf, startOf } from './source-file.ts'

/** How a file is written; told by its first character, never by its name. */
export type Syntax = 'json' | 'yaml'

/** A file with its value. `value` is `undefined` when nothing could be read; with faults it is the best reading there is. */
export interface ParsedSource {
  readonly source: SourceFile
  readonly syntax: Syntax
  readonly value: unknown
  readonly faults: readonly SyntaxProblem[]
}

/**
 * Reads a file as JSON (RFC 8259, strictly) when its first character is `{` or `[`, else as YAML 1.2 (core schema, with `<<`).
 *
 * Never rejects: whatever is wrong with the text is in `faults`. Asynchronous only because the YAML parser is loaded on first need.
 */
export async function parseSource(
  source: SourceFile,
  limits = defaultLimits,
  integers: IntegerReading = 'rounded',
): Promise<ParsedSource> {
  const syntax = syntaxOf(source)
  const encoding = toEncodingProblem(source)
  if (encoding) return { source, syntax, value: undefined, faults: [encoding] }
  if (syntax === 'json') {
    let value: unknown
    try {
      const text = decodeWithoutCaching(source)
      value = integers === 'exact' && mayHaveLargeIntegers(text) ? parseExactJson(text) : JSON.parse(text)
    } catch (error) {
      const { findJsonProblem } = await import('./find-json-problem.ts')
      return { source, syntax, value: undefined, faults: [findJsonProblem(source.text, error)] }
    }
    return { source, syntax, value, faults: sizeOf(source) > maxCompared ? [] : findDuplicateKeys(source, value) }
  }
  const { parseYaml } = await import('./parse-yaml.ts')
  return { source, syntax, ...parseYaml(source.text, limits, integers) }
}

/** The largest JSON file, in bytes, whose keys are compared: that takes time on every valid file. */
const maxCompared = 1024 * 1024

/** Tells JSON from YAML by the first character that is not blank. */
export function syntaxOf(source: SourceFile): Syntax {
  // The start is enough for nearly every file, and spares decoding the rest.
  const first = /\S/.exec(startOf(source, 1_000))?.[0] ?? /\S/.exec(source.text)?.[0]
  return first === '{' || first === '[' ? 'json' : 'yaml'
}

function toEncodingProblem(source: SourceFile): SyntaxProblem | undefined {
  const { encodingFault } = source
  if (!encodingFault) return undefined
  const offsets = { start: encodingFault.offset, end: Math.min(source.text.length, encodingFault.offset + 1) }
  switch (encodingFault.kind) {
    case 'binary':
      return { code: 'encoding', message: 'Unexpected binary content, expected text', offsets, hint: 'Name a JSON or YAML file' }
    case 'utf-16':
      return { code: 'encoding', message: 'Unexpected UTF-16 text, expected UTF-8', offsets, hint: 'Save the file as UTF-8' }
    case 'invalid-utf8':
      return { code: 'encoding', message: 'Unexpected bytes, expected UTF-8', offsets, hint: 'Save the file as UTF-8' }
  }
}

/**
 * Finds the places of many values in one pass over the text.
 *
 * Ranges are not kept while parsing, since keeping them for all values costs ten times the parse; they are looked up here for the few
 * that are reported. A pointer whose value is not in the text (a missing key, a key merged in by `<<`) gets the place of the nearest
 * ancestor that is.
 */
export async function locatePointers(source: SourceFile, pointers: Iterable<string>): Promise<PointerPlaces> {
  const { root, ends } = toPointerTree(pointers)
  if (syntaxOf(source) === 'json') (await import('./locate-in-json.ts')).locateInJson(source, root)
  else (await import('./yaml-events.ts')).locateInYaml(source.text, root)
  return {
    get: (pointer) => {
      const end = ends.get(pointer)
      return end && nearestPlace(end)
    },
  }
}

/** The places of the pointers that were asked for; `undefined` for any other. */
export interface PointerPlaces {
  get(pointer: string): PointerPlace | undefined
}

function nearestPlace(end: PointerTree): PointerPlace {
  for (let node: PointerTree | undefined = end; node; node = node.parent) if (node.place) return node.place
  return { value: { start: 0, end: 0 } }
}
