import { type Finding, formatNumber } from '../../diagnostics/diagnostic.ts'
import { isContainer, isObject, type JsonObject, parentPointer, parsePointer, pointerChild } from '../../text/json/json-values.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import type { ConfigLocation, ConfigSourceMap, FileEdit } from './docs-config.ts'
import type { JsonEdit } from './edit-json.ts'

/** Reads the target of a `$ref` in `docs.json` by its path relative to the boundary. */
export type LoadConfigPart = (path: string) => Promise<
  | { readonly kind: 'loaded'; readonly source: SourceFile; readonly value: unknown }
  /** `findings` has problems inside the file. If it is empty, `reason` is reported at the `$ref`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly findings: readonly Finding[] }
>

/** Maximum number of `$ref`s, and of UTF-16 code units they include. A file counts each time it is included. */
const limits = { references: 1_000, text: 64 * 1024 * 1024 }

/**
 * Replaces each `$ref` with the content of its file, at any depth, as hosts do. Paths are relative to the file with the `$ref`
 * and must stay in the docs directory. Keys next to a `$ref` override those of the file if it contains an object.
 *
 * A `$ref` that cannot be followed is reported, and only the keys next to it are used.
 */
export async function resolveConfigReferences(
  source: SourceFile,
  value: JsonObject,
  load: LoadConfigPart,
): Promise<{ value: JsonObject; sourceMap: ConfigSourceMap; findings: readonly Finding[] }> {
  if (!source.text.includes('"$ref"')) return { value, sourceMap: mapSingleFile(source), findings: [] }
  const resolver: Resolver = {
    root: parentPath(source.path),
    load,
    sources: new Map([[source.path, source]]),
    included: new Map(),
    findings: [],
    remaining: { ...limits },
  }
  const resolved = await resolve(resolver, value, { file: source.path, pointer: '', through: [source.path] }, '')
  const sourceMap = createSourceMap([...resolver.sources.values()], resolver.included)
  return { value: isObject(resolved) ? resolved : {}, sourceMap, findings: resolver.findings }
}

/** A file included by a `$ref`. */
interface IncludedFile {
  readonly file: string
  /** Keys next to the `$ref`, which belong to the including file. */
  readonly siblingKeys: ReadonlySet<string>
}

interface Resolver {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly load: LoadConfigPart
  readonly sources: Map<string, SourceFile>
  /** By pointer in the result. If a file only contains another `$ref`, the outermost file comes first. */
  readonly included: Map<string, IncludedFile[]>
  readonly findings: Finding[]
  readonly remaining: { references: number; text: number }
}

/** Location of the value to resolve, and the files that include it. */
interface ResolveLocation extends ConfigLocation {
  readonly through: readonly string[]
}

async function resolve(resolver: Resolver, value: unknown, place: ResolveLocation, pointer: string): Promise<unknown> {
  const child = (key: string | number) => ({ ...place, pointer: pointerChild(place.pointer, key) })
  if (Array.isArray(value)) {
    const elements: unknown[] = []
    for (const [index, element] of value.entries()) {
      elements.push(isContainer(element) ? await resolve(resolver, element, child(index), pointerChild(pointer, index)) : element)
    }
    return elements
  }
  if (!isObject(value)) return value
  const reference = value['$ref']
  const entries = Object.entries(value).filter(([key]) => key !== '$ref' || reference === undefined)
  const included = reference === undefined ? undefined : await include(resolver, reference, entries, place, pointer)
  if (included !== undefined && !isObject(included.value)) return included.value
  const own: [string, unknown][] = []
  for (const [key, entry] of entries) {
    own.push([key, isContainer(entry) ? await resolve(resolver, entry, child(key), pointerChild(pointer, key)) : entry])
  }
  return Object.fromEntries([...Object.entries(included?.value ?? {}), ...own])
}

