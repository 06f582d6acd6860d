import { type FollowReference, isReference } from '../../openapi/references/follow-reference.ts'
import type { Document } from '../../openapi/types.ts'
import { isContainer, type Place, parsePointer, pointerChild, readStep, readText, setOwn } from '../../text/json/json-values.ts'
import type { Path } from '../ruleset.ts'

/** A value that rules read. */
export interface RuleDocument {
  /** The entry document. */
  readonly file: string
  readonly value: unknown
  /** The location of an object that is the target of a reference. */
  readonly originOf: (object: object) => Origin | undefined
  /** The pointers in the entry document that references with the name of its file have as their target, those of other files included. */
  readonly namedTargets: ReadonlySet<string>
}

/** A location in a file of a description. */
interface Origin {
  /** Relative to the boundary, or a URL. */
  readonly file: string
  readonly pointer: string
}

/** The files of a checked description. */
export interface DescriptionFiles {
  readonly entryPath: string
  readonly documents: ReadonlyMap<string, Document>
  readonly follow: FollowReference
}

/**
 * Replaces the references of a description by their targets, anywhere in its files. Fields beside a `$ref` are dropped, as tools for
 * rulesets do. A reference that cannot be resolved is kept.
 *
 * The result is a graph: an object takes the place of each reference to it, so it can occur several times, also inside itself. Only the
 * objects that contain a reference are copied, once each. All others are those of the parsed files.
 */
export function resolveDocument({ entryPath, documents, follow }: DescriptionFiles): RuleDocument {
  /** The target of each reference that has one. */
  const targets = new Map<object, Place>()
  /** An empty copy of each object that contains a reference. */
  const copies = new Map<object, object>()
  const namedTargets = new Set<string>()
  // Grows while it is iterated: each reference adds the file of its target.
  const files = new Set([entryPath])
  for (const file of files) {
    // The nesting of a parsed file is limited, and so are the values that aliases of YAML repeat.
    const visit = (value: unknown): boolean => {
      if (!isContainer(value)) return false
      const target = isReference(value) ? follow.next({ file, pointer: '', value }) : undefined
      if (target) {
        targets.set(value, target)
        files.add(target.file)
        const isNamed = file !== entryPath || !readText(value, '$ref')?.startsWith('#')
        if (isNamed && target.file === entryPath) namedTargets.add(target.pointer)
      }
      let contains = false
      for (const child of Object.values(value)) contains = visit(child) || contains
      if (contains && !copies.has(value)) copies.set(value, Array.isArray(value) ? [] : {})
      return contains || target !== undefined
    }
    visit(documents.get(file)?.parsed.value)
  }
  const origins = new Map<object, Origin>()
  const toResolved = (value: unknown): unknown => {
    if (!isContainer(value)) return value
    const target = targets.get(value)
    const end = target && follow.end(target)
    // References that only lead to each other have no end.
    if (!end || targets.has(Object(end.value))) return copies.get(value) ?? value
    if (!isContainer(end.value)) return end.value
    const object = copies.get(end.value) ?? end.value
    if (!origins.has(object)) origins.set(object, { file: end.file, pointer: end.pointer })
    return object
  }
  for (const [object, copy] of copies) for (const key of Object.keys(object)) setOwn(copy, key, toResolved(readStep(object, key)))
  const value = toResolved(documents.get(entryPath)?.parsed.value)
  return { file: entryPath, value, originOf: (object) => origins.get(object), namedTargets }
}

/** The document as it is written. */
export function toUnresolved({ entryPath, documents }: Pick<DescriptionFiles, 'entryPath' | 'documents'>): RuleDocument {
  const value = documents.get(entryPath)?.parsed.value
  return { file: entryPath, value, originOf: () => undefined, namedTargets: new Set() }
}

/** A location in a file of the description. */
interface Located extends Place {
  /** The steps of `pointer`. */
  readonly steps: Path
  /** The steps of the path that do not exist. */
  readonly missing: Path
  /** The location of the last key of the path, even if its value is written elsewhere. */
  asKey(): Located
}

/** Finds where a path of a document that rules read is written, or the closest value that exists. */
export function locate({ file: entryPath, value: root, originOf }: RuleDocument, path: Path): Located {
  let file = entryPath
  let pointer = ''
  let value = root
  let key = { file, pointer, value }
  let count = 0
  for (const step of path) {
    if (!hasStep(value, step)) break
    key = { file, pointer: pointerChild(pointer, step), value: readStep(value, step) }
    ;({ file, pointer, value } = key)
    const origin = isContainer(value) ? originOf(value) : undefined
    if (origin) ({ file, pointer } = origin)
    count++
  }
  const missing = path.slice(count)
  const toLocated = (place: typeof key): Located => {
    return { ...place, missing, steps: parsePointer(place.pointer), asKey: () => toLocated(key) }
  }
  return toLocated({ file, pointer, value })
}

function hasStep(value: unknown, step: string | number): value is { readonly [step: string | number]: unknown } {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(String(step)) && Number(step) < value.length
  return isContainer(value) && Object.hasOwn(value, step)
}
