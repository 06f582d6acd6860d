import { findDuplicateKeys } from './json/duplicate-keys.ts'
import { parseWrittenJson, settleNumbers } from './json/json-values.ts'
import { type PointerTree, toPointerTree } from './json/pointer-tree.ts'
import { defaultLimits } from './plain/limits.ts'
import {
  decodeWithoutCaching,
  type PointerPlace,
  type SourceFile,
  type SyntaxProblem,
  sizeOf,
  startOf,
} from './plain/source-file.ts'

/** The syntax of a file, detected from its first character and never from its name. */
export type Syntax = 'json' | 'yaml'

/** A file with its value. `value` is `undefined` if nothing could be read. With problems, it is the best available reading. */
export interface ParsedSource {
  readonly source: SourceFile
  readonly syntax: Syntax
  readonly value: unknown
  readonly faults: readonly SyntaxProblem[]
  /** Parts that not all parsers accept. Absent if there are none. */
  readonly warnings?: readonly SyntaxProblem[]
}

/**
 * Reads a file as strict JSON (RFC 8259) if its first character is `{` or `[`, otherwise as YAML 1.2 (core schema, with `<<`).
 *
 * Never rejects: `faults` contains all problems. Asynchronous only because the YAML parser is loaded on demand.
 *
 * @param largestCompared The largest JSON file, in bytes, that is checked for duplicate keys.
 */
export async function parseSource(
  source: SourceFile,
  limits = defaultLimits,
  largestCompared = maxCompared,
): Promise<ParsedSource> {
  const syntax = syntaxOf(source)
  const encoding = toEncodingProblem(source)
  if (encoding) return { source, syntax, value: undefined, faults: [encoding] }
  if (syntax === 'json') {
    let value: unknown
    try {
      value = settleNumbers(parseWrittenJson(decodeWithoutCaching(source)))
    } catch (error) {
      const { findJsonProblem } = await import('./json/find-json-problem.ts')
      return { source, syntax, value: undefined, faults: [findJsonProblem(source.text, error)] }
    }
    return { source, syntax, value, faults: sizeOf(source) > largestCompared ? [] : findDuplicateKeys(source, value) }
  }
  const { parseYamlFile } = await import('./yaml/parse-yaml.ts')
  return { source, syntax, ...parseYamlFile(source, limits) }
}

/** The check for duplicate keys takes time on every valid file. */
const maxCompared = 1024 * 1024

/** Detects JSON or YAML from the first character that is not whitespace. */
export function syntaxOf(source: SourceFile): Syntax {
  // The start is usually enough, and avoids decoding the rest.
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
 * Finds the locations of many values in one pass over the text.
 *
 * Recording all locations while parsing would cost ten times the parse, so only reported ones are looked up. A value that is not in the
 * text (a missing key, a key merged by `<<`) gets the location of its nearest ancestor.
 */
export async function locatePointers(source: SourceFile, pointers: Iterable<string>): Promise<PointerPlaces> {
  const { root, ends } = toPointerTree(pointers)
  if (syntaxOf(source) === 'json') (await import('./json/locate-in-json.ts')).locateInJson(source, root)
  else (await import('./yaml/yaml-events.ts')).locateInYaml(source, root)
  return {
    get: (pointer) => {
      const end = ends.get(pointer)
      return end && nearestPlace(end)
    },
  }
}

/** The locations of the requested pointers, `undefined` for others. */
export interface PointerPlaces {
  get(pointer: string): PointerPlace | undefined
}

function nearestPlace(end: PointerTree): PointerPlace {
  for (let node: PointerTree | undefined = end; node; node = node.parent) if (node.place) return node.place
  return { value: { start: 0, end: 0 } }
}
