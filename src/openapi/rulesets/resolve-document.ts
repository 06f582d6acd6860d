import { isContainer } from '../../source/is-object.ts'
import { valueAtPointer } from '../../source/json-pointer.ts'
import type { FollowReference, Place } from '../follow-reference.ts'
import { isReference } from '../follow-reference.ts'
import type { Document } from '../types.ts'
import { splitReference } from '../uri.ts'

/** A value that rules read. */
export interface RuleDocument {
  /** The entry document. */
  readonly file: string
  readonly value: unknown
  /** The location of an object that is the target of a reference. */
  readonly originOf: (object: object) => Origin | undefined
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
  const targets = new Map<object, Place>()
  const copies = new Map<object, object>()
  // Grows while it is iterated: each reference adds the file of its target.
  const files = new Set([entryPath])
  for (const file of files) {
    const find = toFindTarget(file, documents, follow)
    collectReferences(documents.get(file)?.parsed.value, find, { targets, copies, files })
  }
  const origins = new Map<object, Origin>()
  const toResolved = (value: unknown): unknown => {
    if (!isContainer(value)) return value
    const target = targets.has(value) ? findEnd(value, targets) : undefined
    if (!target || !isContainer(target.value)) return target ? target.value : (copies.get(value) ?? value)
    const object = copies.get(target.value) ?? target.value
    if (!origins.has(object)) origins.set(object, { file: target.file, pointer: target.pointer })
    return object
  }
  for (const [object, copy] of copies) fillCopy(object, copy, toResolved)
  return { file: entryPath, value: toResolved(documents.get(entryPath)?.parsed.value), originOf: (object) => origins.get(object) }
}

/** The document as it is written. */
export function toUnresolved({ entryPath, documents }: Pick<DescriptionFiles, 'entryPath' | 'documents'>): RuleDocument {
  return { file: entryPath, value: documents.get(entryPath)?.parsed.value, originOf: () => undefined }
}

/** Finds the target of a reference, which can also be in a part of a file that OpenAPI gives no meaning. */
function toFindTarget(
  file: string,
  documents: DescriptionFiles['documents'],
  follow: FollowReference,
): (reference: object) => Place | undefined {
  return (reference) => {
    if (!isReference(reference)) return undefined
    const known = follow.next({ file, pointer: '', value: reference })
    if (known) return known
    const target = splitReference(reference.$ref, file)
    if (target.kind !== 'file' || /^[^/]/.test(target.fragment)) return undefined
    const value = valueAtPointer(documents.get(target.path)?.parsed.value, target.fragment)
    return value === undefined ? undefined : { file: target.path, pointer: target.fragment, value }
  }
}

interface Collected {
  /** The target of each reference that has one. */
  readonly targets: Map<object, Place>
  /** An empty copy of each object that contains a reference. */
  readonly copies: Map<object, object>
  readonly files: Set<string>
}

/** Walks a parsed file. Its nesting is limited, so the recursion is. */
function collectReferences(
  root: unknown,
  find: (reference: object) => Place | undefined,
  { targets, copies, files }: Collected,
): void {
  /** Aliases of YAML make an object occur several times. */
  const visited = new Set<object>()
  const visit = (value: unknown): boolean => {
    if (!isContainer(value)) return false
    if (visited.has(value)) return copies.has(value) || targets.has(value)
    visited.add(value)
    const target = find(value)
    if (target) {
      targets.set(value, target)
      files.add(target.file)
    }
    let contains = false
    if (Array.isArray(value)) for (const item of value) contains = visit(item) || contains
    else for (const key of Object.keys(value)) contains = visit(value[key as keyof typeof value]) || contains
    if (contains) copies.set(value, Array.isArray(value) ? [] : {})
    return contains || target !== undefined
  }
  visit(root)
}

/** The first target that is not a reference itself. Absent for references that only lead to each other. */
function findEnd(reference: object, targets: Collected['targets']): Place | undefined {
  const seen = new Set<unknown>([reference])
  let place = targets.get(reference)
  while (place && isContainer(place.value) && targets.has(place.value)) {
    if (seen.has(place.value)) return undefined
    seen.add(place.value)
    place = targets.get(place.value)
  }
  return place
}

function fillCopy(object: object, copy: object, toResolved: (value: unknown) => unknown): void {
  for (const [key, value] of Object.entries(object)) {
    // An assignment to `__proto__` would change the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: toResolved(value), enumerable: true })
    else copy[key as keyof typeof copy] = toResolved(value) as never
  }
}
