import { findDuplicateKeys } from './json/duplicate-keys.ts'
import { parseWrittenJson, settleNumbers } from './json/json-values.ts'
import { type PointerTree, toPointerTree } from './json/pointer-tree.ts'
import { defaultLimits, type Limits } from './plain/limits.ts'
import {
  decodeWithoutCaching,
  type PointerPlace,
  type SourceFile,
  type SyntaxProblem,
  sizeOf,
  startOf,
} from './plain/source-file.ts'

/** The syntax of a file as it was read, or that its problem is about. */
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
 * Reads a file as strict JSON (RFC 8259), and else as YAML 1.2 (core schema, with `<<`), unless its name ends in `.json`.
 *
 * If it is neither, the problem is about the format that its name suggests, else its first key.
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
  const encoding = toEncodingProblem(source)
  if (encoding) return { source, syntax: 'yaml', value: undefined, faults: [encoding] }
  const json = readJson(source)
  if (json.kind === 'read') {
    const { value } = json
    syntaxes.set(source, 'json')
    const faults = sizeOf(source) > largestCompared ? [] : findDuplicateKeys(source, value)
    return { source, syntax: 'json', value, faults }
  }
  if (json.kind === 'failed') {
    const { findJsonProblem } = await import('./json/find-json-problem.ts')
    const problem = findJsonProblem(source.text, json.error)
    const asJson: ParsedSource = { source, syntax: 'json', value: undefined, faults: [problem] }
    // YAML would read comments and foreign spaces as part of keys and values. After a `:`, `//` can begin a URL.
    const { start } = problem.offsets
    const found = /^(?:\/[/*]|[^\S\t\n\r ])/.exec(source.text.slice(start, start + 2))?.[0]
    const isForeign = found !== undefined && !(found.startsWith('/') && source.text.slice(0, start).trimEnd().endsWith(':'))
    if (isForeign || isNamedJson(source)) return asJson
    const asYaml = await readYaml(source, limits)
    const isNeither = asYaml.value === undefined && asYaml.faults[0]?.code === 'yaml-syntax'
    const resemblesJson = !/\.ya?ml$/i.test(source.path) && /^[\s{[]*(?:"|$)/.test(source.text)
    return isNeither && resemblesJson ? asJson : asYaml
  }
  return await readYaml(source, limits)
}

/** The syntax of each file that was read. */
const syntaxes = new WeakMap<SourceFile, Syntax>()

async function readYaml(source: SourceFile, limits: Limits): Promise<ParsedSource> {
  syntaxes.set(source, 'yaml')
  const { parseYamlFile } = await import('./yaml/parse-yaml.ts')
  return { source, syntax: 'yaml', ...parseYamlFile(source, limits) }
}

/** A URL can have a query after the name. */
function isNamedJson({ path }: SourceFile): boolean {
  return /\.json$/i.test(path.split(/[?#]/, 1)[0] ?? '')
}

/** Reads a file as JSON if it starts with `{` or `[`, as a document does. */
function readJson(source: SourceFile) {
  // The start is usually enough, and avoids decoding the rest.
  const first = /\S/.exec(startOf(source, 1_000))?.[0] ?? /\S/.exec(source.text)?.[0]
  if (first !== '{' && first !== '[') return { kind: 'other' } as const
  try {
    return { kind: 'read', value: settleNumbers(parseWrittenJson(decodeWithoutCaching(source))) } as const
  } catch (error) {
    return { kind: 'failed', error } as const
  }
}

/** The check for duplicate keys takes time on every valid file. */
const maxCompared = 1024 * 1024

/** The syntax of a file. A file that `parseSource` did not read is read as JSON if it starts like it. */
export function syntaxOf(source: SourceFile): Syntax {
  const known = syntaxes.get(source)
  if (known !== undefined) return known
  const { kind } = readJson(source)
  const syntax = kind === 'read' || (kind === 'failed' && isNamedJson(source)) ? 'json' : 'yaml'
  syntaxes.set(source, syntax)
  return syntax
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