async function include(
  resolver: Resolver,
  reference: unknown,
  siblingKeys: readonly (readonly [string, unknown])[],
  place: ResolveLocation,
  pointer: string,
): Promise<{ readonly value: unknown } | undefined> {
  const report = (finding: Pick<Finding, 'code' | 'message' | 'hint'>) => {
    resolver.findings.push({ ...finding, file: place.file, pointer: pointerChild(place.pointer, '$ref') })
    return undefined
  }
  if (typeof reference !== 'string') {
    return report({ code: 'wrong-type', message: 'Unexpected value for `$ref`, expected the path of a JSON file' })
  }
  const path = joinPath(parentPath(place.file), reference)
  const isInside = resolver.root === '' ? path !== '..' && !path.startsWith('../') : path.startsWith(`${resolver.root}/`)
  const refuse = (reason: string, hint?: string) =>
    report({
      code: 'docs-reference',
      message: `Cannot follow \`$ref\` to \`${reference}\`: ${reason}`,
      ...(hint ? { hint } : {}),
    })
  if (isUrl(reference)) return refuse('it is a URL', 'Commit the file next to `docs.json` and use its path')
  if (!isInside || reference.startsWith('/')) {
    return refuse('it is outside the docs directory', 'Use a path relative to the file that contains the `$ref`')
  }
  if (place.through.includes(path)) return refuse('it is circular')
  if (--resolver.remaining.references < 0) {
    return resolver.remaining.references === -1
      ? refuse(`\`docs.json\` has more than ${formatNumber(limits.references)} references`)
      : undefined
  }
  const part = await resolver.load(path)
  if (part.kind === 'failed') {
    resolver.findings.push(...part.findings)
    return part.findings.length > 0 ? undefined : refuse(part.reason)
  }
  resolver.remaining.text -= part.source.text.length
  if (resolver.remaining.text < 0) return refuse('the total size of the referenced files is too large')
  resolver.sources.set(path, part.source)
  const included = resolver.included.get(pointer) ?? []
  included.push({ file: path, siblingKeys: new Set(siblingKeys.map(([key]) => key)) })
  resolver.included.set(pointer, included)
  return { value: await resolve(resolver, part.value, { file: path, pointer: '', through: [...place.through, path] }, pointer) }
}

function createSourceMap(
  sources: readonly SourceFile[],
  included: ReadonlyMap<string, readonly IncludedFile[]>,
): ConfigSourceMap {
  const entry = sources[0]?.path ?? ''
  const findKey = (pointer: string): ConfigLocation => {
    let place: ConfigLocation = { file: entry, pointer: '' }
    let walked = ''
    for (const step of parsePointer(pointer)) {
      for (const file of included.get(walked) ?? []) {
        if (file.siblingKeys.has(step)) break
        place = { file: file.file, pointer: '' }
      }
      walked = pointerChild(walked, step)
      place = { file: place.file, pointer: pointerChild(place.pointer, step) }
    }
    return place
  }
  const findValue = (pointer: string): ConfigLocation => {
    const last = included.get(pointer)?.at(-1)
    return last ? { file: last.file, pointer: '' } : findKey(pointer)
  }
  return {
    sources,
    locate: (pointer, part) => (part === 'key' ? findKey(pointer) : findValue(pointer)),
    toFileEdit: (edit) => translate(edit, findKey, findValue),
  }
}

type Find = (pointer: string) => ConfigLocation

function translate(edit: JsonEdit, findKey: Find, findValue: Find): FileEdit {
  switch (edit.kind) {
    case 'insert':
    case 'replace':
    case 'reorder': {
      const { file, pointer } = findValue(edit.array)
      return { file, edit: { ...edit, array: pointer } }
    }
    case 'remove': {
      const { file, pointer } = findKey(edit.pointer)
      return { file, edit: { ...edit, pointer } }
    }
    case 'set': {
      const { file, pointer } = findKey(pointerChild(edit.object, edit.key))
      return { file, edit: { ...edit, object: parentPointer(pointer) } }
    }
  }
}

/** Locations in a `docs.json` without `$ref`s. */
function mapSingleFile(source: SourceFile): ConfigSourceMap {
  return {
    sources: [source],
    locate: (pointer) => ({ file: source.path, pointer }),
    toFileEdit: (edit) => ({ file: source.path, edit }),
  }
}
