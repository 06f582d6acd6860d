import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { parentPointer, parsePointer, pointerChild } from '../source/json-pointer.ts'
import { isUrl, joinPath, parentPath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { JsonEdit } from './edit-json.ts'
import type { ConfigPlace, ConfigPlaces, FileEdit } from './types.ts'

/** Reads a file that a `$ref` of `docs.json` names, by its path relative to the boundary. */
export type LoadConfigPart = (path: string) => Promise<
  | { readonly kind: 'loaded'; readonly source: SourceFile; readonly value: unknown }
  /** Nothing can be made of it. `findings` say why where they have places of their own; `reason` says it at the `$ref`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly findings: readonly Finding[] }
>

/** The most `$ref`s that are followed, and the most text, in UTF-16 units, that they bring in; one file counts each time. */
const limits = { references: 1_000, text: 64 * 1024 * 1024 }

/**
 * Puts the contents of files in the place of the `$ref`s that name them, as the host does: at any depth; the path counts from the file that
 * has it and stays in the docs root; keys beside a `$ref` win over those of the file where that is an object.
 *
 * A `$ref` that cannot be followed is a finding, and what stands beside it is what counts.
 */
export async function resolveConfigReferences(
  source: SourceFile,
  value: JsonObject,
  load: LoadConfigPart,
): Promise<{ value: JsonObject; places: ConfigPlaces; findings: readonly Finding[] }> {
  if (!source.text.includes('"$ref"')) return { value, places: placesInOneFile(source), findings: [] }
  const resolver: Resolver = {
    root: parentPath(source.path),
    load,
    sources: new Map([[source.path, source]]),
    mounts: new Map(),
    findings: [],
    left: { ...limits },
  }
  const resolved = await resolve(resolver, value, { file: source.path, pointer: '', through: [source.path] }, '')
  const places = toPlaces([...resolver.sources.values()], resolver.mounts)
  return { value: isObject(resolved) ? resolved : {}, places, findings: resolver.findings }
}

/** A file that stands in the place of a `$ref`. */
interface Mount {
  readonly file: string
  /** Keys beside the `$ref`, which stay those of the file around it. */
  readonly beside: ReadonlySet<string>
}

interface Resolver {
  /** The docs root, relative to the boundary. */
  readonly root: string
  readonly load: LoadConfigPart
  readonly sources: Map<string, SourceFile>
  /** By pointer in the result; the outermost first, where a file has only another `$ref`. */
  readonly mounts: Map<string, Mount[]>
  readonly findings: Finding[]
  readonly left: { references: number; text: number }
}

/** Where the value stands that is resolved, and the files that led there. */
interface Place extends ConfigPlace {
  readonly through: readonly string[]
}

async function resolve(resolver: Resolver, value: unknown, place: Place, pointer: string): Promise<unknown> {
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
  beside: readonly (readonly [string, unknown])[],
  place: Place,
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
  if (isUrl(reference)) return refuse('it is an address', 'commit the file beside `docs.json` and write its path')
  if (!isInside || reference.startsWith('/')) {
    return refuse('it leads out of the docs root', 'write a path that counts from the file that has the `$ref`')
  }
  if (place.through.includes(path)) return refuse('it leads in a circle')
  if (--resolver.left.references < 0) {
    return resolver.left.references === -1 ? refuse(`there are more than ${limits.references} of them`) : undefined
  }
  const part = await resolver.load(path)
  if (part.kind === 'failed') {
    resolver.findings.push(...part.findings)
    return part.findings.length > 0 ? undefined : refuse(part.reason)
  }
  resolver.left.text -= part.source.text.length
  if (resolver.left.text < 0) return refuse('the files are too large together')
  resolver.sources.set(path, part.source)
  const mounts = resolver.mounts.get(pointer) ?? []
  mounts.push({ file: path, beside: new Set(beside.map(([key]) => key)) })
  resolver.mounts.set(pointer, mounts)
  return { value: await resolve(resolver, part.value, { file: path, pointer: '', through: [...place.through, path] }, pointer) }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function toPlaces(sources: readonly SourceFile[], mounts: ReadonlyMap<string, readonly Mount[]>): ConfigPlaces {
  const entry = sources[0]?.path ?? ''
  const findKey = (pointer: string): ConfigPlace => {
    let place: ConfigPlace = { file: entry, pointer: '' }
    let walked = ''
    for (const step of parsePointer(pointer)) {
      for (const mount of mounts.get(walked) ?? []) {
        if (mount.beside.has(step)) break
        place = { file: mount.file, pointer: '' }
      }
      walked = pointerChild(walked, step)
      place = { file: place.file, pointer: pointerChild(place.pointer, step) }
    }
    return place
  }
  const findValue = (pointer: string): ConfigPlace => {
    const last = mounts.get(pointer)?.at(-1)
    return last ? { file: last.file, pointer: '' } : findKey(pointer)
  }
  return {
    sources,
    placeOf: (pointer, part) => (part === 'key' ? findKey(pointer) : findValue(pointer)),
    toFileEdits: (edit) => [translate(edit, findKey, findValue)],
  }
}

type Find = (pointer: string) => ConfigPlace

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

/** The places of a `docs.json` that is one file. */
function placesInOneFile(source: SourceFile): ConfigPlaces {
  return {
    sources: [source],
    placeOf: (pointer) => ({ file: source.path, pointer }),
    toFileEdits: (edit) => [{ file: source.path, edit }],
  }
}
