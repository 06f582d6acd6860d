import { type FollowReference, isReference, splitReference } from '../../openapi/references/follow-reference.ts'
import type { Document } from '../../openapi/types.ts'
import {
  isContainer,
  type JsonObject,
  type Place,
  parsePointer,
  pointerChild,
  readStep,
  setOwn,
  valueAtPointer,
} from '../../text/json/json-values.ts'
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
  const targets = new Map<object, Place>()
  const copies = new Map<object, object>()
  const namedTargets = new Set<string>()
  // Grows while it is iterated: each reference adds the file of its target.
  const files = new Set([entryPath])
  for (const file of files) {
    const findTarget = toFindTarget(file, documents, follow)
    const find = (value: object): Place | undefined => {
      if (!isReference(value)) return undefined
      const target = findTarget(value)
      if (!target) return undefined
      files.add(target.file)
      const isNamed = file !== entryPath || !value.$ref.startsWith('#')
      if (isNamed && target.file === entryPath) namedTargets.add(target.pointer)
      return target
    }
    collectReferences(documents.get(file)?.parsed.value, find, { targets, copies })
  }
  const origins = new Map<object, Origin>()
  const toResolved = (value: unknown): unknown => {
    if (!isContainer(value)) return value
    const target = targets.has(value) ? findEnd(value, targets) : undefined
    if (!target) return copies.get(value) ?? value
    if (!isContainer(target.value)) return target.value
    const object = copies.get(target.value) ?? target.value
    if (!origins.has(object)) origins.set(object, { file: target.file, pointer: target.pointer })
    return object
  }
  for (const [object, copy] of copies) fillCopy(object, copy, toResolved)
  const value = toResolved(documents.get(entryPath)?.parsed.value)
  return { file: entryPath, value, originOf: (object) => origins.get(object), namedTargets }
}

/** The document as it is written. */
export function toUnresolved({ entryPath, documents }: Pick<DescriptionFiles, 'entryPath' | 'documents'>): RuleDocument {
  const value = documents.get(entryPath)?.parsed.value
  return { file: entryPath, value, originOf: () => undefined, namedTargets: new Set() }
}

/** Finds the target of a reference, which can also be in a part of a file that OpenAPI gives no meaning. */
function toFindTarget(
  file: string,
  documents: DescriptionFiles['documents'],
  follow: FollowReference,
): (reference: JsonObject & { readonly $ref: string }) => Place | undefined {
  return (reference) => {
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
}

/** Walks a parsed file. Its nesting is limited, and so are the values that aliases of YAML repeat. */
function collectReferences(root: unknown, find: (value: object) => Place | undefined, { targets, copies }: Collected): void {
  const visit = (value: object): boolean => {
    const target = find(value)
    if (target) targets.set(value, target)
    let contains = false
    if (Array.isArray(value)) {
      for (const item of value) if (isContainer(item)) contains = visit(item) || contains
    } else {
      for (const key of Object.keys(value)) {
        const child: unknown = value[key as keyof typeof value]
        if (isContainer(child)) contains = visit(child) || contains
      }
    }
    if (contains && !copies.has(value)) copies.set(value, Array.isArray(value) ? [] : {})
    return contains || target !== undefined
  }
  if (isContainer(root)) visit(root)
}

/** The first target that is not a reference itself. Absent for references that only lead to each other. */
function findEnd(reference: object, targets: Collected['targets']): Place | undefined {
  let place = targets.get(reference)
  // Most targets are not references themselves.
  if (!place || !isContainer(place.value) || !targets.has(place.value)) return place
  const seen = new Set<unknown>([reference])
  while (place && isContainer(place.value) && targets.has(place.value)) {
    if (seen.has(place.value)) return undefined
    seen.add(place.value)
    place = targets.get(place.value)
  }
  return place
}

function fillCopy(object: object, copy: object, toResolved: (value: unknown) => unknown): void {
  for (const key of Object.keys(object)) {
    const value = toResolved(readStep(object, key))
    setOwn(copy, key, value)
  }
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
