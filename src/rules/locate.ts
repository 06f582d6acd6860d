import { isContainer, parsePointer, pointerChild, readStep } from '../text/json/json-values.ts'
import type { RuleDocument } from './resolve-document.ts'
import type { Path } from './ruleset.ts'

/** A location in a file of the description. */
interface Located {
  readonly file: string
  readonly pointer: string
  /** The steps of `pointer`. */
  readonly steps: Path
  /** The steps of the path that do not exist. */
  readonly missing: Path
  readonly value: unknown
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
